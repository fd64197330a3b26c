"""Executables that IREE's first phases do not go through: what is taken out is put back, and computes the same."""

import re

import numpy as np
import pytest

import wax
import wax.nn
import wax.numpy as wnp
from wax import tree
from wax._compile import lower
from wax.backends.iree import capi
from wax.backends.iree.executables import executables_in, put_back, taken_out
from wax.backends.iree.in_place import loops_in, open_loops_in

RANDOM = np.random.default_rng(0)
FRESH = wax.CompileOptions(cache=False)


def given(*shapes):
    return [RANDOM.standard_normal(shape).astype(np.float32) for shape in shapes]


def layers(count):
    def run(x, *weights):
        for w in weights:
            x = x + wnp.tanh(wax.nn.layer_norm(x) @ w)
        return x

    return run, given((32, 96), *[(96, 96)] * count)


def text_of(function, arguments, target="iree processor=avx512"):
    return lower(wax.jit(function).lower(*arguments)._function, target).text()


def calls_in(text):
    return text.count('"flow.dispatch"')


def test_layers_that_are_alike_are_compiled_once():
    few, many = (text_of(*layers(count)) for count in (2, 10))
    assert executables_in(few).keys() == executables_in(many).keys()
    # Panels of the weights are made, or are not, for each layer; what is called for each is the same.
    assert calls_in(many) == 5 * calls_in(few) > 0
    assert '"flow.dispatch.region"' not in many


def test_what_is_taken_out_is_put_back():
    text = text_of(*layers(2))
    stubs, modules = taken_out(text)
    assert modules.keys() == executables_in(text).keys()
    assert "scf.for" not in stubs and "flow.executable" not in stubs
    assert all(f"hal.executable.source private @{name} {{" in stubs for name in modules)
    whole = put_back(stubs, modules)
    for name, module in modules.items():
        assert whole.count(module) == 1
        # Each tensor that the function is given is a binding of its own, in order.
        header = re.search(rf"func\.func @{name}\((.*)\) {{", text)
        assert [int(number) for number in re.findall(r" binding\((\d+)\)", module)] == list(
            range(header[1].count("%arg"))
        )
        for access, flags in (("readonly", 'flags("ReadOnly|Indirect")'), ("writeonly", "flags(Indirect)")):
            assert module.count(flags) == header[1].count(access) > 0


def test_names_of_maps_are_written_out():
    """Those of the program that a module is put into are others."""
    text = (
        "#map = affine_map<(d0) -> (d0)>\n#map1 = affine_map<(d0) -> (-d0)>\nmodule {\n"
        '  "flow.executable"() <{sym_name = "loops_0", sym_visibility = "private"}> ({\n'
        '    "flow.executable.export"() <{function_ref = @loops_0, sym_name = "loops_0"}> ({\n'
        '      %x, %y, %z = "iree_tensor_ext.dispatch.workgroup_count_from_slice"() : () -> (index, index, index)\n'
        '      "flow.return"(%x, %y, %z) : (index, index, index) -> ()\n'
        "    }) : () -> ()\n    builtin.module {\n"
        "      func.func @loops_0(%arg0: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {\n"
        '        "some.thing"() {map = #map1, other = #iree_linalg_ext.split_reduction_mapping<0>} : () -> ()\n'
        "        return\n      }\n    }\n"
        '    "flow.executable_end"() : () -> ()\n  }) : () -> ()\n  func.func @main() {\n    return\n  }\n}\n'
    )
    _, modules = taken_out(text)
    said = "{map = affine_map<(d0) -> (-d0)>, other = #iree_linalg_ext.split_reduction_mapping<0>}"
    assert said in modules["loops_0"]


@pytest.mark.parametrize("value", ["true", "false"])
def test_flags_that_change_types_change_what_dispatches_read(value):
    """IREE demotes the functions of the host, and goes through no executables: there are none then."""

    def run(x):
        y = wnp.astype(x, wnp.float64)
        return wnp.astype(wax.nn.softmax(y @ y.T / 100, axis=-1) * 1000, wnp.int32)

    x = RANDOM.integers(-5, 5, (96, 96)).astype(np.int32)
    options = wax.CompileOptions(flags=(f"--iree-input-demote-f64-to-f32={value}",), cache=False)
    found = np.asarray(wax.jit(run).lower(x).compile(options=options)(x))
    y = x.astype(np.float64) @ x.T.astype(np.float64) / 100
    expected = np.exp(y - y.max(axis=1, keepdims=True))
    expected *= 1000 / expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected, atol=1.001)


def test_a_program_without_executables_stays_as_it_is():
    text = text_of(lambda x: x + 1, given((3,)))
    assert taken_out(text) == (text, {})


def test_loops_in_executables_are_not_the_hosts():
    text = text_of(*layers(1))
    assert "scf.for" in text
    assert not loops_in(text) and not open_loops_in(text)


def programs():
    """By name, functions whose dispatches are executables, some in other ways than most."""
    run, arguments = layers(3)
    yield "layers", run, arguments
    yield "gradient", wax.value_and_grad(lambda *a: run(*a).sum(), tuple(range(4))), arguments
    yield "rows of others", lambda x: wax.nn.softmax(x[1:4] * 2, axis=-1), given((5, 301))
    yield "rows that lie apart", lambda x: wax.nn.softmax(x[:, 3:300], axis=-1), given((5, 301))
    yield "an offset of a few bytes", lambda x: wnp.exp(wnp.reshape(x, (-1,))[7:90_007]), given((301, 300))
    yield "several results", lambda x: (wnp.sort(x, axis=-1), wnp.argsort(x, axis=-1)), given((9, 77))
    yield "a result that nobody needs", lambda x: wnp.argsort(x, axis=-1), given((9, 77))
    yield "bool", lambda x: (wnp.cumulative_sum(x, axis=1) > 0, wnp.exp(x) > 1), given((40, 500))
    yield "complex", lambda x: wnp.fft.fft(x), given((8, 256))
    yield "constants", lambda x: x @ wnp.asarray(np.eye(96, dtype=np.float32)) + wnp.arange(96), given((64, 96))
    yield "a branch", lambda x: wax.cond(x[0, 0] > 0, lambda: wnp.exp(x) @ x, lambda: x @ wnp.exp(x)), given((64, 64))
    yield "a loop", lambda x: wax.fori_loop(0, 3, lambda i, c: wnp.tanh(c @ x), x), given((128, 128))
    yield "an update", lambda x, y: (x @ x).at[3:5].set(y), given((64, 64), (2, 64))


@pytest.mark.parametrize(("function", "arguments"), [p[1:] for p in programs()], ids=[p[0] for p in programs()])
def test_programs_compute_the_same_as_iree_makes_of_them_by_itself(function, arguments, monkeypatch):
    def computed():
        compiled = wax.jit(lambda *a: function(*a)).lower(*arguments).compile(options=FRESH)
        # Later calls go without IREE, where they can.
        return [[np.asarray(leaf) for leaf in tree.flatten(compiled(*arguments))[0]] for _ in range(7)]

    apart = computed()
    monkeypatch.setattr(capi.executables, "taken_out", lambda text: (text, {}))
    (whole, *_) = computed()
    for found in apart:
        for one, other in zip(found, whole, strict=True):
            np.testing.assert_array_equal(one, other)
