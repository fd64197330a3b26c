"""Eigenvalues and eigenvectors of symmetric tridiagonal matrices: divide and conquer (Cuppen 1981).

A matrix is torn into rows. In each turn neighbouring parts are joined: with both parts' vectors, the joined one is a
diagonal plus the multiple of one vector by itself, `D + rho z z^T`. An eigenvalue lies between each two neighbours in
`D`, the poles of the secular equation `1 + rho sum(z^2 / (D - x)) = 0`, and eigenvectors follow from the eigenvalues
(Gu and Eisenstat, A divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem, 1995). All joints of a
turn are solved at once, in arrays of the whole matrix's size, so a turn is the same for parts of any size; columns keep
their order until the end.

Poles may be equal. Where others rotate such pairs away, one by one, here every pole is moved by its rank times
`eps^2`: far below rounding, yet the differences of poles and of eigenvalues stay accurate, since they are taken from
the nearest pole and not from rounded eigenvalues. A pole that `z` hardly touches stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wax import dtypes
from wax.control_flow.loops import while_loop
from wax.numpy._basis import basis, carried, constant, filled, lift, placed, scalars
from wax.numpy._pieces import counter, picked, piece
from wax.numpy._reduction import folded, maximized, minimized, summed
from wax.numpy.linalg._blocks import in_kernels
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import epsilon, greatest_magnitude, identity, power_of_two
from wax.numpy.manipulation import reshape
from wax.numpy.sorting import argsort
from wax.scalars import Scalar, trace_kernel

__all__ = ["values_and_vectors_of", "values_of"]

#: Steps of the solution of the secular equations. They take four to twelve, and more where poles nearly meet.
MOST_STEPS = 100

#: Where arrays of poles, of eigenvalues and of pairs stand among the dims of pairs.
_POLE, _ROOT, _PAIR = (0, 1), (0, 2), (0, 1, 2)


def values_and_vectors_of(diagonal: Any, beside: Any) -> tuple[Any, Any]:
    """The eigenvalues, ascending, and the eigenvectors as columns. `beside` is as long as the diagonal: its last is not
    read."""
    values, rows = _joined(diagonal, beside, identity(diagonal, diagonal.shape[1], diagonal.shape[1]))
    order = argsort(values, axis=-1)
    vectors = basis.gather(piece(rows, 1, 2, diagonal.shape[1]), [order], [0, 1, -1], [(0, 2)])
    return basis.gather(values, [order], [0, -1], [(0, 1)]), vectors


def values_of(diagonal: Any, beside: Any) -> Any:
    """The eigenvalues, ascending."""
    values, _ = _joined(diagonal, beside, None)
    return basis.gather(values, [argsort(values, axis=-1)], [0, -1], [(0, 1)])


def _joined(diagonal: Any, beside: Any, vectors: Any) -> tuple[Any, Any]:
    """The eigenvalues of matrices with one row at least, and for each the first and the last element of its vector.

    Below these are the rows of `vectors`, in terms of the eigenvectors.
    """
    count, size = diagonal.shape
    beside = placed(_before_last, [(beside, _POLE), (counter(size), (1,)), (in_kernels(size - 1), ())])
    before = basis.pad(beside, constant(0, beside.dtype), [0, 1], [0, -1], [0, 0])
    poles = placed(_torn, [(x, _POLE) for x in (diagonal, beside, before)])
    greatest = [(greatest_magnitude(x, (1,)), (0,)) for x in (diagonal, beside)]
    scale = power_of_two(placed(scalars.maximum, greatest))
    rows = filled(constant(1, poles.dtype), (), (count, 2, size))
    if vectors is not None:
        rows = basis.concat([rows, vectors], 1)

    def turn(state: Any) -> Any:
        level, poles, rows = state
        joint = _Joint.of(level, poles, lift(beside), rows, lift(scale))
        roots = joint.roots()
        operands = [(rows, _PAIR), (counter(rows.shape[1]), (1,)), (counter(size), (2,)), (level, ())]
        turned = multiplied(placed(_of_ends, [*operands, (in_kernels(size), ())]), joint.vectors(roots))
        return level + 1, placed(_moved, [(x, _POLE) for x in (poles, joint.weight, roots.pole, roots.at)]), turned

    # IREE 3.13 loses open sizes in a `while` that is inside of a `for`.
    begin = constant(0, dtypes.int32), poles, rows
    _, poles, rows = while_loop(lambda state: placed(_are_parts, [(state[0], ()), (in_kernels(size), ())]), turn, begin)
    return poles, rows


def _are_parts(level: Scalar, size: Scalar | int) -> Any:
    """Whether rows are still in more parts than one."""
    return scalars.bitwise_left_shift(level.kernel.constant(1, level.dtype), level) < size


def _before_last(x: Scalar, place: Scalar, last: Scalar | int) -> Any:
    return scalars.select(place < last, x, x.kernel.constant(0, x.dtype))


def _torn(x: Scalar, after: Scalar, before: Scalar) -> Any:
    return x - scalars.absolute(after) - scalars.absolute(before)


def _part(place: Scalar, level: Scalar) -> Any:
    """The part that a row belongs to when a turn has joined it."""
    return scalars.bitwise_right_shift(place, level + 1)


def _is_second(place: Scalar, level: Scalar) -> Any:
    """Whether a row belongs to the second half of its part."""
    return scalars.bitwise_and(scalars.bitwise_right_shift(place, level), 1) == 1


def _first_of_second(place: Scalar, level: Scalar) -> Any:
    """The row, which may not exist, that the second half of a row's part begins with."""
    return scalars.bitwise_left_shift(_part(place, level) * 2 + 1, level)


def _of_ends(x: Scalar, row: Scalar, place: Scalar, level: Scalar, size: Scalar | int) -> Any:
    """The first elements of a part's vectors are those of its first half, the last ones of its second if it has one."""
    second = _is_second(place, level)
    keeps_last = scalars.logical_or(second, _first_of_second(place, level) >= size)
    zero = x.kernel.constant(0, x.dtype)
    end = scalars.select(row == 0, scalars.select(second, zero, x), scalars.select(keeps_last, x, zero))
    return scalars.select(row < 2, end, x)


def _moved(pole: Scalar, weight: Scalar, origin: Scalar, at: Scalar) -> Any:
    return scalars.select(weight == 0, pole, origin + at)


@dataclass(frozen=True, slots=True)
class _Roots:
    """Eigenvalues, each as its distance from one of the poles around it, and what ranks move that pole by."""

    at: Any
    pole: Any
    rank: Any


@dataclass(frozen=True, slots=True)
class _Joint:
    """What the secular equations of a turn say of every pole.

    `ranks` are what ranks among the poles of a part move them by. `weight` is `rho z^2` with the sign of `z`; 0 where
    the pole stays. `gap` is how far the next pole is that moves, or how far the last one moves at most.
    """

    parts: Any
    poles: Any
    ranks: Any
    weight: Any
    next_pole: Any
    next_rank: Any
    gap: Any

    @staticmethod
    def of(level: Any, poles: Any, beside: Any, rows: Any, scale: Any) -> _Joint:
        count, size = poles.shape
        places, eps = counter(size), epsilon(poles)
        tears = placed(_tear, [(places, (0,)), (level, ()), (in_kernels(size - 1), ())])
        parts = placed(_part, [(places, (0,)), (level, ())])
        first, last = (reshape(piece(rows, 1, row, 1), (count, size)) for row in (0, 1))
        touched = [(picked(beside, tears, 1), _POLE), (first, _POLE), (last, _POLE), (scale, (0,))]
        weight = placed(_weight, [*touched, (places, (1,)), (level, ())], eps=eps)
        both = [(parts, (1,)), (parts, (2,))]
        earlier = placed(_is_earlier, [(poles, _POLE), (poles, _ROOT), (places, (1,)), (places, (2,)), *both])
        ranks = placed(_rank_times, [(summed(earlier, (1,)), _POLE), (scale, (0,))], eps=eps, dtype=poles.dtype)
        above = [(weight, _POLE), (ranks, _POLE), (ranks, _ROOT), *both]
        pole, rank = (minimized(placed(_if_above, [(x, _POLE), *above]), (1,)) for x in (poles, ranks))
        total = summed(placed(_if_together, [(weight, _POLE), *both]), (1,))
        gap = placed(_gap, [(x, _POLE) for x in (poles, ranks, pole, rank, total)], eps=eps)
        return _Joint(parts, poles, ranks, weight, pole, rank, gap)

    def _sums(self, roots: _Roots, from_next: Any) -> tuple[Any, ...]:
        """For roots that may not be exact the sums of the equation: over poles up to the root's own the terms, and the
        derivatives times the distance from that pole; over the poles above both likewise, from the next pole."""
        count, size = self.poles.shape
        operands = [(x, _POLE) for x in (self.weight, self.poles, self.ranks)] + [
            (self.parts, (1,)),
            (self.parts, (2,)),
        ]
        operands += [(x, _ROOT) for x in (self.ranks, self.gap, from_next, roots.pole, roots.rank, roots.at)]
        free = {_POLE: (size,), _ROOT: (size,), (1,): (count, size), (2,): (count, size)}
        values = [filled(lift(x), dims, free[dims]) for x, dims in operands]
        dtype = roots.at.dtype
        sums, results = [(dtype, False)] * 4, (dtype,) * 4
        return basis.reduce(
            trace_kernel(_term, [*map(carried, values), *sums], as_dtypes=results),
            trace_kernel(_added, [*sums, *sums], as_dtypes=results),
            values,
            [constant(0, dtype)] * 4,
            (1,),
        )

    def roots(self) -> _Roots:
        """The eigenvalues, from the nearer of the two poles around them."""
        half = placed(_half, [(self.gap, _POLE)])
        never = placed(_never, [(half, _POLE)])
        below, _, above, _ = self._sums(_Roots(half, self.poles, self.ranks), never)
        found = [(x, _POLE) for x in (below, above, self.next_pole)]
        from_next = placed(_is_nearer_next, found)
        pole, rank = (
            placed(scalars.select, [(x, _POLE) for x in (from_next, theirs, own)])
            for theirs, own in ((self.next_pole, self.poles), (self.next_rank, self.ranks))
        )
        ends = [*found, (self.gap, _POLE), (from_next, _POLE)]
        low, high, at = (placed(_end, ends, which=which) for which in ("low", "high", "middle"))

        def step(state: Any) -> Any:
            left, at, low, high = state
            sums = self._sums(_Roots(at, pole, rank), from_next)
            known = (*sums, at, low, high, self.gap, from_next, self.next_pole, self.weight)
            operands = [(lift(x), _POLE) for x in known]
            unsolved, low, high, at = (placed(part, operands, eps=epsilon(at)) for part in _STEP)
            left = placed(_steps_left, [(left, ()), (maximized(maximized(unsolved, (1,)), (0,)), ())])
            return left, at, low, high

        begin = constant(MOST_STEPS, dtypes.int32), at, low, high
        _, at, _, _ = while_loop(lambda state: state[0] > 0, step, begin)
        return _Roots(at, pole, rank)

    def vectors(self, roots: _Roots) -> Any:
        """The eigenvectors as columns, in terms of the halves' vectors."""
        theirs = [(x, _ROOT) for x in (self.poles, self.ranks, self.weight)]
        mine = [(x, _POLE) for x in (self.poles, self.ranks, self.weight, roots.pole, roots.rank, roots.at)]
        both = [(self.parts, (1,)), (self.parts, (2,))]
        # The weights for which the roots are exact: products of distances of a pole and of all roots and poles.
        quotients = placed(_quotient, [*theirs, *mine, *both])
        exact = folded(quotients, (1,), _times, _times, 1, roots.at.dtype)
        mine = [(x, _POLE) for x in (self.poles, self.ranks, self.weight, exact)]
        theirs = [(x, _ROOT) for x in (self.ranks, self.weight, roots.pole, roots.rank, roots.at)]
        raw = placed(_component, [*mine, *theirs, *both])
        lengths = summed(placed(scalars.square, [(raw, _PAIR)]), (1,))
        return placed(_over_root, [(raw, _PAIR), (lengths, _ROOT)])


def _tear(place: Scalar, level: Scalar, last: Scalar | int) -> Any:
    """The row whose element beside the diagonal was torn; without a second half the last, of which that is 0."""
    row = _first_of_second(place, level) - 1
    return scalars.minimum(row, last)


def _weight(
    torn: Scalar, first: Scalar, last: Scalar, scale: Scalar, place: Scalar, level: Scalar, *, eps: float
) -> Any:
    z = scalars.select(_is_second(place, level), scalars.copysign(first, first * torn), last)
    touched = scalars.absolute(torn * z)
    weight = scalars.copysign(touched * scalars.absolute(z), z)
    return scalars.select(touched > scale * (eps / 4), weight, weight.kernel.constant(0, weight.dtype))


def _is_earlier(
    pole: Scalar, other: Scalar, place: Scalar, other_place: Scalar, part: Scalar, other_part: Scalar
) -> Any:
    before = scalars.logical_or(pole < other, scalars.logical_and(pole == other, place < other_place))
    return scalars.cast(scalars.logical_and(part == other_part, before), dtypes.int32)


def _rank_times(rank: Scalar, scale: Scalar, *, eps: float, dtype: dtypes.DType) -> Any:
    return scalars.cast(rank, dtype) * (scale * (eps * eps / 4))


def _if_above(x: Scalar, weight: Scalar, rank: Scalar, other_rank: Scalar, part: Scalar, other_part: Scalar) -> Any:
    together = scalars.logical_and(part == other_part, weight != 0)
    infinity = x.kernel.constant(float("inf"), x.dtype)
    return scalars.select(scalars.logical_and(together, rank > other_rank), x, infinity)


def _if_together(weight: Scalar, part: Scalar, other_part: Scalar) -> Any:
    return scalars.select(part == other_part, scalars.absolute(weight), weight.kernel.constant(0, weight.dtype))


def _gap(pole: Scalar, rank: Scalar, next_pole: Scalar, next_rank: Scalar, total: Scalar, *, eps: float) -> Any:
    return scalars.select(scalars.isinf(next_pole), total * (1 + 2 * eps), next_pole - pole + (next_rank - rank))


def _half(x: Scalar) -> Any:
    return x * 0.5


def _never(x: Scalar) -> Any:
    return x != x


def _term(
    weight: Scalar,
    pole: Scalar,
    rank: Scalar,
    part: Scalar,
    root_part: Scalar,
    own_rank: Scalar,
    gap: Scalar,
    from_next: Scalar,
    origin: Scalar,
    origin_rank: Scalar,
    at: Scalar,
    below: Scalar,
    below_slope: Scalar,
    above: Scalar,
    above_slope: Scalar,
) -> Any:
    zero, one = weight.kernel.constant(0, weight.dtype), weight.kernel.constant(1, weight.dtype)
    counts = scalars.logical_and(part == root_part, weight != 0)
    inverse = one / scalars.select(counts, pole - origin + (rank - origin_rank) - at, one)
    term = scalars.select(counts, scalars.absolute(weight), zero) * inverse
    is_above = rank > own_rank
    own = scalars.select(from_next, -gap - at, -at)
    other = scalars.select(from_next, -at, gap - at)
    slope = term * (scalars.select(is_above, other, own) * inverse)
    return (
        below + scalars.select(is_above, zero, term),
        below_slope + scalars.select(is_above, zero, slope),
        above + scalars.select(is_above, term, zero),
        above_slope + scalars.select(is_above, slope, zero),
    )


def _added(a: Scalar, b: Scalar, c: Scalar, d: Scalar, e: Scalar, f: Scalar, g: Scalar, h: Scalar) -> Any:
    return a + e, b + f, c + g, d + h


def _is_nearer_next(below: Scalar, above: Scalar, next_pole: Scalar) -> Any:
    return scalars.logical_and(1 + below + above < 0, scalars.logical_not(scalars.isinf(next_pole)))


def _end(below: Scalar, above: Scalar, next_pole: Scalar, gap: Scalar, from_next: Scalar, *, which: str) -> Any:
    """Where a root lies at least and at most, and where its search begins; the last is on either side of the middle."""
    zero, half = gap.kernel.constant(0, gap.dtype), gap * 0.5
    beyond = scalars.logical_and(1 + below + above < 0, scalars.isinf(next_pole))
    if which == "low":
        return scalars.select(from_next, -half, scalars.select(beyond, half, zero))
    if which == "high":
        return scalars.select(from_next, zero, scalars.select(beyond, gap, half))
    return scalars.select(from_next, -half, half)


def _is_solved(sums: tuple[Scalar, ...], low: Scalar, high: Scalar, weight: Scalar, eps: float) -> Any:
    """The sum is rounding, or there is no number between the ends."""
    below, _, above, _ = sums
    rounding = (scalars.absolute(below) + scalars.absolute(above) + 1) * (4 * eps)
    least = scalars.minimum(scalars.absolute(low), scalars.absolute(high))
    narrow = high - low <= least * (2 * eps)
    solved = scalars.logical_or(scalars.absolute(1 + below + above) <= rounding, narrow)
    return scalars.logical_or(solved, weight == 0)


def _unsolved(*known: Scalar, eps: float) -> Any:
    (*sums, _, low, high, _, _, _, weight) = known
    return scalars.cast(scalars.logical_not(_is_solved(tuple(sums), low, high, weight, eps)), dtypes.int32)


def _lower(*known: Scalar, eps: float) -> Any:
    below, _, above, _, at, low, *_ = known
    return scalars.select(1 + below + above < 0, scalars.maximum(low, at), low)


def _upper(*known: Scalar, eps: float) -> Any:
    below, _, above, _, at, _, high, *_ = known
    return scalars.select(1 + below + above < 0, high, scalars.minimum(high, at))


def _better(*known: Scalar, eps: float) -> Any:
    """The root of a function with poles in the two around, that has the equation's value and both sums' slopes
    (Li, Solving secular equations stably and efficiently, 1993); if that is not within the ends, a point between."""
    below, below_slope, above, above_slope, at, _, _, gap, from_next, next_pole, weight = known
    low, high = _lower(*known, eps=eps), _upper(*known, eps=eps)
    value = 1 + below + above
    own = scalars.select(from_next, -gap - at, -at)
    other = scalars.select(from_next, -at, gap - at)
    # Distances in terms of the greater one, lest their products vanish.
    unit = scalars.maximum(scalars.absolute(own), scalars.absolute(other))
    a, b = own / unit, other / unit
    c = value - below_slope - above_slope
    middle, end = (a + b) * value - b * below_slope - a * above_slope, a * b * value
    zero = value.kernel.constant(0, value.dtype)
    root = scalars.sqrt(scalars.maximum(middle * middle - 4 * end * c, zero))
    step = scalars.select(middle <= 0, (middle - root) / (c + c), (end + end) / (middle + root)) * unit
    found = at + scalars.select(scalars.isinf(next_pole), own * value / (value - below_slope), step)
    is_between = scalars.logical_and(found > low, found < high)
    near = scalars.select(from_next, -high, low)
    far = scalars.select(from_next, -low, high)
    between = scalars.select(near > 0, scalars.sqrt(near) * scalars.sqrt(far), far / 64)
    between = scalars.select(far <= near * 4, (near + far) * 0.5, between)
    # One more step takes a root that is solved to its last bits.
    solved = _is_solved((below, below_slope, above, above_slope), known[5], known[6], weight, eps)
    return scalars.select(is_between, found, scalars.select(solved, at, scalars.select(from_next, -between, between)))


_STEP = (_unsolved, _lower, _upper, _better)


def _steps_left(left: Scalar, unsolved: Scalar) -> Any:
    return scalars.select(unsolved > 0, left - 1, left.kernel.constant(0, left.dtype))


def _quotient(
    pole: Scalar,
    rank: Scalar,
    weight: Scalar,
    other: Scalar,
    other_rank: Scalar,
    other_weight: Scalar,
    origin: Scalar,
    origin_rank: Scalar,
    at: Scalar,
    other_part: Scalar,
    part: Scalar,
) -> Any:
    """What another pole and its root give to the product of a pole; its own root alone, and 1 where neither counts."""
    one = pole.kernel.constant(1, pole.dtype)
    distance = origin - pole + (origin_rank - rank) + at
    between = scalars.select(other_rank == rank, one, other - pole + (other_rank - rank))
    together = scalars.logical_and(part == other_part, scalars.logical_and(weight != 0, other_weight != 0))
    return scalars.select(together, distance / between, one)


def _times(x: Scalar, so_far: Scalar) -> Any:
    return x * so_far


def _component(
    pole: Scalar,
    rank: Scalar,
    weight: Scalar,
    exact: Scalar,
    root_rank: Scalar,
    root_weight: Scalar,
    origin: Scalar,
    origin_rank: Scalar,
    at: Scalar,
    part: Scalar,
    root_part: Scalar,
) -> Any:
    """An element of an eigenvector, times the distance of its value from the nearest pole."""
    zero, one = pole.kernel.constant(0, pole.dtype), pole.kernel.constant(1, pole.dtype)
    counts = scalars.logical_and(weight != 0, root_weight != 0)
    distance = scalars.select(counts, pole - origin + (rank - origin_rank) - at, one)
    z = scalars.copysign(scalars.sqrt(scalars.absolute(exact)), weight)
    alone = scalars.select(rank == root_rank, one, zero)
    moved = scalars.select(weight == 0, zero, z * (scalars.absolute(at) / distance))
    inside = scalars.select(root_weight == 0, alone, moved)
    return scalars.select(part == root_part, inside, zero)


def _over_root(x: Scalar, square: Scalar) -> Any:
    return x / scalars.sqrt(square)
