"""Instances of ADBench's objectives at its sizes, made by a seed; and its text formats, read.

The suite's own instances are not here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from . import objectives

#: Points, dims, components of Gaussian mixtures; cameras, points, observations; vertices, points; layers, length.
GMM = ((1000, 2, 5), (1000, 10, 25), (1000, 64, 5), (10000, 10, 25), (10000, 32, 25))
BA = ((49, 7776, 31843), (21, 11315, 36455), (161, 48126, 182072))
HAND = ((544, 100), (544, 800), (1500, 6400))
LSTM = ((2, 1024), (4, 1024), (2, 4096))
WIDTH = 14


def gmm(n: int, d: int, k: int, seed: int = 0) -> tuple[objectives.Mixture, np.ndarray, float, int]:
    """A mixture, points, and the prior's parameters."""
    random = np.random.default_rng((seed, n, d, k))
    factors = np.concatenate([random.normal(0, 0.2, (k, d)), random.normal(0, 0.2, (k, d * (d - 1) // 2))], 1)
    mixture = objectives.Mixture(random.normal(size=k), random.uniform(size=(k, d)), factors)
    return mixture, random.normal(size=(n, d)), 1.0, 0


def ba(n: int, m: int, p: int, seed: int = 0) -> tuple[Any, ...]:
    """Cameras, points, weights, features; and which camera and point an observation is of."""
    random = np.random.default_rng((seed, n, m, p))
    camera = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 1.0, 0.1, 0.1, 0.01, 0.001]
    cameras = camera + random.normal(0, 0.05, (n, 11))
    points = random.normal(size=(m, 3)) + [0, 0, 5]
    of = np.stack([np.arange(p) % n, np.arange(p) * 7 % m], 1).astype(np.int32)
    return cameras, points, random.uniform(0.5, 1, p), random.normal(size=(p, 2)), of


def hand(vertices: int, points: int, seed: int = 0) -> tuple[Any, ...]:
    """A hand of 22 bones, parameters, places in triangles, what points belong to, and points."""
    random = np.random.default_rng((seed, vertices, points))
    parents = (-1, 0, *(bone if bone % 4 != 2 else 1 for bone in range(1, 21)))
    relatives = np.tile(np.eye(4), (22, 1, 1))
    relatives[:, :3, 3] = random.normal(0, 0.3, (22, 3))
    absolutes: list[np.ndarray] = []
    for bone, parent in enumerate(parents):
        absolutes.append(relatives[bone] if parent < 0 else absolutes[parent] @ relatives[bone])
    weights = random.uniform(size=(vertices, 22)) ** 8
    made = objectives.Hand(
        parents,
        relatives,
        np.linalg.inv(np.stack(absolutes)),
        np.concatenate([random.normal(size=(vertices, 3)), np.ones((vertices, 1))], 1),
        weights / weights.sum(1, keepdims=True),
        random.integers(0, vertices, (2 * vertices, 3)).astype(np.int32),
    )
    theta = random.normal(0, 0.3, 26)
    us = random.uniform(0, 0.5, (points, 2))
    chosen = random.integers(0, vertices, points).astype(np.int32)
    return made, theta, us, chosen, random.normal(size=(points, 3))


def lstm(layers: int, length: int, seed: int = 0) -> tuple[objectives.Recurrent, np.ndarray, np.ndarray]:
    """Parameters, a state, and a sequence of one-hot rows."""
    random = np.random.default_rng((seed, layers, length))
    parameters = objectives.Recurrent(random.uniform(-1, 1, (2 * layers, 4 * WIDTH)), random.uniform(-1, 1, (3, WIDTH)))
    sequence = np.eye(WIDTH)[random.integers(0, WIDTH, length)]
    return parameters, random.uniform(-1, 1, (2 * layers, WIDTH)), sequence


# The suite's formats.


def _numbers(path: Path) -> np.ndarray:
    return np.array(path.read_text().split(), np.float64)


def read_gmm(path: Path) -> tuple[objectives.Mixture, np.ndarray, float, int]:
    """`d k n`, then alphas, means, factors, points (or one for all), and the prior's two numbers."""
    numbers = _numbers(path)
    d, k, n = (int(x) for x in numbers[:3])
    inner = d + d * (d - 1) // 2
    ends = np.cumsum([3, k, k * d, k * inner])
    alphas, means, factors, rest = np.split(numbers, ends)[1:]
    x, (gamma, m) = rest[:-2].reshape(-1, d), rest[-2:]
    mixture = objectives.Mixture(alphas, means.reshape(k, d), factors.reshape(k, inner))
    return mixture, np.ascontiguousarray(np.broadcast_to(x, (n, d))), float(gamma), int(m)


def read_ba(path: Path) -> tuple[Any, ...]:
    """`n m p`, then one camera, point and weight for all, and the features' first."""
    numbers = _numbers(path)
    n, m, p = (int(x) for x in numbers[:3])
    camera, point, weight, feature = np.split(numbers[3:20], [11, 14, 15])
    of = np.stack([np.arange(p) % n, np.arange(p) % m], 1).astype(np.int32)
    return np.tile(camera, (n, 1)), np.tile(point, (m, 1)), np.tile(weight, p), np.tile(feature, (p, 1)), of


def read_lstm(path: Path) -> tuple[objectives.Recurrent, np.ndarray, np.ndarray]:
    """`layers length width`, then the layers' parameters, those around them, the state and the sequence."""
    numbers = _numbers(path)
    layers, length, width = (int(x) for x in numbers[:3])
    ends = np.cumsum([3, 2 * layers * 4 * width, 3 * width, 2 * layers * width])
    main, around, state, sequence = np.split(numbers, ends)[1:]
    parameters = objectives.Recurrent(main.reshape(2 * layers, 4 * width), around.reshape(3, width))
    return parameters, state.reshape(2 * layers, width), sequence.reshape(-1, width)[:length]


def read_hand(model: Path, path: Path, complicated: bool) -> tuple[Any, ...]:
    """A model's folder (`bones.txt`, `vertices.txt`, `triangles.txt`), and correspondences, points and parameters."""
    bones = [line.split(":") for line in (model / "bones.txt").read_text().split()]
    lines = [line.split(":") for line in (model / "vertices.txt").read_text().split()]
    matrices = np.array([bone[2:34] for bone in bones], np.float64).reshape(-1, 2, 4, 4)
    weights = np.zeros((len(lines), len(bones)))
    for row, line in zip(weights, lines, strict=True):
        for i in range(int(line[8])):
            row[int(line[9 + 2 * i])] = float(line[10 + 2 * i])
    made = objectives.Hand(
        tuple(int(bone[1]) for bone in bones),
        matrices[:, 0],
        np.linalg.inv(matrices[:, 1]),
        np.array([[*line[:3], 1] for line in lines], np.float64),
        weights,
        np.array([line.split(":") for line in (model / "triangles.txt").read_text().split()], np.int32),
    )
    numbers = _numbers(path)
    count = int(numbers[0])
    rows, rest = numbers[2 : 2 + 4 * count].reshape(count, 4), numbers[2 + 4 * count :]
    us, theta = (rest[: 2 * count].reshape(count, 2), rest[2 * count :]) if complicated else (None, rest)
    return made, theta, us, rows[:, 0].astype(np.int32), rows[:, 1:]
