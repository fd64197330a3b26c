"""What `pip install .` installs."""

import configparser
import subprocess
import sys
import zipfile

import mlir_tools
import pytest


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([*command, str(mlir_tools.ROOT)], check=True, capture_output=True)
    (path,) = folder.glob("wax-*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.full
def test_a_wheel_holds_both_packages_whole(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    for folder in ("frontend", "runtime"):
        for path in (mlir_tools.ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".pyi", ".typed"):
                assert str(path.relative_to(mlir_tools.ROOT / folder)) in names
    assert sum(name.startswith("wax/_native.") and name.endswith(".so") for name in names) == 1


@pytest.mark.full
def test_a_wheel_holds_nothing_else(wheel: zipfile.ZipFile) -> None:
    assert {name.split("/")[0].split("-")[0] for name in wheel.namelist()} == {"wax", "wax_runtime"}
    assert not any("__pycache__" in name for name in wheel.namelist())


@pytest.mark.full
def test_a_wheel_announces_the_backends(wheel: zipfile.ZipFile) -> None:
    (name,) = (one for one in wheel.namelist() if one.endswith("entry_points.txt"))
    parser = configparser.ConfigParser()
    parser.read_string(wheel.read(name).decode())
    assert set(parser["wax.backends"]) == {"iree", "reference"}
