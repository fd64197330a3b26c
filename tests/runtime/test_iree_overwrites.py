"""Which arguments a compiled program writes to, read off IREE's own text after its `stream` phase."""

import pytest
from linalg_text import compiled, program, spec

from wax.backends.iree.overwrites import Memory, memory_of
from wax_runtime.errors import CompileError

HEADER = "util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {} {"
IMPORT = """
%0 = stream.tensor.import on(#a) %arg0 : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>{%c16}
%1 = stream.tensor.import on(#a) %arg1 : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>{%c16}
"""
RETURN = """
%9 = stream.tensor.export on(#a) %8 : tensor<4xf32> in !stream.resource<external>{%c16} -> !hal.buffer_view
util.return %9 : !hal.buffer_view
}
"""


def memory(body, *functions):
    return memory_of("\n".join([HEADER, IMPORT, body, RETURN, *functions]), "main")


def execute(captures, body, result="%3"):
    return f"{result} = stream.cmd.execute on(#a) with({captures}) {{\n{body}\n}} => !stream.timepoint\n"


CAPTURE = "%0 as %arg2: !stream.resource<external>{%c16}, %1 as %arg3: !stream.resource<external>{%c16}"


def test_arguments_that_are_only_read_are_not_overwritten():
    body = execute(
        CAPTURE + ", %7 as %arg4: !stream.resource<external>{%c16}",
        """stream.cmd.dispatch @d::@e[%c1] {
          ro %arg2[%c0 for %c16] : !stream.resource<external>{%c16},
          ro %arg3[%c0 for %c16] : !stream.resource<external>{%c16},
          wo %arg4[%c0 for %c16] : !stream.resource<external>{%c16}
        }
        stream.cmd.copy %arg2[%c0], %arg4[%c8], %c8 : !stream.resource<external>{%c16}""",
    )
    assert memory(body + "%8 = stream.timepoint.await %3 => %7 : !stream.resource<external>{%c16}") == Memory()


@pytest.mark.parametrize(
    "write",
    [
        "rw %arg2[%c0 for %c16] : !stream.resource<external>{%c16}",
        "wo %arg2[%c0 for %c16] : !stream.resource<external>{%c16}",
        "stream.cmd.copy %arg3[%c0], %arg2[%c0], %c16 : !stream.resource<external>{%c16}",
        "stream.cmd.fill %c0_i8, %arg2[%c0 for %c16] : i8 -> !stream.resource<external>{%c16}",
        "stream.cmd.something_new %arg2 : !stream.resource<external>{%c16}",
    ],
)
def test_each_way_to_write_counts(write):
    body = execute(CAPTURE, write) + "%8 = stream.timepoint.await %3 => %0 : !stream.resource<external>{%c16}"
    assert memory(body) == Memory(overwrites=(0,), aliases=((0, 0),))


def test_sibling_regions_that_reuse_a_name_are_kept_apart():
    body = execute("%0 as %arg2: !stream.resource<external>{%c16}", "ro %arg2[%c0 for %c16]")
    body += execute("%7 as %arg2: !stream.resource<external>{%c16}", "wo %arg2[%c0 for %c16]", "%5")
    body += "%8 = stream.timepoint.await %5 => %7 : !stream.resource<external>{%c16}"
    assert memory(body) == Memory()


def test_writes_are_followed_through_new_names_and_loops():
    body = """%4 = stream.resource.subview %0[%c0] : !stream.resource<external>{%c16} -> !stream.resource<external>{%c8}
      %5 = scf.for %arg2 = %c0 to %c9 step %c1 iter_args(%arg3 = %4) -> (!stream.resource<external>) {
    """
    body += execute("%arg3 as %arg4: !stream.resource<external>{%c8}", "rw %arg4[%c0 for %c8]", "%6")
    body += "%7 = stream.timepoint.await %6 => %arg3 : !stream.resource<external>{%c8}\n"
    body += (
        "scf.yield %7 : !stream.resource<external>\n}\n%8 = util.optimization_barrier %5 : !stream.resource<external>"
    )
    assert memory(body) == Memory(overwrites=(0,), aliases=((0, 0),))


def test_writes_are_followed_into_functions():
    called = """util.func private @g(%arg0: !stream.resource<*>, %arg1: !stream.resource<*>) -> i32 {
    %0 = stream.cmd.execute on(#a) with(%arg1 as %arg2: !stream.resource<*>{%c16}) {
      rw %arg2[%c0 for %c16]
    } => !stream.timepoint
    util.return %c0 : i32
    }"""
    assert memory("%8 = util.call @g(%0, %1) : (!a, !b) -> i32", called).overwrites == (1,)
    assert memory("%8 = util.call @unknown(%0, %1) : (!a, !b) -> i32").overwrites == (0, 1)


def test_values_loaded_from_an_argument_are_not_its_memory():
    body = """%4 = stream.resource.load %0[%c0] : !stream.resource<staging>{%c8} -> i32
    %5 = arith.index_cast %4 : i32 to index
    """
    body += execute(
        "%7 as %arg2: !stream.resource<external>{%c16}",
        "stream.cmd.dispatch @d::@e[%5](%4 : i32) {\nwo %arg2[%c0 for %c16]\n}",
    )
    body += "%8 = stream.timepoint.await %3 => %7 : !stream.resource<external>{%c16}"
    assert memory(body) == Memory()


def test_a_real_program_that_only_reads_is_understood():
    text = """module @m { func.func @main(%a: tensor<?x8xf32>, %i: tensor<?xi32>) -> tensor<?x8xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %i, %c0 : tensor<?xi32>
      %e = tensor.empty(%n) : tensor<?x8xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]} ins(%i : tensor<?xi32>) outs(%e : tensor<?x8xf32>) {
      ^bb0(%x: i32, %o: f32):
        %k = arith.index_cast %x : i32 to index
        %j = linalg.index 1 : index
        %y = tensor.extract %a[%k, %j] : tensor<?x8xf32>
        linalg.yield %y : f32
      } -> tensor<?x8xf32>
      return %r : tensor<?x8xf32> } }"""
    artefact = compiled(program(text, [spec(("m", 8), "float32"), spec(("n",), "int32")], [spec(("n", 8), "float32")]))
    assert (artefact.overwrites, artefact.aliases) == ((), ())


@pytest.mark.parametrize(("returned", "corrupted"), [("%1", ()), ("%arg0", (0,)), ("%2", (0,))])
def test_with_fences_an_updated_argument_has_its_old_name(returned, corrupted):
    """Whether it was to be returned as it was, only the program tells."""
    header = HEADER.replace("%arg1: !hal.buffer_view", "%arg1: !hal.fence, %arg2: !hal.fence")
    stream = f"""{header}
    %0 = stream.tensor.import on(#a) consume %arg0 : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>
    %1 = stream.timepoint.import on(#a) %arg1 : (!hal.fence) => !stream.timepoint
    {execute("%0 as %arg3: !stream.resource<external>", "rw %arg3[%c0 for %c16] : !stream.resource<external>")}
    stream.timepoint.chain_external on(#a) %3 => (%arg2 : !hal.fence)
    util.return %arg0 : !hal.buffer_view
    }}"""
    program = f"""module {{
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {{
    %1 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg0 : tensor<4xf32>) -> tensor<4xf32>
    %2 = "util.optimization_barrier"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    return {returned} : tensor<4xf32>
  }}
}}"""
    assert memory_of(stream, "main", program) == Memory((0,), ((0, 0),), corrupted)


def test_returning_an_argument_that_is_also_updated_is_refused_because_iree_gets_it_wrong():
    text = """module @m { func.func @main(%a: tensor<4xf32>, %b: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %r = tensor.insert_slice %b into %a[2][1][1] : tensor<1xf32> into tensor<4xf32>
      return %r, %a : tensor<4xf32>, tensor<4xf32> } }"""
    arguments = [spec((4,), "float32", "state"), spec((1,), "float32")]
    with pytest.raises(CompileError, match=r"updates state: float32\[4\] in place and returns it as it was too"):
        compiled(program(text, arguments, [arguments[0]] * 2))
