"""How dtypes promote: the array API's rules, JAX's between kinds, and weak Python numbers."""

import itertools

import jax.numpy as jnp
import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax.errors import DTypeError, PromotionError

DTYPES = [wnp.bool, wnp.int8, wnp.int16, wnp.int32, wnp.int64, wnp.uint8, wnp.uint16, wnp.uint32, wnp.uint64]
DTYPES += [wnp.float16, wnp.bfloat16, wnp.float32, wnp.float64, wnp.complex64, wnp.complex128]
NUMBERS = [True, 1, 1.5, 1j]


@pytest.mark.parametrize(("a", "b"), list(itertools.combinations_with_replacement(DTYPES, 2)), ids=lambda d: d.name)
def test_two_dtypes_promote_as_in_jax_and_uint64_with_a_signed_one_not_at_all(a, b):
    if wnp.uint64 in (a, b) and any(d in (wnp.int8, wnp.int16, wnp.int32, wnp.int64) for d in (a, b)):
        with pytest.raises(PromotionError, match="astype"):
            wnp.result_type(a, b)
    else:
        assert wnp.result_type(a, b) == wnp.result_type(b, a) == jnp.promote_types(a, b)


@pytest.mark.parametrize(("a", "b", "c"), list(itertools.combinations(DTYPES, 3)), ids=lambda d: d.name)
def test_promotion_does_not_depend_on_the_order_of_operands(a, b, c):
    results = set()
    for order in itertools.permutations((a, b, c)):
        try:
            results.add(wnp.result_type(*order))
        except PromotionError:
            results.add(None)
    # int with uint64 has no common dtype; a float in between hides that, and only then.
    assert len(results - {None}) <= 1 or wnp.uint64 in (a, b, c) or {a, b} & {wnp.float16, wnp.bfloat16}


@pytest.mark.parametrize("number", NUMBERS, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.name)
def test_a_python_number_takes_the_dtype_of_the_array_or_the_default_of_a_higher_kind(dtype, number):
    kinds = ["b", "iu", "fV", "c"]
    rank = next(i for i, letters in enumerate(kinds) if dtype.kind in letters)
    defaults = {bool: wnp.bool, int: wnp.int32, float: wnp.float32, complex: wnp.complex64}
    number_rank = list(defaults).index(type(number))
    expected = dtype if number_rank <= rank else defaults[type(number)]
    if type(number) is complex and dtype == wnp.float64:
        expected = wnp.complex128
    assert wnp.result_type(dtype, number) == expected
    if dtype != wnp.bool:
        assert wnp.multiply(wnp.ones(2, dtype=dtype), number).dtype == expected
        assert wax.jit(wnp.multiply, backend="reference")(wnp.ones(2, dtype=dtype), number).dtype == expected


@pytest.mark.parametrize("dtype", [wnp.int32, wnp.int64, wnp.uint8, wnp.bool], ids=lambda d: d.name)
def test_functions_of_floats_take_integers_as_float32(dtype):
    x = wnp.ones(2, dtype=dtype)
    assert wnp.exp(x).dtype == wnp.divide(x, x).dtype == wnp.mean(x).dtype == wax.nn.softmax(x).dtype == wnp.float32


def test_numbers_alone_give_the_defaults():
    assert wnp.add(1, 2).dtype == wnp.int32
    assert wnp.sqrt(2).dtype == wnp.float32
    assert wnp.multiply(1.5, 2j).dtype == wnp.complex64
    assert wnp.asarray([1, 2]).dtype == wnp.int32
    assert wnp.asarray([1, 2.0]).dtype == wnp.float32
    assert wnp.asarray([True]).dtype == wnp.bool
    assert wnp.asarray([1j]).dtype == wnp.complex64


def test_numpy_arrays_and_numpy_scalars_keep_their_dtype():
    assert wnp.asarray(np.ones(2)).dtype == wnp.float64
    assert wnp.add(wnp.ones(2), np.float64(1)).dtype == wnp.float64
    assert (np.float64(1) * wnp.ones(2)).dtype == wnp.float64
    assert (np.ones(2, np.float16) + wnp.ones(2, dtype=wnp.float16)).dtype == wnp.float16
    f = wax.jit(lambda x, y: x * y, backend="reference")
    assert f(wnp.ones(2), np.float64(3)).dtype == wnp.float64
    assert wax.jit(lambda x: x * np.float64(3), backend="reference")(wnp.ones(2)).dtype == wnp.float64
    assert wnp.asarray([np.float64(1)]).dtype == wnp.float64


@pytest.mark.parametrize(("dtype", "number"), [(wnp.uint8, 256), (wnp.uint8, -1), (wnp.int8, 128), (wnp.int32, 2**31)])
def test_a_python_integer_that_does_not_fit_is_refused_in_jit_and_outside(dtype, number):
    x = wnp.ones(2, dtype=dtype)
    with pytest.raises(PromotionError, match=rf"{number} does not fit {dtype}"):
        x + number
    with pytest.raises(PromotionError, match=rf"{number} does not fit {dtype}"):
        wax.eval_shape(lambda x: x + number, x)


def test_a_traced_number_stays_weak_and_is_carried_wide():
    f = wax.jit(lambda x, a, b: x * (a + b), backend="reference")
    for dtype in (wnp.float16, wnp.bfloat16, wnp.float32, wnp.float64):
        assert f(wnp.ones(2, dtype=dtype), 1.5, 2).dtype == dtype
    assert f(wnp.ones(2, dtype=wnp.int8), 1, 2).dtype == wnp.int8
    # No digit is lost before the number meets a dtype.
    exact = f(wnp.ones(1, dtype=wnp.float64), 1.0, 2.0**-40)
    assert float(exact[0]) == 1 + 2.0**-40
    assert wax.jit(lambda a: a * 2, backend="reference")(3).dtype == wnp.int32
    assert wax.jit(lambda a: wnp.sum(a), backend="reference")(3.0).dtype == wnp.float32


def test_a_traced_integer_beyond_int32_is_an_int64_and_beyond_int64_an_error():
    f = wax.jit(lambda x, n: (x + n, wnp.sum(n)), backend="reference")
    total, alone = f(wnp.ones(1, dtype=wnp.int8), 2**40)
    assert (total.dtype, alone.dtype) == (wnp.int64, wnp.int64)
    assert (int(total[0]), int(alone)) == (2**40 + 1, 2**40)
    with pytest.raises(PromotionError, match="does not fit int64"):
        f(wnp.ones(1), 2**64)


def test_zeros_of_both_signs_and_equal_numbers_of_other_types_are_different_constants():
    x = wnp.asarray([1.0])
    results = [wax.jit(lambda x, n=n: wnp.copysign(x, n), backend="reference")(x) for n in (0.0, -0.0)]
    assert [float(r[0]) for r in results] == [1.0, -1.0]
    assert [float(wnp.copysign(x, n)[0]) for n in (0.0, -0.0)] == [1.0, -1.0]
    i = wnp.asarray([3])
    dtypes = [wax.eval_shape(lambda x, n=n: x * n, i).dtype for n in (1, 1.0, True)]
    assert dtypes == [wnp.int32, wnp.float32, wnp.int32]


def test_can_cast_isdtype_and_limits():
    assert wnp.can_cast(wnp.uint8, wnp.int16)
    assert not wnp.can_cast(wnp.uint64, wnp.int64)
    assert not wnp.can_cast(wnp.float32, wnp.bfloat16)
    assert wnp.isdtype(wnp.bfloat16, "real floating")
    assert wnp.isdtype(wnp.uint8, ("bool", "integral"))
    assert not wnp.isdtype(wnp.bool, "numeric")
    assert wnp.finfo(wnp.complex128).bits == 64
    assert wnp.finfo(wnp.bfloat16).eps == 2.0**-7
    assert wnp.iinfo(wnp.int8).min == -128
    with pytest.raises(PromotionError, match="iinfo"):
        wnp.finfo(wnp.int8)
    with pytest.raises(DTypeError, match="float128"):
        wnp.zeros(2, dtype="float128")


def test_integers_beyond_int64_stay_exact_beside_small_ones():
    for numbers in ([2**63 + 1, 1], [[0], [2**64 - 1]]):
        x = wnp.asarray(numbers, dtype=wnp.uint64)
        assert np.asarray(x).tolist() == numbers
    assert wnp.asarray([]).dtype == wnp.float32
    assert wnp.asarray([1.5, 2]).dtype == wnp.float32
