"""The structural operations on the reference backend, against NumPy and direct definitions."""

import itertools

import numpy as np
import pytest
from reference_run import draw, dynamic, function, run, spell
from scalar_judges import DTYPES

from wax import _native
from wax_runtime.errors import CheckError
from wax_runtime.reference.plan import build
from wax_runtime.reference.rules import RULES

ELEMENTS = ["i1", "i8", "i64", "f16", "bf16", "f32", "complex<f64>"]


def with_indices(text):
    """A module that takes index values too, as a function of arrays and ints."""
    run = build(_native.parse_module(text, "model.mlir").snapshot(), RULES)
    return lambda *arguments: run(arguments)[0]


# permute


@pytest.mark.parametrize("permutation", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 0, 5)])
@pytest.mark.parametrize("is_static", [True, False])
def test_permute_moves_dims(permutation, shape, is_static, rng):
    x = draw(rng, shape, "f32")
    given = shape if is_static else dynamic(shape)
    types = spell(given, "f32"), spell(tuple(given[p] for p in permutation), "f32")
    made = run(
        f"""func.func @main(%x: {types[0]}) -> {types[1]} {{
          %y = wax.permute %x {list(permutation)} : ({types[0]}) -> {types[1]}
          return %y : {types[1]}
        }}""",
        x,
    )
    np.testing.assert_array_equal(made, x.transpose(permutation))


# reshape


@pytest.mark.parametrize(
    ("of", "to", "groups"),
    [
        ((6, 4), (24,), "[[0, 1]] into [[0]]"),
        ((24,), (2, 3, 4), "[[0]] into [[0, 1, 2]]"),
        ((6, 4), (2, 3, 2, 2), "[[0], [1]] into [[0, 1], [2, 3]]"),
        ((), (1, 1), "[[]] into [[0, 1]]"),
        ((1, 3, 1), (3,), "[[0], [1], [2]] into [[], [0], []]"),
        ((0, 3), (3, 0), "[[0, 1]] into [[0, 1]]"),
        ((1,), (), "[[0]] into [[]]"),
    ],
)
def test_reshape_keeps_the_row_major_order(of, to, groups, rng):
    x = draw(rng, of, "f32")
    made = run(
        f"""func.func @main(%x: {spell(of, "f32")}) -> {spell(to, "f32")} {{
          %y = wax.reshape %x {groups} : ({spell(of, "f32")}) -> {spell(to, "f32")}
          return %y : {spell(to, "f32")}
        }}""",
        x,
    )
    np.testing.assert_array_equal(made, x.reshape(to))


def test_a_permuted_array_is_reshaped_in_its_own_order(rng):
    x = draw(rng, (3, 4), "i8")
    text = """func.func @main(%x: tensor<3x4xi8>) -> tensor<12xi8> {
      %y = wax.permute %x [1, 0] : (tensor<3x4xi8>) -> tensor<4x3xi8>
      %z = wax.reshape %y [[0, 1]] into [[0]] : (tensor<4x3xi8>) -> tensor<12xi8>
      return %z : tensor<12xi8>
    }"""
    np.testing.assert_array_equal(run(text, x), x.T.reshape(-1))


DYNAMIC_RESHAPE = """func.func @main(%x: tensor<?x?x6xf32>, %n: index) -> tensor<?x?x2x3xf32> {
  %y = wax.reshape %x [[0, 1], [2]] into [[0, 1], [2, 3]] sizes [%n, %m] : (tensor<?x?x6xf32>) -> tensor<?x?x2x3xf32>
  return %y : tensor<?x?x2x3xf32>
}"""


def test_dynamic_dims_of_a_reshape_come_from_sizes_or_from_their_group(rng):
    text = DYNAMIC_RESHAPE.replace("%n: index", "%n: index, %m: index")
    x = draw(rng, (4, 9, 6), "f32")
    call = with_indices(text)
    np.testing.assert_array_equal(call(x, 6, 6), x.reshape(6, 6, 2, 3))
    with pytest.raises(
        CheckError, match=r"model.mlir:2:\d+: 'wax.reshape' op \[reshape_c2\] 36 elements of dims \[0, 1\]"
    ):
        call(x, 6, 5)
    with pytest.raises(CheckError, match="reshape_c2"):
        call(x, -6, -6)
    merged = """func.func @main(%x: tensor<?x?x6xf32>) -> tensor<?x6xf32> {
      %y = wax.reshape %x [[0, 1], [2]] into [[0], [1]] : (tensor<?x?x6xf32>) -> tensor<?x6xf32>
      return %y : tensor<?x6xf32>
    }"""
    np.testing.assert_array_equal(run(merged, x), x.reshape(36, 6))
    assert run(merged, x[:, :0]).shape == (0, 6)
    squeezed = """func.func @main(%x: tensor<?x3xf32>) -> tensor<3xf32> {
      %y = wax.reshape %x [[0], [1]] into [[], [0]] : (tensor<?x3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }"""
    np.testing.assert_array_equal(run(squeezed, x[:1, 0, :3]), x[0, 0, :3])
    with pytest.raises(CheckError, match="reshape_c2"):
        run(squeezed, x[:2, 0, :3])


# slice


@pytest.mark.parametrize(
    ("shape", "offsets", "sizes", "strides"),
    [((8,), (2,), (3,), (1,)), ((8,), (1,), (3,), (3,)), ((8, 5), (0, 4), (8, 1), (1, 2)), ((8,), (8,), (0,), (1,)),
     ((0,), (0,), (0,), (4,)), ((5,), (5,), (0,), (3,)), ((7, 7), (1, 0), (2, 4), (5, 2))],
)  # fmt: skip
def test_slice_takes_a_strided_box(shape, offsets, sizes, strides, rng):
    x = draw(rng, shape, "f32")
    made = run(
        f"""func.func @main(%x: {spell(shape, "f32")}) -> {spell(sizes, "f32")} {{
          %y = wax.slice %x offsets {list(offsets)} sizes {list(sizes)} strides {list(strides)}
              : ({spell(shape, "f32")}) -> {spell(sizes, "f32")}
          return %y : {spell(sizes, "f32")}
        }}""",
        x,
    )
    expected = x
    for axis, (start, size, stride) in enumerate(zip(offsets, sizes, strides, strict=True)):
        expected = expected.take([start + i * stride for i in range(size)], axis)
    np.testing.assert_array_equal(made, expected)


SLICE = """func.func @main(%x: tensor<?xi32>, %o: index, %n: index) -> tensor<?xi32> {
  %y = wax.slice %x offsets [%o] sizes [%n] strides [STRIDE] : (tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}"""


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_dynamic_offsets_are_clamped_so_that_the_box_fits(stride):
    call = with_indices(SLICE.replace("STRIDE", str(stride)))
    for length, offset, size in itertools.product(range(6), (-(2**62), -1, 0, 1, 3, 7, 2**62), range(7)):
        x = np.arange(length, dtype=np.int32)
        span = (size - 1) * stride + 1 if size else 0
        if span > length:
            with pytest.raises(CheckError, match="slice_c4"):
                call(x, offset, size)
            continue
        start = max(0, min(offset, length - span))
        np.testing.assert_array_equal(call(x, offset, size), [start + i * stride for i in range(size)])
    with pytest.raises(CheckError, match="slice_c4"):
        call(np.arange(5, dtype=np.int32), 0, -1)


def test_a_static_offset_is_not_moved():
    text = """func.func @main(%x: tensor<?xi32>) -> tensor<3xi32> {
      %y = wax.slice %x offsets [4] sizes [3] strides [1] : (tensor<?xi32>) -> tensor<3xi32>
      return %y : tensor<3xi32>
    }"""
    np.testing.assert_array_equal(run(text, np.arange(7, dtype=np.int32)), [4, 5, 6])
    with pytest.raises(CheckError, match=r"\[slice_c4\] 3 elements of dim 0, from 4 on by 1, do not lie in its 6"):
        run(text, np.arange(6, dtype=np.int32))


# pad


def pad_text(shape, made, low, high, interior, element="f32"):
    types = spell(shape, element), spell(made, element)
    return f"""func.func @main(%x: {types[0]}, %v: tensor<{element}>) -> {types[1]} {{
      %y = wax.pad %x with %v low {list(low)} high {list(high)} interior {list(interior)}
          : ({types[0]}, tensor<{element}>) -> {types[1]}
      return %y : {types[1]}
    }}"""


@pytest.mark.parametrize("is_static", [True, False])
def test_pad_puts_values_around_and_between_and_crops(is_static):
    for n, low, high, interior in itertools.product(range(5), range(-4, 4), range(-4, 4), range(3)):
        dilated = n + max(n - 1, 0) * interior
        length = low + dilated + high
        if length < 0 or (n == 0 and interior and not is_static):
            continue
        x = np.arange(1, n + 1, dtype=np.int16)
        positions = {low + i * (interior + 1): v for i, v in enumerate(x.tolist())}
        expected = [positions.get(i, -7) for i in range(length)]
        text = pad_text(
            (n,) if is_static else (None,), (length,) if is_static else (None,), [low], [high], [interior], "i16"
        )
        np.testing.assert_array_equal(run(text, x, np.array(-7, np.int16)), expected)


@pytest.mark.parametrize("element", ELEMENTS)
def test_pad_of_several_dims(element, rng):
    x, value = draw(rng, (3, 1, 4), element), draw(rng, (), element)
    made = run(pad_text((3, 1, 4), (6, 3, 2), (1, 0, -1), (2, 2, -1), (0, 0, 0), element), x, value)
    expected = np.full((6, 3, 2), value, x.dtype)
    expected[1:4, :1, :] = x[:, :, 1:3]
    np.testing.assert_array_equal(made.view(np.uint8), expected.view(np.uint8))


def test_pad_c3_a_dim_cannot_become_negative():
    call = function(pad_text((None,), (None,), [-2], [-2], [0]))
    assert call(np.zeros(4, np.float32), np.zeros((), np.float32)).shape == (0,)
    with pytest.raises(CheckError, match="pad_c3"):
        call(np.zeros(3, np.float32), np.zeros((), np.float32))


# concat


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize(("dim", "sizes"), [(0, (2, 0, 3)), (1, (1, 4)), (2, (5,)), (1, (0, 0))])
@pytest.mark.parametrize("is_static", [True, False])
def test_concat_sets_one_after_another(element, dim, sizes, is_static, rng):
    shapes = [tuple(size if d == dim else (2, 3, 4)[d] for d in range(3)) for size in sizes]
    arrays = [draw(rng, shape, element) for shape in shapes]
    total = tuple(sum(sizes) if d == dim else (2, 3, 4)[d] for d in range(3))
    types = [spell(shape if is_static else dynamic(shape), element) for shape in (*shapes, total)]
    names = [f"%x{i}" for i in range(len(sizes))]
    parameters = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=False))
    made = run(
        f"""func.func @main({parameters}) -> {types[-1]} {{
          %y = wax.concat ({", ".join(names)}) along {dim} : ({", ".join(types[:-1])}) -> {types[-1]}
          return %y : {types[-1]}
        }}""",
        *arrays,
    )
    np.testing.assert_array_equal(made, np.concatenate(arrays, dim))


def test_concat_c3_other_dims_must_agree():
    text = """func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %z = wax.concat (%x, %y) along 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %z : tensor<?x?xf32>
    }"""
    with pytest.raises(CheckError, match=r"\[concat_c3\] operand 1 dim 1 has size 4, but operand 0 dim 1"):
        run(text, np.zeros((2, 3), np.float32), np.zeros((2, 4), np.float32))


# iota and constant


@pytest.mark.parametrize("element", ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize(("shape", "dim"), [((5,), 0), ((2, 3), 0), ((2, 3), 1), ((0, 4), 1), ((3, 0), 0), ((300,), 0)])
def test_iota_counts_along_a_dim(element, shape, dim):
    text = f"""func.func @main() -> {spell(shape, element)} {{
      %y = wax.iota along {dim} : {spell(shape, element)}
      return %y : {spell(shape, element)}
    }}"""
    made = run(text)
    expected = np.broadcast_to(np.arange(shape[dim]).reshape([-1 if d == dim else 1 for d in range(len(shape))]), shape)
    assert made.dtype == DTYPES[element]
    np.testing.assert_array_equal(made.astype(np.float64), expected.astype(made.dtype).astype(np.float64))


def test_iota_of_a_dynamic_size():
    text = """func.func @main(%n: index) -> tensor<2x?xi32> {
      %y = wax.iota along 1 sizes [%n] : tensor<2x?xi32>
      return %y : tensor<2x?xi32>
    }"""
    call = with_indices(text)
    np.testing.assert_array_equal(call(4), [[0, 1, 2, 3]] * 2)
    with pytest.raises(CheckError, match="iota_c2"):
        call(-1)


@pytest.mark.parametrize(
    ("literal", "type", "expected"),
    [("dense<[[1, 2], [3, -4]]>", "tensor<2x2xi8>", [[1, 2], [3, -4]]),
     ("dense<1.5>", "tensor<3x2xbf16>", [[1.5] * 2] * 3),
     ("dense<[true, false]>", "tensor<2xi1>", [True, False]),
     ("dense<0x7FC00000>", "tensor<f32>", np.nan),
     ("dense<(1.0, -2.0)>", "tensor<2xcomplex<f32>>", [1 - 2j] * 2),
     ("dense<>", "tensor<0x3xf64>", np.zeros((0, 3)))],
)  # fmt: skip
def test_constants_are_the_elements_that_the_text_gives(literal, type, expected):
    text = f"func.func @main() -> {type} {{\n %y = wax.constant {literal} : {type}\n return %y : {type} }}"
    np.testing.assert_array_equal(run(text), expected)


# gather


def gather_reference(x, indices, operand_dims, index_dims, shape):
    made = np.empty(shape, x.dtype)
    for at in np.ndindex(shape):
        following = iter(zip(index_dims, indices, strict=True))
        where = []
        for axis, dim in enumerate(operand_dims):
            if dim >= 0:
                where.append(at[dim])
            else:
                dims, index = next(following)
                where.append(max(0, min(int(index[tuple(at[d] for d in dims)]), x.shape[axis] - 1)))
        made[at] = x[tuple(where)]
    return made


GATHERS = [
    # operand shape, its dims (−1: by index), index dims
    ((7, 4), (-1, 2), [(0, 1)]),
    ((4, 7), (0, -1), [(1,)]),
    ((4, 7), (0, -1), [(0, 1)]),
    ((7,), (-1,), [(0,)]),
    ((7,), (-1,), [()]),
    ((7, 4), (-1, 0), [(1,)]),
    ((7, 6), (-1, -1), [(0,), (0,)]),
    ((7, 6), (-1, -1), [(0,), (1,)]),
    ((2, 7, 3, 6), (0, -1, 2, -1), [(0, 1), (1,)]),
    ((2, 7, 3), (2, -1, 0), [(1, 2)]),
    ((3, 7), (1, -1), [(1, 0)]),
    ((4, 3), (1, 0), []),
]


@pytest.mark.parametrize(("operand_shape", "operand_dims", "index_dims"), GATHERS)
@pytest.mark.parametrize(("element", "index"), [("f32", "i32"), ("bf16", "i8"), ("i1", "i64"), ("complex<f32>", "i16")])
@pytest.mark.parametrize("is_static", [True, False])
def test_gather_reads_at_clamped_indices(operand_shape, operand_dims, index_dims, element, index, is_static, rng):
    sizes = {dim: size for dim, size in zip(operand_dims, operand_shape, strict=True) if dim >= 0}
    for dims in index_dims:
        for dim in dims:
            sizes.setdefault(dim, 5 - dim)
    shape = tuple(sizes[d] for d in range(len(sizes)))
    x = draw(rng, operand_shape, element)
    extremes = np.iinfo(DTYPES[index])
    indices = [rng.integers(-4, 11, [sizes[d] for d in dims]).astype(DTYPES[index]) for dims in index_dims]
    for each in indices:
        each.reshape(-1)[:2] = [extremes.min, extremes.max][: each.size]
    given = [operand_shape, *(each.shape for each in indices), shape]
    types = [
        spell(s if is_static else dynamic(s), e)
        for s, e in zip(given, [element, *[index] * len(indices), element], strict=True)
    ]
    names = [f"%i{k}" for k in range(len(indices))]
    following = iter(zip(names, index_dims, strict=True))
    entries = []
    for dim in operand_dims:
        if dim >= 0:
            entries.append(str(dim))
        else:
            name, dims = next(following)
            entries.append(f"{name}[{', '.join(map(str, dims))}]")
    parameters = ", ".join(f"{n}: {t}" for n, t in zip(["%x", *names], types, strict=False))
    made = run(
        f"""func.func @main({parameters}) -> {types[-1]} {{
          %y = wax.gather %x[{", ".join(entries)}] : ({", ".join(types[:-1])}) -> {types[-1]}
          return %y : {types[-1]}
        }}""",
        x,
        *indices,
    )
    assert made.dtype == x.dtype
    np.testing.assert_array_equal(made, gather_reference(x, indices, operand_dims, index_dims, shape))


TAKE = """func.func @main(%x: tensor<?x?xf32>, %i: tensor<?xi32>) -> tensor<?x?xf32> {
  %y = wax.gather %x[DIMS] : (tensor<?x?xf32>, tensor<?xi32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}"""


def test_gather_c4_nothing_can_be_read_from_a_dim_without_elements():
    call = function(TAKE.replace("DIMS", "%i[0], 1"))
    nothing, index = np.zeros((0, 3), np.float32), np.zeros(2, np.int32)
    with pytest.raises(CheckError, match="gather_c4"):
        call(nothing, index)
    assert call(nothing, index[:0]).shape == (0, 3)
    assert call(np.zeros((0, 0), np.float32), index).shape == (2, 0)


def test_gather_c3_batch_dims_must_agree():
    call = function(
        """func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
          %y = wax.gather %x[0, %i[0, 1]] : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
          return %y : tensor<?x?xf32>
        }"""
    )
    x = np.zeros((4, 3), np.float32)
    assert call(x, np.zeros((4, 2), np.int32)).shape == (4, 2)
    with pytest.raises(CheckError, match=r"\[gather_c3\] the operands that have the result dim 0 have sizes \[4, 1\]"):
        call(x, np.zeros((1, 2), np.int32))
