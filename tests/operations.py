"""The operations of the dialect as its TableGen files declare them.

For the tests that hold for every operation, and for docs/reference. Nothing is repeated here that a
.td file says: this reads them.
"""

import functools
import json
import re
import subprocess
from dataclasses import dataclass

import mlir_tools

#: A constraint's label, as in the description of an operation: `(slice_c1)`.
LABEL = re.compile(r"\((\w+_c\d+)\)")


@dataclass(frozen=True)
class Operation:
    """What ODS declares of one operation."""

    name: str  # "wax.slice"
    cpp_class: str  # "SliceOp"
    family: str  # the .td file it stands in: "StructuralOps"
    bases: tuple[str, ...]
    traits: tuple[str, ...]
    labels: tuple[str, ...]
    folds: bool
    canonicalizes: bool

    @property
    def is_basis(self) -> bool:
        """Whether it is of the basis; `wax.yield`, for one, is not."""
        return "Wax_Basis" in self.traits

    @property
    def infers(self) -> bool:
        """Whether its result types follow from its operands."""
        return "Wax_InferredOp" in self.bases


def declared() -> tuple[Operation, ...]:
    """Every operation that programs are made of, by name: the basis, and those that passes remove."""
    return _declared("WaxOps.td")


def recognized() -> tuple[Operation, ...]:
    """The operations that only `wax-raise` introduces, by name."""
    return _declared("RecognizedOps.td")


@functools.cache
def _declared(file: str) -> tuple[Operation, ...]:
    source = mlir_tools.ROOT / "dialect" / "include"
    command = [
        str(mlir_tools.llvm_tool("llvm-tblgen")),
        "-dump-json",
        f"-I{source}",
        f"-I{mlir_tools.llvm_prefix() / 'include'}",
        str(source / "wax" / "Dialect" / file),
    ]
    records = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    found = []
    for key in records["!instanceof"]["Op"]:
        record = records[key]
        if (record.get("opDialect") or {}).get("def") != "Wax_Dialect":
            continue
        # The last location is where the definition itself stands: "StructuralOps.td:79".
        family = record["!locs"][-1].split(".td:")[0].rsplit("/", 1)[-1]
        found.append(
            Operation(
                name=f"wax.{record['opName']}",
                cpp_class=key.removeprefix("Wax_"),
                family=family,
                bases=tuple(record["!superclasses"]),
                traits=tuple(one["def"] for one in record["traits"]),
                labels=tuple(dict.fromkeys(LABEL.findall(record["description"] or ""))),
                folds=bool(record["hasFolder"]),
                canonicalizes=bool(record["hasCanonicalizer"] or record["hasCanonicalizeMethod"]),
            )
        )
    return tuple(sorted(found, key=lambda one: one.name))
