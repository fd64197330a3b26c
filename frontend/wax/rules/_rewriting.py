"""Programs rewritten by rules: greedily, rule by rule, in the order of the program, until none applies."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wax._canonical import CANONICAL, canonical
from wax._tracing import TracedFunction
from wax.abstract import Abstract, ShapeDtypeStruct
from wax.dims import Dim, Size, same
from wax.errors import InvalidArgumentError, RuleError
from wax.rules._graph import Graph
from wax.rules._matching import Found, match_loosely, match_strictly
from wax.rules._rule import REFUSALS, Rule
from wax.rules._sides import Side, sizes_of
from wax_runtime.snapshot import Location

__all__ = ["Place", "Rewrite", "check_rules", "dim_for", "places_of", "rewrite"]

_log = logging.getLogger("wax.rules")
#: Turns after which rules that still apply are taken to go round in circles.
MAX_TURNS = 64


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rule that was applied, and the user's line that it was applied to."""

    rule: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a rule applies: the value that is replaced, by what function, of which values."""

    rule: Rule
    root: int
    operations: frozenset[int]
    replacement: Side
    operands: tuple[int, ...]
    #: What the replacement's dims are in the program.
    sizes: Mapping[str, Size]
    location: Location | None


def rewrite(function: TracedFunction, rules: Sequence[Rule]) -> TracedFunction:
    """The function with all rules applied; itself, where none is. Raises `RuleError` for a rule that is wrong."""
    check_rules(rules)
    module = canonical(function.function)
    applied: list[Rewrite] = []
    for turn in range(MAX_TURNS + 1):
        snapshot = module.snapshot()
        program = Graph(snapshot.functions[snapshot.entry], sizes_of(module, function))
        places = places_of(program, rules)
        if not places:
            break
        if turn == MAX_TURNS:
            names = ", ".join(sorted({place.rule.name for place in places}))
            _log.warning("%r: rules apply after %d turns still, and are left: %s", function.name, turn, names)
            break
        module.replace([(place.root, place.replacement.module.entry(), place.operands) for place in places])
        module.run(CANONICAL)
        applied += [Rewrite(place.rule.name, place.location) for place in places]
    if not applied:
        return function
    for one in applied:
        _log.info("%r: rule %r applied at %s", function.name, one.rule, one.location)
    return replace(function, function=module.entry(), rewrites=(*function.rewrites, *applied))


def check_rules(rules: Sequence[object]) -> None:
    """Raises `InvalidArgumentError` for what is no rule."""
    for one in rules:
        if not isinstance(one, Rule):
            raise InvalidArgumentError(f"rules are made by wax.rules.rule; {one!r} is none")


def places_of(program: Graph, rules: Sequence[Rule], *, overlapping: bool = False) -> list[Place]:
    """Where rules apply, no two of them to one operation, unless they may be `overlapping`."""
    types = program.function.types
    elements = frozenset(type_.element for type_ in types)
    most_dims = max((len(type_.shape) for type_ in types), default=0)
    sketches: dict[tuple[str, str, int], list[tuple[Rule, Side]]] = {}
    for one in rules:
        for sketch in one.sketches(elements, most_dims):
            root = sketch.graph.function.results[0]
            made = sketch.graph.function.types[root]
            name = sketch.graph.operations[sketch.graph.makers[root][0]].name
            sketches.setdefault((name, made.element, len(made.shape)), []).append((one, sketch))
    taken: set[int] = set()
    places = []
    for number, operation in enumerate(program.operations):
        for value in operation.results:
            key = (operation.name, types[value].element, len(types[value].shape))
            for place in _at(program, value, number, sketches.get(key, ()), taken):
                places.append(place)
                if not overlapping:
                    taken |= place.operations
                    break
    return places


def _at(
    program: Graph, root: int, number: int, sketches: Sequence[tuple[Rule, Side]], taken: set[int]
) -> Iterator[Place]:
    for one, sketch in sketches:
        for loose in match_loosely(sketch.graph, program, root):
            place = _place(one, sketch, program, root, loose)
            if place is not None and not place.operations & taken:
                yield place


def _place(one: Rule, sketch: Side, program: Graph, root: int, loose: Found) -> Place | None:
    operations = _inside(program, root, loose)
    if operations is None:
        return None
    values = [loose.values[argument] for argument in sketch.graph.function.arguments]
    shapes = [program.sizes[value] for value in values]
    seen = [
        tuple([shape[axis] for axis in loose.transposed.get(i, range(len(shape)))]) for i, shape in enumerate(shapes)
    ]
    kinds = [argument.dtype for argument in sketch.traced.arguments]
    if not _takes(one, seen) or not _wanted(one, seen, kinds):
        return None
    sizes: dict[str, Size] = {}
    arguments = []
    for shape, kind in zip(shapes, kinds, strict=True):
        dims = [dim_for(size, sizes) for size in shape]
        if any(dim is None for dim in dims):
            return None
        arguments.append(Abstract(tuple(dim for dim in dims if dim is not None), kind))
    try:
        pattern = one.trace_pattern(arguments, loose.transposed)
        if match_strictly(pattern.graph, program, root, dict(enumerate(values)), sizes) is None:
            return None
        static = [tuple([size for size in shape if isinstance(size, int)]) for shape in seen]
        one.check(*static if not sizes else ())
        replacement = one.trace_replacement(arguments, loose.transposed, pattern)
    except RuleError:
        raise
    except REFUSALS as error:
        _log.debug("rule %r does not take %s: %s", one.name, arguments, error)
        return None
    location = program.operations[program.makers[root][0]].location
    return Place(one, root, operations, replacement, tuple(values), sizes, location)


def _inside(program: Graph, root: int, found: Found) -> frozenset[int] | None:
    """The operations that are replaced: of one block, and read by nobody else, or the rewritten program would compute
    more than the one before.
    """
    operations = {o for o in found.operations(program) if not program.is_free(o)}
    if len({program.blocks[o] for o in operations}) != 1:
        return None
    for operation in operations:
        for value in program.operations[operation].results:
            if value != root and not program.readers.get(value, set()) <= operations:
                return None
    return frozenset(operations)


def _takes(one: Rule, shapes: Sequence[tuple[Size | None, ...]]) -> bool:
    """Whether the sizes are as the parameters have them."""
    named: dict[str, Size] = {}
    for parameter, shape in zip(one.parameters, shapes, strict=True):
        for entry, size in zip(parameter.sizes(len(shape)), shape, strict=True):
            if size is None:
                return False
            wanted = entry if isinstance(entry, int) else None
            if isinstance(entry, str) and entry != "_" and not entry.startswith("*"):
                wanted = named.setdefault(entry, size)
            if wanted is not None and not same(wanted, size):
                return False
    return True


def _wanted(one: Rule, shapes: Sequence[tuple[Size | None, ...]], kinds: Sequence[object]) -> bool:
    if one.when is None:
        return True
    structs = [
        ShapeDtypeStruct([size for size in shape if size is not None], kind)
        for shape, kind in zip(shapes, kinds, strict=True)
    ]
    try:
        return bool(one.when(*structs))
    except REFUSALS:  # of other ranks, or what open sizes do not tell
        return False


def dim_for(size: Size | None, sizes: dict[str, Size]) -> Size | None:
    """A dim that stands for a size while the rule is traced, the same for equal sizes; `None` where nothing is known
    of it, or not that it is 2 at least, as traced functions take sizes to be.
    """
    if size is None or isinstance(size, int):
        return size
    low, high = size.bounds()
    if low is None or low < 2:
        return None
    name = next((known for known, other in sizes.items() if same(other, size)), f"n{len(sizes)}")
    sizes[name] = size
    return Dim(name, min=low, max=high)
