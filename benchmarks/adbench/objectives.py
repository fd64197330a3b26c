"""The four objectives of ADBench (Šrajer, Kukelová and Fitzgibbon 2018), each written once for wax and JAX.

What they compute is that suite's, in double precision; instances are `instances.py`'s. A `Library` says where array
functions, loops and the greatest element along the last axis come from.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Library(NamedTuple):
    """Who computes."""

    xp: Any
    scan: Callable[..., Any]
    greatest: Callable[[Any], Any]


def logsumexp(lib: Library, x: Any) -> Any:
    """`log(sum(exp(x)))` along the last axis."""
    top = lib.greatest(x)
    return lib.xp.log(lib.xp.sum(lib.xp.exp(x - top[..., None]), axis=-1)) + top


# Gaussian mixtures.


class Mixture(NamedTuple):
    """Log weights (k), means (k, d), and inverse factors of the covariances (k, d + d(d - 1)/2)."""

    alphas: Any
    means: Any
    factors: Any


def lower_triangles(lib: Library, entries: Any, d: int) -> Any:
    """Matrices (k, d, d) with the entries below the diagonal, column by column, and zeros elsewhere."""
    place = np.zeros((d, d), np.int64)
    columns, rows = np.triu_indices(d, 1)
    place[rows, columns] = np.arange(1, len(rows) + 1)
    padded = lib.xp.concat([lib.xp.zeros_like(entries[:, :1]), entries], axis=-1) if d > 1 else entries[:, :1] * 0
    return padded[:, place.reshape(-1)].reshape(entries.shape[0], d, d)


def gmm(lib: Library, mixture: Mixture, x: Any, gamma: float, m: int) -> Any:
    """The log-likelihood of points (n, d), with a Wishart prior of the covariances."""
    xp = lib.xp
    n, d = x.shape
    k = mixture.alphas.shape[0]
    logs, entries = mixture.factors[:, :d], mixture.factors[:, d:]
    sums, diagonal = xp.sum(logs, axis=-1), xp.exp(logs)
    centred = x[:, None] - mixture.means
    if d > 1:
        lower = lower_triangles(lib, entries, d)
        transformed = diagonal * centred + xp.einsum("kij,nkj->nki", lower, centred)
        entries_squared = xp.sum(entries**2)
    else:
        transformed, entries_squared = diagonal * centred, 0.0
    inner = mixture.alphas + sums - 0.5 * xp.sum(transformed**2, axis=-1)
    likelihood = xp.sum(logsumexp(lib, inner)) - n * logsumexp(lib, mixture.alphas)
    prior = 0.5 * gamma**2 * (xp.sum(diagonal**2) + entries_squared) - m * xp.sum(sums)
    degrees = d + m + 1
    gammas = 0.25 * d * (d - 1) * math.log(math.pi) + sum(math.lgamma(0.5 * (degrees - j)) for j in range(d))
    constant = -n * d * 0.5 * math.log(2 * math.pi) - k * (degrees * d * math.log(gamma / math.sqrt(2)) - gammas)
    return likelihood + prior + constant


# Bundle adjustment.


def cross(lib: Library, a: Any, b: Any) -> Any:
    """The vector product along the last axis."""
    turned = [a[..., i - 2] * b[..., i - 1] - a[..., i - 1] * b[..., i - 2] for i in range(3)]
    return lib.xp.stack(turned, axis=-1)


def rotated(lib: Library, axis: Any, x: Any) -> Any:
    """Points turned about an axis by an angle that is its length, which is not 0."""
    xp = lib.xp
    angle = xp.sqrt(xp.sum(axis**2, axis=-1))[..., None]
    unit = axis / angle
    along = xp.sum(unit * x, axis=-1)[..., None] * (1 - xp.cos(angle))
    return x * xp.cos(angle) + cross(lib, unit, x) * xp.sin(angle) + unit * along


def reprojection(lib: Library, cameras: Any, points: Any, weights: Any, features: Any) -> Any:
    """How far projections (p, 2) are from features, one row of cameras, points and weights for each.

    A camera is its rotation (3), centre (3), focal length, principal point (2) and radial distortion (2).
    """
    seen = rotated(lib, cameras[:, :3], points - cameras[:, 3:6])
    plane = seen[:, :2] / seen[:, 2:]
    squared = lib.xp.sum(plane**2, axis=-1)[:, None]
    distorted = plane * (1 + cameras[:, 9:10] * squared + cameras[:, 10:11] * squared**2)
    return weights[:, None] * (distorted * cameras[:, 6:7] + cameras[:, 7:9] - features)


# Hand tracking.


class Hand(NamedTuple):
    """A hand at rest: what bones hang on, their poses, and the vertices that follow them by weights."""

    parents: tuple[int, ...]
    relatives: Any  # (bones, 4, 4), each to its parent
    inverses: Any  # (bones, 4, 4), of what is absolute
    vertices: Any  # (vertices, 4), homogeneous
    weights: Any  # (vertices, bones)
    triangles: Any  # (triangles, 3)


def angles_of(lib: Library, theta: Any) -> Any:
    """Angles (22, 3) of the bones: of 20 parameters, each finger's four are two of its first joint, one of others."""
    zero = theta[0] * 0
    rows = [[zero] * 3, [zero] * 3]
    for finger in range(5):
        first = 6 + 4 * finger
        rows += [[theta[first], theta[first + 1], zero], [theta[first + 2], zero, zero], [theta[first + 3], zero, zero]]
        rows.append([zero] * 3)
    return lib.xp.stack([lib.xp.stack(row, axis=-1) for row in rows[:22]], axis=0)


def matrices(lib: Library, rows: Any) -> Any:
    """Matrices (…, n, m) of what stands in them."""
    return lib.xp.stack([lib.xp.stack(row, axis=-1) for row in rows], axis=-2)


def euler(lib: Library, angles: Any) -> Any:
    """Homogeneous rotations (n, 4, 4) by angles (n, 3): about x, z and y, put together as z, y, x."""
    xp = lib.xp
    (sx, sz, sy), (cx, cz, cy) = ([f(angles[:, i]) for i in range(3)] for f in (xp.sin, xp.cos))
    zero, one = sx * 0, sx * 0 + 1
    about_x = matrices(
        lib, [[one, zero, zero, zero], [zero, cx, -sx, zero], [zero, sx, cx, zero], [zero, zero, zero, one]]
    )
    about_y = matrices(
        lib, [[cy, zero, -sy, zero], [zero, one, zero, zero], [sy, zero, cy, zero], [zero, zero, zero, one]]
    )
    about_z = matrices(
        lib, [[cz, -sz, zero, zero], [sz, cz, zero, zero], [zero, zero, one, zero], [zero, zero, zero, one]]
    )
    return about_z @ about_y @ about_x


def posed(lib: Library, theta: Any, hand: Hand) -> Any:
    """Where the vertices (vertices, 3) are for 26 parameters: a rotation, a translation, and the fingers' angles."""
    xp = lib.xp
    local = hand.relatives @ euler(lib, angles_of(lib, theta))
    absolutes: list[Any] = []
    for bone, parent in enumerate(hand.parents):
        absolutes.append(local[bone] if parent < 0 else absolutes[parent] @ local[bone])
    moves = xp.stack(absolutes, axis=0) @ hand.inverses
    blended = xp.einsum("vb,bij->vij", hand.weights, moves)
    skinned = xp.sum(blended * hand.vertices[:, None], axis=-1)[:, :3]
    return rotated(lib, theta[None, :3], skinned) + theta[3:6]


def hand_simple(lib: Library, theta: Any, hand: Hand, vertices: Any, points: Any) -> Any:
    """How far points are from the vertices that they belong to."""
    return points - posed(lib, theta, hand)[vertices]


def hand_complicated(lib: Library, theta: Any, us: Any, hand: Hand, triangles: Any, points: Any) -> Any:
    """How far points are from places in the triangles that they belong to, which `us` (n, 2) tell."""
    a, b, c = (posed(lib, theta, hand)[hand.triangles[triangles][:, i]] for i in range(3))
    return points - (us[:, :1] * a + us[:, 1:] * b + (1 - us[:, :1] - us[:, 1:]) * c)


# Long short-term memory.


class Recurrent(NamedTuple):
    """Two rows of each layer, weights and biases (2 · layers, 4 · width), and what is around them (3, width)."""

    layers: Any
    around: Any


def lstm(lib: Library, parameters: Recurrent, state: Any, sequence: Any) -> Any:
    """How badly each element (length, width) is foretold from those before; `state` is (2 · layers, width)."""
    xp = lib.xp
    width = sequence.shape[1]

    def sigmoid(x: Any) -> Any:
        return 1 / (1 + xp.exp(-x))

    def turn(rows: Any, pair: Any) -> Any:
        given, wanted = pair
        x = given * parameters.around[0]
        made = []
        for i in range(0, parameters.layers.shape[0], 2):
            hidden, cell = rows[i], rows[i + 1]
            weight, bias = parameters.layers[i].reshape(4, width), parameters.layers[i + 1].reshape(4, width)
            forget = sigmoid(x * weight[0] + bias[0])
            enter = sigmoid(hidden * weight[1] + bias[1])
            leave = sigmoid(x * weight[2] + bias[2])
            cell = cell * forget + enter * xp.tanh(hidden * weight[3] + bias[3])
            x = leave * xp.tanh(cell)
            made += [x, cell]
        foretold = x * parameters.around[1] + parameters.around[2]
        likelihood = foretold - xp.log(2 + xp.sum(xp.exp(foretold), axis=-1))
        return xp.stack(made, axis=0), xp.sum(wanted * likelihood)

    _, totals = lib.scan(turn, state, (sequence[:-1], sequence[1:]))
    return -xp.sum(totals) / ((sequence.shape[0] - 1) * width)
