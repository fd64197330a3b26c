"""Executables that IREE's first phases do not go through: what is taken out is put back, and computes the same."""

import re
from itertools import chain

import numpy as np
import pytest

import wax
import wax.nn
import wax.numpy as wnp
from wax import tree
from wax._compile import TARGETS, lower
from wax.backends.iree import capi, compilation
from wax.backends.iree.compiler import compiler
from wax.backends.iree.executables import executables_in, put_back, taken_out
from wax.backends.iree.in_place import loops_in, open_loops_in
from wax.backends.iree.wide_vectors import wants_wide_vectors

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
    stubs, taken = taken_out(text)
    modules = {name: one.module for name, one in taken.items()}
    assert modules.keys() == executables_in(text).keys()
    assert "scf.for" not in stubs and "flow.executable" not in stubs
    assert all(f"hal.executable.source private @{name} {{" in stubs for name in modules)
    whole = put_back(stubs, taken)
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
    _, taken = taken_out(text)
    said = "{map = affine_map<(d0) -> (-d0)>, other = #iree_linalg_ext.split_reduction_mapping<0>}"
    assert said in taken["loops_0"].module and said in taken["loops_0"].function


def test_flags_that_change_types_get_a_program_without_executables():
    """IREE changes what it goes through, and it goes through no executables: they would read other elements."""

    def form(*flags):
        return compiler.form_for(("cpu",), wax.CompileOptions(flags=flags))

    usual = form()
    assert form("--iree-input-demote-f64-to-f32=true") == form("--iree-input-promote-f16-to-f32") == "linalg-iree-whole"
    assert form("--iree-input-demote-f64-to-f32=false") == form("--iree-opt-level=O2") == usual != "linalg-iree-whole"
    run, arguments = layers(2)
    assert executables_in(text_of(run, arguments, TARGETS[usual]))
    whole = text_of(run, arguments, TARGETS["linalg-iree-whole"])
    assert not executables_in(whole) and '"flow.dispatch.region"' in whole


def test_a_program_without_executables_stays_as_it_is():
    text = text_of(lambda x: wnp.permute_dims(x, (1, 0)), given((3, 5000)))
    assert taken_out(text) == (text, {})


@pytest.mark.parametrize("options", ["", " outline=false"])
def test_executables_of_maps_are_no_hindrance_to_wide_vectors(options):
    """Nor are numbers that they are given, however many, a long map."""

    def long(x, y):
        return wnp.tan(x), wnp.tanh(y) * wnp.exp(y)

    def short(*given):
        return tuple(wnp.exp(x) for x in given)

    def text(function, arguments, **dynamic):
        traced = wax.jit(function, dynamic_shapes=dynamic).lower(*arguments)._function
        return lower(traced, f"iree processor=avx512{options}").text()

    wide = text(long, given((320, 512), (32, 96)), x={0: "n"}, y=None)
    assert ("flow.executable" in wide) != bool(options)
    many = text(short, given(*[(200, 512)] * 6), given=tuple({0: f"n{number}"} for number in range(6)))
    assert wants_wide_vectors(wide) and not wants_wide_vectors(many)


def test_what_cannot_be_written_is_refused(monkeypatch):
    """As an executable whose workgroups nobody has counted."""

    def refuse(*_):
        raise ValueError("failed to generate bytecode")

    with capi._invocation(()) as invocation, pytest.raises(capi.CompilationFailed, match="failed to generate bytecode"):
        invocation._output(refuse)


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


def results(compiled, calls):
    """The arrays that a compiled function gives, for each of some calls."""
    return [[np.asarray(leaf) for leaf in tree.flatten(compiled(*arguments))[0]] for arguments in calls]


def computed_both_ways(compiled, calls, monkeypatch):
    """What compiled functions give for some calls. IREE's code gives the same made with executables taken out, and with
    all as it is; and what our code gives is as near as products and sums that are one operation or two.
    """
    ours = results(compiled(), calls)
    monkeypatch.setattr(compilation, "compile_alone", lambda *_: None)
    monkeypatch.setattr(capi.machine_code, "begin", lambda *_: None)
    apart = results(compiled(), calls)
    monkeypatch.setattr(capi.executables, "taken_out", lambda text: (text, {}))
    whole = results(compiled(), calls)
    for mine, one, other in zip(*map(chain.from_iterable, (ours, apart, whole)), strict=True):
        np.testing.assert_array_equal(one, other)
        assert mine.dtype == one.dtype and mine.shape == one.shape
        scale = max(float(np.abs(one).max(initial=0)), 1.0)
        np.testing.assert_allclose(mine / scale, one / scale, rtol=0, atol=4e-7)
    return ours


def open_programs():
    """By name, functions of open sizes, which are numbers of their executables, arguments of some sizes, and what is
    open.
    """

    def attention(q, k, v, causal=False):
        q, k, v = (wnp.permute_dims(x, (0, 2, 1, 3)) for x in (q, k, v))
        return wax.nn.attention(q, k, v, is_causal=causal)

    def rows(*sizes):
        return [given((size, 96), (96, 96)) for size in sizes], ({0: "n"}, None)

    heads = [given(*[(2, size, 4, 32)] * 3) for size in (2, 33, 300)], ({1: "n"},) * 3
    loss = wax.grad(lambda x, w: (wax.nn.layer_norm(x @ w) ** 3).sum(), (0, 1))
    yield "products", lambda x, w: wnp.tanh(x @ w) @ w, *rows(2, 7, 64, 333)
    yield "softmax", lambda x, w: wax.nn.softmax(x @ w + 1, axis=-1), *rows(3, 100)
    yield "sort", lambda x, w: wnp.argsort(x, axis=-1), *rows(5, 40)
    yield "sums", lambda x, w: wnp.sum((x @ w) ** 2, axis=0), *rows(2, 1001)
    yield "a gradient", loss, *rows(2, 65)
    yield "attention", lambda q, k, v: attention(q, k, v), *heads
    yield "attention, causal", lambda q, k, v: attention(q, k, v, causal=True), *heads


@pytest.mark.parametrize(
    ("function", "calls", "shapes"), [p[1:] for p in open_programs()], ids=[p[0] for p in open_programs()]
)
def test_open_sizes_are_numbers_of_executables(function, calls, shapes, monkeypatch):
    def lowered():
        return wax.jit(function, dynamic_shapes=shapes).lower(*calls[-1])

    def compiled():
        return lowered().compile(options=FRESH)

    assert '"flow.dispatch"' in lower(lowered()._function, "iree").text()
    reference = wax.jit(function, backend="reference")
    for arguments, found in zip(calls, computed_both_ways(compiled, calls, monkeypatch), strict=True):
        for one, other in zip(found, tree.flatten(reference(*arguments))[0], strict=True):
            other = np.asarray(other)
            assert one.shape == other.shape and one.dtype == other.dtype
            scale = max(float(np.abs(other).max(initial=0)), 1.0)
            np.testing.assert_allclose(one / scale, other / scale, rtol=0, atol=2e-5)


@pytest.mark.parametrize(("function", "arguments"), [p[1:] for p in programs()], ids=[p[0] for p in programs()])
def test_programs_compute_the_same_as_iree_makes_of_them_by_itself(function, arguments, monkeypatch):
    def compiled():
        return wax.jit(lambda *a: function(*a)).lower(*arguments).compile(options=FRESH)

    # Later calls go without IREE, where they can.
    computed_both_ways(compiled, [arguments] * 7, monkeypatch)
