"""Where memory is: what is read off a program, and what IREE says of the same one."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wax
import wax.nn
import wax.numpy as wnp
from wax._compile import lower, lower_alone
from wax.backends.iree import capi
from wax.backends.iree.call_plans import plan_of
from wax.backends.iree.executables import executables_in
from wax.backends.iree.host_programs import host_program
from wax.backends.iree.ladder import rungs
from wax.backends.iree.linking import lean_flags
from wax.backends.iree.overwrites import Memory, memory_of
from wax.backends.iree.pieces import Memory as Placed
from wax.backends.iree.pieces import packed
from wax.backends.iree.placement import placed
from wax.backends.iree.targets import target
from wax_runtime.iree.plans import Piece, Step

FLAGS = rungs([target("cpu")], wax.CompileOptions())[0].flags


def zeros(*shapes, dtype=np.float32):
    return [np.zeros(shape, dtype) for shape in shapes]


def block(x, w, v):
    y = wnp.permute_dims(wnp.reshape(wax.nn.layer_norm(x) @ w, (1, 128, 3, 4, 64)), (2, 0, 3, 1, 4))
    z = wnp.permute_dims(wax.nn.attention(y[0], y[1], y[2]), (0, 2, 1, 3))
    return x + wax.nn.gelu(wnp.reshape(z, (128, 256)) @ v)


PROGRAMS = {
    "block": (block, zeros((128, 256), (256, 768), (256, 256))),
    "results": (lambda x: (wax.nn.softmax(x, axis=-1), wnp.cumulative_sum(x, axis=1)), zeros((33, 70))),
    "bf16": (lambda x, w: wax.nn.softmax(x @ w, axis=-1), zeros((32, 96), (96, 64), dtype="bfloat16")),
    "an argument that is not read": (lambda x, y: wax.nn.softmax(x, axis=-1), zeros((9, 100), (3, 4))),
    "names, and signs": (
        lambda given, y: (given['a"b\\é'] + 1, y + 2, wnp.exp(given["c"])),
        [{'a"b\\é': np.zeros(3, np.uint32), "c": np.zeros(3, np.float32)}, np.zeros(5, np.uint8)],
    ),
    "part of a result": (lambda x: wax.nn.softmax(x, axis=-1)[3:5], zeros((33, 70))),
}


def text_of(function, *arguments, **dynamic):
    traced = wax.jit(function, dynamic_shapes=dynamic).lower(*arguments)._function
    module = lower(traced, "iree processor=avx512")
    if not module.is_alone() and module.may_be_alone():
        module = lower_alone(traced, "iree processor=avx512") or module
    return module.text()


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_what_iree_finds(name):
    function, arguments = PROGRAMS[name]
    text = text_of(function, *arguments)
    made = placed(text, executables_in(text))
    assert made is not None
    (entry,) = re.findall(r"func\.func @(\w+)\(%arg0: tensor", text)
    flags = lean_flags(FLAGS) or FLAGS
    iree = capi.compile_text(text, flags).stream
    ours, theirs = plan_of(made, entry), plan_of(iree, entry)
    assert ours is not None and theirs is not None
    assert [step.kind for step in ours.steps] == [step.kind for step in theirs.steps]
    assert [[piece.region for piece in step.pieces] for step in ours.steps] == [
        [piece.region for piece in step.pieces] for step in theirs.steps
    ]
    assert [[piece.length for piece in step.pieces] for step in ours.steps] == [
        [piece.length for piece in step.pieces] for step in theirs.steps
    ]
    assert ours.results == theirs.results and ours.copied == theirs.copied
    assert ours.made[0] == theirs.made[0] and sum(ours.made) <= sum(theirs.made)
    assert memory_of(made, entry, text) == memory_of(iree, entry, text) == Memory()
    assert host_program(made, flags) is not None
    # What the caller is told, and what is checked, is the same.
    for pattern in (r"util\.func public .*", r'message\("\w+"\) shape\(.*?\)'):
        assert re.findall(pattern, made) == re.findall(pattern, iree)


def program(*lines, arguments="%arg0: tensor<4x32xf32>", results="tensor<4x32xf32>"):
    body = "".join(f"    {line}\n" for line in lines)
    return f"module {{\n  func.func @main({arguments}) -> {results} {{\n{body}  }}\n}}\n"


def call(name, given, types, made, kernel="k"):
    segments = f"operandSegmentSizes = array<i32: 0, {len(given.split(', '))}, 0, 0>"
    about = f"entry_points = [@{kernel}::@{kernel}], {segments}"
    return f'{name} = "flow.dispatch"({given}) <{{{about}}}> : ({types}) -> {made}'


def plan(text):
    made = placed(text, {"k"})
    return None if made is None else plan_of(made, "main")


T = "tensor<4x32xf32>"
ARGUMENT, RESULT = Piece("argument", 0, 0, 512), Piece("made", 0, 0, 512)


def test_views_have_the_memory_of_what_they_show():
    found = plan(
        program(
            "%collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<4x32xf32> into tensor<128xf32>",
            call("%0", "%collapsed", "tensor<128xf32>", "tensor<128xf32>"),
            "%expanded = tensor.expand_shape %0 [[0, 1]] output_shape [4, 32] : tensor<128xf32> into tensor<4x32xf32>",
            f"return %expanded : {T}",
        )
    )
    assert found is not None and found.steps == (Step("dispatch", (ARGUMENT, RESULT)),)


@pytest.mark.parametrize(
    ("begins", "sizes", "kind", "offset"),
    [
        ("2, 0", "1, 32", "tensor<1x32xf32>", 256),
        ("1, 0", "3, 32", "tensor<3x32xf32>", 128),
        ("3, 16", "1, 16", "tensor<1x16xf32>", 448),
        ("0, 0", "4, 32", "tensor<4x32xf32>", 0),
    ],
)
def test_slices_that_are_one_piece_are_read_where_they_are(begins, sizes, kind, offset):
    size = 4 * math.prod(map(int, sizes.split(", ")))
    found = plan(
        program(
            f"%s = tensor.extract_slice %arg0[{begins}] [{sizes}] [1, 1] : {T} to {kind}",
            call("%0", "%s", kind, T),
            f"return %0 : {T}",
        )
    )
    assert found is not None and found.steps[0].pieces[0] == Piece("argument", 0, offset, size)


def test_what_does_not_begin_where_kernels_may_read_is_copied():
    kind = "tensor<1x8xf32>"
    found = plan(
        program(
            f"%s = tensor.extract_slice %arg0[1, 8] [1, 8] [1, 1] : {T} to {kind}",
            call("%0", "%s", kind, T),
            f"return %0 : {T}",
        )
    )
    within = Piece("made", 1, 0, 32)
    assert found is not None and found.made == (512, 64)
    assert found.steps == (
        Step("copy", (Piece("argument", 0, 160, 32), within)),
        Step("dispatch", (within, RESULT)),
    )


def test_a_result_is_memory_of_its_own():
    """Parts of others are copied, and what is returned twice is there twice."""
    part = "tensor<1x32xf32>"
    found = plan(
        program(
            call("%0", "%arg0", T, T),
            f"%s = tensor.extract_slice %0[2, 0] [1, 32] [1, 1] : {T} to {part}",
            f"return %0, %s, %0 : {T}, {part}, {T}",
            results=f"({T}, {part}, {T})",
        )
    )
    assert found is not None and found.made == (512 + 128 + 512,)
    assert found.steps[1:] == (
        Step("copy", (Piece("made", 0, 256, 128), Piece("made", 0, 512, 128))),
        Step("copy", (RESULT, Piece("made", 0, 640, 512))),
    )
    assert [place.offset for place in found.results] == [0, 512, 640]


def test_what_constants_make_is_made_when_the_program_is_loaded():
    """All calls read it, and a result is a copy of it."""
    short = "tensor<3xf32>"
    lines = [
        call("%0", "", "", short, kernel="k").replace("0, 1, 0, 0>", "0, 0, 0, 0>"),
        call("%1", "%0", short, T),
        call("%2", "%arg0, %1", f"{T}, {T}", T),
        f"return %2, %1 : {T}, {T}",
    ]
    text = program(*lines, results=f"({T}, {T})")
    found = plan(text)
    kept = Piece("constant", 0, 64, 512)
    assert found is not None and found.made == (1024,)
    assert found.steps == (
        Step("dispatch", (ARGUMENT, kept, RESULT)),
        Step("copy", (kept, Piece("made", 0, 512, 512))),
    )
    stream = placed(text, {"k"})
    (once,) = re.findall(r"  util\.initializer \{\n.*?\n  \}\n", stream, re.S)
    assert once.count("stream.cmd.dispatch") == 2 and "stream.cmd.execute once" in once
    assert host_program(stream, FLAGS) is not None


@pytest.mark.parametrize(
    ("function", "shape", "calls"),
    [
        (lambda x: x * wnp.cos(wnp.arange(4.0)), (16, 4), 1),
        (lambda x: wax.nn.softmax(x, axis=-1) * wnp.cos(wnp.arange(70.0)), (33, 70), 1),
        # What costs nothing is not kept.
        (lambda x: x + wnp.arange(70.0), (33, 70), 1),
    ],
)
def test_no_call_makes_what_constants_make(function, shape, calls):
    text = text_of(function, *zeros(shape))
    stream = placed(text, executables_in(text))
    assert stream is not None and ("util.initializer" in stream) == (text.count('"flow.dispatch"') > calls)
    found = plan_of(stream, "main")
    assert found is not None and [step.kind for step in found.steps] == ["dispatch"] * calls


def test_what_is_kept_is_what_it_is():
    found = plan(
        program(
            f"%0 = util.optimization_barrier %arg0 : {T}",
            call("%1", "%0", T, T),
            f"%2 = util.optimization_barrier %1 : {T}",
            f"return %2 : {T}",
        )
    )
    assert found is not None and found.steps == (Step("dispatch", (ARGUMENT, RESULT)),)


def test_later_memory_is_where_earlier_was():
    lines = [call(f"%{n + 1}", f"%{n}" if n else "%arg0", T, T) for n in range(7)]
    found = plan(program(*lines, f"return %7 : {T}"))
    assert found is not None and found.made == (512, 1024)
    for step in found.steps:
        assert step.pieces[0] != step.pieces[1]


@pytest.mark.parametrize("rows", [4, 512, 513])
def test_small_arguments_that_are_returned_are_copied(rows):
    """Of large ones IREE makes no copy."""
    kind = f"tensor<{rows}x32xf32>"
    lines = [f"%1 = util.optimization_barrier %arg0 : {kind}", f"return %arg0, %1 : {kind}, {kind}"]
    found = plan(program(*lines, arguments=f"%arg0: {kind}", results=f"({kind}, {kind})"))
    assert (found is None) == (rows == 513)
    size = rows * 128
    if found is not None:
        assert found.made == (2 * size,) and found.copied == ()
        assert found.steps == tuple(
            Step("copy", (Piece("argument", 0, 0, size), Piece("made", 0, offset, size))) for offset in (0, size)
        )


@pytest.mark.parametrize(
    ("value", "number", "width"),
    [("0.000000e+00", 0, 4), ("1.000000e+00", 0x3F800000, 4), ("0x7FC00000", 0x7FC00000, 4)],
)
def test_numbers_everywhere_are_filled_in(value, number, width):
    found = plan(program(f"%cst = arith.constant dense<{value}> : {T}", f"return %cst : {T}"))
    assert found is not None and found.made == (512,)
    assert found.steps == (Step("fill", (RESULT,), number, width),)


@pytest.mark.parametrize(
    ("constant", "size", "number", "width"),
    [
        ("dense<0.0> : tensor<3xf64>", 24, 0, 4),
        ("dense<4294967297> : tensor<3xi64>", 24, 1, 4),
        ("dense<true> : tensor<3xi1>", 3, 1, 1),
        ("dense<-2> : tensor<3xi16>", 6, 0xFFFE, 2),
        ("dense<(0.0,0.0)> : tensor<complex<f64>>", 16, 0, 4),
    ],
)
def test_so_are_numbers_of_other_sizes(constant, size, number, width):
    kind = constant.partition(" : ")[2]
    found = plan(program(f"%c = arith.constant {constant}", f"return %c : {kind}", results=kind))
    assert found is not None and found.made == (size,)
    assert found.steps == (Step("fill", (Piece("made", 0, 0, size),), number, width),)


def joined(name, given, types, made, dim=0):
    return f"{name} = tensor.concat dim({dim}) {given} : ({types}) -> {made}"


TWO, THREE = "tensor<8x32xf32>", "tensor<12x32xf32>"


def test_what_is_joined_is_made_where_it_is_to_be():
    """Also what is read besides. Arguments, and what stands twice, are copied."""
    found = plan(
        program(
            call("%0", "%arg0", T, T),
            call("%1", "%0", T, T),
            joined("%2", "%0, %1, %arg0, %1", f"{T}, {T}, {T}, {T}", "tensor<16x32xf32>"),
            "return %2 : tensor<16x32xf32>",
            results="tensor<16x32xf32>",
        )
    )
    assert found is not None and found.made == (2048,)
    parts = [Piece("made", 0, 512 * number, 512) for number in range(4)]
    assert found.steps == (
        Step("dispatch", (ARGUMENT, parts[0])),
        Step("dispatch", (parts[0], parts[1])),
        Step("copy", (ARGUMENT, parts[2])),
        Step("copy", (parts[1], parts[3])),
    )


def test_what_is_joined_may_be_joined_again():
    found = plan(
        program(
            call("%0", "%arg0", T, T),
            call("%1", "%arg0", T, T),
            joined("%2", "%0, %1", f"{T}, {T}", TWO),
            call("%3", "%arg0", T, T),
            joined("%4", "%3, %2", f"{T}, {TWO}", THREE),
            call("%5", "%4", THREE, T),
            f"return %5, %1 : {T}, {T}",
            results=f"({T}, {T})",
        )
    )
    assert found is not None and found.made == (1024, 1536)
    pieces = [step.pieces[-1] for step in found.steps]
    assert pieces == [
        *(Piece("made", 1, offset, 512) for offset in (512, 1024, 0)),
        *(Piece("made", 0, offset, 512) for offset in (0, 512)),
    ]
    assert found.steps[-1] == Step("copy", (pieces[1], pieces[4]))


def test_what_would_begin_where_no_kernel_may_write_is_copied():
    short = "tensor<3xf32>"
    found = plan(
        program(
            call("%0", "%arg0", T, short),
            call("%1", "%arg0", T, short),
            joined("%2", "%0, %1", f"{short}, {short}", "tensor<6xf32>"),
            "return %2 : tensor<6xf32>",
            results="tensor<6xf32>",
        )
    )
    assert found is not None and found.made == (24, 64)
    last = Piece("made", 1, 0, 12)
    assert [step.pieces[-1] for step in found.steps] == [Piece("made", 0, 0, 12), last, Piece("made", 0, 12, 12)]
    assert found.steps[-1].pieces[0] == last


@pytest.mark.parametrize(
    "lines",
    [
        # Beside each other, or of other sizes.
        [joined("%0", "%arg0, %arg0", f"{T}, {T}", "tensor<4x64xf32>", dim=1), "return %0 : tensor<4x64xf32>"],
        [joined("%0", "%arg0, %arg0", f"{T}, {T}", THREE), f"return %0 : {THREE}"],
        [joined("%0", "%arg0, %arg0", f"{T}, {TWO}", THREE), f"return %0 : {THREE}"],
        # Another kernel, operation, type or size.
        [call("%0", "%arg0", T, T, kernel="other"), f"return %0 : {T}"],
        [call("%0", "%arg0", T, T), f"%1 = linalg.copy ins(%0 : {T})", f"return %1 : {T}"],
        [call("%0", "%arg0", "tensor<4x32xi4>", T), f"return %0 : {T}"],
        [call("%0", "%arg0", "tensor<?x32xf32>", T), f"return %0 : {T}"],
        [call("%0", "%arg0", "tensor<4x16xf32>", T), f"return %0 : {T}"],
        [call("%0", "%arg0", T, "tensor<0x32xf32>"), f"return %0 : {T}"],
        [call("%0", "%arg0, %c", f"{T}, i32", T), f"return %0 : {T}"],
        [call("%0", "%arg0", T, T).replace("0, 1, 0, 0>", "1, 1, 0, 0>"), f"return %0 : {T}"],
        [call("%0", "%arg0", T, T).replace("0, 0>}", "0, 0>, tied_operands = [0 : index]}"), f"return %0 : {T}"],
        # Slices of many pieces, and with steps.
        [
            f"%s = tensor.extract_slice %arg0[0, 0] [2, 16] [1, 1] : {T} to tensor<2x16xf32>",
            call("%0", "%s", "tensor<2x16xf32>", T),
            f"return %0 : {T}",
        ],
        *(
            [
                f"%s = tensor.extract_slice %arg0[0, 0] [1, 32] [{steps}] : {T} to tensor<1x32xf32>",
                call("%0", "%s", "tensor<1x32xf32>", T),
                f"return %0 : {T}",
            ]
            for steps in ("2, 1", "11, 1", "1, 11", "111, 1")
        ),
        # Numbers that are not all the same, or too large.
        ["%c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>", "return %c : tensor<2xf32>"],
        ["%c = arith.constant dense<(1.0,2.0)> : tensor<2xcomplex<f64>>", "return %c : tensor<2xcomplex<f64>>"],
        ["%c = arith.constant dense<1.0> : tensor<2xf64>", "return %c : tensor<2xf64>"],
        # No end.
        [call("%0", "%arg0", T, T)],
    ],
)
def test_what_is_not_known_is_left_to_iree(lines):
    assert placed(program(call("%0", "%arg0", T, T), f"return %0 : {T}"), {"k"}) is not None
    assert placed(program(*lines), {"k"}) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  func.func @main", "  util.global private @x : i32\n  func.func @main"),
        ("%arg0: tensor<4x32xf32>", "%arg0: tensor<4x32xf32> {wax.donated}"),
        ("%arg0: tensor<4x32xf32>", "%arg0: tensor<4x?xf32>"),
        ("-> tensor<4x32xf32> {", "-> (tensor<4x32xf32> {wax.dims = #map}) {"),
        ("-> tensor<4x32xf32> {", "-> tensor<4x32xf32> attributes {noinline} {"),
    ],
)
def test_so_are_functions_of_other_kinds(old, new):
    text = program(call("%0", "%arg0", T, T), f"return %0 : {T}")
    assert text.count(old) == 1 and placed(text, {"k"}) is not None
    assert placed(text.replace(old, new), {"k"}) is None


def test_programs_that_iree_has_something_to_do_for():
    x, w = zeros((9, 100), (100, 100))
    for function, arguments, dynamic in (
        (lambda x: x.T + 1, zeros((3, 40000)), {}),
        (lambda x, w: wax.nn.softmax(x @ w, axis=-1), (x, w), {"x": {0: wax.Dim("n")}}),
        (lambda x: wax.fori_loop(0, 5, lambda _, y: y @ y, x), (w,), {}),
    ):
        text = text_of(function, *arguments, **dynamic)
        assert placed(text, executables_in(text)) is None


@given(
    st.lists(st.tuples(st.integers(1, 1000), st.integers(0, 20), st.integers(0, 9)), max_size=30),
)
@settings(max_examples=300, deadline=None)
def test_what_lives_at_one_time_is_apart(lives):
    memories = [Placed(size, first) for size, first, _ in lives]
    for memory, (_, first, more) in zip(memories, lives, strict=True):
        memory.last = first + more
    end = packed(memories)
    for index, one in enumerate(memories):
        assert one.offset % 64 == 0 and one.offset + one.size <= end
        for other in memories[:index]:
            if one.first <= other.last and other.first <= one.last:
                assert one.offset + one.size <= other.offset or other.offset + other.size <= one.offset
    # No more than all of them, no less than those of any time.
    rounded = [-(-memory.size // 64) * 64 for memory in memories]
    assert end <= sum(rounded)
    for time in range(31):
        there = (size for memory, size in zip(memories, rounded, strict=True) if memory.first <= time <= memory.last)
        assert end >= sum(there)
