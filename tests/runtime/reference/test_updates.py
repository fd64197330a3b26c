"""`wax.reverse`, `wax.insert` and `wax.scatter` on the reference backend: what only its own ways of folding decide.

Results over all shapes of places and element types are compared in `tests/passes/test_updates.py`.
"""

import numpy as np
import pytest
from reference_run import function, run

from wax_runtime.errors import CheckError

INSERT = """func.func @main(%u: tensor<?x2xf32>, %x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = wax.insert %u into %x offsets [1, 0] strides [2, 3] : (tensor<?x2xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}"""


def test_insert_c4_the_box_must_lie_in_the_operand():
    u, x = np.ones((3, 2), np.float32), np.zeros((6, 5), np.float32)
    assert run(INSERT, u, x).sum() == 6
    with pytest.raises(CheckError, match=r"\[insert_c4\] 3 elements of dim 0, from 1 on by 2, do not lie in its 5"):
        run(INSERT, u, x[:5])


SCATTER = """func.func @main(%u: tensor<?x?xf32>, %x: tensor<?x?xf32>, %i: tensor<?xi32>) -> tensor<?x?xf32> {
  %0 = wax.scatter KERNEL[%i[0], 1] : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xi32>) -> tensor<?x?xf32>BODY
  return %0 : tensor<?x?xf32>
}"""
NAMED = SCATTER.replace("KERNEL", "arith.addf(%u) into(%x)").replace("BODY", "")


def with_body(body):
    return SCATTER.replace("KERNEL", "(%a = %u) into(%b = %x)").replace("BODY", f" {{\n{body}\n}}")


def test_scatter_c5_dims_must_agree():
    x = np.zeros((3, 2), np.float32)
    with pytest.raises(CheckError, match=r"\[scatter_c5\]"):
        run(NAMED, np.zeros((4, 3), np.float32), x, np.zeros(4, np.int32))
    with pytest.raises(CheckError, match=r"\[scatter_c5\]"):
        run(NAMED, np.zeros((4, 2), np.float32), x, np.zeros(5, np.int32))


FOLDS = {
    "applied at indices": (NAMED, lambda a, b: b + a),
    "set": (with_body("wax.yield %a : f32"), lambda a, b: a),
    "set to what follows from it": (with_body("%0 = arith.negf %a : f32\nwax.yield %0 : f32"), lambda a, b: -a),
    "by turns": (with_body("%0 = arith.subf %a, %b : f32\nwax.yield %0 : f32"), lambda a, b: a - b),
}


@pytest.mark.parametrize("fold", FOLDS)
def test_updates_of_one_place_are_folded_in_order(fold, rng):
    text, judge = FOLDS[fold]
    u, x = (rng.integers(-9, 9, shape).astype(np.float32) for shape in ((300, 4), (7, 4)))
    i = rng.integers(-2, 9, 300).astype(np.int32)
    expected = x.copy()
    for row, at in zip(u, i, strict=True):
        if 0 <= at < 7:
            expected[at] = judge(row, expected[at])
    np.testing.assert_array_equal(run(text, u, x, i), expected)


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize(("n", "rows", "columns"), [(0, 3, 2), (5, 0, 2), (5, 3, 0), (0, 0, 0)])
def test_without_elements_nothing_changes(fold, n, rows, columns, rng):
    x = rng.random((rows, columns)).astype(np.float32)
    u, i = np.ones((n, columns), np.float32), np.zeros(n, np.int32)
    assert run(FOLDS[fold][0], u, x, i).shape == x.shape
    if n == 0:
        np.testing.assert_array_equal(run(FOLDS[fold][0], u, x, i), x)


def test_the_operand_is_not_written_to():
    x = np.zeros((3, 2), np.float32)
    call = function(NAMED)
    assert call(np.ones((1, 2), np.float32), x, np.zeros(1, np.int32)).sum() == 2
    assert not x.any()


@pytest.mark.parametrize("size", ["?", "0"])
def test_a_gather_of_no_index_may_read_from_nothing(size):
    text = f"""func.func @main(%x: tensor<?x3xf32>, %i: tensor<{size}xi32>) -> tensor<{size}x3xf32> {{
      %0 = wax.gather %x[%i[0], 1] : (tensor<?x3xf32>, tensor<{size}xi32>) -> tensor<{size}x3xf32>
      return %0 : tensor<{size}x3xf32>
    }}"""
    assert run(text, np.zeros((0, 3), np.float32), np.zeros(0, np.int32)).shape == (0, 3)
