"""Machine code of our own: what IREE links instead of its own, and where it does not."""

import re
import subprocess
import sys
import threading

import ml_dtypes
import numpy as np
import pytest

import wax
import wax.nn
import wax.numpy as wnp
from wax._compile import lower
from wax.backends.iree import capi, compilation, executables, host_programs, machine_code
from wax.backends.iree.executables import taken_out
from wax.backends.iree.ladder import rungs
from wax.backends.iree.linking import lean_flags, linked_flags
from wax.backends.iree.targets import target
from wax_runtime.devices import CPU

_machine = pytest.importorskip("wax._machine", reason="machine code is made for x86-64 only")
RANDOM = np.random.default_rng(0)
FRESH = wax.CompileOptions(cache=False)
FLAGS = rungs([target("cpu")], wax.CompileOptions())[0].flags
LEAN = lean_flags(FLAGS)

pytestmark = pytest.mark.skipif(
    LEAN is None or "embedded-elf-x86_64" not in " ".join(LEAN), reason="machine code is made for x86-64 only"
)


def given(*shapes, dtype=np.float32):
    return [(RANDOM.standard_normal(shape) * 3).astype(dtype) for shape in shapes]


def functions_of(function, *arguments, **dynamic):
    """What the executables of a program do."""
    traced = wax.jit(function, dynamic_shapes=dynamic).lower(*arguments)._function
    _, taken = taken_out(lower(traced, "iree processor=avx512").text())
    assert taken
    return {name: one.function for name, one in taken.items()}


def compiled(functions):
    begun = machine_code.begin(functions, LEAN)
    return None if begun is None else begun.result()


@pytest.fixture(autouse=True)
def never_alone(monkeypatch):
    """IREE's compiler has a part in all that is compiled here; `test_alone.py` has the rest."""
    monkeypatch.setattr(compilation, "compile_alone", lambda *_: None)


@pytest.fixture
def codes(monkeypatch):
    """What has been compiled."""
    made = []
    compile_all = machine_code._compile

    def spied(functions, *machine):
        made.append((functions, compile_all(functions, *machine)))
        return made[-1][1]

    monkeypatch.setattr(machine_code, "_compile", spied)
    return made


@pytest.fixture
def linked(monkeypatch):
    """By whom programs are put together, and with what: names of executables that a host program of ours calls, or what
    IREE is given to link.
    """
    seen = []
    module, put_back = host_programs.HostProgram.module, executables.put_back

    def spied_module(self, executable):
        payload = module(self, executable)
        seen.append(("ours", executable.name if payload else None))
        return payload

    def spied_put(stream, taken, code=None, paths=()):
        text = put_back(stream, taken, code, paths)
        seen.append(("given", text.count("#hal.executable.object<")))
        return text

    monkeypatch.setattr(host_programs.HostProgram, "module", spied_module)
    monkeypatch.setattr(executables, "put_back", spied_put)
    return seen


@pytest.fixture
def by_iree(monkeypatch):
    """Compiles a program by IREE alone."""

    def run(function, *arguments, **how):
        with monkeypatch.context() as patch:
            patch.setattr(machine_code, "begin", lambda *_: None)
            return wax.jit(function, **how).lower(*arguments).compile(options=FRESH)

    return run


def normalized(x, w):
    return wax.nn.softmax(wax.nn.layer_norm(x) @ w, axis=-1)


def attended(q, k, v):
    return wax.nn.attention(q, k, v, is_causal=True)


PROGRAMS = {
    "sums": (lambda x: (wnp.sum(x, axis=1), wnp.max(x, axis=0)), given((33, 70))),
    "normalized": (normalized, given((32, 96), (96, 96))),
    "attention": (attended, given(*[(1, 4, 64, 32)] * 3)),
    "long map": (lambda x: wnp.tanh(x) * wnp.sin(x), given((300, 257))),
    "transposed": (lambda x: wnp.permute_dims(x, (1, 0)) + 1, given((300, 270))),
    "bf16": (normalized, given((32, 96), (96, 96), dtype=ml_dtypes.bfloat16)),
    "f16": (normalized, given((32, 96), (96, 96), dtype=np.float16)),
    "f64": (normalized, given((32, 96), (96, 96), dtype=np.float64)),
    "i32": (lambda x: wnp.cumulative_sum(x * x, axis=1), [RANDOM.integers(-9, 9, (9, 100)).astype(np.int32)]),
    "sorted": (lambda x: wnp.sort(x, axis=-1), given((9, 100))),
    "summed up": (lambda x: wnp.cumulative_sum(x, axis=1), given((9, 100))),
}


#: Of which IREE has a sum to make.
MIXED = {"sums"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_computes_what_iree_s_does(name, codes, linked, by_iree):
    function, arguments = PROGRAMS[name]
    ours = wax.jit(function).lower(*arguments).compile(options=FRESH)
    ((functions, code),) = codes
    assert code is not None and code.workgroups.keys() == functions.keys()
    # All of it is ours, or IREE links ours with its own.
    assert linked[0] == (("given", 1) if name in MIXED else ("ours", "machine_code"))
    expected = by_iree(function, *arguments)
    for _ in range(7):  # later calls go without IREE, where they can
        made = wax.tree.leaves(ours(*arguments))
    for mine, other in zip(made, wax.tree.leaves(expected(*arguments)), strict=True):
        mine, other = np.asarray(mine), np.asarray(other)
        assert mine.dtype == other.dtype
        kind = np.float64 if mine.dtype != np.float64 else np.longdouble
        few = 4 * float(ml_dtypes.finfo(mine.dtype).eps) if mine.dtype.kind in "fV" else 0
        np.testing.assert_allclose(mine.astype(kind), other.astype(kind), rtol=few, atol=few)


@pytest.mark.parametrize("rows", [2, 7, 200])
def test_open_sizes_are_told_in_words(rows, codes, linked, by_iree):
    how = {"dynamic_shapes": {"x": {0: wax.Dim("rows")}}}
    some, x, weights = given((20, 96), (rows, 96), (96, 96))
    ours = wax.jit(normalized, **how).lower(some, weights).compile(options=FRESH)
    ((functions, code),) = codes
    assert code is not None and code.workgroups.keys() == functions.keys() and None in code.workgroups.values()
    assert linked == [("given", 1)]
    expected = by_iree(normalized, some, weights, **how)(x, weights)
    np.testing.assert_allclose(np.asarray(ours(x, weights)), np.asarray(expected), rtol=1e-6, atol=1e-7)


def test_all_of_a_program_s_executables_are_one_object_file():
    functions = functions_of(normalized, *given((32, 96), (96, 96)))
    code = compiled(functions)
    assert code is not None
    (file,) = code.codes
    assert file[:4] == b"\x7fELF"
    assert code.workgroups.keys() == functions.keys() and all(count >= 1 for count in code.workgroups.values())
    for name in functions:
        assert f"wax_{name}\0".encode() in file
    text = code.executable("all", dict.fromkeys(functions, "#layout"), ["/there/x.o", '/a "b"/y.o'])
    assert re.findall(r"hal\.executable\.export public @(\S+) ordinal\((\d+)\)", text) == [
        (name, str(index)) for index, name in enumerate(functions)
    ]
    assert (
        f'target({code.target}) objects([#hal.executable.object<{{path = "/there/x.o"}}>, '
        '#hal.executable.object<{path = "/a \\"b\\"/y.o"}>])' in text
    )


def test_the_same_is_made_again():
    functions = functions_of(normalized, *given((32, 96), (96, 96)))
    assert compiled(functions) == compiled(functions)


def test_what_cannot_be_made_is_left_to_iree(monkeypatch, linked, by_iree):
    """A function that is refused takes no other with it."""
    arguments = given((32, 96), (96, 96))
    functions = functions_of(normalized, *arguments)
    refused, emit = next(iter(functions)), _machine.emit

    def choosy(text, *rest):
        return (None, {}, "not this") if f"@{refused}(" in text else emit(text, *rest)

    monkeypatch.setattr(machine_code._machine, "emit", choosy)
    mixed = wax.jit(normalized).lower(*arguments).compile(options=FRESH)
    assert linked[0] == ("given", len(functions) - 1) and len(functions) > 1
    expected = by_iree(normalized, *arguments)(*arguments)
    np.testing.assert_allclose(np.asarray(mixed(*arguments)), np.asarray(expected), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("part", ["emit", "emit_library", "link", "host"])
def test_whatever_fails_of_ours_iree_does_it(part, monkeypatch, linked):
    def fail(*_):
        raise {"emit": MemoryError, "emit_library": ValueError, "link": OSError, "host": IndexError}[part]("no")

    owner = {"link": machine_code, "host": host_programs}.get(part, machine_code._machine)
    monkeypatch.setattr(owner, "_read" if part == "host" else part, fail)
    function, arguments = PROGRAMS["normalized"]
    made = wax.jit(function).lower(*arguments).compile(options=FRESH)
    assert linked[0] == ("given", 0 if part == "emit" else 1)
    x, w = (one.astype(np.float64) for one in arguments)
    x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) @ w
    x = np.exp(x - x.max(-1, keepdims=True))
    np.testing.assert_allclose(np.asarray(made(*arguments)), x / x.sum(-1, keepdims=True), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("when", ["a thread", "atexit"])
def test_it_compiles_while_a_process_ends(when):
    """When Python starts no more work for others, and from 3.12 on no threads."""
    program = f"""
import atexit, threading, time
import numpy as np
import wax

def late():
    time.sleep(0.5)
    x = np.ones((64, 64), np.float32)
    call = wax.jit(lambda x: x * 2 + 1).lower(x).compile(options=wax.CompileOptions(cache=False))
    print("made", float(np.asarray(call(x)).sum()))

{"atexit.register(late)" if when == "atexit" else "threading.Thread(target=late).start()"}
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "made 12288.0\n"


def test_other_machines_get_iree_s_code():
    functions = {"loops_0": "nothing that is read"}
    assert machine_code.begin(functions, FLAGS) is None
    assert machine_code.begin(functions, linked_flags(FLAGS)) is None
    assert machine_code.begin({}, LEAN) is None
    assert machine_code.begin(functions, [flag.replace("x86_64", "arm_64") for flag in LEAN]) is None
    # What IREE's code generation is asked for besides, it is to do.
    for flag in ("--iree-llvmcpu-sanitize=address", "--iree-hal-dump-executable-files-to=there"):
        assert machine_code.begin(functions, (*LEAN, flag)) is None


SQUARE = """
func.func @square(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xf32>>,
                  %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1xf32>>) {
  %c0 = arith.constant 0 : index
  %0 = "iree_tensor_ext.dispatch.tensor.load"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>,
    static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}>
    : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<1xf32>>) -> tensor<1xf32>
  %1 = tensor.empty() : tensor<1xf32>
  %2 = tensor.extract %0[%c0] : tensor<1xf32>
  %3 = OPERATION : f32
  %4 = tensor.insert %3 into %1[%c0] : tensor<1xf32>
  "iree_tensor_ext.dispatch.tensor.store"(%4, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>,
    static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}>
    : (tensor<1xf32>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1xf32>>) -> ()
  return
}
"""
X86 = "x86_64-unknown-unknown-eabi-elf"


def emit(text, triple=X86, processor="", features=""):
    return _machine.emit(text, "wax_", triple, processor, features)


def test_what_llvm_does_not_know_is_left_out(capfd):
    """IREE's LLVM may be newer than ours, and know more processors."""
    text = SQUARE.replace("OPERATION", "arith.mulf %2, %2")
    plain, workgroups, complaint = emit(text)
    assert plain is not None and workgroups == {"square": 1} and complaint == ""
    assert emit(text, processor="cpu-of-tomorrow", features="+nosuch,-nor-this") == (plain, workgroups, "")
    assert emit(text, features="+nosuch,+avx2")[0] not in (plain, None)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "triple", "complaint"),
    [
        (SQUARE.replace("OPERATION", "math.sin %2"), X86, "calls sinf"),
        (SQUARE.replace("OPERATION", "arith.mulf %2, %nothing"), X86, "use of undeclared SSA value name"),
        ("func.func @f() {", X86, "expected"),
        (SQUARE.replace("OPERATION", "arith.mulf %2, %2"), "nosuch-unknown-none", "nosuch"),
    ],
)
def test_refusals_say_why(text, triple, complaint, capfd):
    code, _, said = emit(text, triple)
    assert code is None and complaint in said
    assert capfd.readouterr() == ("", "")


def test_threads_compile_beside_each_other():
    texts = [SQUARE.replace("OPERATION", f"arith.{op} %2, %2") for op in ("addf", "mulf", "subf", "divf")] * 3
    expected = [emit(text)[0] for text in texts]
    made = [None] * len(texts)

    def run(index):
        made[index] = emit(texts[index])[0]

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == expected and len(set(made)) == 4 and None not in made


def test_the_file_is_gone_afterwards(monkeypatch, tmp_path, codes):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    function, arguments = PROGRAMS["normalized"]
    wax.jit(function).lower(*arguments).compile(options=FRESH)
    assert codes[0][1] is not None and not list(tmp_path.iterdir())
    assert capi.usable() and CPU.platform == "cpu"
