"""Host programs of our own: what is seen of them from outside is what is seen of IREE's."""

import io
import logging
import re
import subprocess
import sys
import threading
import zipfile
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
import vm_files
from iree import runtime as iree_runtime
from iree.runtime.array_interop import map_dtype_to_element_type
from vm_files import VmFile

import wax
import wax.nn
import wax.numpy as wnp
from wax.backends.iree import bare_executables, bytecode, capi, compilation, host_programs
from wax.backends.iree.host_programs import host_program
from wax.backends.iree.linker import Executable

RANDOM = np.random.default_rng(0)
FRESH = wax.CompileOptions(cache=False)
DRIVERS = ("local-sync", "local-task")
#: A place in bytecode. The function's name is said of ours, and of IREE's its number or the name of another.
PLACE = r"module(?:\.\w+|@\d+):\d+ -"
CODE = Executable("code", "embedded-elf-x86_64", "application/x-elf", b"\0", {})


def given(*shapes, dtype=np.float32):
    return [(RANDOM.standard_normal(shape) * 3).astype(dtype) for shape in shapes]


@pytest.fixture(autouse=True, scope="module")
def code_by_iree():
    """So that all that differs is the host's part. test_machine_code.py has both."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(capi.machine_code, "begin", lambda *_: None)
        yield


def norms(x, scale):
    for _ in range(2):
        x = x + wnp.tanh(wax.nn.layer_norm(x) * scale)
    return x


def turned(x):
    """What depends on constants only is computed once, when the program is loaded."""
    angles = wnp.arange(16.0)[:, None] * (0.1 ** wnp.arange(4.0))
    return x * wnp.cos(angles) + wnp.sin(angles)


WEIGHTS = given((32, 32), (32,))

PROGRAMS = {
    "elementwise": (lambda x: x * 2 + 1, given((64, 64))),
    "softmax": (wax.nn.softmax, given((12, 40))),
    "product": (lambda x, y: x @ y, given((64, 64), (64, 32))),
    "captured": (lambda x: wnp.tanh(x @ WEIGHTS[0] + WEIGHTS[1]), given((8, 32))),
    "gradient": (wax.value_and_grad(lambda w, x: wnp.sum(wax.nn.softmax(x @ w) ** 2)), given((32, 10), (16, 32))),
    "layers": (norms, given((32, 96), (96,))),
    "constants": (wnp.fft.fft, given((60,))),
    "computed once": (turned, given((16, 4))),
    "two results": (lambda x: (x * 2, wnp.sum(x)), given((64, 64))),
    "an argument as it is": (lambda x, y: (x, x + y), given((9, 4), (9, 4))),
    "only that": (lambda x: x, given((9, 4))),
    "another shape of one": (lambda x: x.reshape(-1), given((9, 4))),
    "nothing in it": (lambda x, y: (x * 2, y + 1), given((0, 4), (3,))),
    "an argument for nothing": (lambda x, y: x + 1, given((3,), (5,))),
    "no arguments": (lambda: (wnp.arange(10) * 2, wnp.full((3, 4), -1.5), wnp.zeros(5)), []),
    "one copy": (lambda: wnp.arange(10) * 2, []),
    "one fill": (lambda: wnp.zeros(300), []),
    "copies": (lambda x, y: wnp.concat([x, y]), given((64, 8), (3, 8))),
    "updates": (lambda x: x.at[np.array([1, 2])].set(0.0), given((8, 8))),
    "sorted": (lambda x: wnp.argsort(x, axis=-1), given((7, 33))),
    "a number": (lambda x: x + 1, given(())),
    **{f"of {kind}": (lambda x: x + x, given((9,), dtype=kind)) for kind in ("int8", "int64", "float16", "float64")},
    "of uint8": (lambda x: x + x, [np.arange(9, dtype=np.uint8)]),
    "of bool": (lambda x, y: (x & y, wnp.where(x, 1.0, 2.0)), [np.arange(9) > 3, np.arange(9) % 2 > 0]),
    "of complex64": (lambda x: x * x, [(np.arange(9) * (1 + 2j)).astype(np.complex64)]),
}


class Compiled(NamedTuple):
    """A program with our host program, with IREE's, and as it was after its phase `stream`."""

    ours: bytes
    theirs: bytes
    stream: str
    flags: tuple


@cache
def compiled(name):
    """A program of those above, compiled both ways."""
    function, arguments = PROGRAMS[name]
    seen, made = [], []
    run, ours = capi._Invocation.run, capi._Invocation._with_host
    flags = ("--iree-opt-const-eval=false",) if name == "computed once" else ()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(compilation, "compile_alone", lambda *_: None)
        patched.setattr(
            capi._Invocation, "run", lambda self, *given: seen.append((*given, run(self, *given))) or seen[-1][-1]
        )
        patched.setattr(capi._Invocation, "_with_host", lambda *given: made.append(ours(*given)) or made[-1])
        options = wax.CompileOptions(cache=False, flags=flags)
        wax.jit(lambda *given: function(*given)).lower(*arguments).compile(options=options)
        patched.setattr(capi, "host_program", lambda *_: None)
        text, flags, mine = seen[-1]
        theirs = capi.compile_text(text, flags)
    assert made == [mine.payload] and theirs.stream == mine.stream
    return Compiled(mine.payload, theirs.payload, mine.stream, flags)


class Loaded:
    """A `.vmfb` as IREE's own Python calls it."""

    def __init__(self, payload, driver):
        self.device = iree_runtime.get_driver(driver).create_default_device()
        instance = iree_runtime.VmInstance()
        self.module = iree_runtime.VmModule.copy_buffer(instance, payload)
        modules = [iree_runtime.create_hal_module(instance, self.device), self.module]
        self.context = iree_runtime.VmContext(instance, modules)

    def functions(self):
        """The functions that are exported, and what is said of them."""
        return {name: self.module.lookup_function(name).reflection for name in self.module.function_names}

    def takes(self):
        """Arguments as the program takes them: what it captured is one too, in the form that it is prepared in."""
        kinds = {"f16": "f2", "f32": "f4", "f64": "f8", "i1": "?", "i8": "i1", "i32": "i4", "i64": "i8"}
        kinds["complex<f32>"] = "c8"
        declared = self.functions()["main"]["iree.abi.declaration"]
        made = np.random.default_rng(1)
        arguments = []
        for kind in re.findall(r"%input\d+: tensor<((?:[^<>]|<[^<>]*>)*)>", declared):
            shape, element = re.fullmatch(r"((?:\d+x)*)(.*)", kind).groups()
            dims = [int(dim) for dim in shape.split("x")[:-1]]
            arguments.append(np.asarray(made.standard_normal(dims) * 3).astype(kinds[element]))
        return arguments

    def views(self, arguments):
        known = {np.dtype(np.complex64): iree_runtime.HalElementType.COMPLEX_64}
        return [
            self.device.allocator.allocate_buffer_copy(
                iree_runtime.MemoryType.DEVICE_LOCAL | iree_runtime.MemoryType.DEVICE_VISIBLE,
                iree_runtime.BufferUsage.DEFAULT,
                device=self.device,
                buffer=np.array(one),
                element_type=known.get(one.dtype) or map_dtype_to_element_type(one.dtype),
            )
            for one in arguments
        ]

    def __call__(self, arguments):
        """What a call returns: shapes, types and bytes."""
        views = iree_runtime.VmVariantList(len(arguments))
        for view in self.views(arguments):
            views.push_ref(view)
        results = iree_runtime.VmVariantList(1)
        self.context.invoke(self.module.lookup_function("main"), views, results)
        found = (results.get_as_object(index, iree_runtime.HalBufferView) for index in range(len(results)))
        return [(tuple(one.shape), one.element_type, self._bytes(one)) for one in found]

    def _bytes(self, view):
        if 0 in view.shape:
            return b""
        return iree_runtime.DeviceArray(self.device, view, implicit_host_transfer=True).to_host().tobytes()

    def error(self, arguments):
        """What a call that fails says, but for the place in the bytecode."""
        with pytest.raises(ValueError) as caught:
            self(arguments)
        return re.sub(PLACE, "", str(caught.value))

    def memory(self):
        """The bytes that were allocated, all and at most at once."""
        line = next(one for one in self.device.allocator.formatted_statistics.splitlines() if "DEVICE_LOCAL" in one)
        peak, allocated = re.findall(r"(\d+)B (?:peak|allocated)", line)
        return int(peak), int(allocated)


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_call_is_as_with_irees_program(name, driver):
    """The results, the memory that it takes, what is exported, and what is said of wrong arguments."""
    both = compiled(name)
    assert ("stream.cmd.execute once" in both.stream) == (name == "computed once")
    ours, theirs = Loaded(both.ours, driver), Loaded(both.theirs, driver)
    assert ours.functions() == theirs.functions()
    arguments = ours.takes()
    results = theirs(arguments)
    for _ in range(3):
        assert ours(arguments) == results
    assert [theirs(arguments) for _ in range(2)] == [results] * 2
    assert ours.memory() == theirs.memory()
    checked = both.stream.count("hal.buffer_view.assert<")
    failed = 0
    for index, one in enumerate(arguments):
        if f"%arg{index} : !hal.buffer_view> message(" not in both.stream:
            continue
        for wrong in (np.zeros((3, 5, 7, 2), one.dtype), np.zeros(one.shape, np.int16), np.zeros((), np.uint64)):
            given = [*arguments[:index], wrong, *arguments[index + 1 :]]
            message = ours.error(given)
            assert message == theirs.error(given)
            assert f"input{index} " in message
            failed += 1
    prepared = 1 if "main$prepare" in ours.functions() else 0
    assert failed >= 3 * (checked - 2 * prepared)


@pytest.mark.parametrize("driver", DRIVERS)
def test_threads_may_call_it_at_once(driver):
    both = compiled("layers")
    ours, theirs = Loaded(both.ours, driver), Loaded(both.theirs, driver)
    sets = [ours.takes(), [one * 2 for one in ours.takes()]]
    expected = [theirs(arguments) for arguments in sets]
    failures = []

    def work(which):
        failures.extend(1 for _ in range(30) if ours(sets[which]) != expected[which])

    threads = [threading.Thread(target=work, args=(which,)) for which in (0, 1, 0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert expected[0] != expected[1] and not failures


def test_the_machine_code_is_irees():
    both = compiled("gradient")
    codes = [payload[payload.index(b"\x7fELF") :] for payload in both[:2]]
    length = len(codes[0].partition(b"program_linked_embedded_elf_x86_64.so")[0])
    assert length > 10_000
    # In the archive, one file that is named as IREE names it.
    for payload in both[:2]:
        assert payload.count(b"program_linked_embedded_elf_x86_64.so") == 2
    sections = np.frombuffer(codes[0][40:48], np.int64)[0]
    assert codes[0][:sections] == codes[1][:sections]


@pytest.mark.parametrize("word", [b"local*", b"embedded-elf-x86_64"])
def test_devices_that_are_not_there_are_told_of_as_ever(word):
    """The program asks for one of another name, or that runs another kind of code."""
    both = compiled("elementwise")
    messages = []
    for payload in both[:2]:
        with pytest.raises(RuntimeError) as caught:
            Loaded(payload.replace(word, word.replace(b"l", b"k")), "local-sync")
        messages.append(re.sub(PLACE, "", str(caught.value)))
    assert messages[0] == messages[1]
    assert "HAL device `__device_0` not found or unavailable: #hal.device.target<" in messages[0]


def test_commands_are_recorded_once_and_in_order():
    both = compiled("layers")
    counts = dict.fromkeys(re.findall(r"stream\.cmd\.dispatch @[^:]*::@([^ ]*) ", both.stream), (3, 1, 1))
    file = VmFile(host_program(both.stream, both.flags).module(CODE._replace(counts=counts)))
    recorded, called, begun = file.functions
    dispatched = re.findall(r"dispatch @[^:]*::@(\S+) \{", both.stream)
    assert file.strings(recorded) == [name.encode() for name in dispatched]
    calls = [name.removeprefix("hal.command_buffer.") for name in file.calls(recorded)]
    lookup = "hal.executable.lookup.function"
    assert calls == ["create", *[lookup, "dispatch", "execution_barrier"] * len(dispatched), "finalize"]
    assert file.calls(begun).count(0) == 1
    assert not any(name.startswith("hal.command_buffer") for name in file.calls(called))
    # Nothing is asked of the runtime that it is not used for.
    imported = [name for name, _ in file.imports]
    assert imported and all(any(name in file.calls(one) for one in file.functions) for name in imported)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_file_says_what_irees_says(name):
    """The same functions, and nothing of the runtime's in another form than IREE imports it."""
    both = compiled(name)
    ours, theirs = VmFile(both.ours), VmFile(both.theirs)
    assert ours.version == theirs.version and ours.name == theirs.name
    assert set(ours.exports) == set(theirs.exports)
    for exported, number in ours.exports.items():
        mine, other = ours.functions[number], theirs.functions[theirs.exports[exported]]
        assert (mine.convention, mine.attributes, mine.needs) == (other.convention, other.attributes, other.needs)
    known = dict(theirs.imports)
    assert all(known.get(one, convention) == convention for one, convention in ours.imports)
    assert set(ours.types) - {"i32"} <= set(theirs.types)
    for payload in both[:2]:
        with zipfile.ZipFile(io.BytesIO(payload)) as archive:
            assert archive.testzip() is None
            assert archive.namelist()[0] == "module.fb"


def test_an_archive_has_a_file_for_all_that_is_large():
    """As IREE's, of the same names but for data, and each aligned."""
    for name in ("constants", "gradient"):
        names = []
        for payload in compiled(name)[:2]:
            with zipfile.ZipFile(io.BytesIO(payload)) as archive:
                names.append([re.sub(r"^(?!module|program)\w+", "data", one) for one in archive.namelist()])
                for one in archive.namelist():
                    at = payload.index(archive.read(one))
                    assert at % (16 if one.endswith(".so") else 64) == 0
        assert names[0] == names[1]


def long_program(arguments, dispatches):
    """The program of one dispatch, with many arguments that are checked, and that dispatch many times."""
    both = compiled("elementwise")
    stream = both.stream
    (name,) = re.findall(r"dispatch @[^:]*::@(\S+) \{", stream)
    (check,) = re.findall(r" *hal\.buffer_view\.assert<%arg0 .*\n", stream)
    parameters = ", ".join(f"%arg{number}: !hal.buffer_view" for number in range(arguments))
    stream = re.sub(r"\(%arg0: !hal\.buffer_view(?: \{.*?\})?\)", f"({parameters})", stream)
    checks = (check.replace("%arg0", f"%arg{one}").replace("input0", f"input{one}") for one in range(arguments))
    stream = stream.replace(check, "".join(checks))
    (part,) = re.findall(r"( *stream\.cmd\.dispatch .*?\n *\}\n)", stream, re.S)
    stream = stream.replace(part, part * dispatches)
    return host_program(stream, both.flags), CODE._replace(counts={name: (3, 1, 1)})


@pytest.mark.parametrize(("arguments", "dispatches"), [(1, 1), (300, 1), (1, 3000), (700, 1000)])
def test_long_programs_have_registers_enough(arguments, dispatches):
    host, code = long_program(arguments, dispatches)
    payload = host.module(code)
    # IREE's runtime verifies all of it when it reads it.
    iree_runtime.VmModule.copy_buffer(iree_runtime.VmInstance(), payload)
    file = VmFile(payload)
    recorded, called, _ = file.functions
    assert file.calls(recorded).count("hal.command_buffer.dispatch") == dispatches
    assert file.calls(called).count("hal.buffer_view.assert") == arguments
    assert called.convention == f"0{'r' * arguments}_r"


@pytest.mark.parametrize("name", ["__init", "record_main_0", "initialize_0"])
def test_functions_that_are_called_as_ours_are_irees(name):
    """What calls are recorded by, or constants made, has names that a program may have too."""
    both = compiled("computed once" if name == "initialize_0" else "elementwise")
    counts = dict.fromkeys(re.findall(r"stream\.cmd\.dispatch @[^:]*::@([^ ]*) ", both.stream), (3, 1, 1))
    assert host_program(both.stream, both.flags).module(CODE._replace(counts=counts))
    (function,) = re.findall(r"  util\.func public @main\(.*?\n  \}\n", both.stream, re.S)
    changed = both.stream.replace(function, function + function.replace("@main(", f"@{name}("))
    assert host_program(changed, both.flags).module(CODE._replace(counts=counts)) is None


def test_programs_that_are_too_long_are_irees(caplog):
    host, code = long_program(1, 9000)
    with caplog.at_level(logging.INFO, "wax.compile"):
        assert host is None or host.module(code) is None


def test_neither_reading_nor_writing_loads_irees_compiler(tmp_path):
    """Nor is what writes tables loaded where nothing is written."""
    both = compiled("constants")
    (tmp_path / "stream").write_text(both.stream)
    counts = dict.fromkeys(re.findall(r"stream\.cmd\.dispatch @[^:]*::@([^ ]*) ", both.stream), (3, 1, 1))
    run = f"""
import sys
from pathlib import Path
from wax.backends.iree.linker import Executable
from wax.backends.iree.host_programs import host_program
host = host_program(Path({str(tmp_path / "stream")!r}).read_text(), {both.flags!r})
assert "flatbuffers" not in sys.modules
assert host.module(Executable(*{tuple(CODE._replace(counts=counts))!r}))
assert not any(name.startswith("iree.compiler") for name in sys.modules)
assert "IREECompiler" not in Path("/proc/self/maps").read_text()
"""
    subprocess.run([sys.executable, "-c", run], check=True)


def test_all_references_are_let_go_that_a_function_has():
    """On each way through it, for IREE's runtime does not do it where all goes well."""
    for name in PROGRAMS:
        for function in VmFile(compiled(name).ours).functions:
            references_let_go(function)


def references_let_go(function):
    """Goes all ways through a function, and looks at which references there are."""
    operations = function.operations
    at = {one.at: index for index, one in enumerate(operations)}
    arguments = function.convention[1:].partition("_")[0].count("r")
    ways = [(0, frozenset(0x8000 | index for index in range(arguments)))]
    seen = set()
    while ways:
        way = ways.pop()
        if way in seen:
            continue
        seen.add(way)
        index, there = way[0], set(way[1])
        one = operations[index]
        letters = vm_files.OPERATIONS[function_code(one.name)][1]
        edges = []
        made = []
        for letter, value in zip(letters, one.fields, strict=True):
            if letter in "rR":
                for register in (value,) if letter == "r" else value:
                    if register & 0x8000:
                        # Nothing is read that has been given away before, but what may be nothing is let go.
                        assert register & ~0x4000 in there or one.name == "discard.refs", one
                        if register & 0x4000 or one.name == "discard.refs":
                            there.discard(register & ~0x4000)
            elif letter in "wW":
                made += [register for register in ((value,) if letter == "w" else value) if register & 0x8000]
            elif letter == "b":
                edges.append([at[value], []])
            elif letter == "G":
                edges[-1][1] = list(zip(value[::2], value[1::2], strict=True))
        assert not there & set(made), one
        there |= set(made)
        if one.name == "return":
            assert not there, one
        elif edges:
            for target, pairs in edges:
                then = set(there)
                for source, result in pairs:
                    if source & 0x8000:
                        assert source & ~0x4000 in then, one
                        then.add(result)
                        if source & 0x4000:
                            then.discard(source & ~0x4000)
                ways.append((target, frozenset(then)))
        elif one.name != "fail":
            ways.append((index + 1, frozenset(there)))


def function_code(name):
    """The number of an operation."""
    return next(number for number, (other, _) in vm_files.OPERATIONS.items() if other == name)


OPEN = wax.jit(lambda x: x + 1, dynamic_shapes={"x": {0: "n"}})
DECLINED = {
    "a size that is open": ("tensor<64x64xf32> in", "tensor<?x64xf32> in"),
    "a module with a name": ("module attributes", "module @own attributes"),
    "a line that nobody knows": ("    util.return", "    some.thing\n    util.return"),
    "a branch": ("    util.return", "    cf.br ^bb1\n  ^bb1:\n    util.return"),
    "a function of its own": ("util.func public", "util.func private"),
    "another kind of device": ('#hal.device.target<"local"', '#hal.device.target<"vulkan"'),
    "memory that lasts": ("stream.resource<external>{%c16384} => ", "stream.resource<variable>{%c16384} => "),
    "workgroups by numbers of the host": ("@loops_0 {", "@loops_0[%c64] {"),
    "another encoding": ("dense_row_major>", "opaque>"),
    "a string that nobody writes": ('message("input0")', 'message("input\\FF")'),
    "a type that nobody knows": ("hal.element_type<f32>", "hal.element_type<f8E4M3FN>"),
}


@pytest.mark.parametrize("change", DECLINED)
def test_what_is_not_understood_is_left_to_iree(change):
    both = compiled("elementwise")
    old, new = DECLINED[change]
    assert old in both.stream
    assert host_program(both.stream, both.flags) is not None
    assert host_program(both.stream.replace(old, new), both.flags) is None


@pytest.mark.parametrize("data", ["dense_resource<data> : tensor<4xf32>", "dense<0.0> : tensor<3xf32>", '"data"'])
def test_data_that_are_not_understood_are_left_to_iree(data):
    both = compiled("constants")
    (found,) = re.findall(r"#util\.composite<\d+xi8, \[\n.*?\n *\]>", both.stream, re.S)
    assert host_program(both.stream, both.flags) is not None
    changed = both.stream.replace(found, f"#util.composite<16xi8, [\n    {data},\n]>")
    assert host_program(changed, both.flags) is None


def test_flags_for_host_programs_are_irees_concern():
    both = compiled("elementwise")
    for flag in ("--iree-hal-indirect-command-buffers=false", "--iree-vm-target-index-bits=32"):
        assert host_program(both.stream, (*both.flags, flag)) is None


def test_other_releases_of_iree_may_do_it_in_another_way(monkeypatch):
    both = compiled("elementwise")
    monkeypatch.setattr(host_programs, "iree_version", lambda: "3.14.0")
    assert host_program(both.stream, both.flags) is None


def test_machine_code_of_other_kernels_or_kinds_is_refused():
    both = compiled("elementwise")
    host = host_program(both.stream, both.flags)
    (name,) = re.findall(r"dispatch @[^:]*::@(\S+) \{", both.stream)
    assert host.module(None) is None
    assert host.module(CODE._replace(counts={"other": (1, 1, 1)})) is None
    assert host.module(CODE._replace(counts={name: (1, 1, 1)}, format="other")) is None
    assert host.module(CODE._replace(counts={name: (1 << 31, 1, 1)})) is None
    assert host.module(CODE._replace(counts={name: (1, 1, 1)}))


@pytest.mark.parametrize("missing", ["counts", "registers"])
def test_iree_goes_on_where_ours_fails(monkeypatch, caplog, missing):
    """As for a kernel whose workgroups are counted by the host, or a function that needs more than there is."""
    if missing == "counts":
        monkeypatch.setattr(bare_executables, "counts_in", lambda *_: None)
    else:
        monkeypatch.setattr(bytecode, "_LARGEST_BLOCK", 100)
    (x,) = given((4, 8))
    with caplog.at_level(logging.INFO, "wax.compile"):
        call = wax.jit(lambda x: x * 2 + 1).lower(x).compile(options=FRESH)
    np.testing.assert_array_equal(call(x), x * 2 + 1)
    assert ("a host program of ours failed" in caplog.text) == (missing == "registers")


def test_open_sizes_and_loops_of_the_host_are_irees(monkeypatch):
    made = []
    ours = capi._Invocation._with_host
    monkeypatch.setattr(capi._Invocation, "_with_host", lambda *given: made.append(given) or ours(*given))
    (x,) = given((4, 8))
    np.testing.assert_array_equal(OPEN.lower(x).compile(options=FRESH)(x), x + 1)
    inverse = wax.jit(wnp.linalg.inv).lower(np.eye(4, dtype=np.float32) * 2).compile(options=FRESH)
    np.testing.assert_allclose(inverse(np.eye(4, dtype=np.float32) * 2), np.eye(4) / 2)
    assert not made


def test_donated_arguments_are_updated_in_place(monkeypatch):
    made = []
    ours = capi._Invocation._with_host
    monkeypatch.setattr(capi._Invocation, "_with_host", lambda *given: made.append(ours(*given)) or made[-1])
    monkeypatch.setenv("WAX_CACHE_DIR", "")
    step = wax.jit(lambda x, y: (x + y, wnp.sum(y)), donate_argnums=0)
    x, y = given((64, 64), (64, 64))
    state, expected = wnp.asarray(x), x
    for _ in range(8):
        state, _ = step(state, wnp.asarray(y))
        expected = expected + y
    np.testing.assert_array_equal(state, expected)
    assert len(made) == 1 and made[0]


def test_the_cache_on_disk_keeps_it(tmp_path, monkeypatch):
    """It is called by its plan from the fifth call on, as ever."""
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path))
    made = []
    ours = capi._Invocation._with_host
    monkeypatch.setattr(capi._Invocation, "_with_host", lambda *given: made.append(ours(*given)) or made[-1])
    monkeypatch.setattr(compilation, "compile_alone", lambda *_: None)
    x, y = given((5, 7), (5, 7))
    results = []
    for _ in range(2):
        call = wax.jit(lambda x, y: wnp.tanh(x) * y - wnp.sum(x, axis=0)).lower(x, y).compile()
        results += [np.asarray(call(x, y)).tobytes() for _ in range(8)]
    assert len(set(results)) == len(made) == 1 and made[0]
