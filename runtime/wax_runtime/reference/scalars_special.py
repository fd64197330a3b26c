"""The special functions of the dialect as scalar operations, on whole arrays."""

from __future__ import annotations

from typing import Any

from wax_runtime.reference.incomplete_gamma import igamma, igammac
from wax_runtime.reference.scalars import ScalarFunction, ScalarRule, widened
from wax_runtime.reference.special_functions import erf_inv, erfc_inv, i0e, i1e, lgamma, polygamma
from wax_runtime.snapshot import Apply

__all__ = ["RULES"]


def _polygamma(apply: Apply) -> ScalarFunction:
    order: Any = apply.attributes["order"]
    return widened(polygamma(order))(apply)


#: What special functions mean, by name of operation.
RULES: dict[str, ScalarRule] = {
    "wax.lgamma": widened(lgamma),
    "wax.polygamma": _polygamma,
    "wax.erf_inv": widened(erf_inv),
    "wax.erfc_inv": widened(erfc_inv),
    "wax.igamma": widened(igamma),
    "wax.igammac": widened(igammac),
    "wax.i0e": widened(i0e),
    "wax.i1e": widened(i1e),
}
