"""`cost_analysis`: what programs do, against counts by hand."""

import math

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import errors, nn
from wax.kernel import reduce as fold

F32, BF16, F64 = "float32", "bfloat16", "float64"


def S(*shape, dtype=F32):
    return wax.ShapeDtypeStruct(shape, dtype)


def cost(function, *arguments, sizes=None, **options):
    return wax.jit(function, **options).lower(*arguments).cost_analysis(sizes)


def totals(found):
    return found.flops, found.transcendentals, found.bytes_accessed


def rows(found):
    return [(row.name, row.count, row.flops, row.bytes_accessed) for row in found.operations]


@pytest.mark.parametrize(("m", "k", "n"), [(8, 64, 4), (1, 1, 1), (5, 0, 3), (0, 7, 2), (33, 129, 65)])
def test_a_product_of_matrices_is_two_operations_for_each_of_its_products_and_never_set_up(m, k, n):
    found = cost(lambda x, w: x @ w, S(m, k), S(k, n))
    assert found.flops == 2 * m * k * n
    assert found.transcendentals == found.integer_operations == 0
    (row,) = found.operations
    assert row.name == "wax.broadcast + wax.reduce"
    assert row.bytes_accessed == 4 * (m * k + k * n + 1 + m * n)  # and what the sums start from
    assert found.temporary_bytes == 0
    assert (found.argument_bytes, found.output_bytes) == (4 * (m * k + k * n), 4 * m * n)


def test_batched_contractions_and_those_of_narrow_floats_count_alike():
    assert cost(lambda x, y: wnp.einsum("bij,bkj->bik", x, y), S(3, 4, 5), S(3, 6, 5)).flops == 2 * 3 * 4 * 6 * 5
    found = cost(lambda x, y: x @ y, S(4, 5, dtype=BF16), S(5, 6, dtype=BF16))
    assert found.flops == 2 * 4 * 5 * 6
    assert found.argument_bytes == 2 * (20 + 30)


def test_products_of_integers_are_operations_on_integers():
    found = cost(lambda x, y: x @ y, S(4, 5, dtype="int32"), S(5, 6, dtype="int32"))
    assert (found.flops, found.integer_operations) == (0, 2 * 4 * 5 * 6)


def test_elementwise_functions_count_each_element_once():
    found = cost(lambda x, y: wnp.exp(x) * y + x, S(4, 6), S(6))
    assert totals(found) == (2 * 24, 24, 4 * (24 + 24) + 4 * (24 + 6 + 24) + 4 * (24 + 24 + 24))
    # exp's result and the product's are held at once.
    assert found.temporary_bytes == 2 * 4 * 24


def test_choices_and_conversions_are_free_and_comparisons_are_not():
    assert cost(lambda x: wnp.where(x > 0, x, 0.5), S(8)).flops == 8
    assert totals(cost(lambda x: x.astype(F64), S(8))) == (0, 0, 8 * 4 + 8 * 8)


def test_what_two_parts_of_a_kernel_share_is_counted_once():
    def kernel(a):
        shared = a * a
        return shared + shared

    assert cost(lambda x: wax.kernel.map(kernel, x), S(5)).flops == 5 * 2


def test_complex_arithmetic_is_that_of_the_real_numbers_in_it():
    x = S(10, dtype="complex64")
    assert cost(lambda x, y: x + y, x, x).flops == 20
    assert cost(lambda x, y: x * y, x, x).flops == 60
    assert cost(lambda x, y: x / y, x, x).flops == 110
    assert cost(wnp.exp, x).transcendentals == 10


def test_a_reduction_takes_in_each_element_once():
    found = cost(lambda x: wnp.sum(x, axis=1), S(7, 9))
    assert totals(found) == (63, 0, 4 * (63 + 1 + 7))
    # A function of one's own, with two operations an element.
    found = cost(lambda x: fold(lambda a, acc: acc + a * 3, x, 0.0, axis=0), S(7, 9))
    assert found.flops == 2 * 63


def test_a_scan_takes_in_each_element_once():
    assert totals(cost(lambda x: wnp.cumsum(x, axis=0), S(7, 9))) == (63, 0, 4 * (63 + 1 + 63))


@pytest.mark.parametrize(("n", "depth"), [(0, 0), (1, 0), (2, 1), (8, 3), (9, 4), (100, 7)])
def test_a_sort_compares_n_log_n_times(n, depth):
    found = cost(lambda x: wnp.sort(x, axis=0), S(n, 3))
    # Less than, and whether the left one is a number; both, as integers.
    assert (found.flops, found.integer_operations) == (2 * 3 * n * depth, 3 * n * depth)
    assert found.bytes_accessed == 2 * 4 * 3 * n


@pytest.mark.parametrize("n", [1, 8, 12, 127])
def test_a_fourier_transform_is_5_n_log2_n(n):
    x = S(3, n, dtype="complex64")
    assert cost(wnp.fft.fft, x).operations[0].flops == round(5 * 3 * n * math.log2(n))
    half = cost(lambda x: wnp.fft.rfft(x), S(3, n)).operations[0]
    assert half.flops == round(2.5 * 3 * n * math.log2(n))
    assert half.bytes_accessed == 4 * 3 * n + 8 * 3 * (n // 2 + 1)
    back = cost(lambda x: wnp.fft.irfft(x, n=n), S(3, n // 2 + 1, dtype="complex64"))
    assert next(row for row in back.operations if row.name == "wax.fft").flops == half.flops
    both = cost(wnp.fft.fftn, S(4, n, dtype="complex64")).operations[0]
    assert both.flops == round(5 * 4 * n * math.log2(4 * n))


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_a_convolution_is_two_operations_for_each_element_of_kernel_and_result(groups):
    found = cost(lambda x, w: nn.conv(x, w, groups=groups), S(2, 8, 9, 11), S(12, 8 // groups, 3, 5))
    result = 2 * 12 * 7 * 7
    (row,) = [row for row in found.operations if row.name == "wax.convolve"]
    assert row.flops == 2 * result * (8 // groups) * 15
    assert row.bytes_accessed == 4 * (2 * 8 * 99 + 12 * (8 // groups) * 15 + result)


def test_gathers_read_what_they_take():
    found = cost(lambda x, i: x[i], S(1000, 6), S(3, dtype="int32"))
    gather = found.operations[-1]
    assert gather.name == "wax.gather"
    assert gather.bytes_accessed == 4 * 18 + 4 * 3 + 4 * 18
    assert (gather.flops, found.flops) == (0, 0)
    assert found.integer_operations == 3 * 2  # negative indices


def test_scatters_and_inserts_touch_what_they_change():
    found = cost(lambda x, i, y: x.at[i].add(y), S(1000, 6), S(3, dtype="int32"), S(3, 6))
    scatter = found.operations[-1]
    assert (scatter.name, scatter.flops) == ("wax.scatter", 18)
    assert scatter.bytes_accessed == 4 * (18 + 3 + 18 + 18)
    insert = cost(lambda x, y: x.at[2:5].set(y), S(1000, 6), S(3, 6)).operations[-1]
    assert insert.name == "wax.insert"
    assert insert.bytes_accessed == 2 * 4 * 18


def test_other_names_of_data_are_free():
    assert rows(cost(lambda x: x.reshape((3, 2, 4)), S(6, 4))) == []
    assert rows(cost(lambda x: x.T[1:], S(6, 4))) == [
        ("wax.permute", 1, 0, 2 * 96),
        ("wax.slice", 1, 0, 2 * 72),
    ]
    held = cost(lambda x: wnp.exp(x * 2).reshape((24,)) + 1.0, S(6, 4))
    assert held.temporary_bytes == 2 * 96


def test_a_loop_counts_its_turns():
    found = cost(lambda x: wax.fori_loop(0, 10, lambda i, s: wnp.sin(s) * 2, x), S(4, 3))
    assert [(row.count, row.flops, row.transcendentals) for row in found.operations] == [(10, 0, 120), (10, 120, 0)]
    assert found.notes == ()
    nested = cost(
        lambda x: wax.fori_loop(0, 3, lambda i, s: wax.fori_loop(2, 7, lambda j, t: t + 1, s), x), S(4), sizes={}
    )
    assert (nested.flops, nested.operations[0].count) == (15 * 4, 15)


def test_a_scan_over_rows_counts_each():
    found = cost(lambda x: wax.scan(lambda c, row: (c + row, wnp.exp(c)), wnp.zeros(3), x), S(11, 3))
    assert (found.flops, found.transcendentals) == (33, 33)


def test_turns_that_only_the_call_knows_are_counted_once_and_said():
    found = cost(lambda x, n: wax.fori_loop(0, n, lambda i, s: wnp.sin(s), x), S(4), S(dtype="int32"))
    assert found.transcendentals == 4
    (note,) = found.notes
    assert note.startswith(f"{__file__}:") and "one turn is counted of a loop whose turns depend on elements" in note
    found = cost(lambda x: wax.while_loop(lambda x: wnp.sum(x) > 0, lambda x: x - wnp.exp(x), x), S(4))
    assert totals(found)[:2] == (4 + 1 + 4, 4)
    assert "one turn is counted of a while loop" in found.notes[0]


def test_the_dearer_branch_is_counted_and_said():
    found = cost(lambda p, x: wax.cond(p, wnp.exp, lambda x: x * 2 + 1, x), S(dtype="bool"), S(8))
    assert (found.flops, found.transcendentals) == (16, 0)
    assert "the dearer one of two branches" in found.notes[0]


def test_functions_that_are_called_count_where_they_are_called():
    inner = wax.jit(lambda x: wnp.sin(x))
    found = cost(lambda x: wnp.concat([inner(x), inner(x[:2])]), S(8))
    assert found.transcendentals == 10
    lines = {row.location.line for row in found.operations if row.transcendentals}
    assert lines == {inner.__wrapped__.__code__.co_firstlineno}


def test_open_dims_have_the_sizes_that_are_given():
    lowered = wax.jit(
        lambda x, w: wnp.concat([x, x]) @ w, dynamic_shapes={"x": {0: wax.Dim("b", min=2, max=64)}}
    ).lower(S(4, 5), S(5, 6))
    for b in (2, 8, 64):
        found = lowered.cost_analysis({"b": b})
        assert found.flops == 2 * 2 * b * 5 * 6
        assert found.output_bytes == 4 * 2 * b * 6
        assert found.operations[-1].results == (f"f32[{2 * b}, 6]",)
    looped = wax.jit(
        lambda x: wax.fori_loop(0, x.shape[0], lambda i, s: s + 1, 0.0), dynamic_shapes={"x": {0: wax.Dim("n")}}
    )
    assert looped.lower(S(4)).cost_analysis({"n": 17}).flops == 17


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (None, r"its cost depends on b; give sizes=\{'b': 8\}"),
        ({"c": 3, "b": 4}, "sizes names c, and its open dims are b"),
        ({"b": 1}, "b is 1, and must be an integer of at least 2 and at most 64"),
        ({"b": 65}, "b is 65, and must be an integer of at least 2 and at most 64"),
        ({"b": 2.5}, "b is 2.5, and must be an integer"),
    ],
)
def test_sizes_that_are_missing_or_wrong_are_refused(sizes, message):
    lowered = wax.jit(lambda x: x + 1, dynamic_shapes={"x": {0: wax.Dim("b", min=2, max=64)}}).lower(S(4, 5))
    with pytest.raises(errors.InvalidArgumentError, match=message):
        lowered.cost_analysis(sizes)


def test_a_compiled_program_counts_what_its_backend_was_given():
    lowered = wax.jit(lambda x: x * x).lower(S(6))
    assert lowered.compile(backend="reference").cost_analysis() == lowered.cost_analysis()


def test_captured_arrays_are_arguments():
    weight = wnp.ones((100, 3))
    assert cost(lambda x: x @ weight, S(2, 100)).argument_bytes == 4 * (200 + 300)


def test_gradients_and_batches_count_what_they_are_made_of():
    def loss(w, x):
        return wnp.sum((x @ w) * (x @ w))

    found = cost(wax.grad(loss), S(5, 6), S(7, 5))
    products = [row for row in found.operations if row.flops >= 2 * 5 * 6 * 7]
    assert len(products) == 2  # forward, and by w
    batched = cost(wax.vmap(lambda x: x @ x), S(9, 4, 4))
    assert batched.flops == 9 * 2 * 64


def test_the_table_names_lines_and_adds_up():
    found = cost(lambda x, w: wnp.tanh(x @ w), S(4, 5), S(5, 6))
    text = str(found)
    assert "test_cost.py:" in text and "broadcast + reduce" in text and "f32[4, 6]" in text
    assert "arguments 200 bytes, results 96 bytes, at most 96 bytes between" in text
    assert found.flops == sum(row.flops for row in found.operations)
    assert found.as_dict() == {
        "flops": 240.0,
        "transcendentals": 24.0,
        "bytes accessed": float(found.bytes_accessed),
    }


def test_counts_of_a_program_agree_with_those_of_jax():
    jax = pytest.importorskip("jax")

    def layer(np_like, x, w):
        return np_like.exp(x @ w)

    x, w = np.ones((8, 64), np.float32), np.ones((64, 32), np.float32)
    theirs = jax.jit(lambda x, w: layer(jax.numpy, x, w)).lower(x, w).cost_analysis()
    ours = cost(lambda x, w: layer(wnp, x, w), x, w).as_dict()
    assert ours["flops"] == theirs["flops"]
    assert ours["transcendentals"] == theirs["transcendentals"]
