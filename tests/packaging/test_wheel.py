"""What `pip install .` installs."""

import configparser
import os
import platform
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import mlir_tools
import pytest

#: What a user does with an installed wax: compile and run on both backends, and look at every stage.
USE = """
import sys
import numpy as np
import wax
import wax.numpy as wnp

assert wax.__file__.startswith(sys.prefix), wax.__file__

@wax.jit
def f(x, y):
    return wnp.sum(wnp.exp(x) @ y, axis=0)

x, y = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3), np.ones((3, 5), np.float32)
for backend in ("iree", "reference"):
    np.testing.assert_allclose(f.lower(x, y).compile(backend=backend)(x, y), np.sum(np.exp(x) @ y, axis=0), rtol=1e-5)
assert "wax.reduce" in f.trace(x, y).as_text() and "linalg.generic" in f.lower(x, y).as_text("linalg")
print("used")
"""


@pytest.fixture(scope="module")
def wheel_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([*command, str(mlir_tools.ROOT)], check=True, capture_output=True)
    (path,) = folder.glob("wax-*.whl")
    return path


@pytest.fixture(scope="module")
def wheel(wheel_file: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(wheel_file)


@pytest.fixture(scope="module")
def installed(wheel_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel in it; what the wheel requires comes from this environment."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel_file)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "requirements.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


@pytest.mark.full
def test_a_wheel_holds_both_packages_whole(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    for folder in ("frontend", "runtime"):
        for path in (mlir_tools.ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".pyi", ".typed"):
                assert str(path.relative_to(mlir_tools.ROOT / folder)) in names
    assert sum(name.startswith("wax/_native.") and name.endswith(".so") for name in names) == 1
    if sys.platform == "linux":
        made = sum(name.startswith("wax/_machine.") and name.endswith(".so") for name in names)
        assert made == (platform.machine() == "x86_64")
        assert {f"wax_runtime/iree/{name}" for name in ("libwax_team.so", "wax_spread.o")} <= names


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


@pytest.mark.full
def test_an_installed_wheel_links_only_what_every_system_has(installed: Path) -> None:
    (site,) = installed.parent.parent.glob("lib/python*/site-packages")
    for library in (*site.glob("wax/*.so"), *site.glob("wax_runtime/iree/*.so")):
        linked = subprocess.run(["ldd", "-r", str(library)], capture_output=True, text=True, check=True).stdout
        lines = [line for line in linked.splitlines() if "=>" in line or line.startswith("\t/")]
        names = {Path(line.split()[0]).name.split(".")[0] for line in lines}
        assert "not found" not in linked
        assert names <= {"libstdc++", "libm", "libgcc_s", "libc", "ld-linux-x86-64"}


@pytest.mark.full
def test_an_installed_wheel_works_where_there_is_no_llvm(installed: Path, tmp_path: Path) -> None:
    hide = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"']
    llvm = str(mlir_tools.llvm_prefix())
    if subprocess.run([*hide, llvm, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no mount namespaces here, so LLVM's folder cannot be hidden")
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = {**kept, "WAX_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [*hide, llvm, str(installed), "-c", USE],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "used\n"), done.stderr
