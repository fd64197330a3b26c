"""One label leads through the whole life of a constraint: the ODS text, the check, the negative test."""

import re

import mlir_tools
import operations
import pytest

CHECK = re.compile(r"\b([a-z_]+_c\d+)\b")
BASIS = [one for one in operations.declared() if one.is_basis]
LABELLED = [*BASIS, *operations.recognized()]
#: The constraints of all recognised operations, which their interface states.
SHARED = mlir_tools.ROOT / "dialect/include/wax/Dialect/WaxInterfaces.td"


def labels_in(folder: str, *patterns: str) -> dict[str, str]:
    """Each label that occurs in the files, with one of the files."""
    found = {}
    for pattern in patterns:
        for path in sorted((mlir_tools.ROOT / folder).rglob(pattern)):
            for label in CHECK.findall(path.read_text()):
                found[label] = path.name
    return found


CHECKED = labels_in("dialect/lib", "*.cpp", "*.h")
TESTED = labels_in("tests/dialect", "*.mlir")


@pytest.mark.parametrize("operation", LABELLED, ids=lambda one: one.name)
def test_labels_are_the_operations_name_and_count_from_one(operation: operations.Operation) -> None:
    stem = operation.name.removeprefix("wax.")
    assert operation.labels == tuple(f"{stem}_c{n + 1}" for n in range(len(operation.labels)))


@pytest.mark.parametrize("operation", LABELLED, ids=lambda one: one.name)
def test_every_constraint_is_checked_in_the_library(operation: operations.Operation) -> None:
    assert [one for one in operation.labels if one not in CHECKED] == []


@pytest.mark.parametrize("operation", LABELLED, ids=lambda one: one.name)
def test_every_constraint_has_a_negative_test(operation: operations.Operation) -> None:
    assert [one for one in operation.labels if one not in TESTED] == []


def test_every_checked_label_of_an_operation_is_documented() -> None:
    stems = {one.name.removeprefix("wax.") for one in LABELLED}
    documented = {label for one in LABELLED for label in one.labels}
    undocumented = {
        label: file for label, file in CHECKED.items() if label.rsplit("_c", 1)[0] in stems and label not in documented
    }
    assert undocumented == {}


@pytest.mark.parametrize("operation", LABELLED, ids=lambda one: one.name)
def test_every_operation_has_a_lit_test_of_its_own(operation: operations.Operation) -> None:
    stem = operation.name.removeprefix("wax.")
    for name in (f"{stem}.mlir", f"{stem}_invalid.mlir"):
        assert (mlir_tools.ROOT / "tests" / "dialect" / name).exists(), name


def test_what_recognised_operations_share_is_checked_and_tested() -> None:
    shared = set(operations.LABEL.findall(SHARED.read_text()))
    assert shared and shared <= CHECKED.keys() & TESTED.keys()
