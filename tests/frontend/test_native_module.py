"""Modules: deterministic names and texts, passes in place, parsing."""

import subprocess
import threading
from pathlib import Path

import pytest
from native_programs import AT, binary, doubling, unary

from wax import _native

TOOLS = Path(__file__).resolve().parents[2] / "build" / "bin"


def calling(name: str, *callees: _native.Function) -> _native.Function:
    builder = _native.FunctionBuilder(name, AT)
    x = builder.argument([None], "f32")
    for callee in callees:
        ((x, _, _),) = builder.call(callee, [x], AT)
    return builder.finish([x])


def names(module: _native.Module) -> list[str]:
    return [line.split("@")[1].split("(")[0] for line in module.text().splitlines() if "func.func" in line]


def test_the_entry_is_public_and_the_others_private():
    module = _native.make_module(calling("f", doubling("g")))
    assert "func.func @main(" in module.text()
    assert "func.func private @g(" in module.text()
    assert "call @g(" in module.text()
    module.verify()


def test_a_function_called_twice_is_there_once():
    g = doubling("g")
    module = _native.make_module(calling("f", g, calling("h", g), g))
    assert names(module) == ["main", "g", "h"]


def test_functions_of_one_name_are_numbered_in_the_order_of_the_calls():
    f = calling("f", doubling("f"), calling("f", doubling("main")), doubling("f"))
    assert names(_native.make_module(f, "f")) == ["f", "f_1", "f_2", "main", "f_3"]
    assert names(_native.make_module(f)) == ["main", "f", "f_1", "main_1", "f_2"]
    _native.make_module(f).verify()
    assert [callee.name for callee in f.callees] == ["f", "f", "f"]
    assert "call @f(" in f.text() and "call @f_1(" in f.text() and "call @f_2(" in f.text()


def test_equal_programs_have_equal_texts():
    def program() -> str:
        return _native.make_module(calling("f", doubling("g"), calling("g", doubling("g")))).text()

    assert program() == program()


def test_a_module_is_a_copy():
    function = doubling()
    before = function.text()
    module = _native.make_module(function)
    copy = module.clone()
    module.run("func.func(canonicalize),cse,symbol-dce")
    assert function.text() == before
    assert copy.text() == _native.make_module(function).text()


def test_a_pipeline_may_name_its_anchor():
    for pipeline in ("canonicalize", "builtin.module(canonicalize)", "func.func(canonicalize,cse)", ""):
        module = _native.make_module(doubling())
        module.run(pipeline)
        # Canonicalized, the sum of a value and itself is a map.
        assert ("wax.map" in module.text(False)) == bool(pipeline)


def test_texts_can_be_parsed_again_with_and_without_locations():
    module = _native.make_module(calling("f", doubling("g h")))
    for debug_info in (False, True):
        text = module.text(debug_info)
        assert _native.parse_module(text).text(debug_info) == text
        assert ("loc(" in text) == debug_info


UNKNOWN = "%0 = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf64>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @f(%x: tensor<?xf32>) {\n  %0 = nothing.at_all %x\n  return\n}", r"model.mlir:2:8: .*nothing"),
        ("func.func @f(%x: tensor<?xf32>) {\n  return %x : tensor<?xf32>\n}", r"model.mlir:2:3: .*operands"),
        ("func.func @f(%x: tensor<?xf32>) {\n  " + UNKNOWN + "\n  return\n}", r"model.mlir:2:"),
        ("func.func @f(", "model.mlir:1:"),
        ("module {", "model.mlir:1:"),
    ],
)
def test_text_that_is_wrong_is_refused_with_its_place(capfd, text, message):
    with pytest.raises(_native.DialectError, match=message):
        _native.parse_module(text, "model.mlir")
    assert capfd.readouterr() == ("", "")


def test_a_result_number_that_would_take_all_memory_is_refused():
    """Upstream's parser makes room for all results up to one that is named, and ends the process."""
    with pytest.raises(_native.DialectError, match="no operation has a result number 2147483647"):
        _native.parse_module('func.func @f() -> i1 { %0:2 = "x"() : () -> (i1, i1)\n return %0#2147483647 : i1 }')
    words = '// %0#99999999\nmodule {} loc("a \\22%0#99999999")'
    assert "%0#99999999" in _native.parse_module(words).text(debug_info=True)


def test_a_pipeline_that_is_wrong_is_a_pass_error(capfd):
    module = _native.make_module(doubling())
    for pipeline in ("no-such-pass", "canonicalize{", "builtin.module(cse"):
        with pytest.raises(_native.PassError) as caught:
            module.run(pipeline)
        message, reproducer = caught.value.args
        assert "is not valid" in message and "func.func @main" in reproducer
    assert capfd.readouterr() == ("", "")


#: Valid, but not in the normal form that the pass asks for.
NOT_BASIS = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.exp %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
CHECK = "wax-verify-normal-form{form=basis}"


def test_a_pass_that_fails_leaves_the_module_and_says_how_to_see_it_again(capfd, tmp_path):
    module = _native.parse_module(NOT_BASIS, "model.mlir")
    before = module.text()
    with pytest.raises(_native.PassError, match=r"math\.exp") as caught:
        module.run("canonicalize," + CHECK)
    message, reproducer = caught.value.args
    assert message.startswith("model.mlir:3:")
    assert module.text() == before
    assert capfd.readouterr() == ("", "")

    command, _, _ = reproducer.partition("\n")
    assert command == f"// wax-opt --pass-pipeline='builtin.module(canonicalize,{CHECK})' FILE"
    if (TOOLS / "wax-opt").exists():
        file = tmp_path / "failed.mlir"
        file.write_text(reproducer)
        command = command.removeprefix("// ").replace("FILE", str(file))
        ran = subprocess.run(command, shell=True, cwd=TOOLS, env={"PATH": str(TOOLS)}, capture_output=True, text=True)
        assert ran.returncode != 0 and "math.exp" in ran.stderr


def test_passes_run_without_the_gil_and_their_module_waits():
    builder = _native.FunctionBuilder("f", AT)
    x = builder.argument([None], "f32")
    for _ in range(20000):
        x, *_ = builder.map(x, unary("math.tanh"), AT)
    module = _native.make_module(builder.finish([x]))
    refused, counted, done = 0, 0, threading.Event()

    def run():
        module.run("cse,canonicalize,cse")
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.is_set():
        counted += 1
        try:
            module.clone()
        except _native.DialectError as error:
            refused += "in another thread" in str(error)
    thread.join()
    assert counted >= refused > 10
    module.verify()


def test_passes_may_be_verified_one_by_one(monkeypatch):
    monkeypatch.setenv("WAX_VERIFY_PASSES", "1")
    module = _native.make_module(doubling())
    module.run("canonicalize,cse")
    assert "wax.map" in module.text()


def test_the_kernel_of_a_pass_is_not_shared_with_the_builders():
    kernel = binary()
    before = str(kernel)
    builder = _native.FunctionBuilder("f", AT)
    x = builder.argument([3], "f32")
    ((y, _, _), _) = builder.broadcast([x, x], [[0], [0]], [], kernel, AT)
    _native.make_module(builder.finish([y])).run("canonicalize,cse")
    assert str(kernel) == before
