"""Derivatives of branches and loops, run on the reference backend, against finite differences."""

import numpy as np
import pytest
from array_cases.case import rng
from reference_run import run

from wax import _native

BRANCH = """
func.func @main(%x: tensor<4xf64>, %w: tensor<4xf64>, %c: tensor<i1>) -> tensor<4xf64> {
  %bit = tensor.extract %c[] : tensor<i1>
  %0 = wax.map math.sin(%x) : (tensor<4xf64>) -> tensor<4xf64>
  %1 = scf.if %bit -> tensor<4xf64> {
    %2 = wax.broadcast arith.mulf(%0[0], %w[0]) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %3 = wax.broadcast arith.mulf(%2[0], %x[0]) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    scf.yield %3 : tensor<4xf64>
  } else {
    %2 = wax.map math.exp(%0) : (tensor<4xf64>) -> tensor<4xf64>
    scf.yield %2 : tensor<4xf64>
  }
  %4 = wax.broadcast arith.mulf(%1[0], %0[0]) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %4 : tensor<4xf64>
}
"""

#: h ← tanh(h · w + x) · n / 5, and a counter of turns, integers, beside it.
LOOP = """
func.func @main(%x: tensor<4xf64>, %w: tensor<4xf64>, %c: tensor<i1>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %turns = arith.constant TURNS : index
  %zero = wax.constant dense<1> : tensor<i32>
  %h, %n = scf.for %i = %c0 to %turns step %c1 iter_args(%a = %x, %m = %zero) -> (tensor<4xf64>, tensor<i32>) {
    %0 = wax.broadcast (%p = %a[0], %q = %w[0], %r = %x[0], %k = %m[])
        : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<i32>) -> tensor<4xf64> {
      %1 = arith.mulf %p, %q : f64
      %2 = arith.addf %1, %r : f64
      %3 = math.tanh %2 : f64
      %4 = arith.sitofp %k : i32 to f64
      %five = arith.constant 5.0 : f64
      %5 = arith.divf %4, %five : f64
      %6 = arith.mulf %3, %5 : f64
      wax.yield %6 : f64
    }
    %7 = wax.map (%k = %m) : (tensor<i32>) -> tensor<i32> {
      %one = arith.constant 1 : i32
      %8 = arith.addi %k, %one : i32
      wax.yield %8 : i32
    }
    scf.yield %0, %7 : tensor<4xf64>, tensor<i32>
  }
  %9 = wax.broadcast arith.mulf(%h[0], %w[0]) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %9 : tensor<4xf64>
}
"""

#: Doubles x, and multiplies by w, until the first element is at least 10.
UNTIL = """
func.func @main(%x: tensor<4xf64>, %w: tensor<4xf64>, %c: tensor<i1>) -> tensor<4xf64> {
  %0 = scf.while (%a = %x) : (tensor<4xf64>) -> tensor<4xf64> {
    %c0 = arith.constant 0 : index
    %1 = wax.map (%p = %a) : (tensor<4xf64>) -> tensor<4xi1> {
      %ten = arith.constant 10.0 : f64
      %2 = arith.cmpf olt, %p, %ten : f64
      wax.yield %2 : i1
    }
    %3 = tensor.extract %1[%c0] : tensor<4xi1>
    scf.condition(%3) %a : tensor<4xf64>
  } do {
  ^bb0(%b: tensor<4xf64>):
    %4 = wax.broadcast (%p = %b[0], %q = %w[0]) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64> {
      %5 = arith.addf %p, %p : f64
      %6 = arith.mulf %5, %q : f64
      wax.yield %6 : f64
    }
    scf.yield %4 : tensor<4xf64>
  }
  return %0 : tensor<4xf64>
}
"""

#: A branch in a loop in a loop.
NESTED = """
func.func @main(%x: tensor<4xf64>, %w: tensor<4xf64>, %c: tensor<i1>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> tensor<4xf64> {
    %1 = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> tensor<4xf64> {
      %bit = arith.cmpi eq, %i, %j : index
      %2 = scf.if %bit -> tensor<4xf64> {
        %3 = wax.broadcast arith.mulf(%b[0], %w[0]) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
        scf.yield %3 : tensor<4xf64>
      } else {
        %3 = wax.map math.sin(%b) : (tensor<4xf64>) -> tensor<4xf64>
        %4 = wax.broadcast arith.addf(%3[0], %a[0]) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
        scf.yield %4 : tensor<4xf64>
      }
      scf.yield %2 : tensor<4xf64>
    }
    scf.yield %1 : tensor<4xf64>
  }
  return %0 : tensor<4xf64>
}
"""

#: A branch that gives on one side what it captures, and nothing it computes on the other.
TRIVIAL = """
func.func @main(%x: tensor<4xf64>, %w: tensor<4xf64>, %c: tensor<i1>) -> tensor<4xf64> {
  %bit = tensor.extract %c[] : tensor<i1>
  %0 = wax.map math.sin(%x) : (tensor<4xf64>) -> tensor<4xf64>
  %1 = scf.if %bit -> tensor<4xf64> {
    scf.yield %0 : tensor<4xf64>
  } else {
    %2 = wax.broadcast arith.mulf(%w[0], %x[0]) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    scf.yield %2 : tensor<4xf64>
  }
  return %1 : tensor<4xf64>
}
"""

PROGRAMS = {
    "trivial": TRIVIAL,
    "branch": BRANCH,
    "one turn": LOOP.replace("TURNS", "1"),
    "loop": LOOP.replace("TURNS", "4"),
    "no turn": LOOP.replace("TURNS", "0"),
    "nested": NESTED,
}


def differentiated(text, *modes):
    module = _native.parse_module(text)
    for mode, arguments in modes:
        module.run(f"builtin.module(wax-differentiate{{mode={mode} arguments={arguments}}})")
    module.run("builtin.module(wax-verify-normal-form{form=basis})")
    return module.text()


def arguments(condition):
    source = rng("control")
    return source.uniform(0.2, 1.5, 4), source.uniform(0.6, 1.5, 4), np.asarray(condition)


def slopes(text, tangents, x, w, c, step=1e-6):
    """The derivative along tangents, by central differences."""
    above, below = (run(text, x + sign * step * tangents[0], w + sign * step * tangents[1], c) for sign in (1, -1))
    return (above - below) / (2 * step)


@pytest.mark.parametrize("condition", [False, True])
@pytest.mark.parametrize("name", [*PROGRAMS, "until"])
def test_tangents_go_through_branches_and_loops(name, condition):
    text = {**PROGRAMS, "until": UNTIL}[name]
    x, w, c = arguments(condition)
    tangents = np.cos(x), np.sin(3 * w)
    value, moved = run(differentiated(text, ("forward", "0,1")), x, w, c, *tangents)
    np.testing.assert_array_equal(value, run(text, x, w, c))
    np.testing.assert_allclose(moved, slopes(text, tangents, x, w, c), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("condition", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_cotangents_come_back_through_branches_and_loops(name, condition):
    text = PROGRAMS[name]
    x, w, c = arguments(condition)
    ct = np.asarray([1.0, -0.5, 2.0, 0.25])
    value, by_x, by_w = run(differentiated(text, ("reverse", "0,1")), x, w, c, ct)
    np.testing.assert_array_equal(value, run(text, x, w, c))
    for place, got in ((0, by_x), (1, by_w)):
        units = [(unit, 0 * unit) if place == 0 else (0 * unit, unit) for unit in np.eye(4)]
        wanted = [np.sum(ct * slopes(text, unit, x, w, c)) for unit in units]
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", PROGRAMS)
def test_reverse_mode_is_differentiated_again(name):
    text = differentiated(PROGRAMS[name], ("reverse", "0,1"), ("forward", "0,1"))
    x, w, c = arguments(True)
    ct, tangents = np.asarray([1.0, -0.5, 2.0, 0.25]), (np.cos(x), np.sin(3 * w))
    moved = run(text, x, w, c, ct, *tangents)[4]
    first, step = differentiated(PROGRAMS[name], ("reverse", "0,1")), 1e-6
    above, below = (
        run(first, x + sign * step * tangents[0], w + sign * step * tangents[1], c, ct)[1] for sign in (1, -1)
    )
    np.testing.assert_allclose(moved, (above - below) / (2 * step), rtol=1e-5, atol=1e-7)


def test_a_loop_of_unknown_length_has_no_reverse_mode():
    with pytest.raises(_native.PassError, match=r"'scf.while' is not differentiable|number of its turns is known"):
        differentiated(UNTIL, ("reverse", "0"))
