"""Linking in this process, with the system's own loader as the judge of what comes of it."""

import ctypes
import shutil
import struct
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wax.backends.iree.elf import linked
from wax_runtime.iree.team import OBJECT

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None
    or subprocess.run(["gcc", "-dumpmachine"], capture_output=True, text=True).stdout[:6] != "x86_64",
    reason="links what GCC makes for x86-64",
)

FIRST = """
extern int twice(int);
static const int numbers[] = {3, 5, 7, 11};
static int calls;
static int state = 40;
static char zeros[5000];
typedef int (*function)(int);
static int thrice(int x) { return 3 * x; }
static const char *const names[] = {"one", "two", "three"};
function functions[] = {twice, thrice, twice};
static const function same[] = {thrice, twice};

int first(int which, int x) {
  zeros[x] += 1;
  calls += 1;
  return functions[which](x) + same[which & 1](x) + numbers[x & 3] + names[which][0] + zeros[x];
}
int count(void) { return calls; }
int next_state(void) { return ++state; }
__attribute__((aligned(256))) static char aligned[256] = {1};
long where(void) { return (long)aligned; }
"""
SECOND = "int twice(int x) { return 2 * x; }\n"
GCC = ["gcc", "-c", "-O1", "-fPIC", "-fvisibility=hidden", "-fcf-protection=none", "-x", "c", "-"]


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Makes an object file."""

    def make(source, *options):
        path = tmp_path_factory.mktemp("object") / "made.o"
        subprocess.run([*GCC, *options, "-o", str(path)], input=source, text=True, check=True)
        return path.read_bytes()

    return make


@pytest.fixture(scope="session")
def objects(made):
    return [made(FIRST), made(SECOND)]


def loaded(path, program):
    path.write_bytes(program)
    return ctypes.CDLL(str(path))


@pytest.mark.parametrize("sections", [(), ("-ffunction-sections", "-fdata-sections")])
@pytest.mark.parametrize("order", [1, -1])
def test_functions_data_and_tables(sections, order, made, tmp_path):
    program = linked([made(FIRST, *sections), made(SECOND, *sections)][::order], "first")
    library = loaded(tmp_path / "program.so", program)
    for which, name in enumerate(["one", "two", "three"]):
        for x in (0, 2, 4999):
            expected = (3 if which == 1 else 2) * x + (2 if which & 1 else 3) * x + [3, 5, 7, 11][x & 3]
            expected += ord(name[0]) + which + 1
            assert library.first(which, x) == expected
    assert library.count() == 9
    assert library.next_state() == 41
    library.where.restype = ctypes.c_long
    assert library.where() % 256 == 0


def test_code_is_not_written_to_and_data_is_not_run(objects, tmp_path):
    program = linked(objects, "first")
    (at,), (count,) = struct.unpack_from("<Q", program, 32), struct.unpack_from("<H", program, 56)
    segments = [struct.unpack_from("<IIQQQQQQ", program, at + 56 * index) for index in range(count)]
    loads = [one for one in segments if one[0] == 1]
    assert len({flags for _, flags, *_ in loads}) == 3 and all(flags & 3 != 3 for _, flags, *_ in loads)
    pages = [range(begin // 4096, (begin + size - 1) // 4096 + 1) for _, _, _, begin, _, _, size, _ in loads if size]
    assert len({page for one in pages for page in one}) == sum(map(len, pages))
    (kept,) = (one for one in segments if one[0] == 0x6474E552)
    assert (kept[3], kept[6]) in [(one[3], one[6]) for one in loads]


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not there")
def test_tools_read_it(objects, tmp_path):
    (tmp_path / "program.so").write_bytes(linked(objects, "first"))
    done = subprocess.run(["readelf", "-aW", str(tmp_path / "program.so")], capture_output=True, text=True, check=True)
    assert done.stderr == "" and "Warning" not in done.stdout
    for name in ("first", "twice", "functions"):
        assert f" {name}\n" in done.stdout


@pytest.mark.skipif(not OBJECT.exists(), reason="wax was built without it")
def test_what_wax_links_into_programs(made, tmp_path):
    """It calls a function that programs have."""
    kernels = made("void *wree_hal_executable_library_query(int version, void *about) { return 0; }")
    query = "iree_hal_executable_library_query"
    library = loaded(tmp_path / "program.so", linked([kernels, OBJECT.read_bytes()], query))
    assert getattr(library, query)(6, None) == 0


@pytest.mark.parametrize(
    ("sources", "exported", "message"),
    [
        ([FIRST], "first", "twice is missing"),
        ([FIRST, SECOND], "third", "third is missing"),
        ([SECOND, SECOND], "twice", "twice is there twice"),
        (["#include <math.h>\ndouble f(double x) { return sin(x); }"], "f", "sin is missing"),
        (["__thread int x; int f(void) { return x; }"], "f", "another kind"),
        (["extern int x; int f(void) { return x; }", '__attribute__((visibility("default"))) int x = 1;'], "f", "kind"),
    ],
)
def test_refusals_say_why(sources, exported, message, made):
    with pytest.raises(ValueError, match=message):
        linked([made(source) for source in sources], exported)


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"no object file" * 100])
def test_what_is_no_object_file(data, objects):
    with pytest.raises(ValueError, match="no object file"):
        linked([*objects, data], "first")


def test_programs_are_no_object_files(objects):
    with pytest.raises(ValueError, match="no object file"):
        linked([linked(objects, "first")], "first")


@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files_are_refused_or_linked(data, objects):
    """Nothing but `ValueError` is raised."""
    damaged = bytearray(objects[0])
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    size = data.draw(st.one_of(st.just(len(damaged)), st.integers(0, len(damaged))))
    try:
        assert linked([bytes(damaged[:size]), objects[1]], "first")
    except ValueError:
        pass
