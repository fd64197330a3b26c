"""wax.sort on the reference backend: orders that NumPy has, and any other, against plain Python's stable sort."""

import functools

import numpy as np
import pytest
from reference_run import draw, dynamic, function, run, spell

from wax_runtime.errors import CheckError

SHAPES = [((5,), 0), ((1,), 0), ((0,), 0), ((3, 17), 1), ((17, 3), 0), ((3, 0), 0), ((0, 3), 0), ((2, 33, 4), 1)]


def sort_text(shape, dim, element, comparator, *, is_static=True):
    """A sort of keys, and with them of numbers."""
    sizes = shape if is_static else dynamic(shape)
    x, n = spell(sizes, element), spell(sizes, "i32")
    return f"""func.func @main(%x: {x}, %n: {n}) -> ({x}, {n}) {{
      %0:2 = wax.sort (%a, %b = %x, %c, %d = %n) along {dim} : ({x}, {n}) -> ({x}, {n}) {{
        {comparator}
        wax.yield %l : i1
      }}
      return %0#0, %0#1 : {x}, {n}
    }}"""


def numbered(shape):
    return np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)


def by(goes_before, x, dim):
    """The order by plain Python, whose sort is stable, of each line along a dim."""

    def line(values):
        def compare(i, j):
            return -1 if goes_before(values[i], values[j]) else int(goes_before(values[j], values[i]))

        return np.array(sorted(range(len(values)), key=functools.cmp_to_key(compare)), np.int64)

    return np.apply_along_axis(line, dim, x) if x.size else np.zeros(x.shape, np.int64)


ORDERS = {
    "slt": ("%l = arith.cmpi slt, %a, %b : i8", lambda a, b: a < b),
    "sgt": ("%l = arith.cmpi sgt, %a, %b : i8", lambda a, b: a > b),
    "ult": ("%l = arith.cmpi ult, %a, %b : i8", lambda a, b: np.uint8(a % 256) < np.uint8(b % 256)),
    "turned": ("%l = arith.cmpi slt, %b, %a : i8", lambda a, b: b < a),
    "by the rest": (
        """%k = arith.constant 3 : i8
        %r = arith.remui %a, %k : i8
        %s = arith.remui %b, %k : i8
        %l = arith.cmpi ult, %r, %s : i8""",
        lambda a, b: (a % 256) % 3 < (b % 256) % 3,
    ),
    "none": ("%l = arith.constant false", lambda a, b: False),
}


@pytest.mark.parametrize(("shape", "dim"), SHAPES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("is_static", [True, False])
def test_sorts_are_stable(shape, dim, order, is_static, rng):
    comparator, goes_before = ORDERS[order]
    x, n = (draw(rng, shape, "i8") // 16).astype(np.int8), numbered(shape)
    made = run(sort_text(shape, dim, "i8", comparator, is_static=is_static), x, n)
    indices = by(goes_before, x.astype(int), dim)
    np.testing.assert_array_equal(made[0], np.take_along_axis(x, indices, dim))
    np.testing.assert_array_equal(made[1], np.take_along_axis(n, indices, dim))


@pytest.mark.parametrize("words", [("slt", "sgt"), ("ult", "ugt")])
def test_booleans_are_read_as_the_comparison_reads_them(words):
    x = np.array([True, False, True, False, False])
    for word in words:
        made, _ = run(sort_text((5,), 0, "i1", f"%l = arith.cmpi {word}, %a, %b : i1"), x, numbered((5,)))
        falses_first = word in ("ult", "sgt")  # as a signed number, true is −1
        np.testing.assert_array_equal(made, np.sort(x) if falses_first else np.sort(x)[::-1])


LAST = "%u = arith.cmpf {word}, {a}, {b} : {t}\n %o = arith.cmpf ord, {a}, {a} : {t}\n %l = arith.andi %u, %o : i1"


@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize(("a", "b"), [("%a", "%b"), ("%b", "%a")])
def test_nan_goes_where_the_comparator_says(element, a, b, rng):
    """NaN as the greatest: last in the ascending order, first in the one turned round, and stable in both."""
    x = draw(rng, (40,), element)
    x[rng.random(40) < 0.3] = np.nan
    x[rng.random(40) < 0.3] = 0
    x[rng.random(40) < 0.2] = -0.0

    def less(p, q):
        return p < q or (np.isnan(q) and not np.isnan(p))

    goes_before = less if a == "%a" else lambda p, q: less(q, p)
    indices = by(goes_before, x.astype(np.float64), 0)
    made, at = run(sort_text((40,), 0, element, LAST.format(word="ult", a=a, b=b, t=element)), x, numbered((40,)))
    np.testing.assert_array_equal(at, indices)
    np.testing.assert_array_equal(made.view(np.uint8), x[indices].view(np.uint8))


def test_two_keys_are_one_order(rng):
    """By the first operand, and where it is equal, by the second turned round."""
    text = sort_text((100,), 0, "i8", """%x1 = arith.cmpi slt, %a, %b : i8
        %e = arith.cmpi eq, %a, %b : i8
        %y1 = arith.cmpi sgt, %c, %d : i32
        %z = arith.andi %e, %y1 : i1
        %l = arith.ori %x1, %z : i1""")  # fmt: skip
    x = rng.integers(-3, 3, 100).astype(np.int8)
    made, at = run(text, x, numbered((100,)))
    indices = np.lexsort((-numbered((100,)), x))
    np.testing.assert_array_equal(made, x[indices])
    np.testing.assert_array_equal(at, indices)


SENSELESS = ["%l = arith.constant true", "%s = arith.addi %c, %d : i32\n %l = arith.trunci %s : i32 to i1"]


@pytest.mark.parametrize("comparator", SENSELESS)
@pytest.mark.parametrize("count", [1, 2, 17, 100, 1025])
def test_a_comparator_that_is_no_order_permutes(comparator, count):
    main = function(sort_text((count,), 0, "i32", comparator))
    made, at = main(numbered((count,)), numbered((count,)))
    np.testing.assert_array_equal(np.sort(made), numbered((count,)))
    np.testing.assert_array_equal(made, at)
    np.testing.assert_array_equal(main(numbered((count,)), numbered((count,)))[0], made)


def test_operands_of_other_sizes_are_refused():
    main = function(sort_text((3,), 0, "i8", "%l = arith.cmpi slt, %a, %b : i8", is_static=False))
    with pytest.raises(CheckError, match="sort_c2"):
        main(np.zeros(3, np.int8), np.zeros(4, np.int32))
