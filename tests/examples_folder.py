"""The examples are scripts beside each other; tests import them as Python does when it runs one of them."""

import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))
