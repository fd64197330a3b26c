"""The compiler half of the iree backend: cache, retry ladder, diagnostics, reproducers, threads."""

import dataclasses
import logging
import os
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from linalg_text import compiled, doubling, elementwise, loaded, program, spec

from wax.backends.iree import capi, isolated, ladder, linking, references
from wax.backends.iree.capi import CompilationFailed, Diagnostic
from wax.backends.iree.diagnostics import user_location
from wax.backends.iree.flags import base_flags
from wax.backends.iree.targets import target
from wax_runtime import CompileOptions, asbuffer
from wax_runtime.errors import BackendError, CompileError

F32 = np.dtype(np.float32)
KIND = spec((4,), "float64")

# `math.erf` of f64 has no lowering in IREE: no rung compiles it.
IMPOSSIBLE = elementwise("%y = math.erf %x0 : f64", (4,), "float64")

PRODUCT = """
#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %p = arith.mulf %x, %y : f32
      %t = arith.addf %s, %p : f32
      linalg.yield %t : f32
    } -> tensor<64x64xf32>
    return %r : tensor<64x64xf32>
  }
}
"""  # noqa: E501


def machine_code(payload):
    """The linked program in a file: around it is text that names the flags, and is padded."""
    start = payload.index(b"\x7fELF")
    (headers,) = struct.unpack_from("<Q", payload, start + 0x28)
    (count,) = struct.unpack_from("<H", payload, start + 0x3C)
    return payload[start : start + headers + 64 * count]


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """An empty disk cache."""
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def reproducers(monkeypatch, tmp_path):
    monkeypatch.setenv("WAX_REPRODUCER_DIR", str(tmp_path / "reproducers"))
    return tmp_path / "reproducers"


@pytest.fixture
def tried(monkeypatch):
    """The flags of compilations, each of which is refused."""
    flags_of_all = []

    def refuse(text, flags, **options):
        flags_of_all.append(flags)
        raise CompilationFailed((Diagnostic("error", "large vector sizes"),), hopeless=False)

    for module in (capi, isolated):
        monkeypatch.setattr(module, "compile_text", refuse)
    return flags_of_all


def test_float64_is_not_demoted():
    tiny = np.array([1 + 2**-40, 2**-60, 3, 4])
    (result,) = loaded(doubling((4,), "float64"))([asbuffer(tiny)])
    np.testing.assert_array_equal(result.numpy(), tiny + tiny)


def test_a_second_compilation_comes_from_the_disk_and_loads_no_compiler(fresh, tmp_path):
    first = compiled(doubling())
    code = """
import sys, time
from linalg_text import compiled, doubling
again = compiled(doubling())
assert not {"iree.compiler", "wax.backends.iree.compilation", "wax.backends.iree.capi"} & set(sys.modules)
sys.stdout.buffer.write(again.payload)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment, timeout=120)
    assert done.stdout == first.payload


def test_the_cache_is_keyed_by_text_and_flags_not_by_names(fresh, monkeypatch):
    compiled(doubling())
    calls = []
    real = capi.compile_text
    monkeypatch.setattr(capi, "compile_text", lambda *a, **k: calls.append(a) or real(*a, **k))
    renamed = compiled(dataclasses.replace(doubling(), name="another"))
    assert not calls
    assert renamed.signature == doubling().signature
    compiled(doubling(), level=1)
    compiled(doubling((5,)))
    assert len(calls) == 2
    compiled(doubling(), cache=False)
    assert len(calls) == 3


def test_a_corrupt_cache_entry_is_compiled_again(fresh, caplog):
    first = compiled(doubling())
    (entry,) = fresh.glob("??/*")
    entry.write_bytes(entry.read_bytes()[:-1])
    assert compiled(doubling()).payload == first.payload
    assert "corrupt" in caplog.text
    assert len(entry.read_bytes()) > len(first.payload)


def test_without_a_cache_folder_compilation_works(monkeypatch):
    monkeypatch.setenv("WAX_CACHE_DIR", "")
    assert compiled(doubling()).payload


def test_the_ladder_tries_data_tiling_twice_then_plain_then_o1():
    names = [rung.name for rung in ladder.rungs([target("cpu")], CompileOptions())]
    assert names == [
        "O3 with data tiling",
        "O3 with early data tiling",
        "O3 without data tiling",
        "O1",
    ]
    assert [rung.name for rung in ladder.rungs([target("cpu")], CompileOptions(level=0))] == ["O0"]
    for rung in ladder.rungs([target("cpu")], CompileOptions(flags=("--mine",))):
        assert rung.flags[-1] == "--mine"
        assert "--iree-input-demote-f64-to-f32=false" in rung.flags
        assert "--iree-opt-strip-assertions=false" in rung.flags


def test_a_program_with_dispatches_of_its_own_is_spared_the_rung_that_crashes(fresh, reproducers, tried):
    own = f'{PRODUCT}%0 = "flow.dispatch.region"() ({{}}) : () -> ()'
    with pytest.raises(CompileError):
        compiled(dataclasses.replace(doubling(), linalg=lambda: own))
    early = "--iree-global-opt-data-tiling=true"
    assert len(tried) == 3 and not any(early in flags for flags in tried)
    with pytest.raises(CompileError):
        compiled(dataclasses.replace(doubling(), linalg=lambda: PRODUCT))
    assert any(early in flags for flags in tried)


def test_a_program_without_products_is_spared_the_rungs_that_tile_them(fresh, reproducers, tried):
    with pytest.raises(CompileError):
        compiled(doubling())
    assert len(tried) == 2 and not any("tiling" in flag for flags in tried for flag in flags)


def test_what_a_rung_refuses_is_tried_again_in_a_process_of_its_own(fresh, monkeypatch):
    """There it may crash."""
    tried = []

    def refuse(text, flags, **options):
        tried.append("here")
        raise CompilationFailed((Diagnostic("error", "large vector sizes"),), hopeless=False)

    real = isolated.compile_text
    monkeypatch.setattr(capi, "compile_text", refuse)
    monkeypatch.setattr(isolated, "compile_text", lambda *a, **k: (tried.append("apart"), real(*a, **k))[1])
    compiled(doubling())
    assert tried == ["here", "apart"]


def test_a_failing_rung_is_logged_with_its_reason_and_the_next_is_used(fresh, monkeypatch, caplog):
    real = capi.compile_text

    def refuse_best_level(text, flags, **options):
        if "--iree-opt-level=O3" in flags:
            raise CompilationFailed((Diagnostic("error", "large vector sizes"),), hopeless=False)
        return real(text, flags, **options)

    monkeypatch.setattr(capi, "compile_text", refuse_best_level)
    monkeypatch.setattr(isolated, "compile_text", refuse_best_level)
    with caplog.at_level(logging.INFO, "wax.compile"):
        artefact = compiled(doubling())
    assert "f: IREE failed with O3 without data tiling: large vector sizes; trying O1" in caplog.text
    assert "--iree-opt-level=O1" in artefact.flags


def test_programs_are_linked_as_iree_links_them_but_without_its_c_library(fresh, monkeypatch):
    flags = []
    real = capi.compile_text
    monkeypatch.setattr(capi, "compile_text", lambda *a, **k: (flags.append(a[1]), real(*a, **k))[1])
    lean = compiled(doubling(), cache=False)
    (used,) = flags
    assert any("link_embedded = false" in flag for flag in used)
    monkeypatch.setattr("wax.backends.iree.compilation.lean_flags", lambda flags: None)
    plain = compiled(doubling(), cache=False)
    assert not any("link_embedded" in flag for flag in flags[-1])
    assert machine_code(lean.payload) == machine_code(plain.payload) and lean.flags == plain.flags


def test_what_calls_the_c_library_is_linked_with_it(fresh, caplog):
    """`fmodf`. Programs of wax's own compute remainders without it."""
    text = elementwise("%y = arith.remf %x0, %x1 : f32", (5,), "float32", operands=2)
    kind = spec((5,), "float32")
    with caplog.at_level(logging.INFO, "wax.compile"):
        function = loaded(program(text, [kind, kind], [kind]))
    assert "linked with IREE's C library" in caplog.text
    x, y = np.array([7, -7, 0.5, 1e9, 3], "f4"), np.array([2, 2, 2, 0.3, 5], "f4")
    (found,) = function([asbuffer(x), asbuffer(y)])
    np.testing.assert_array_equal(found.numpy(), np.fmod(x, y))


def test_other_targets_than_this_cpu_are_left_to_iree():
    for name in ("cpu:x86_64", "cpu:aarch64", "cpu:wasm32", "vulkan:portable", "cuda:sm_80"):
        assert linking.lean_flags(base_flags([target(name)])) is None
    assert linking.lean_flags(base_flags([target("cpu"), target("vulkan:portable")])) is None


def test_a_program_that_does_not_parse_is_tried_once(fresh, reproducers, monkeypatch):
    calls = []
    real = capi.compile_text
    monkeypatch.setattr(capi, "compile_text", lambda *a, **k: calls.append(a) or real(*a, **k))
    with pytest.raises(CompileError, match=r"custom op 'arith\.foo' is unknown"):
        compiled(program(elementwise("%y = arith.foo %x0 : f64", (4,), "float64"), [KIND], [KIND]))
    assert len(calls) == 1


def test_a_failure_names_the_users_line_and_leaves_a_reproducer(fresh, reproducers):
    located = IMPOSSIBLE.replace("math.erf %x0 : f64", 'math.erf %x0 : f64 loc("/home/me/model.py":12:5)')
    with pytest.raises(CompileError, match=r"^/home/me/model\.py:12:5: IREE could not compile 'f'") as caught:
        compiled(program(IMPOSSIBLE, [KIND], [KIND], located=lambda: located))
    error = caught.value
    assert error.location == ("/home/me/model.py", 12, 5)
    assert "math.erf" in error.message
    assert error.reproducer is not None
    assert error.reproducer.parent == reproducers
    assert str(error.reproducer) in str(error)
    assert (error.reproducer / "program.mlir").read_text() == located
    assert "math.erf" in (error.reproducer / "diagnostics.txt").read_text()
    assert any("math.erf" in d for d in error.diagnostics)


def test_the_reproducers_command_shows_the_failure_again(fresh, reproducers):
    with pytest.raises(CompileError) as caught:
        compiled(program(IMPOSSIBLE, [KIND], [KIND]))
    assert caught.value.reproducer is not None
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [caught.value.reproducer / "command.sh"],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
        timeout=120,
        check=False,
    )
    assert done.returncode != 0
    assert "failed to legalize operation 'math.erf'" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "\0\1\2 garbage",
        "module {",
        "module { func.func @main( }",
        'module { func.func @main() { "foo.bar"() : () -> () return } }',
        'module { func.func @main() { "arith.bar"() : () -> () return } }',
        "module { func.func @main() -> tensor<4xf32> { return } }",
        "module { func.func @main(%a: tensor<4xf32>) -> tensor<5xf32> { return %a : tensor<4xf32> } }",
        "#map = affine_map<(d0) -> (d0, d0, d9)>",
        "module { func.func @main(%a: tensor<99999999999999999999xf32>) { return } }",
        "ML\xefR\0binary",
    ],
)
def test_bad_text_is_a_compile_error_and_the_next_program_compiles(fresh, reproducers, text):
    with pytest.raises(CompileError, match="IREE could not compile"):
        compiled(program(text, [], []))
    assert compiled(doubling()).payload


def test_bad_flags_are_a_compile_error(fresh, reproducers):
    with pytest.raises(CompileError, match=r"bad flags: .*no-such-flag"):
        compiled(doubling(), flags=("--no-such-flag",))


def test_other_platforms_are_refused():
    with pytest.raises(
        BackendError, match="does not compile for 'tpu:0'; it compiles for cpu, cuda, metal, rocm, vulkan"
    ):
        base_flags([target("tpu:0")])


def test_python_goes_on_while_a_program_is_compiled(fresh):
    done = threading.Event()
    text = doubling((3,)).linalg()
    thread = threading.Thread(target=lambda: (capi.compile_text(text, base_flags([target("cpu")])), done.set()))
    capi.compile_text(text, base_flags([target("cpu")]))  # not the loading of the library
    thread.start()
    steps = 0
    while not done.is_set():
        steps += 1
        time.sleep(0)
    thread.join()
    # With the GIL held there would be one step before the compilation and one after it.
    assert steps > 10


def test_threads_may_compile_at_once_and_get_their_own_diagnostics(fresh, reproducers):
    def work(i):
        if i % 3 == 0:
            with pytest.raises(CompileError, match=f"arith.bad{i}"):
                compiled(program(elementwise(f"%y = arith.bad{i} %x0 : f64", (4,), "float64"), [KIND], [KIND]))
            return 0
        return len(compiled(doubling((i,))).payload)

    with ThreadPoolExecutor(4) as pool:
        sizes = list(pool.map(work, range(8)))
    assert [i for i, size in enumerate(sizes) if not size] == [0, 3, 6]


def test_a_forked_child_compiles_too(fresh):
    compiled(doubling((2,)))
    code = """
import os, sys
from linalg_text import compiled, doubling
compiled(doubling((2,)), cache=False)
child = os.fork()
if child == 0:
    import signal
    signal.alarm(50)  # what hangs must not stay behind
    try:
        compiled(doubling((6,)), cache=False)
    except BaseException:
        os._exit(3)
    os._exit(7)
_, status = os.waitpid(child, 0)
sys.exit(0 if os.waitstatus_to_exitcode(status) == 7 else 1)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path])}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=60)


def test_the_isolated_compiler_gives_the_same_and_fails_the_same(fresh, reproducers, monkeypatch):
    inside = compiled(doubling((9,)), cache=False)
    monkeypatch.setenv("WAX_ISOLATE_COMPILER", "1")
    monkeypatch.setattr(capi, "compile_text", None)
    outside = compiled(doubling((9,)), cache=False)
    assert (outside.overwrites, outside.aliases, outside.flags) == (inside.overwrites, inside.aliases, inside.flags)
    assert machine_code(outside.payload) == machine_code(inside.payload)
    located = IMPOSSIBLE.replace("math.erf %x0 : f64", 'math.erf %x0 : f64 loc("/home/me/model.py":12:5)')
    with pytest.raises(CompileError, match=r"failed to legalize operation 'math\.erf'") as caught:
        compiled(program(IMPOSSIBLE, [KIND], [KIND], located=lambda: located))
    assert caught.value.location == ("/home/me/model.py", 12, 5)


#: IREE takes such a constant out of the dispatch, and crashes where it asks how many bits an index has.
CRASHES = """
func.func @main(%e: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %e, %c0 : tensor<?xf32>
  %r = "flow.dispatch.region"(%n) <{operandSegmentSizes = array<i32: 1, 0>}> ({
    %lanes = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
    %zero = arith.constant 0.0 : f32
    %first = vector.broadcast %n : index to vector<4xindex>
    %at = arith.addi %lanes, %first : vector<4xindex>
    %bits = arith.index_cast %at : vector<4xindex> to vector<4xi32>
    %v = arith.sitofp %bits : vector<4xi32> to vector<4xf32>
    %w = vector.transfer_write %v, %e[%c0] : vector<4xf32>, tensor<?xf32>
    "flow.return"(%w) : (tensor<?xf32>) -> ()
  }, {
  }) : (index) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_a_crash_of_the_compiler_in_this_process_is_a_refusal(fresh):
    script = f"""
from wax.backends.iree import capi
from wax.backends.iree.ladder import rungs
from wax.backends.iree.targets import target
from wax_runtime.backend import CompileOptions
flags = rungs([target("cpu")], CompileOptions())[0].flags
for _ in range(2):
    try:
        capi.compile_text({CRASHES!r}, flags)
    except capi.CompilationFailed as failure:
        print(failure.reason)
good = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{ return %x : tensor<4xf32> }}"
print(len(capi.compile_text(good, flags).payload) > 0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:3] == ["IREE's compiler crashed", "IREE's compiler crashed", "True"]


def test_a_crash_of_the_isolated_compiler_is_a_compile_error(fresh, reproducers, monkeypatch, tmp_path):
    tool = tmp_path / "iree-compile"
    tool.write_text("#!/bin/sh\nkill -SEGV $$\n")
    tool.chmod(0o755)
    monkeypatch.setenv("WAX_ISOLATE_COMPILER", "1")
    monkeypatch.setattr(isolated, "tool", lambda name: tool)
    with pytest.raises(CompileError, match="IREE's compiler crashed: SIGSEGV") as caught:
        compiled(doubling())
    assert caught.value.reproducer is not None


def test_a_location_in_python_is_preferred_to_one_in_the_text():
    diagnostics = [
        Diagnostic("warning", "/a/warned.py:1:1: careful"),
        Diagnostic("error", "program.mlir:3:1: wrong\n\n/home/me/my model.py:1:1: x"),
        Diagnostic("error", "/home/me/model.py:12:5: wrong\n\n/home/me/train.py:3:1: called from"),
    ]
    assert user_location(diagnostics[2:]) == ("/home/me/model.py", 12, 5)
    assert user_location(diagnostics[:1]) is None
    assert user_location([Diagnostic("error", "program.mlir:3:1: wrong")]) is None
    assert user_location([Diagnostic("error", "<stdin>:3:1: wrong")]) == ("<stdin>", 3, 1)


def test_a_branch_passes_no_reference_to_a_block_twice():
    branch = "vm.br ^bb1(%a, %n, %a : !vm.ref<!hal.buffer>, i64, !vm.ref<!hal.buffer>)"
    either = "vm.cond_br %c, ^bb1(%a, %n, %b : !vm.ref<!hal.fence>, i64, !vm.ref<!hal.fence>), ^bb2(%n, %n : i64, i64)"
    assert references.told_apart(f"      {branch}\n    {either}\n") == (
        "      %apart_0_is = vm.cmp.nz.ref %a : !vm.ref<!hal.buffer>\n"
        "      %apart_0_null = vm.const.ref.zero : !vm.ref<!hal.buffer>\n"
        "      %apart_0 = vm.select.ref %apart_0_is, %a, %apart_0_null : !vm.ref<!hal.buffer>\n"
        "      vm.br ^bb1(%a, %n, %apart_0 : !vm.ref<!hal.buffer>, i64, !vm.ref<!hal.buffer>)\n"
        f"    {either}\n"
    )


READ_BEHIND = """
  vm.func private @main(%a: !vm.ref<!hal.fence>, %c: i32) {
    vm.br ^bb1({passed} : !vm.ref<!hal.fence>)
  ^bb1(%x: !vm.ref<!hal.fence>):  // 2 preds: ^bb0, ^bb2
    vm.cond_br %c, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %y = vm.call @next({read}) : (!vm.ref<!hal.fence>) -> !vm.ref<!hal.fence>
    vm.br ^bb1(%y : !vm.ref<!hal.fence>)
  ^bb3:  // pred: ^bb1
    vm.return
  }
"""


def test_a_branch_passes_no_reference_that_is_read_behind_it():
    alone = READ_BEHIND.replace("{passed}", "%a").replace("{read}", "%x")
    assert references.told_apart(alone) == alone
    # Of another function, a name says nothing.
    other = "  vm.func private @other(%a: !vm.ref<!hal.fence>) {\n    vm.return %a : !vm.ref<!hal.fence>\n  }\n"
    assert references.told_apart(alone + other) == alone + other
    apart = references.told_apart(READ_BEHIND.replace("{passed}", "%a").replace("{read}", "%a"))
    made = "".join(
        f"    {line}\n"
        for line in (
            "%apart_0_is = vm.cmp.nz.ref %a : !vm.ref<!hal.fence>",
            "%apart_0_null = vm.const.ref.zero : !vm.ref<!hal.fence>",
            "%apart_0 = vm.select.ref %apart_0_is, %a, %apart_0_null : !vm.ref<!hal.fence>",
        )
    )
    want = READ_BEHIND.replace("{passed}", "%apart_0").replace("{read}", "%a")
    assert apart == want.replace("    vm.br ^bb1(%apart_0", made + "    vm.br ^bb1(%apart_0")


@pytest.mark.parametrize("compiler", [capi, isolated])
def test_a_program_that_branches_is_compiled_with_its_references_apart(compiler, monkeypatch):
    seen = []
    told = references.told_apart
    monkeypatch.setattr(compiler, "told_apart", lambda text: seen.append(told(text)) or seen[-1])
    text = """
func.func @main(%p: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = tensor.extract %p[] : tensor<i1>
  %1:2 = scf.if %0 -> (tensor<8xf32>, tensor<8xf32>) {
    %2 = arith.addf %x, %x : tensor<8xf32>
    %3 = arith.mulf %y, %y : tensor<8xf32>
    scf.yield %2, %3 : tensor<8xf32>, tensor<8xf32>
  } else {
    scf.yield %x, %y : tensor<8xf32>, tensor<8xf32>
  }
  return %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>
}
"""
    payload = compiler.compile_text(text, base_flags([target("cpu")])).payload
    assert payload
    assert "%apart_0 = vm.select.ref" in seen[0]
