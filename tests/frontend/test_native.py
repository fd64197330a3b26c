"""The native builder: each call makes its operation, and says what the dialect knows of the sizes."""

import ml_dtypes
import numpy as np
import pytest
from native_programs import AT, binary, doubling, identity, unary, zero

from wax import _native


@pytest.fixture
def builder() -> _native.FunctionBuilder:
    return _native.FunctionBuilder("f", AT)


def line(builder: _native.FunctionBuilder, result: int, op: str) -> str:
    """The line of the only `op` in the function that returns `result`."""
    (found,) = [line for line in builder.finish([result]).text().splitlines() if op in line]
    return found.strip().split(" : ")[0]


def test_map_keeps_the_dims_and_takes_the_kernels_element(builder):
    x = builder.argument([4, None], "f32")
    kernel = _native.KernelBuilder(["f32"])
    kernel = kernel.finish([kernel.op("arith.truncf", [0], "bf16")])
    result, shape, element = builder.map(x, kernel, AT)
    assert (shape, element) == ((4, ("dim", x, 1)), "bf16")
    assert line(builder, result, "wax.map") == "%0 = wax.map arith.truncf(%arg0)"


def test_broadcast_joins_axes_and_reports_the_dims_that_must_agree(builder):
    x, y = builder.argument([None, 8], "f32"), builder.argument([None], "f32")
    (result, shape, element), constraints = builder.broadcast([x, y], [[0, 1], [0]], [], binary(), AT)
    assert (shape, element) == ((("dim", x, 0), 8), "f32")
    assert constraints == (("eq", ("dim", x, 0), ("dim", y, 0), "broadcast_c3"),)
    assert line(builder, result, "wax.broadcast") == "%0 = wax.broadcast arith.addf(%arg0[0, 1], %arg1[0])"


def test_broadcast_prefers_the_static_size_and_still_reports_the_dynamic_one(builder):
    x, y = builder.argument([None], "f32"), builder.argument([8], "f32")
    (_, shape, _), constraints = builder.broadcast([x, y], [[0], [0]], [], binary(), AT)
    assert shape == (8,)
    assert [label for _, _, _, label in constraints] == ["broadcast_c3"]


def test_broadcast_takes_free_dims_from_sizes(builder):
    x = builder.argument([None], "f32")
    n = builder.dim(x, 0)
    (_, shape, _), constraints = builder.broadcast([x], [[1]], [("value", n), 3], identity(), AT)
    assert shape == (("index", n), ("dim", x, 0), 3)
    assert all(label == "broadcast_c4" for *_, label in constraints)


def test_reduce_drops_dims_and_makes_one_result_an_accumulator(builder):
    x = builder.argument([2, None, 5], "f32")
    kernel = _native.KernelBuilder(["f32"] * 4)
    both = kernel.finish([kernel.op("arith.addf", [0, 2], "f32"), kernel.op("arith.maximumf", [1, 3], "f32")])
    start = zero(builder)
    results, constraints = builder.reduce([x, x], [start, start], [0, 2], both, both, AT)
    assert [result[1:] for result in results] == [((("dim", x, 1),), "f32")] * 2
    assert constraints == ()


def test_reduce_without_combine_is_ordered(builder):
    x = builder.argument([2, 3], "f32")
    ((result, shape, _),), _ = builder.reduce([x], [zero(builder)], [1], binary(), None, AT)
    assert shape == (2,)
    assert line(builder, result, "wax.reduce") == "%1 = wax.reduce ordered arith.addf(%arg0) over [1] init(%0)"


def test_scan_keeps_the_dims_and_makes_one_result_an_accumulator(builder):
    x, y = builder.argument([None, 5], "f32"), builder.argument([None, None], "f32")
    kernel = _native.KernelBuilder(["f32"] * 4)
    both = kernel.finish([kernel.op("arith.addf", [0, 2], "f32"), kernel.op("arith.maximumf", [1, 3], "f32")])
    start = zero(builder)
    results, constraints = builder.scan([x, y], [start, start], 1, False, False, both, both, AT)
    assert [result[1:] for result in results] == [((("dim", x, 0), 5), "f32")] * 2
    assert [label for *_, label in constraints] == ["scan_c2"] * 2


def test_scan_says_which_way_it_goes(builder):
    x = builder.argument([2, 3], "f32")
    ((result, shape, _),), _ = builder.scan([x], [zero(builder)], 1, True, True, binary(), None, AT)
    assert shape == (2, 3)
    expected = "%1 = wax.scan ordered arith.addf(%arg0) along 1 exclusive reverse init(%0)"
    assert line(builder, result, "wax.scan") == expected


def test_sort_keeps_each_operands_element(builder):
    x, n = builder.argument([None, 5], "f32"), builder.argument([None, 5], "i32")
    kernel = _native.KernelBuilder(["f32", "f32", "i32", "i32"])
    before = kernel.finish([kernel.op("arith.cmpf", [0, 1], "i1", {"predicate": "olt"})])
    results, constraints = builder.sort([x, n], 1, before, AT)
    assert [result[1:] for result in results] == [((("dim", x, 0), 5), "f32"), ((("dim", x, 0), 5), "i32")]
    assert constraints == (("eq", ("dim", x, 0), ("dim", n, 0), "sort_c2"),)


def test_permute_reorders_sizes(builder):
    x = builder.argument([2, None, 3], "f32")
    result, shape, _ = builder.permute(x, [1, 2, 0], AT)
    assert shape == (("dim", x, 1), 3, 2)
    assert line(builder, result, "wax.permute") == "%0 = wax.permute %arg0 [1, 2, 0]"


def test_reshape_multiplies_merged_dims(builder):
    x = builder.argument([None, 4, None], "f32")
    (_, shape, _), _ = builder.reshape(x, [[0, 1], [2]], [[0], [1]], [None, None], AT)
    assert shape == (("*", ("dim", x, 0), 4), ("dim", x, 2))


def test_reshape_takes_split_dims_from_values_and_wants_equal_products(builder):
    x = builder.argument([None], "f32")
    n = builder.index_op("floordiv", builder.dim(x, 0), builder.index_constant(4))
    (_, shape, _), constraints = builder.reshape(x, [[0]], [[0, 1]], [("value", n), 4], AT)
    assert shape == (("index", n), 4)
    assert ("eq", ("dim", x, 0), ("*", ("index", n), 4), "reshape_c2") in constraints


def test_slice_with_static_and_dynamic_entries(builder):
    x = builder.argument([None, 8], "f32")
    n = builder.index_constant(2)
    (result, shape, _), constraints = builder.slice(x, [0, ("value", n)], [("value", n), 3], [2, 1], AT)
    assert shape == (("index", n), 3)
    assert {label for *_, label in constraints} <= {"slice_c3", "slice_c4"}
    assert any(label == "slice_c4" for *_, label in constraints)
    assert "offsets [0, %c2] sizes [%c2, 3]" in line(builder, result, "wax.slice")


def test_pad_adds_and_crops(builder):
    x = builder.argument([None, 5], "f32")
    (_, shape, _), _ = builder.pad(x, zero(builder), [1, -2], [1, 0], [0, 1], AT)
    assert shape == (("+", ("dim", x, 0), 2), 7)


def test_concat_adds_along_the_dim_and_joins_the_others(builder):
    x, y = builder.argument([None, None], "f32"), builder.argument([3, 8], "f32")
    (_, shape, _), constraints = builder.concat([x, y], 0, AT)
    assert shape == (("+", ("dim", x, 0), 3), 8)
    assert [label for *_, label in constraints] == ["concat_c3"]


def test_gather_reads_rows(builder):
    table, ids = builder.argument([None, 64], "f32"), builder.argument([2, None], "i32")
    (result, shape, _), constraints = builder.gather(table, [ids], [-1, 2], [[0, 1]], AT)
    assert shape == (2, ("dim", ids, 1), 64)
    assert ("le", 1, ("dim", table, 0), "gather_c4") in constraints
    assert line(builder, result, "wax.gather") == "%0 = wax.gather %arg0[%arg1[0, 1], 2]"


def test_reverse_keeps_sizes(builder):
    x = builder.argument([2, None], "f32")
    result, shape, _ = builder.reverse(x, [0, 1], AT)
    assert shape == (2, ("dim", x, 1))
    assert line(builder, result, "wax.reverse") == "%0 = wax.reverse %arg0 dims [0, 1]"


def test_insert_has_the_operands_sizes_and_wants_the_box_inside(builder):
    update, x = builder.argument([2, None], "f32"), builder.argument([8, None], "f32")
    at = builder.index_constant(3)
    (result, shape, _), constraints = builder.insert(update, x, [("value", at), 0], [2, 1], AT)
    assert shape == (8, ("dim", x, 1))
    assert constraints == (("le", ("dim", update, 1), ("dim", x, 1), "insert_c4"),)
    assert line(builder, result, "wax.insert") == "%0 = wax.insert %arg0 into %arg1 offsets [%c3, 0] strides [2, 1]"


@pytest.mark.parametrize(("combine", "order"), [(binary(), ""), (None, "ordered ")])
def test_scatter_folds_rows(builder, combine, order):
    update, table = builder.argument([2, None, 64], "f32"), builder.argument([None, 64], "f32")
    ids = builder.argument([2, None], "i32")
    ((result, shape, _),), constraints = builder.scatter(
        [update], [table], [ids], [-1, 2], [[0, 1]], binary(), combine, AT
    )
    assert shape == (("dim", table, 0), 64)
    assert constraints == (("eq", ("dim", update, 1), ("dim", ids, 1), "scatter_c5"),)
    text = f"%0 = wax.scatter {order}arith.addf(%arg0) into(%arg1)[%arg2[0, 1], 2]"
    assert line(builder, result, "wax.scatter") == text


def test_iota_of_static_and_dynamic_sizes(builder):
    n = builder.index_constant(7)
    result, shape, element = builder.iota(1, [2, ("value", n)], "i32", AT)
    assert (shape, element) == ((2, ("index", n)), "i32")
    assert line(builder, result, "wax.iota") == "%0 = wax.iota along 1 sizes [%c7]"


DTYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (0, 3), (3, 5), (2, 0)])
def test_constant_keeps_every_element(builder, element, shape):
    random = np.random.default_rng(0)
    data = (random.normal(size=shape) * 50).astype(DTYPES[element])
    result, sizes, named = builder.constant(data.tobytes(), shape, element, AT)
    assert (sizes, named) == (shape, element)
    (operation,) = builder.finish([result]).snapshot().operations
    value = operation.attributes["value"]
    assert value.dtype == DTYPES[element] and value.shape == shape
    np.testing.assert_array_equal(value, data)
    assert not value.flags.writeable
    with pytest.raises(ValueError):
        value.flags.writeable = True


@pytest.mark.parametrize("element", DTYPES)
def test_constant_of_one_element_is_a_splat(builder, element):
    data = np.array(1, DTYPES[element])
    result, *_ = builder.constant(data.tobytes(), [1000, 1000], element, AT)
    (operation,) = builder.finish([result]).snapshot().operations
    value = operation.attributes["value"]
    assert value.shape == (1000, 1000) and value.strides == (0, 0)
    assert value[3, 4] == data


def test_dim_and_index_constant_are_made_once(builder):
    x = builder.argument([None, 4], "f32")
    assert builder.dim(x, 0) == builder.dim(x, 0)
    assert builder.dim(x, 1) == builder.index_constant(4)


@pytest.mark.parametrize("kind", ["+", "-", "*", "floordiv", "mod", "max", "min"])
@pytest.mark.parametrize("lhs", [-7, 0, 5])
@pytest.mark.parametrize("rhs", [-3, 0, 3])
def test_index_arithmetic_is_pythons_and_total(builder, kind, lhs, rhs):
    python = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "floordiv": lambda a, b: a // b if b else 0,
        "mod": lambda a, b: a % b if b else a,
        "max": max,
        "min": min,
    }
    index = builder.index_op(kind, builder.index_constant(lhs), builder.index_constant(rhs))
    module = _native.make_module(builder.finish([index]))
    module.run("canonicalize")
    (operation,) = module.snapshot().functions["main"].operations
    assert operation.attributes["value"] == python[kind](lhs, rhs)


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
def test_an_index_becomes_a_scalar_tensor(builder, element):
    result = builder.index_to_tensor(builder.index_constant(3), element, AT)
    assert result[1:] == ((), element)


def test_arguments_may_be_added_after_operations(builder):
    x = builder.argument([2], "f32")
    y, *_ = builder.map(x, unary(), AT)
    z = builder.argument([2], "f32")
    (result, _, _), _ = builder.broadcast([y, z], [[0], [0]], [], binary(), AT)
    snapshot = builder.finish([result]).snapshot()
    assert snapshot.arguments == (0, 1)
    assert snapshot.operations[1].operands == (2, 1)


def test_call_takes_tensors_and_names_its_results_sizes(builder):
    x = builder.argument([None], "f32")
    callee = doubling()
    ((result, shape, element),) = builder.call(callee, [x], AT)
    assert (shape, element) == ((("dim", result, 0),), "f32")
    function = builder.finish([result])
    assert function.callees == (callee,)
    assert function.callees[0] is callee
    assert "call @double(%arg0)" in function.text()


def test_attributes_stand_on_the_function_its_arguments_and_results(builder):
    x = builder.argument([None, 4], "f32")
    builder.set_attribute("wax.symbols", '[{name = "b", min = 2 : i64, max = 64 : i64}]')
    builder.set_argument_attribute(x, "wax.dims", "affine_map<()[s0] -> (s0, 4)>")
    builder.set_argument_attribute(x, "wax.name", '"x"')
    builder.set_result_attribute(0, "wax.dims", "affine_map<()[s0] -> (s0, 4)>")
    function = builder.finish([x])
    snapshot = function.snapshot()
    assert snapshot.attributes == {"wax.symbols": ((("max", 64), ("min", 2), ("name", "b")),)}
    assert snapshot.argument_attributes == ({"wax.dims": "affine_map<()[s0] -> (s0, 4)>", "wax.name": "x"},)
    assert snapshot.result_attributes == ({"wax.dims": "affine_map<()[s0] -> (s0, 4)>"},)
    assert _native.parse_module(function.text()).text() == _native.make_module(function, "f").text()


def test_an_operation_and_its_kernel_carry_the_users_line(builder):
    x = builder.argument([2], "f32", AT)
    result, *_ = builder.map(x, unary(), _native.Location("model.py", 12, 7))
    text = builder.finish([result]).text(debug_info=True)
    assert text.count('loc("model.py":12:7)') >= 1
    assert 'loc("model.py":3:5)' in text
    assert "loc(" not in _native.make_module(doubling()).text()


def test_kernel_constants_keep_their_values():
    def constant(value, element):
        kernel = _native.KernelBuilder([])
        return kernel.finish([kernel.constant(value, element)]).snapshot().results[0].value

    assert constant(True, "i1") is True
    assert constant(-128, "i8") == -128
    assert constant(255, "i8") == -1
    assert constant(2**64 - 1, "i64") == -1
    assert constant(0.1, "f64") == 0.1
    assert constant(0.1, "f32") == float(np.float32(0.1))
    assert constant(0.1, "bf16") == float(ml_dtypes.bfloat16(0.1))
    assert constant(np.float32(0.5), "f16") == 0.5
    assert constant(1e300, "f32") == float("inf")
    assert str(constant(-0.0, "f32")) == "-0.0"
    assert np.isnan(constant(float("nan"), "f32"))
    assert constant(1 + 2j, "complex<f64>") == 1 + 2j


def test_kernel_reads_as_a_function():
    builder = _native.KernelBuilder(["f32", "f32"])
    less = builder.op("arith.cmpf", [0, 1], "i1", {"predicate": "olt"}, AT)
    kernel = builder.finish([builder.op("arith.select", [less, 0, 1], "f32")])
    assert kernel.argument_types == ("f32", "f32") and kernel.result_types == ("f32",)
    assert "arith.cmpf olt, %arg0, %arg1 : f32" in str(kernel)
