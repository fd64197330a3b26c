"""Functions as plans: glue, control flow, calls, lifetimes, threads."""

import threading
import weakref

import numpy as np
import pytest
from reference_run import draw, function, run

from wax import _native
from wax_runtime.errors import BackendError, CheckError
from wax_runtime.reference.plan import Rules, bind, build
from wax_runtime.reference.rules import RULES
from wax_runtime.snapshot import Function, Location, Module, Operation, TensorType


def test_index_arithmetic_on_dims_of_arguments():
    text = """func.func @main(%x: tensor<?x?xf32>) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %m = tensor.dim %x, %c0 : tensor<?x?xf32>
      %n = tensor.dim %x, %c1 : tensor<?x?xf32>
      %p = arith.muli %m, %n : index
      %q = arith.floordivsi %p, %c3 : index
      %r = arith.subi %q, %c1 : index
      %s = arith.maxsi %r, %c0 : index
      %less = arith.cmpi slt, %m, %n : index
      %t = arith.select %less, %s, %m : index
      %y = wax.iota along 0 sizes [%t] : tensor<?xi32>
      return %y : tensor<?xi32>
    }"""
    call = function(text)
    assert call(np.zeros((2, 5), np.float32)).shape == (2,)
    assert call(np.zeros((4, 3), np.float32)).shape == (4,)
    assert call(np.zeros((0, 3), np.float32)).shape == (0,)


def test_scalars_go_into_tensors_and_out():
    text = """func.func @main(%x: tensor<2x3xi32>, %y: tensor<4xf32>) -> (tensor<i64>, tensor<2xi32>, tensor<?xf32>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %e = tensor.extract %x[%c1, %c2] : tensor<2x3xi32>
      %i = arith.index_cast %e : i32 to index
      %s = wax.slice %y offsets [%i] sizes [2] strides [1] : (tensor<4xf32>) -> tensor<2xf32>
      %d = tensor.cast %s : tensor<2xf32> to tensor<?xf32>
      %w = arith.extsi %e : i32 to i64
      %a = tensor.from_elements %w : tensor<i64>
      %b = tensor.from_elements %e, %e : tensor<2xi32>
      return %a, %b, %d : tensor<i64>, tensor<2xi32>, tensor<?xf32>
    }"""
    a, b, d = run(text, np.array([[0, 0, 0], [0, 0, -9]], np.int32), np.arange(4, dtype=np.float32))
    assert a == -9 and a.dtype == np.int64 and a.shape == ()
    np.testing.assert_array_equal(b, [-9, -9])
    np.testing.assert_array_equal(d, [0, 1])


def test_a_cast_to_static_sizes_is_checked():
    text = """func.func @main(%x: tensor<?x?xf32>) -> tensor<?x3xf32> {
      %y = tensor.cast %x : tensor<?x?xf32> to tensor<?x3xf32>
      return %y : tensor<?x3xf32>
    }"""
    assert run(text, np.zeros((2, 3), np.float32)).shape == (2, 3)
    with pytest.raises(CheckError, match=r"model.mlir:2:\d+: .* sizes \[2, 1\] is not one of sizes \['\?', 3\]"):
        run(text, np.zeros((2, 1), np.float32))


def test_an_element_outside_of_a_tensor_is_not_read():
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<f32> {
      %c1 = arith.constant 1 : index
      %e = tensor.extract %x[%c1] : tensor<?xf32>
      %y = tensor.from_elements %e : tensor<f32>
      return %y : tensor<f32>
    }"""
    assert run(text, np.array([1, 2], np.float32)) == 2
    with pytest.raises(CheckError, match=r"no element \[1\]"):
        run(text, np.array([1], np.float32))


CONTROL = """func.func @main(%x: tensor<3xf32>, %c: tensor<i1>, %n: tensor<i32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %b = tensor.extract %c[] : tensor<i1>
  %count32 = tensor.extract %n[] : tensor<i32>
  %count = arith.index_cast %count32 : i32 to index
  %picked = scf.if %b -> tensor<3xf32> {
    %y = wax.map math.exp(%x) : (tensor<3xf32>) -> tensor<3xf32>
    scf.yield %y : tensor<3xf32>
  } else {
    scf.yield %x : tensor<3xf32>
  }
  %a, %d = scf.for %i = %zero to %count step %one iter_args(%p = %x, %q = %picked) -> (tensor<3xf32>, tensor<3xf32>) {
    %s = wax.broadcast arith.addf(%p[0], %x[0]) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    scf.yield %q, %s : tensor<3xf32>, tensor<3xf32>
  }
  %r:2 = scf.while (%k = %count32, %v = %x) : (i32, tensor<3xf32>) -> (i32, tensor<3xf32>) {
    %stop = arith.constant 0 : i32
    %go = arith.cmpi sgt, %k, %stop : i32
    scf.condition(%go) %k, %v : i32, tensor<3xf32>
  } do {
  ^bb0(%k: i32, %v: tensor<3xf32>):
    %less = arith.constant -1 : i32
    %next = arith.addi %k, %less : i32
    %w = wax.broadcast arith.mulf(%v[0], %x[0]) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    scf.yield %next, %w : i32, tensor<3xf32>
  }
  return %a, %d, %r#1 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}"""


@pytest.mark.parametrize("condition", [True, False])
@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_control_flow_runs_blocks_that_see_what_is_around_them(condition, count, rng):
    x = draw(rng, (3,), "f32")
    made = run(CONTROL, x, np.array(condition), np.array(count, np.int32))
    p, q, r = x, np.exp(x) if condition else x, x
    for _ in range(count):
        p, q = q, p + x
        r = r * x
    for got, expected in zip(made, (p, q, r), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_a_matmul_in_a_loop_reads_what_stands_outside(rng):
    """The product is made outside of the loop, so that the loop may not take it for its own."""
    text = """func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %z: tensor<f32>) -> tensor<2x2xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %x = wax.broadcast arith.mulf(%a[0, 2], %b[2, 1]) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2x3xf32>
      %zeros = wax.broadcast (%e = %z[]) sizes [2, 2] : (tensor<f32>) -> tensor<2x2xf32> { wax.yield %e : f32 }
      %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %zeros) -> tensor<2x2xf32> {
        %s = wax.reduce arith.addf(%x) over [2] init(%z) : (tensor<2x2x3xf32>, tensor<f32>) -> tensor<2x2xf32>
        %t = wax.broadcast arith.addf(%p[0, 1], %s[0, 1]) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
        scf.yield %t : tensor<2x2xf32>
      }
      return %y : tensor<2x2xf32>
    }"""
    a, b = draw(rng, (2, 3), "f32"), draw(rng, (3, 2), "f32")
    np.testing.assert_allclose(run(text, a, b, np.zeros((), np.float32)), 3 * (a @ b), rtol=1e-5)


def test_calls_share_one_function(rng):
    text = """
    func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %a, %b = func.call @both(%x) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
      %c, %d = func.call @both(%b) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
      return %c, %d : tensor<?xf32>, tensor<?xf32>
    }
    func.func private @both(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %y = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf32>
      return %x, %y : tensor<?xf32>, tensor<?xf32>
    }"""
    x = draw(rng, (4,), "f32")
    c, d = run(text, x)
    np.testing.assert_array_equal(c, np.exp(x))
    np.testing.assert_array_equal(d, np.exp(np.exp(x)))


def test_results_may_be_arguments_constants_and_the_same_value_twice():
    text = """func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<i8>) {
      %c = wax.constant dense<7> : tensor<i8>
      return %x, %x, %c : tensor<2xf32>, tensor<2xf32>, tensor<i8>
    }"""
    x, again, c = run(text, np.ones(2, np.float32))
    np.testing.assert_array_equal(x, again)
    assert c == 7 and isinstance(c, np.ndarray)


# Hand-made programs, with rules of the test's own.


def op(name, operands, results, attributes=None):
    return Operation(name, operands, results, attributes or {}, (len(operands),), (), (), Location("model.py", 7, 3))


def program(arguments, operations, results, count):
    types = (TensorType((None,), "f32"),) * count
    main = Function("main", tuple(range(arguments)), tuple(operations), results, types, ({},) * arguments, {})
    return Module({"main": main}, "main")


class Tracked(np.ndarray):
    """An array whose end can be watched."""


def test_arrays_are_freed_after_their_last_use():
    made_so_far = []
    most = []

    def step(x):
        made = x.view(Tracked) + 1
        made_so_far.append(weakref.ref(made))
        most.append(sum(each() is not None for each in made_so_far))
        return made

    rules = Rules({"test.step": lambda operation, scope: bind(step, operation.operands, operation.results)})
    chain = [op("test.step", (i,), (i + 1,)) for i in range(50)]
    (result,) = build(program(1, chain, (50,), 51), rules)([np.zeros(4)])
    np.testing.assert_array_equal(result, 50)
    assert max(most) <= 2


def test_an_operation_that_nobody_reads_is_not_run():
    def rule(operation, scope):
        return bind(lambda x: pytest.fail("it ran"), operation.operands, operation.results)

    run = build(program(1, [op("test.dead", (0,), (1,))], (0,), 2), Rules({"test.dead": rule}))
    np.testing.assert_array_equal(run([np.ones(3)])[0], 1)


def test_an_operation_without_rule_is_refused_at_the_users_line():
    with pytest.raises(BackendError, match=r"^model.py:7:3: .* no rule for the operation my.sort"):
        build(program(1, [op("my.sort", (0,), (1,))], (1,), 2), RULES)


def test_an_unknown_scalar_operation_is_refused_at_the_users_line():
    from wax_runtime.snapshot import Apply, Argument, Kernel

    kernel = Kernel(("f32",), (Apply("math.unheard_of", (Argument(0, "f32"),), "f32"),))
    operation = Operation("wax.map", (0,), (1,), {}, (1,), (kernel,), (), Location("model.py", 7, 3))
    with pytest.raises(BackendError, match=r"^model.py:7:3: wax.map: .*math.unheard_of"):
        build(program(1, [operation], (1,), 2), RULES)


def test_a_backend_of_ones_own_begins_with_these_rules():
    def double(operation, scope):
        return bind(lambda x: 2 * x, operation.operands, operation.results)

    rules = Rules({**RULES.operations, "my.double": double}, RULES.patterns)
    run = build(program(1, [op("my.double", (0,), (1,))], (1,), 2), rules)
    np.testing.assert_array_equal(run([np.ones(2)])[0], 2)


def test_every_operation_of_the_basis_has_a_rule():
    import operations

    basis = {operation.name for operation in operations.declared() if operation.is_basis}
    assert basis <= set(RULES.operations)


def test_one_function_serves_many_threads(rng):
    text = """func.func @main(%x: tensor<?xf32>, %z: tensor<f32>) -> tensor<f32> {
      %y = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf32>
      %s = wax.reduce arith.addf(%y) over [0] init(%z) : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
      return %s : tensor<f32>
    }"""
    run = build(_native.parse_module(text).snapshot(), RULES)
    wrong = []

    def work(seed):
        mine = np.random.default_rng(seed)
        for _ in range(200):
            x = draw(mine, (int(mine.integers(1, 50)),), "f32")
            (made,) = run([x, np.zeros((), np.float32)])
            if not np.allclose(made, np.exp(x).sum(), rtol=1e-5):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
