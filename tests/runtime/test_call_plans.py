"""Plans of calls, read off programs as IREE prints them after its phase `stream`."""

import json

import pytest

from wax.backends.iree.call_plans import plan_of
from wax_runtime.iree.plans import Piece, Place, Plan, Step

BEFORE = """\
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c-2_i16 = arith.constant -2 : i16
    %true = arith.constant true
    %cst = arith.constant 1.500000e+00 : f32
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c16]) type(%element_type_f32)
    %a = stream.tensor.import on(#dev) %arg0 : !hal.buffer_view -> tensor<16xi8> in !stream.resource<external>{%c16}
    %b = stream.tensor.import on(#dev) %arg1 : !hal.buffer_view -> tensor<16xi8> in !stream.resource<external>{%c16}
    %r, %rt = stream.resource.alloca uninitialized on(#dev) : !stream.resource<external>{%c128} => !stream.timepoint
"""
AFTER = """\
    %w = stream.timepoint.await %e => %r : !stream.resource<external>{%c128}
    %s = stream.resource.subview %w[%c64] : !stream.resource<external>{%c128} -> !stream.resource<external>{%c16}
    %v = stream.tensor.export on(#dev) %s : tensor<16xi8> in !stream.resource<external>{%c16} -> !hal.buffer_view
    util.return %v : !hal.buffer_view
  }
"""
EXECUTE = "    %e = stream.cmd.execute on(#dev) await(%rt) => with("
EXECUTE += "%a as %x: !stream.resource<external>{%c16}, %r as %y: !stream.resource<external>{%c128}) {\n"
END = "    } => !stream.timepoint\n"
A, B = Piece("argument", 0, 0, 16), Piece("argument", 1, 0, 16)
R = Piece("made", 0, 64, 16)


def bound(access, name, offset="%c0", length="%c16"):
    return f"{access} {name}[{offset} for {length}] : !stream.resource<external>{{%c16}}"


def dispatch(*bindings, operands=""):
    lines = ",\n        ".join(bindings)
    return f"      stream.cmd.dispatch @main_dispatch_0::@kernel{operands} {{\n        {lines}\n      }}\n"


def plan(body, before=BEFORE, after=AFTER):
    return plan_of(before + EXECUTE + body + END + after, "main")


def test_a_dispatch():
    found = plan(dispatch(bound("ro", "%x"), bound("wo", "%y", "%c64")))
    assert found == Plan((128,), (Step("dispatch", (A, R)),), (Place("made", 0, 64),), ())
    assert Plan.from_json(json.loads(json.dumps(found))) == found


def test_copies_and_fills():
    body = (
        "      stream.cmd.copy %x[%c0], %y[%c64], %c16 : "
        "!stream.resource<external>{%c16} -> !stream.resource<external>{%c128}\n"
        "      stream.cmd.fill %c-2_i16, %y[%c64 for %c16] : i16 -> !stream.resource<external>{%c128}\n"
    )
    found = plan(body)
    assert found is not None
    assert found.steps == (Step("copy", (A, R)), Step("fill", (R,), 0xFFFE, 2))


def test_dispatches_at_one_time_are_in_order():
    inner = dispatch(bound("ro", "%x"), bound("wo", "%y", "%c64"), operands="[%c16](%c-2_i16, %cst : i16, f32)")
    found = plan(f"      stream.cmd.concurrent {{\n{inner}{inner}      }}\n")
    assert found is not None
    assert found.steps == (Step("dispatch", (A, R)),) * 2


def test_arguments_that_are_written_to_or_returned_are_copied():
    found = plan(dispatch(bound("rw", "%x")))
    assert found is not None
    assert found.copied == (0,)
    returned = AFTER.replace("%s :", "%b :")
    found = plan(dispatch(bound("ro", "%x")), after=returned)
    assert found is not None
    assert found.copied == (1,)
    assert found.results == (Place("argument", 1, 0),)


def test_memory_between_and_constants():
    between = "    %t, %tt = stream.resource.alloca uninitialized await(%rt) => "
    between += "!stream.resource<transient>{%c64} => !stream.timepoint\n"
    constant = "    %k = util.global.load immutable @table : !stream.resource<constant>\n"
    barrier = "    %o = util.optimization_barrier %k : !stream.resource<constant>\n"
    execute = EXECUTE.replace(
        "%a as", "%t as %z: !stream.resource<transient>{%c64}, %o as %q: !stream.resource<constant>{%c64}, %a as"
    )
    body = dispatch(bound("ro", "%x"), bound("ro", "%q"), bound("wo", "%z")) + dispatch(bound("wo", "%y"))
    freed = (
        "    %f = stream.resource.dealloca await(%e) => %t : !stream.resource<transient>{%c64} => !stream.timepoint\n"
    )
    found = plan_of(BEFORE + between + constant + barrier + execute + body + END + freed + AFTER, "main")
    assert found is not None
    assert found.made == (128, 64)
    assert found.steps[0].pieces == (A, Piece("constant", 0, 0, 16), Piece("made", 1, 0, 16))


def test_results_of_several_awaited_together():
    after = """\
    %w:2 = stream.timepoint.await %e => %a, %r : !stream.resource<external>{%c16}, !stream.resource<external>{%c128}
    %v = stream.tensor.export %w#1 : tensor<16xi8> in !stream.resource<external>{%c16} -> !hal.buffer_view
    util.return %v : !hal.buffer_view
  }
"""
    found = plan(dispatch(bound("wo", "%y")), after=after)
    assert found is not None
    assert found.results == (Place("made", 0, 0),)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # A branch, a size or a number that is known only then, memory of a device's own making.
        ("    %w = stream", "    cf.br ^bb1(%c0 : index)\n  ^bb1(%i: index):\n    %w = stream"),
        ("%c16 = arith.constant 16 : index", "%c16 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index"),
        ("@kernel {", "@kernel(%n : i32) {"),
        ("{%c128} => !stream.timepoint", "{%n} => !stream.timepoint"),
        ("ro %x", "ro %unknown"),
        ("import on(#dev) %arg0", "import on(#dev) consume %arg0"),
        ("    %w = stream", "    util.call @elsewhere(%r) : (!stream.resource<external>) -> ()\n    %w = stream"),
        ("    util.return %v : !hal.buffer_view\n", ""),
        ("%arg1: !hal.buffer_view)", "%arg1: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence)"),
    ],
)
def test_what_is_not_understood_or_not_known_beforehand_has_no_plan(old, new):
    whole = BEFORE + EXECUTE + dispatch(bound("ro", "%x"), bound("wo", "%y", "%c64")) + END + AFTER
    assert plan_of(whole, "main") is not None
    assert whole.count(old) >= 1
    assert plan_of(whole.replace(old, new), "main") is None


def test_constants_are_neither_written_to_nor_returned():
    constant = "    %k = util.global.load immutable @table : !stream.resource<constant>\n"
    execute = EXECUTE.replace("%a as", "%k as %q: !stream.resource<constant>{%c64}, %a as")
    for body, after in (
        (dispatch(bound("rw", "%q")), AFTER),
        (dispatch(bound("ro", "%q")), AFTER.replace("%s :", "%k :")),
    ):
        assert plan_of(BEFORE + constant + execute + body + END + after, "main") is None


def test_there_is_no_plan_of_another_function():
    assert plan_of(BEFORE + AFTER, "other") is None
