#!/bin/sh
# Installs what the build needs from Debian and is absent: MLIR 22 unless MLIR_DIR names another, and
# what the Python named by $1 lacks to make virtual environments and extension modules. With `test` as $2 what
# the tests need besides: Vulkan, and Mesa's driver for it, which runs on the CPU.
# Not for other systems: there it does nothing, and CMake tells what it does not find.
set -eu

python=$1
command -v dpkg-query >/dev/null || exit 0

wanted="libzstd-dev zlib1g-dev"
[ -n "${MLIR_DIR:-}" ] || wanted="llvm-22-dev libmlir-22-dev mlir-22-tools $wanted"
command -v g++ >/dev/null || wanted="g++ $wanted"
"$python" - <<'EOF' 2>/dev/null || wanted="python3-dev python3-venv $wanted"
import ensurepip, os, sysconfig
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
EOF

[ "${2:-}" != test ] || wanted="$wanted libvulkan1 mesa-vulkan-drivers"

missing=""
for package in $wanted; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || {
    echo "wax needs these packages; install them as root: apt-get install$missing" >&2
    exit 1
  }
  as_root="sudo"
fi

apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"
}

echo "Installing:$missing"
# The package lists may be absent or old; they are fetched only then.
# shellcheck disable=SC2086
apt install -y --no-install-recommends $missing || {
  apt update
  apt install -y --no-install-recommends $missing
}
