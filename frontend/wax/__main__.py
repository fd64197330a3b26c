"""`python -m wax`: the command line."""

import sys

from wax.cli import main

if __name__ == "__main__":
    sys.exit(main())
