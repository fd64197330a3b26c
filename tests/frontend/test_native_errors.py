"""What the native layer refuses, it refuses with DialectError, prints nothing, and goes on."""

import pytest
from native_programs import AT, binary, doubling, identity, unary

from wax import _native
from wax._native import DialectError


@pytest.fixture(autouse=True)
def prints_nothing(capfd):
    yield
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def builder() -> _native.FunctionBuilder:
    return _native.FunctionBuilder("f", AT)


def two_results(element: str = "f32") -> _native.Kernel:
    return _native.KernelBuilder([element]).finish([0, 0])


#: Values 0 … 4 that the calls below are made with.
def arguments(builder):
    builder.argument([2, 3], "f32")
    builder.argument([3], "f32")
    builder.argument([], "f32")
    builder.argument([4], "i32")
    builder.index_constant(2)


REFUSED = {
    "a value that is not there": (lambda b: b.map(99, unary()), "there is no value 99"),
    "a negative value": (lambda b: b.map(-1, unary()), "there is no value -1"),
    "an index for a tensor": (lambda b: b.map(4, unary()), "value 4 is an index"),
    "a tensor for an index": (lambda b: b.index_op("+", 0, 4), "value 0 is a tensor"),
    "a tensor for a size": (lambda b: b.iota(0, [("value", 0)], "i32"), "value 0 is a tensor"),
    "a kernel of two scalars": (lambda b: b.map(0, binary()), "map_c1"),
    "a kernel of another element": (lambda b: b.map(3, unary()), "map_c1"),
    "a kernel with two results": (lambda b: b.map(0, two_results()), "map_c2"),
    "sizes that disagree": (lambda b: b.broadcast([0, 1], [[0, 1], [0]], [], binary()), "broadcast_c3"),
    "no operands": (lambda b: b.broadcast([], [], [], binary()), "broadcast_c1"),
    "dims of another rank": (lambda b: b.broadcast([0], [[0]], [], identity()), "broadcast_c1"),
    "repeated dims": (lambda b: b.broadcast([0], [[0, 0]], [], identity()), "broadcast_c2"),
    "dims outside": (lambda b: b.broadcast([0], [[0, 5]], [], identity()), "broadcast_c2"),
    "a negative size": (lambda b: b.broadcast([0], [[0, 2]], [-1], identity()), "broadcast_c4"),
    "the dynamic mark as size": (lambda b: b.broadcast([0], [[0, 2]], [-(2**63)], identity()), "cannot hold"),
    "an inferred size": (lambda b: b.broadcast([0], [[0, 2]], [None], identity()), "cannot hold None"),
    "a broadcast kernel of one": (lambda b: b.broadcast([0, 0], [[0, 1], [0, 1]], [], identity()), "broadcast_c5"),
    "no accumulator": (lambda b: b.reduce([0], [], [0], identity(), None), "reduce_c1"),
    "shapes that differ": (lambda b: b.reduce([0, 1], [2, 2], [0], binary(), None), "reduce_c2"),
    "a dim too far": (lambda b: b.reduce([0], [2], [2], binary(), None), "reduce_c3"),
    "a fold of one": (lambda b: b.reduce([0], [2], [1], identity(), None), "reduce_c4"),
    "a combine of one": (lambda b: b.reduce([0], [2], [1], binary(), identity()), "reduce_c5"),
    "an init that is a vector": (lambda b: b.reduce([0], [1], [1], binary(), None), "0D tensor"),
    "a scan of shapes that differ": (lambda b: b.scan([0, 1], [2], 0, False, False, binary(), None), "scan_c2"),
    "a scan along nothing": (lambda b: b.scan([0], [2], 2, False, False, binary(), None), "scan_c3"),
    "a scan along a negative dim": (lambda b: b.scan([0], [2], -1, False, False, binary(), None), "scan_c3"),
    "a scan's combine of one": (lambda b: b.scan([0], [2], 1, True, True, binary(), identity()), "scan_c5"),
    "a sort of nothing": (lambda b: b.sort([], 0, binary()), "sort_c1"),
    "a sort along nothing": (lambda b: b.sort([1], 1, binary()), "sort_c3"),
    "a comparator that yields a float": (lambda b: b.sort([0], 0, binary()), "sort_c4"),
    "no permutation": (lambda b: b.permute(0, [0, 0]), "permute_c1"),
    "a permutation too short": (lambda b: b.permute(0, [0]), "permute_c1"),
    "products that differ": (lambda b: b.reshape(0, [[0, 1]], [[0]], [7]), "reshape_c2"),
    "groups that miss a dim": (lambda b: b.reshape(0, [[0]], [[0]], [2]), "reshape_c1"),
    "a negative dim": (lambda b: b.reshape(0, [[0, 1]], [[0]], [-6]), "a dim cannot have size -6"),
    "too few strides": (lambda b: b.slice(0, [0, 0], [1, 1], [1]), "slice_c1"),
    "a stride of zero": (lambda b: b.slice(0, [0, 0], [1, 1], [1, 0]), "slice_c2"),
    "a negative offset": (lambda b: b.slice(0, [0, -1], [1, 1], [1, 1]), "slice_c3"),
    "a box too large": (lambda b: b.slice(0, [0, 1], [2, 3], [1, 1]), "slice_c4"),
    "padding of another rank": (lambda b: b.pad(0, 2, [0], [0], [0]), "pad_c1"),
    "negative interior": (lambda b: b.pad(0, 2, [0, 0], [0, 0], [0, -1]), "pad_c2"),
    "cropping too much": (lambda b: b.pad(0, 2, [-3, 0], [0, 0], [0, 0]), "pad_c3"),
    "padding with an integer": (lambda b: b.pad(0, zero_of(b, "i32"), [0, 0], [0, 0], [0, 0]), "pad_c4"),
    "concat of nothing": (lambda b: b.concat([], 0), "concat_c1"),
    "concat of ranks": (lambda b: b.concat([0, 1], 0), "concat_c1"),
    "concat along nothing": (lambda b: b.concat([0, 0], 2), "concat_c2"),
    "too few indices": (lambda b: b.gather(0, [], [-1, 0], []), "gather_c1"),
    "a hole in the dims": (lambda b: b.gather(0, [3], [-1, 2], [[0]]), "gather_c2"),
    "float indices": (lambda b: b.gather(0, [1], [-1, 1], [[0]]), "integer"),
    "a dim turned twice": (lambda b: b.reverse(0, [0, 0]), "reverse_c1"),
    "a dim that cannot be turned": (lambda b: b.reverse(0, [2]), "reverse_c1"),
    "an update of another rank": (lambda b: b.insert(1, 0, [0, 0], [1, 1]), "insert_c1"),
    "an update with a stride of zero": (lambda b: b.insert(0, 0, [0, 0], [1, 0]), "insert_c2"),
    "an update before the operand": (lambda b: b.insert(0, 0, [0, -1], [1, 1]), "insert_c3"),
    "an update too large": (lambda b: b.insert(0, 0, [0, 1], [1, 1]), "insert_c4"),
    "an update of another element": (lambda b: b.insert(2, zero_of(b, "i32"), [], []), "insert_c5"),
    "a scatter of nothing": (lambda b: b.scatter([], [0], [], [0, 1], [], identity(), None), "scatter_c1"),
    "a scatter into nothing": (lambda b: b.scatter([0], [], [], [0, 1], [], identity(), None), "scatter_c1"),
    "updates that differ": (lambda b: b.scatter([0, 1], [0], [], [0, 1], [], binary(), None), "scatter_c2"),
    "too few indices to scatter": (lambda b: b.scatter([1], [1], [], [-1], [], binary(), None), "scatter_c3"),
    "an update dim that goes nowhere": (lambda b: b.scatter([0], [1], [], [1], [], binary(), None), "scatter_c4"),
    "indices of another size": (lambda b: b.scatter([1], [1], [3], [-1], [[0]], binary(), None), "scatter_c5"),
    "a scatter's fold of one": (lambda b: b.scatter([1], [1], [], [0], [], identity(), None), "scatter_c6"),
    "a scatter's combine of one": (lambda b: b.scatter([1], [1], [], [0], [], binary(), identity()), "scatter_c7"),
    "iota along nothing": (lambda b: b.iota(1, [4], "i32"), "iota_c1"),
    "iota of complex": (lambda b: b.iota(0, [4], "complex<f32>"), "iota_c3"),
    "an unknown element": (lambda b: b.iota(0, [4], "f8"), "'f8' is not an element type"),
    "too few bytes": (lambda b: b.constant(bytes(8), [3], "f32"), "3 elements of 4 bytes cannot be made of 8 bytes"),
    "odd bytes": (lambda b: b.constant(bytes(13), [3], "f32"), "13 bytes"),
    "too many elements": (lambda b: b.constant(bytes(4), [2**40, 2**40], "f32"), "too many elements"),
    "a dim that is not there": (lambda b: b.dim(0, 2), "has no dim 2"),
    "unknown arithmetic": (lambda b: b.index_op("**", 4, 4), r"'\*\*' is not index arithmetic"),
    "an index as float": (lambda b: b.index_to_tensor(4, "f32"), "becomes an integer"),
    "a call of other types": (lambda b: b.call(doubling(), [0]), r"takes \(tensor<\?xf32>\), but is called with"),
    "a call of nothing": (lambda b: b.call(doubling(), []), "is called with"),
    "text that is no attribute": (lambda b: b.set_argument_attribute(0, "wax.name", "["), "is not an attribute"),
    "an attribute of a result": (lambda b: b.set_argument_attribute(4, "wax.name", '"x"'), "not an argument"),
    "an attribute of the function": (lambda b: b.set_attribute("sym_name", '"x"'), "not free"),
    "an argument of negative size": (lambda b: b.argument([-2], "f32"), "a dim cannot have size -2"),
    "a result that is not there": (lambda b: b.finish([99]), "there is no value 99"),
}


def zero_of(builder, element):
    return builder.constant(bytes(4), [], element)[0]


@pytest.mark.parametrize("fault", REFUSED)
def test_refused(builder, fault):
    call, message = REFUSED[fault]
    arguments(builder)
    with pytest.raises(DialectError, match=message):
        call(builder)
    # The builder goes on as if nothing had been asked.
    result, *_ = builder.map(0, unary(), AT)
    text = builder.finish([result]).text()
    assert text.count("wax.map") == 1 and "wax.broadcast" not in text


WRONG_TYPES = {
    "a string for a value": lambda b: b.map("0", unary()),
    "no kernel": lambda b: b.map(0, None),
    "a float dim": lambda b: b.permute(0, [0.5, 1]),
    "a huge int": lambda b: b.permute(0, [2**70, 1]),
    "an unknown size": lambda b: b.iota(0, [("index", 4)], "i32"),
    "a line before the file": lambda b: _native.Location("f.py", -1, 0),
}


@pytest.mark.parametrize("fault", WRONG_TYPES)
def test_wrong_types_are_type_errors(builder, fault):
    arguments(builder)
    with pytest.raises(TypeError):
        WRONG_TYPES[fault](builder)


KERNEL_REFUSED = {
    "a scalar that is not there": (lambda k: k.op("arith.addf", [0, 7], "f32"), "there is no scalar 7"),
    "one operand too few": (lambda k: k.op("arith.addf", [0], "f32"), "expected 2 operands"),
    "mixed types": (lambda k: k.op("arith.addf", [0, 1], "f32"), "must be floating-point-like"),
    "a float for an integer": (lambda k: k.op("arith.addi", [0, 0], "f32"), "arith.addi"),
    "another dialect": (lambda k: k.op("tensor.empty", [], "f32"), "not an operation of arith, math or complex"),
    "an unknown operation": (lambda k: k.op("arith.nothing", [0], "f32"), "not an operation of arith"),
    "a constant by name": (lambda k: k.op("arith.constant", [], "f32"), r"built with constant\(\)"),
    "two results": (lambda k: k.op("arith.addui_extended", [1, 1], "i32"), "results"),
    "an unknown type": (lambda k: k.op("arith.addf", [0, 0], "tensor<2xf32>"), "not an element type"),
    "no predicate": (lambda k: k.op("arith.cmpf", [0, 0], "i1"), "predicate"),
    "an unknown keyword": (lambda k: k.op("arith.cmpf", [0, 0], "i1", {"predicate": "slt"}), "cannot be 'slt'"),
    "an unknown number": (lambda k: k.op("arith.cmpf", [0, 0], "i1", {"predicate": 99}), "predicate"),
    "an unknown attribute": (lambda k: k.op("arith.addf", [0, 0], "f32", {"speed": 3}), "no attribute 'speed'"),
    "a constant out of range": (lambda k: k.constant(256, "i8"), "256 is not a constant of type i8"),
    "a float as integer": (lambda k: k.constant(1.5, "i32"), "1.5 is not a constant of type i32"),
    "text as constant": (lambda k: k.constant("1", "f32"), "'1' is not a constant of type f32"),
    "a complex as float": (lambda k: k.constant(1j, "f32"), "is not a constant of type f32"),
    "an index": (lambda k: k.constant(1, "index"), "'index' is not an element type"),
    "a result that is not there": (lambda k: k.finish([5]), "there is no scalar 5"),
}


@pytest.mark.parametrize("fault", KERNEL_REFUSED)
def test_refused_in_a_kernel(fault):
    call, message = KERNEL_REFUSED[fault]
    builder = _native.KernelBuilder(["f32", "i32"])
    with pytest.raises(DialectError, match=message):
        call(builder)
    assert "f32, %arg1: i32" in str(builder.finish([0]))


def test_a_finished_kernel_builder_refuses_everything():
    builder = _native.KernelBuilder(["f32"])
    builder.finish([0])
    for call in (
        lambda: builder.op("math.exp", [0], "f32"),
        lambda: builder.constant(1, "f32"),
        lambda: builder.finish([0]),
    ):
        with pytest.raises(DialectError, match="the kernel is finished"):
            call()


def test_a_finished_function_builder_refuses_everything(builder):
    arguments(builder)
    builder.finish([0])
    for call in (
        lambda: builder.map(0, unary()),
        lambda: builder.argument([2], "f32"),
        lambda: builder.constant(bytes(4), [], "f32"),
        lambda: builder.index_constant(1),
        lambda: builder.dim(0, 0),
        lambda: builder.set_attribute("wax.x", "unit"),
        lambda: builder.set_argument_attribute(0, "wax.name", '"x"'),
        lambda: builder.call(doubling(), [0]),
        lambda: builder.finish([0]),
    ):
        with pytest.raises(DialectError, match="the function is finished"):
            call()


def test_a_finish_that_fails_can_be_tried_again(builder):
    x = builder.argument([None], "f32")
    builder.set_result_attribute(1, "wax.name", '"y"')
    with pytest.raises(DialectError, match="there is no result 1"):
        builder.finish([x])
    assert 'wax.name = "y"' in builder.finish([x, x]).text()


def test_a_function_that_does_not_verify_is_not_finished(builder):
    x = builder.argument([None], "f32")
    builder.set_argument_attribute(x, "undotted", "unit")
    for _ in range(2):
        with pytest.raises(DialectError, match="only have dialect attributes"):
            builder.finish([x])
    builder.map(x, unary(), AT)
