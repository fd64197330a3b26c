"""Rules of one's own: `custom_vjp`, `custom_jvp`, and `stop_gradient`, whose derivative is none.

A call of such a function is a call of its finished function, to which the rule is attached: what differentiates a
program that holds the call uses the rule, and everything else sees the function. The parts of the rule are functions
of all operands of the call, what they capture among them.
"""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

from wax import _native, _source, primitives, tree
from wax._trace import current, is_tracing
from wax._tracing import TracedFunction, traced_like
from wax.abstract import Abstract
from wax.dims import format_shape
from wax.errors import CustomRuleError, WaxError
from wax.transform._primal import Spec, is_inexact, run

__all__ = ["custom_jvp", "custom_vjp", "stop_gradient"]


def stop_gradient(x: Any) -> Any:
    """The same values, of which there is no derivative; pytrees too.

    >>> wax.grad(lambda x: x * wax.stop_gradient(x))(wnp.asarray(3.0))
    Array(3., dtype=float32)
    """
    if not is_tracing():
        return x
    trace = current()
    leaves, structure = tree.flatten(x)
    return tree.unflatten(structure, [_stopped(trace.lift(leaf)) for leaf in leaves])


def _stopped(x: Any) -> Any:
    if not is_inexact(x.dtype):
        return x
    x = primitives.strengthen(x)
    traced = traced_like(lambda values: values[0], "stop_gradient", [x])
    return primitives.call(_with_rule(traced, "zero"), [x])[0]


def _with_rule(
    traced: TracedFunction, kind: Any, forward: TracedFunction | None = None, *others: TracedFunction | None
) -> TracedFunction:
    """The function with a rule, whose parts may be given later by `_set_rule`."""
    made = dataclasses.replace(traced, function=_native.with_rule(traced.function, kind))
    if forward is not None:
        _set_rule(made, forward, *others)
    return made


def _set_rule(traced: TracedFunction, forward: TracedFunction, *others: TracedFunction | None) -> None:
    _native.set_rule(traced.function, forward.function, *(other and other.function for other in others))


def _specs(traced: TracedFunction) -> list[Spec]:
    return [Spec(shape, dtype) for shape, dtype in traced.results]


class _Closed:
    """Functions that capture values, as functions that take them: those of all, after their own operands."""

    def __init__(self) -> None:
        self.captured: list[Any] = []

    def add(self, traced: TracedFunction) -> TracedFunction:
        for value in traced.captured:
            if not any(value is known for known in self.captured):
                self.captured.append(value)
        return traced

    def values(self) -> list[Any]:
        trace = current()
        return [trace.lift(value) for value in self.captured]

    def close(
        self, traced: TracedFunction, own: Sequence[Any], extra: Sequence[Any], places: Sequence[int]
    ) -> TracedFunction:
        """The function of `own` and `extra` operands; `places` are those, among both, of its first operands."""
        operands = [*own, *extra]
        offset = len(operands) - len(self.captured)

        def body(values: Sequence[Any]) -> Any:
            hidden = [
                values[offset + next(i for i, known in enumerate(self.captured) if known is value)]
                for value in traced.captured
            ]
            return tree.unflatten(traced.out_tree, primitives.call(traced, [*(values[i] for i in places), *hidden]))

        return traced_like(body, traced.name, operands, traced.location)


class _Open(threading.local):
    """Calls whose rules are being traced, by function and abstract arguments: the functions that will have them."""

    def __init__(self) -> None:
        self.calls: dict[Any, TracedFunction] = {}


_open = _Open()


def _captured(traced: TracedFunction) -> list[Any]:
    trace = current()
    return [trace.lift(value) for value in traced.captured]


class _Custom:
    """What both kinds of functions share: static arguments, and calls outside of any trace."""

    def __init__(self, function: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._name = _source.name_of(function)
        self._static = frozenset((nondiff_argnums,) if isinstance(nondiff_argnums, int) else nondiff_argnums)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            self._check()
            args = self._positional(args, kwargs)
            static = [x for i, x in enumerate(args) if i in self._static]
            given = [x for i, x in enumerate(args) if i not in self._static]
            leaves, in_tree = tree.flatten(tuple(given))
            seen: list[tree.Structure] = []

            def body(tracers: Sequence[Any]) -> list[Any]:
                values = [primitives.strengthen(x) for x in tracers]
                key = (self, *map(id, static), in_tree, *(Abstract(x.shape, x.dtype).key() for x in values))
                open_calls = _open.calls
                if key in open_calls:  # the rule calls the function that it is the rule of
                    traced = open_calls[key]
                    out_tree, results = traced.out_tree, primitives.call(traced, [*values, *_captured(traced)])
                else:
                    try:
                        out_tree, results = self._call(static, in_tree, values, key)
                    finally:
                        open_calls.pop(key, None)
                seen.append(out_tree)
                return list(results)

            results = run(body, leaves)
            return tree.unflatten(seen[0], results)
        except WaxError as error:
            _source.strip_traceback(error)
            raise

    def _positional(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if not kwargs:
            return args
        import inspect

        bound = inspect.signature(self._function).bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.kwargs:
            raise CustomRuleError(f"{self._name} takes keyword-only arguments, which its rule cannot be given")
        return bound.args

    def _merge(self, static: Sequence[Any], given: Sequence[Any]) -> list[Any]:
        statics, rest = iter(static), iter(given)
        return [next(statics) if i in self._static else next(rest) for i in range(len(static) + len(given))]

    def _check(self) -> None:
        raise NotImplementedError

    def _call(
        self, static: Sequence[Any], in_tree: tree.Structure, values: Sequence[Any], key: Any
    ) -> tuple[tree.Structure, Sequence[Any]]:
        raise NotImplementedError

    def _primal(self, static: Sequence[Any], in_tree: tree.Structure, values: Sequence[Any]) -> TracedFunction:
        return traced_like(
            lambda inner: self._function(*self._merge(static, tree.unflatten(in_tree, inner))),
            self._name,
            values,
            _source.definition(self._function),
        )

    def _same_results(self, rule: str, primal: TracedFunction, found: tree.Structure, results: Sequence[Any]) -> None:
        """Raises `CustomRuleError` unless a rule gives what the function gives."""
        if found != primal.out_tree:
            raise CustomRuleError(
                f"{self._name}: {rule} gives results of the structure {found}, and the function {primal.out_tree}"
            )
        _same_specs(f"{self._name}: a result of {rule}", results, primal.results, "the function's is")

    def _derivative(self, what: str, given: Any, like: Any, whose: str) -> Any:
        """A tangent or a cotangent as a rule gives it: `None` is zero, and a weak number takes its value's dtype."""
        from wax.numpy._basis import cast

        if given is None:
            return _zeros(like)
        leaf = current().lift(given)
        leaf = cast(leaf, like.dtype) if leaf.weak else leaf
        _same_specs(f"{self._name}: {what}", [(leaf.shape, leaf.dtype)], [(like.shape, like.dtype)], f"its {whose} is")
        return leaf

    def _pushed(
        self,
        rule: Callable[..., Any],
        static: Sequence[Any],
        in_tree: tree.Structure,
        values: Sequence[Any],
        primal: TracedFunction,
    ) -> TracedFunction:
        """A rule for forward mode: of the values, and the tangents of those that have any."""
        tangents = [x for x in values if is_inexact(x.dtype)]

        def pushed(inner: Sequence[Any]) -> Any:
            own, rest = inner[: len(values)], iter(inner[len(values) :])
            moved = tree.unflatten(in_tree, [next(rest) if is_inexact(x.dtype) else None for x in values])
            made = rule(*static, tree.unflatten(in_tree, own), moved)
            if not isinstance(made, tuple) or len(made) != 2:
                raise CustomRuleError(f"{self._name}: the rule returns a pair, (result, tangent)")
            return self._checked(primal, made)

        return traced_like(pushed, f"{self._name}_jvp", [*values, *tangents], _source.definition(rule))

    def _checked(self, primal: TracedFunction, made: tuple[Any, Any]) -> list[Any]:
        """The results and the tangents of those that have any, as the rule gives them."""
        trace = current()
        leaves, out_tree = tree.flatten(made[0])
        results = [trace.lift(leaf, strong=True) for leaf in leaves]
        self._same_results("the rule", primal, out_tree, [(x.shape, x.dtype) for x in results])
        try:
            tangents = out_tree.flatten_up_to(made[1])
        except ValueError as error:
            raise CustomRuleError(
                f"{self._name}: the rule's tangent has another structure than the result: {error}"
            ) from None
        moved = [
            self._derivative("a tangent that the rule gives", tangent, result, "result")
            for result, tangent in zip(results, tangents, strict=True)
            if is_inexact(result.dtype)
        ]
        return [*results, *moved]


def _same_specs(what: str, found: Sequence[Any], wanted: Sequence[Any], whose: str) -> None:
    for (shape, dtype), (like_shape, like_dtype) in zip(found, wanted, strict=True):
        if tuple(shape) != tuple(like_shape) or dtype != like_dtype:
            raise CustomRuleError(
                f"{what} is {dtype.name}{format_shape(shape)}, and {whose} {like_dtype.name}{format_shape(like_shape)}"
            )


def _pushed_of_all(
    rule: TracedFunction, closed: _Closed, values: Sequence[Any], hidden: Sequence[Any]
) -> TracedFunction:
    """A rule for forward mode, which takes what is captured too, and its tangents, which it does not read."""
    count = len(values)
    tangents, moved = ([x for x in some if is_inexact(x.dtype)] for some in (values, hidden))

    def rule_of_all(inner: Sequence[Any]) -> list[Any]:
        captured = inner[count : count + len(hidden)]
        mine = [
            captured[next(i for i, known in enumerate(closed.captured) if known is value)] for value in rule.captured
        ]
        start = count + len(hidden)
        return list(primitives.call(rule, [*inner[:count], *inner[start : start + len(tangents)], *mine]))

    return traced_like(rule_of_all, rule.name, [*values, *hidden, *tangents, *moved], rule.location)


class custom_vjp(_Custom):  # a decorator
    """A function with a rule for reverse mode, given by `defvjp(forward, backward)`; also a decorator.

    `forward` takes the function's arguments and returns `(result, residuals)`; `backward` takes the residuals and the
    result's cotangent, and returns a tuple of the arguments' cotangents (`None` for zero). Arguments at
    `nondiff_argnums` are static, and are given to `backward` first. Forward mode refuses such functions, unless
    `defjvp` gives them a rule for it too, as of a `custom_jvp`. Raises `CustomRuleError`.

    >>> @wax.custom_vjp
    ... def clipped(x):
    ...     return x
    >>> clipped.defvjp(lambda x: (x, None), lambda _, ct: (wnp.clip(ct, -1.0, 1.0),))
    """

    _forward: Callable[..., Any] | None = None
    _backward: Callable[..., Any] | None = None
    _rule: Callable[..., Any] | None = None

    def defvjp(self, forward: Callable[..., Any], backward: Callable[..., Any]) -> None:
        """Gives the rule."""
        self._forward, self._backward = forward, backward

    def defjvp(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Gives a rule for forward mode besides, as `custom_jvp.defjvp` does; also a decorator."""
        self._rule = rule
        return rule

    def _check(self) -> None:
        if self._forward is None or self._backward is None:
            raise CustomRuleError(f"{self._name} is called before its rule is given; call {self._name}.defvjp first")

    def _call(self, static: Sequence[Any], in_tree: tree.Structure, values: Sequence[Any], key: Any) -> Any:
        forward, backward = self._forward, self._backward
        assert forward is not None and backward is not None
        closed = _Closed()
        primal = closed.add(self._primal(static, in_tree, values))
        _open.calls[key] = own = _with_rule(primal, "reverse")

        def pair(inner: Sequence[Any]) -> tuple[Any, Any]:
            made = forward(*self._merge(static, tree.unflatten(in_tree, inner)))
            if not isinstance(made, tuple) or len(made) != 2:
                raise CustomRuleError(f"{self._name}: the forward rule returns a pair, (result, residuals)")
            return made

        first = closed.add(traced_like(pair, f"{self._name}_forward", values, _source.definition(forward)))
        out_tree, residual_tree = first.out_tree.children()
        count = out_tree.num_leaves
        self._same_results("the forward rule", primal, out_tree, first.results[:count])
        outs, residuals = _specs(first)[:count], _specs(first)[count:]
        cotangents = [x for x in outs if is_inexact(x.dtype)]
        wanted = [(i, x) for i, x in enumerate(values) if is_inexact(x.dtype)]

        def pulled(inner: Sequence[Any]) -> list[Any]:
            kept, rest = inner[: len(residuals)], iter(inner[len(residuals) :])
            given = tree.unflatten(out_tree, [next(rest) if is_inexact(x.dtype) else None for x in outs])
            made = backward(*static, tree.unflatten(residual_tree, kept), given)
            return self._cotangents(in_tree, made, values, wanted)

        second = closed.add(
            traced_like(pulled, f"{self._name}_backward", [*residuals, *cotangents], _source.definition(backward))
        )
        third = None if self._rule is None else closed.add(self._pushed(self._rule, static, in_tree, values, primal))
        hidden = closed.values()
        everything = [*values, *hidden]
        places = range(len(values))
        # Captured values have cotangents by the rule too: none.
        backward_places = range(len(residuals) + len(cotangents))
        extra = [x for x in hidden if is_inexact(x.dtype)]

        def backward_of_all(inner: Sequence[Any]) -> list[Any]:
            from wax.numpy import zeros_like

            offset = len(residuals) + len(cotangents) + len(values)
            captured = inner[offset:]
            mine = [
                captured[next(i for i, known in enumerate(closed.captured) if known is value)]
                for value in second.captured
            ]
            made = primitives.call(second, [*(inner[i] for i in backward_places), *mine])
            return [*made, *(zeros_like(x) for x in extra)]

        rule = traced_like(
            backward_of_all, second.name, [*residuals, *cotangents, *everything], _source.definition(backward)
        )
        jvp = None if third is None else _pushed_of_all(third, closed, values, hidden)
        if not hidden:
            _set_rule(own, first, rule, jvp)
            return primal.out_tree, primitives.call(own, values)
        function = _with_rule(
            closed.close(primal, values, hidden, places),
            "reverse",
            closed.close(first, values, hidden, places),
            rule,
            jvp,
        )
        return primal.out_tree, primitives.call(function, everything)

    def _cotangents(
        self, in_tree: tree.Structure, made: Any, values: Sequence[Any], wanted: Sequence[tuple[int, Any]]
    ) -> list[Any]:
        try:
            cotangents: Any = tuple(made)
            leaves = in_tree.flatten_up_to(cotangents)
        except (ValueError, TypeError) as error:
            raise CustomRuleError(
                f"{self._name}: the backward rule returns a tuple with a cotangent for each argument: {error}"
            ) from None
        return [
            self._derivative("a cotangent that the backward rule gives", leaves[i], x, "argument") for i, x in wanted
        ]


def _zeros(like: Any) -> Any:
    from wax.numpy import zeros

    return zeros(like.shape, dtype=like.dtype)


class custom_jvp(_Custom):  # a decorator
    """A function with a rule for forward mode, given by `defjvp(rule)`; also a decorator.

    `rule` takes the arguments and their tangents, two tuples, and returns `(result, tangent)`. The tangent is linear
    in the tangents: reverse mode transposes it. Arguments at `nondiff_argnums` are static, and are given first.
    Raises `CustomRuleError`.

    >>> @wax.custom_jvp
    ... def softplus(x):
    ...     return wnp.log1p(wnp.exp(x))
    >>> @softplus.defjvp
    ... def softplus_rule(primals, tangents):
    ...     return softplus(*primals), tangents[0] * wax.special.expit(*primals)
    >>> wax.grad(softplus)(wnp.asarray(0.0))
    Array(0.5, dtype=float32)
    """

    _rule: Callable[..., Any] | None = None

    def defjvp(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Gives the rule; also a decorator."""
        self._rule = rule
        return rule

    def defjvps(self, *rules: Callable[..., Any] | None) -> None:
        """Gives a rule for each argument: `rule(tangent, result, *arguments)`; `None` for a zero derivative."""

        def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
            result = self(*primals)
            terms = [
                of(tangent, result, *primals)
                for of, tangent in zip(rules, tangents, strict=True)
                if of is not None and tangent is not None
            ]
            if not terms:
                return result, _zeros(result)
            return result, functools.reduce(lambda x, y: x + y, terms)

        self._rule = rule

    def _check(self) -> None:
        if self._rule is None:
            raise CustomRuleError(f"{self._name} is called before its rule is given; call {self._name}.defjvp first")

    def _call(self, static: Sequence[Any], in_tree: tree.Structure, values: Sequence[Any], key: Any) -> Any:
        given_rule = self._rule
        assert given_rule is not None
        closed = _Closed()
        primal = closed.add(self._primal(static, in_tree, values))
        _open.calls[key] = own = _with_rule(primal, "forward")
        rule = closed.add(self._pushed(given_rule, static, in_tree, values, primal))
        hidden = closed.values()
        everything = [*values, *hidden]
        forward = _pushed_of_all(rule, closed, values, hidden)
        if not hidden:
            _set_rule(own, forward)
            return primal.out_tree, primitives.call(own, values)
        function = _with_rule(closed.close(primal, values, hidden, range(len(values))), "forward", forward)
        return primal.out_tree, primitives.call(function, everything)
