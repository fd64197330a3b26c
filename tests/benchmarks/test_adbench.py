"""ADBench's problems at small sizes: objectives and derivatives against JAX's; its formats."""

import sys
from pathlib import Path

import jax
import numpy as np
import pytest

import wax

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from adbench import instances, problems

SMALL = {
    "gmm": [(11, 3, 4), (5, 1, 2)],
    "ba": [(3, 7, 10)],
    "hand": [(9, 6)],
    "hand complicated": [(9, 6)],
    "lstm": [(2, 7)],
}
CASES = [(name, size) for name, sizes in SMALL.items() for size in sizes]


@pytest.mark.parametrize(("name", "size"), CASES, ids=str)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.full)])
def test_objectives_and_derivatives_are_those_of_jax(name, size, compiled):
    with jax.enable_x64(True):
        ours = problems.PROBLEMS[name](*problems.wax_library(), *size)
        theirs = problems.PROBLEMS[name](*problems.jax_library(), *size)
        for place in (0, 1):
            function = wax.jit(ours[place], backend="iree" if compiled else "reference")
            found = wax.tree.leaves(function(*ours[2]))
            expected = jax.tree.leaves(jax.jit(theirs[place])(*theirs[2]))
            assert len(found) == len(expected)
            for x, y in zip(found, expected, strict=True):
                assert x.dtype == y.dtype and x.shape == y.shape
                np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=1e-9, atol=1e-9)


def text(*parts):
    return "\n".join(" ".join(map(repr, np.asarray(part, np.float64).reshape(-1).tolist())) for part in parts)


def test_the_formats_of_the_suite_are_read(tmp_path):
    mixture, x, gamma, m = instances.gmm(5, 2, 3)
    file = tmp_path / "gmm.txt"
    file.write_text(text([2, 3, 5], mixture.alphas, mixture.means, mixture.factors, x, [gamma, m]))
    for found, expected in zip(wax.tree.leaves(instances.read_gmm(file)), [*mixture, x, gamma, m], strict=True):
        np.testing.assert_array_equal(found, expected)
    file.write_text(text([2, 3, 5], mixture.alphas, mixture.means, mixture.factors, x[:1], [gamma, m]))
    np.testing.assert_array_equal(instances.read_gmm(file)[1], np.tile(x[:1], (5, 1)))

    parameters, state, sequence = instances.lstm(2, 5)
    file.write_text(text([2, 5, 14], *parameters, state, sequence))
    for found, expected in zip(wax.tree.leaves(instances.read_lstm(file)), [*parameters, state, sequence], strict=True):
        np.testing.assert_array_equal(found, expected)

    file.write_text(text([2, 3, 4], np.arange(11), [1, 2, 3], [0.5], [7, 8]))
    cameras, points, weights, features, of = instances.read_ba(file)
    assert cameras.shape == (2, 11) and cameras[1, 10] == 10
    assert points.shape == (3, 3) and weights.tolist() == [0.5] * 4 and features[3].tolist() == [7, 8]
    assert of.tolist() == [[0, 0], [1, 1], [0, 2], [1, 0]]


def test_a_hand_is_read(tmp_path):
    identity = ":".join(str(x) for x in np.eye(4).reshape(-1))
    (tmp_path / "bones.txt").write_text(f"wrist:-1:{identity}:{identity}\npalm:0:{identity}:{identity}\n")
    (tmp_path / "vertices.txt").write_text("1:2:3:0:0:0:0:0:2:0:0.25:1:0.75\n4:5:6:0:0:0:0:0:1:1:1\n")
    (tmp_path / "triangles.txt").write_text("0:1:1\n")
    (tmp_path / "input.txt").write_text("1 2\n0 7 8 9\n0.5 0.25\n1.5\n2.5\n")
    hand, theta, us, chosen, points = instances.read_hand(tmp_path, tmp_path / "input.txt", True)
    assert hand.parents == (-1, 0) and hand.weights.tolist() == [[0.25, 0.75], [0, 1]]
    assert hand.vertices.tolist() == [[1, 2, 3, 1], [4, 5, 6, 1]] and hand.triangles.tolist() == [[0, 1, 1]]
    assert theta.tolist() == [1.5, 2.5] and us.tolist() == [[0.5, 0.25]]
    assert chosen.tolist() == [0] and points.tolist() == [[7, 8, 9]]
