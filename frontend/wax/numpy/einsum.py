"""`einsum`: sums of products named by letters.

A specification is parsed into labelled operands; repeated letters within an operand become diagonals, letters
of one operand alone are summed there, and pairs are contracted in the order that `opt_einsum` finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opt_einsum

from wax.array import Array
from wax.dims import Size, same
from wax.eager import api
from wax.errors import EinsumError
from wax.numpy._basis import ArrayLike, cast, is_one, lift_all, shapes_text, squeezed
from wax.numpy._contraction import Label, contract, refuse_bool, transposed, without_repeats
from wax.numpy._reduction import summed

__all__ = ["einsum"]

#: What a symbolic size counts as where the order of contractions is chosen.
_TYPICAL_SIZE = 64


@api
def einsum(subscripts: str, /, *operands: ArrayLike) -> Array:
    """The sum of products that `subscripts` spell, as in NumPy: `"...ij,jk->...ik"`.

    Without `->`, the result has the letters that stand once, in alphabetical order. A letter that stands twice
    in an operand is its diagonal. Raises `EinsumError`, `PromotionError`.

    >>> wnp.einsum("ij,kj->ik", wnp.asarray([[1, 2]]), wnp.asarray([[3, 4], [5, 6]]))
    Array([[11, 17]], dtype=int32)
    """
    inputs, output = _parsed(subscripts, len(operands))
    values = lift_all("einsum", *operands)
    refuse_bool("einsum", values[0].dtype)
    labelled = [_labels(subscripts, text, x) for text, x in zip(inputs, values, strict=True)]
    dots: list[Label] = list(range(-max((sum(isinstance(n, int) for n in names) for names in labelled), default=0), 0))
    result = _result_labels(subscripts, labelled, output, dots)
    sizes = _sizes(subscripts, values, labelled)
    for label in result:
        if label not in sizes:
            raise EinsumError(f"einsum {subscripts!r}: {label} of the result stands in no operand")
    terms = [_simplified(x, names, sizes) for x, names in zip(values, labelled, strict=True)]
    return _contracted(terms, result, sizes)


def _parsed(subscripts: Any, count: int) -> tuple[list[str], str | None]:
    if not isinstance(subscripts, str):
        raise EinsumError(f"einsum takes a string first, not a {type(subscripts).__name__}")
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    inputs = left.split(",")
    for part in [*inputs, right]:
        letters = part.replace("...", "", 1)
        if letters and not (letters.isascii() and letters.isalpha()):
            raise EinsumError(f"einsum {subscripts!r}: {part!r} is more than letters and one '...'")
    if len(inputs) != count:
        raise EinsumError(f"einsum {subscripts!r} names {len(inputs)} operands, and {count} are given")
    if not count:
        raise EinsumError("einsum needs at least one operand")
    return inputs, right if arrow else None


def _labels(subscripts: str, text: str, x: Any) -> list[Label]:
    """A label per dim: letters, and negative numbers, counted from the back, for the dims of `...`."""
    before, dots, after = text.partition("...")
    extra = x.ndim - len(before) - len(after)
    if extra < 0 or (extra and not dots):
        raise EinsumError(f"einsum {subscripts!r}: {text!r} does not name the dims of {shapes_text([x])}")
    return [*before, *range(-extra, 0), *after]


def _result_labels(subscripts: str, labelled: list[list[Label]], output: str | None, dots: list[Label]) -> list[Label]:
    if output is None:
        letters = [label for names in labelled for label in names if isinstance(label, str)]
        return [*dots, *sorted(letter for letter in set(letters) if letters.count(letter) == 1)]
    before, found, after = output.partition("...")
    if dots and not found:
        raise EinsumError(f"einsum {subscripts!r}: the operands have dims for '...', and the result has none")
    result: list[Label] = [*before, *(dots if found else []), *after]
    if len(set(result)) != len(result):
        raise EinsumError(f"einsum {subscripts!r}: a letter stands twice in the result")
    return result


def _sizes(subscripts: str, values: Sequence[Any], labelled: list[list[Label]]) -> dict[Label, Size]:
    """The size of each label; a size of 1 gives way to another."""
    sizes: dict[Label, Size] = {}
    for x, names in zip(values, labelled, strict=True):
        for label, size in zip(names, x.shape, strict=True):
            known = sizes.setdefault(label, size)
            if is_one(known):
                sizes[label] = size
            elif not is_one(size) and not same(known, size):
                raise EinsumError(
                    f"einsum {subscripts!r} of {shapes_text(values)}: {label if isinstance(label, str) else '...'} "
                    f"is {known} and {size}"
                )
    return sizes


def _simplified(x: Any, names: list[Label], sizes: dict[Label, Size]) -> tuple[Any, list[Label]]:
    """An operand without dims that others stretch, and each label once."""
    stretched = [axis for axis, label in enumerate(names) if is_one(x.shape[axis]) and not is_one(sizes[label])]
    x = squeezed(x, stretched)
    names = [label for axis, label in enumerate(names) if axis not in stretched]
    return without_repeats(x, names)


def _contracted(terms: list[tuple[Any, list[Label]]], result: list[Label], sizes: dict[Label, Size]) -> Any:
    for pair in _order(terms, result, sizes):
        chosen = [terms[number] for number in pair]
        terms = [term for number, term in enumerate(terms) if number not in pair]
        needed = {*result, *(label for _, names in terms for label in names)}
        (a, a_names), *rest = [_without(x, names, needed, chosen) for x, names in chosen]
        if not rest:
            terms.append((a, a_names))
            continue
        ((b, b_names),) = rest
        both = list(dict.fromkeys((*a_names, *b_names)))
        kept = [label for label in (result if not terms else both) if label in needed and label in both]
        terms.append((contract(a, a_names, b, b_names, kept), kept))
    ((value, names),) = terms
    return transposed(value, names, result)


def _without(
    x: Any, names: list[Label], needed: set[Label], chosen: list[tuple[Any, list[Label]]]
) -> tuple[Any, list[Label]]:
    """An operand summed over the labels that nothing else has."""
    others = {label for y, labels in chosen if y is not x or labels is not names for label in labels}
    lonely = [axis for axis, label in enumerate(names) if label not in needed and label not in others]
    if not lonely:
        return x, names
    return cast(summed(x, lonely), x.dtype), [label for axis, label in enumerate(names) if axis not in lonely]


def _order(
    terms: list[tuple[Any, list[Label]]], result: list[Label], sizes: dict[Label, Size]
) -> list[tuple[int, ...]]:
    """Which terms to contract, one after another; a new term goes to the end."""
    if len(terms) <= 2:
        return [tuple(range(len(terms)))]
    symbols = {label: opt_einsum.get_symbol(number) for number, label in enumerate(sizes)}
    spelled = ",".join("".join(symbols[label] for label in names) for _, names in terms)
    shapes = [
        tuple(size if isinstance(size, int) else _TYPICAL_SIZE for size in (sizes[label] for label in names))
        for _, names in terms
    ]
    equation = f"{spelled}->{''.join(symbols[label] for label in result)}"
    path, _ = opt_einsum.contract_path(equation, *shapes, shapes=True, optimize="auto")
    pairs: list[tuple[int, ...]] = []
    for step in path:
        pairs.extend(_in_pairs(step, len(terms) - sum(len(pair) - 1 for pair in pairs)))
    return pairs


def _in_pairs(step: tuple[int, ...], count: int) -> list[tuple[int, ...]]:
    """A step of several terms as pairs: the product of the first two goes to the end, and on with the next."""
    if len(step) <= 2:
        return [step]
    left = sorted(step)
    pairs = [(left[0], left[1])]
    for taken, number in enumerate(left[2:], 1):
        # Of the terms before `number`, all `taken + 1` earlier ones of the step are gone.
        pairs.append((number - taken - 1, count - taken - 1))
    return pairs
