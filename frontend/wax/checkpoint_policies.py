"""What a checkpoint keeps for its derivative: the `policy=` of `wax.checkpoint`, by JAX's names.

A policy is a list of rules of the dialect (`wax.checkpoint` in docs/reference/checkpoints.md); what one of them keeps
is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from wax.errors import InvalidArgumentError

__all__ = [
    "Policy",
    "checkpoint_dots",
    "checkpoint_dots_with_no_batch_dims",
    "dots_saveable",
    "dots_with_no_batch_dims_saveable",
    "everything_saveable",
    "nothing_saveable",
    "save_any_names_but_these",
    "save_anything_except_these_names",
    "save_from_both_policies",
    "save_only_these_names",
]


@dataclass(frozen=True, slots=True)
class Policy:
    """What is kept: what one of the rules says, each its name and what it is given."""

    rules: tuple[tuple[str, ...], ...]


#: Every value, as without a checkpoint.
everything_saveable = Policy((("everything",),))
#: The arguments alone: everything is computed again.
nothing_saveable = Policy(())
#: Sums of products: what matrix products give.
dots_saveable = checkpoint_dots = Policy((("dots",),))
#: Matrix products without batch: those of activations and weights, not those of attention.
dots_with_no_batch_dims_saveable = checkpoint_dots_with_no_batch_dims = Policy((("unbatched_dots",),))


def save_only_these_names(*names: str) -> Policy:
    """What `checkpoint_name` calls so. Raises `InvalidArgumentError` for names that are no strings.

    >>> policy = wax.checkpoint_policies.save_only_these_names("hidden")
    >>> f = lambda x: wnp.sin(wax.checkpoint_name(wnp.sin(x), "hidden"))
    >>> wax.grad(wax.checkpoint(f, policy=policy))(wnp.asarray(0.0))
    Array(1., dtype=float32)
    """
    return _named("names", names)


def save_any_names_but_these(*names: str) -> Policy:
    """What `checkpoint_name` calls something else; what has no name is not kept."""
    return _named("other_names", names)


def save_anything_except_these_names(*names: str) -> Policy:
    """Every value, named or not, but what `checkpoint_name` calls so."""
    return _named("unnamed", names)


def save_from_both_policies(first: Policy, second: Policy) -> Policy:
    """What one of two policies keeps."""
    return Policy((*first.rules, *second.rules))


def _named(rule: str, names: tuple[str, ...]) -> Policy:
    if not all(isinstance(name, str) for name in names):
        raise InvalidArgumentError(f"the names that a policy is given must be strings, not {names!r}")
    return Policy(((rule, *names),))
