"""Losses over dtypes, reductions and labels, judged by PyTorch in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch.nn.functional as F

import wax.nn
from array_cases.case import BF16, F16, F32, F64, FLOATS, Case, floats, rng, wide
from array_cases.judges import torched

nn = wax.nn


def _distances(dtype: np.dtype) -> list[Case]:
    x, y, row = floats(dtype, (5, 7), "x"), floats(dtype, (5, 7), "y"), floats(dtype, (7,), "row")
    chances = np.abs(floats(dtype, (5, 7), "chances"))
    chances[0, :3] = 0
    labels = rng("binary").integers(0, 2, (5, 7)).astype(dtype)
    weight = np.abs(floats(dtype, (7,), "weight"))
    absolute = {F16: 1e-2, BF16: 1e-1, F32: 1e-5, F64: 1e-13}[dtype]

    def case(name: str, function: Any, judge: Any, *arguments: Any, **options: Any) -> list[Case]:
        losses = torched(judge, *arguments, **options, reduction="none")

        def with_reduction(reduction: str, expected: Any) -> Case:
            return Case(
                f"{name}-{reduction}-{dtype.name}",
                lambda *given: function(*given, reduction=reduction),
                arguments,
                expected.astype(dtype),
                16,
                absolute,
            )

        judged = {"mean": losses.mean(), "sum": losses.sum(), "none": losses}
        return [with_reduction(reduction, expected) for reduction, expected in judged.items()]

    binary = F.binary_cross_entropy_with_logits
    return [
        *case("mse_loss", nn.mse_loss, F.mse_loss, x, y),
        *case("l1_loss", nn.l1_loss, F.l1_loss, x, y),
        *case("huber_loss", lambda x, y, **r: nn.huber_loss(x, y, delta=0.8, **r), F.huber_loss, x, y, delta=0.8),
        *case("smooth_l1", lambda x, y, **r: nn.smooth_l1_loss(x, y, beta=2, **r), F.smooth_l1_loss, x, y, beta=2.0),
        *case("smooth_l1-0", lambda x, y, **r: nn.smooth_l1_loss(x, y, beta=0, **r), F.smooth_l1_loss, x, y, beta=0.0),
        *case("binary_cross_entropy", nn.binary_cross_entropy_with_logits, binary, x * dtype.type(30), labels),
        *case(
            "binary_cross_entropy-weight",
            lambda x, y, w, **r: nn.binary_cross_entropy_with_logits(x, y, pos_weight=w, **r),
            lambda x, y, w, **r: binary(x, y, pos_weight=w, **r),
            x,
            labels,
            weight,
        ),
        *case("kl_div", nn.kl_div, F.kl_div, x, chances),
        *case("kl_div-log", lambda x, y, **r: nn.kl_div(x, y, log_target=True, **r), F.kl_div, x, y, log_target=True),
        Case(
            f"mse_loss-broadcast-{dtype.name}",
            nn.mse_loss,
            (x, row),
            ((wide(x) - wide(row)) ** 2).mean().astype(dtype),
            16,
            absolute,
        ),
        Case(
            f"cosine_similarity-{dtype.name}",
            lambda x, y, row: (
                nn.cosine_similarity(x, y),
                nn.cosine_similarity(x, row),
                nn.cosine_similarity(x, y, axis=0),
            ),
            (x, y, row),
            (
                torched(F.cosine_similarity, x, y, dim=1).astype(dtype),
                torched(F.cosine_similarity, x, row[None], dim=1).astype(dtype),
                torched(F.cosine_similarity, x, y, dim=0).astype(dtype),
            ),
            16,
            absolute,
        ),
        Case(
            f"cosine_similarity-stretched-{dtype.name}",
            lambda x, y: (nn.cosine_similarity(x[:, :1], y, axis=1), nn.cosine_similarity(x[0, :1], y)),
            (x, y),
            tuple(
                torched(F.cosine_similarity, np.repeat(one, 7, 1), y, dim=1).astype(dtype)
                for one in (x[:, :1], x[:1, :1])
            ),
            16,
            absolute,
        ),
    ]


def _classes(dtype: np.dtype) -> list[Case]:
    logits, chances = floats(dtype, (4, 5, 3), "logits"), np.abs(floats(dtype, (4, 5, 3), "chances"))
    large = (logits * dtype.type(100)).astype(dtype)
    source = rng("labels")
    last, first = source.integers(0, 3, (4, 5)).astype("i4"), source.integers(0, 5, (4, 3)).astype("i8")
    some = last.copy()
    some[0] = -100
    wrong = last.copy()
    wrong[0, :3] = [-1, 3, 99]
    none = np.full((4, 5), -100, "i4")
    absolute = {F16: 1e-2, BF16: 1e-1, F32: 1e-5, F64: 1e-13}[dtype]

    def judge(x: Any, y: Any, axis: int = -1, **options: Any) -> Any:
        return F.cross_entropy(x.movedim(axis, 1), y if y.ndim < x.ndim else y.movedim(axis, 1), **options)

    def case(name: str, x: Any, y: Any, judged: Any = None, **options: Any) -> Case:
        def function(x: Any, y: Any) -> Any:
            return nn.cross_entropy(x, y, **options)

        expected = torched(judge, x, y, **options) if judged is None else judged
        return Case(f"cross_entropy-{name}-{dtype.name}", function, (x, y), expected.astype(dtype), 16, absolute)

    unreduced = torched(judge, logits, last, reduction="none")
    unreduced[0, :3] = np.nan
    masked = logits.copy()
    masked[..., 1] = -np.inf
    apart = chances.copy()
    apart[..., 1] = 0
    v = wide(masked)[..., ::2]
    among = -(v - np.log(np.exp(v).sum(-1, keepdims=True)))
    log_probs = -np.abs(logits)
    return [
        case("labels", logits, last),
        case("axis", logits, first, axis=1),
        case("large", large, last),
        case("sum", logits, last, reduction="sum"),
        case("none", logits, last, reduction="none"),
        case("smoothed", logits, last, label_smoothing=0.1),
        case("ignored", logits, some, ignore_index=-100),
        case("ignored-smoothed", logits, some, ignore_index=-100, label_smoothing=0.2),
        case("all-ignored", logits, none, ignore_index=-100),
        case("no-class", logits, wrong, unreduced, reduction="none"),
        case("distribution", logits, chances),
        case("distribution-axis", logits, chances, axis=1, reduction="none"),
        case("distribution-smoothed", logits, chances, label_smoothing=0.3),
        case("distribution-apart", masked, apart, (among * wide(apart)[..., ::2]).sum(-1), reduction="none"),
        case("no-rows", logits[:0], last[:0], np.zeros(()), reduction="sum"),
        Case(
            f"nll_loss-{dtype.name}",
            lambda x, y: (nn.nll_loss(x, y), nn.nll_loss(x, y, ignore_index=1, reduction="sum")),
            (log_probs, last),
            tuple(
                torched(lambda x, y, **r: F.nll_loss(x.movedim(-1, 1), y, **r), log_probs, last, **options).astype(
                    dtype
                )
                for options in ({}, {"ignore_index": 1, "reduction": "sum"})
            ),
            16,
            absolute,
        ),
    ]


def _alignments(dtype: np.dtype) -> list[Case]:
    """Labels that repeat, too few times, no labels, no times."""
    times, classes = 9, 5
    raw = wide(floats(dtype, (times, 7, classes), "ctc"))
    scores = (raw - np.log(np.exp(raw).sum(-1, keepdims=True))).astype(dtype)
    labels = rng("ctc").integers(0, 4, (7, 4)).astype("i4")
    labels[1] = [2, 2, 2, 1]
    ends = np.array([9, 9, 5, 9, 3, 1, 0], "i4")
    counts = np.array([4, 3, 2, 0, 4, 0, 0], "i4")
    wrong = labels.copy()
    wrong[:, 3] = [4, 4, 4, 4, -1, 9, 4]  # of which those of rows 0 and 4 count
    absolute = {F16: 1e-2, BF16: 1e-1, F32: 1e-5, F64: 1e-12}[dtype]

    def judged(labels: np.ndarray, reduction: str) -> np.ndarray:
        return torched(F.ctc_loss, scores, labels, ends, counts, blank=4, reduction=reduction).astype(dtype)

    def case(name: str, labels: np.ndarray, expected: np.ndarray, reduction: str) -> Case:
        def function(x: Any, y: Any, ends: Any, counts: Any) -> Any:
            return nn.ctc_loss(x, y, ends, counts, blank=4, reduction=reduction)

        return Case(f"ctc_loss-{name}-{dtype.name}", function, (scores, labels, ends, counts), expected, 16, absolute)

    refused = judged(labels, "none")
    refused[[0, 4]] = np.nan
    finite = slice(0, 4)
    averaged = torched(F.ctc_loss, scores[:, finite], labels[finite], ends[finite], counts[finite], blank=4)
    return [
        case("none", labels, judged(labels, "none"), "none"),
        case("sum", labels, judged(labels, "sum"), "sum"),
        case("no-class", wrong, refused, "none"),
        Case(
            f"ctc_loss-mean-{dtype.name}",
            lambda x, y, ends, counts: nn.ctc_loss(x, y, ends, counts, blank=4),
            (scores[:, finite].copy(), labels[finite], ends[finite], counts[finite]),
            averaged.astype(dtype),
            16,
            absolute,
        ),
        Case(
            f"ctc_loss-no-labels-{dtype.name}",
            lambda x, y, ends, counts: nn.ctc_loss(x, y, ends, counts, reduction="none"),
            (scores[:, :2].copy(), labels[:2, :0], ends[:2], 0 * counts[:2]),
            -wide(scores)[:, :2, 0].sum(0).astype(dtype),
            16,
            absolute,
        ),
    ]


def _labels() -> list[Case]:
    """Labels of every integer dtype, those out of range too."""
    logits = floats(F32, (4, 3), "kinds")
    cases = []
    for name in ("i1", "i2", "i8", "u1", "u4", "u8"):
        labels = np.array([0, 2, 3, np.iinfo(name).max], name)
        expected = torched(F.cross_entropy, logits, np.array([0, 2, 0, 0]), reduction="none").astype(F32)
        expected[2:] = np.nan
        function = lambda x, y: nn.cross_entropy(x, y, reduction="none")  # noqa: E731
        cases.append(Case(f"cross_entropy-{np.dtype(name)}", function, (logits, labels), expected, 16, 1e-6))
    return cases


def _weighted(dtype: np.dtype) -> list[Case]:
    """Classes that count differently, one not at all."""
    logits, weights = floats(dtype, (6, 5, 2), "weights"), np.array([0.5, 2, 0, 1, 3], dtype)
    labels = rng("weights").integers(0, 5, (6, 2))
    chances = rng("chances").dirichlet(np.ones(5), (6, 2)).swapaxes(1, 2).astype(dtype)
    absolute = {F16: 1e-2, BF16: 1e-1, F32: 1e-5, F64: 1e-12}[dtype]

    def case(name: str, target: np.ndarray, ours: Any, theirs: Any, **options: Any) -> Case:
        def function(x: Any, y: Any, w: Any) -> Any:
            return ours(x, y, weight=w, axis=1, **options)

        def judge(x: Any, y: Any, w: Any) -> Any:
            return theirs(x, y, weight=w, **options)

        expected = torched(judge, logits, target, weights).astype(dtype)
        return Case(f"{name}-{options}-{dtype.name}", function, (logits, target, weights), expected, 16, absolute)

    cases = []
    for options in ({}, {"reduction": "sum"}, {"reduction": "none"}):
        cases += [case("nll_loss-weights", labels, nn.nll_loss, F.nll_loss, **options)]
        cases += [case("nll_loss-weights", labels, nn.nll_loss, F.nll_loss, ignore_index=1, **options)]
        for smoothing in ({}, {"label_smoothing": 0.25}):
            cases += [
                case("cross_entropy-weights", labels, nn.cross_entropy, F.cross_entropy, **options, **smoothing),
                case("cross_entropy-chances", chances, nn.cross_entropy, F.cross_entropy, **options, **smoothing),
            ]
    return cases


FAMILIES: dict[str, list[Case]] = {
    **{f"weights-{dtype.name}": _weighted(dtype) for dtype in FLOATS},
    **{f"distances-{dtype.name}": _distances(dtype) for dtype in FLOATS},
    **{f"classes-{dtype.name}": _classes(dtype) for dtype in FLOATS},
    **{f"alignments-{dtype.name}": _alignments(dtype) for dtype in FLOATS},
    "classes-labels": _labels(),
}
