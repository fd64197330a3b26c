"""The functions of `wax.numpy` and `wax.nn` as one list of cases, grouped into families.

Each family is one compiled module in the compiled suite, so it holds many cases.
"""

from array_cases.activations import FAMILIES as _activations
from array_cases.case import Case, check
from array_cases.decoders import FAMILIES as _decoders
from array_cases.elementwise import FAMILIES as _elementwise
from array_cases.keys import FAMILIES as _keys
from array_cases.lines import FAMILIES as _lines
from array_cases.losses import FAMILIES as _losses
from array_cases.matrices import FAMILIES as _matrices
from array_cases.networks import FAMILIES as _networks
from array_cases.ordering import FAMILIES as _ordering
from array_cases.products import FAMILIES as _products
from array_cases.reductions import FAMILIES as _reductions
from array_cases.selections import FAMILIES as _selections
from array_cases.spatial import FAMILIES as _spatial
from array_cases.structure import FAMILIES as _structure
from array_cases.transforms import FAMILIES as _transforms
from array_cases.updates import FAMILIES as _updates

__all__ = ["FAMILIES", "Case", "check"]

FAMILIES: dict[str, list[Case]] = {
    **_elementwise,
    **_reductions,
    **_structure,
    **_updates,
    **_products,
    **_networks,
    **_activations,
    **_losses,
    **_decoders,
    **_spatial,
    **_transforms,
    **_ordering,
    **_selections,
    **_matrices,
    **_lines,
    **_keys,
}
