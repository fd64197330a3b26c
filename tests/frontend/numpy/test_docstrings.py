"""The examples of every public docstring run, and print what they say."""

import doctest

import numpy as np
import pytest

import wax
import wax.control_flow
import wax.nn
import wax.numpy as wnp
import wax.transform

NAMESPACES = {
    "numpy": wnp,
    "numpy.fft": wnp.fft,
    "numpy.linalg": wnp.linalg,
    "nn": wax.nn,
    "nn.initializers": wax.nn.initializers,
    "random": wax.random,
    "special": wax.special,
    "kernel": wax.kernel,
    "control_flow": wax.control_flow,
    "transform": wax.transform,
}
PUBLIC = [
    (module, name)
    for module, namespace in NAMESPACES.items()
    for name in namespace.__all__
    if callable(getattr(namespace, name)) and not isinstance(getattr(namespace, name), type)
]


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_the_example_of_a_public_function_runs(module, name):
    function = getattr(NAMESPACES[module], name)
    finder = doctest.DocTestFinder(recurse=False)
    (example,) = finder.find(function, name, module=False, globs={"wax": wax, "wnp": wnp, "np": np})
    assert example.examples, f"{name} has no example"
    report = []
    doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_a_public_function_says_in_one_line_what_it_does(module, name):
    first, *rest = (getattr(NAMESPACES[module], name).__doc__ or "").strip().splitlines()
    assert first.endswith((".", ":"))
    assert not rest or not rest[0].strip()
