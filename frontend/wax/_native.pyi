"""The thin native layer over the wax dialect: build, read, transform, print.

Everything is a number, a string or a tuple on the Python side: no live operation leaves this
module. A builder hands out its own value numbers; a snapshot numbers afresh. One MLIR context
serves the process; a process forked off one that has begun to use it gets a RuntimeError.

What the dialect refuses raises DialectError and leaves the builder as it was, so that it can go
on. A finished builder refuses everything.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from wax_runtime import snapshot

#: A size as the dialect sees it: a static int, or an expression over dims of values (`("dim", value,
#: axis)`), index values (`("index", value)`), and `+ * floordiv mod` of two sizes (subtraction is
#: `a + -1*b`).
SizeExpr: TypeAlias = (
    int
    | tuple[Literal["dim"], int, int]
    | tuple[Literal["index"], int]
    | tuple[Literal["+", "*", "floordiv", "mod"], Any, Any]
)

#: What the dialect could neither prove nor refute from types: `("eq" | "le", lhs, rhs, label)`.
Constraint: TypeAlias = tuple[Literal["eq", "le"], SizeExpr, SizeExpr, str]

#: A result of a builder call: value number, shape, element type.
Result: TypeAlias = tuple[int, tuple[SizeExpr, ...], str]

#: The linker's digest of this module, equal for equal code; empty where the platform has none.
build_id: str

class DialectError(Exception):
    """What the dialect refused, in its own words (verifier or type inference diagnostics)."""

class PassError(Exception):
    """A pass failed; `args` are the message and the reproducer text.

    The reproducer is a file: its first line is a comment with the `wax-opt` command, the rest is the
    module as it was before the passes, with locations.
    """

    args: tuple[str, str]

class Kernel:
    """A finished kernel region, to be used by any number of builder calls."""

    @property
    def argument_types(self) -> tuple[str, ...]: ...
    @property
    def result_types(self) -> tuple[str, ...]: ...
    def snapshot(self) -> snapshot.Kernel: ...
    def __str__(self) -> str:
        """The kernel as the MLIR text of a function."""

class KernelBuilder:
    """Builds a kernel, one call a scalar operation. Scalars are numbers, arguments first."""

    def __init__(self, argument_types: Sequence[str]) -> None: ...
    def constant(self, value: bool | int | float | complex, type: str) -> int:
        """Integers may be given as signed or as unsigned; floats are rounded to the type."""

    def op(
        self,
        name: str,
        operands: Sequence[int],
        result_type: str,
        attributes: dict[str, int | str] | None = None,
        location: Location | None = None,
    ) -> int:
        """Adds e.g. `arith.cmpf` with `{"predicate": "olt"}`.

        Attributes are enum keywords or ints, and `True` for unit attributes.
        """

    def finish(self, results: Sequence[int]) -> Kernel: ...

class Location:
    """A source location, made once and used by many calls."""

    def __init__(self, file: str, line: int, column: int) -> None: ...

class Function:
    """A finished, detached, isolated `func.func`."""

    @property
    def name(self) -> str: ...
    def snapshot(self) -> snapshot.Function: ...
    def text(self, debug_info: bool = False) -> str:
        """The MLIR text; with `debug_info`, each operation's location beside it, as MLIR parses it."""

    @property
    def callees(self) -> tuple[Function, ...]:
        """In the order of their first calls. Functions of one name are told apart in this function's
        own text and snapshot by `_1`, `_2` …; `make_module` names them anew."""

class FunctionBuilder:
    """Builds one function. Every operation call returns its result(s) and its open constraints."""

    def __init__(self, name: str, location: Location | None = None) -> None: ...
    def argument(self, shape: Sequence[int | None], element: str, location: Location | None = None) -> int:
        """Appends an argument; may be called at any time before `finish` (captured values are lifted).

        Value numbers are therefore handed out in order of creation and stay valid; `snapshot` numbers
        afresh. With shape `()` and element "index" it is an index value.
        """

    def set_argument_attribute(self, value: int, name: str, attribute: str) -> None:
        """Sets `name` to the attribute that the MLIR text `attribute` spells.

        The dialect checks its own attributes (`wax.dims` …) when the function is finished.
        """

    def set_result_attribute(self, result: int, name: str, attribute: str) -> None:
        """As `set_argument_attribute`, for the result at position `result`."""

    def set_attribute(self, name: str, attribute: str) -> None: ...

    # Index glue: one `index` value each.
    def index_constant(self, value: int) -> int: ...
    def dim(self, value: int, axis: int) -> int:
        """The size of a dim, static or dynamic; the same number when asked again."""

    def index_op(self, kind: Literal["+", "-", "*", "floordiv", "mod", "max", "min"], lhs: int, rhs: int) -> int:
        """`floordiv` and `mod` are Python's; `a floordiv 0` is 0 and `a mod 0` is `a`."""
    def index_to_tensor(self, index: int, element: str, location: Location | None = None) -> Result:
        """A rank 0 integer tensor holding an index value."""

    def tensor_to_index(self, value: int, location: Location | None = None) -> int:
        """The index value of a rank 0 integer tensor, taken as signed."""

    # Control flow. A branch or a body is a finished function, whose operations are copied into a region; its
    # arguments become what it captured, in order, and what is carried. Results are as those of `call`.
    def if_(
        self,
        condition: int,
        then: Function,
        then_captured: Sequence[int],
        otherwise: Function,
        otherwise_captured: Sequence[int],
        location: Location | None = None,
    ) -> tuple[Result, ...]:
        """`scf.if`; the condition is a rank 0 tensor of i1."""

    def for_(
        self,
        count: int | tuple[Literal["value"], int],
        inits: Sequence[int],
        body: Function,
        carried: Sequence[int],
        captured: Sequence[int],
        location: Location | None = None,
    ) -> tuple[Result, ...]:
        """`scf.for` from 0 up to `count`. The body's first argument is the turn's number, an index value.

        `carried` says which of the following ones are the carried values, counted from 0 after the first.
        """

    def while_(
        self,
        inits: Sequence[int],
        condition: Function,
        condition_captured: Sequence[int],
        body: Function,
        body_captured: Sequence[int],
        max_steps: int | None,
        location: Location | None = None,
    ) -> tuple[Result, ...]:
        """`scf.while`; both functions take the carried values first."""

    def checkpoint(
        self,
        body: Function,
        operands: Sequence[int],
        saving: Sequence[Sequence[str]],
        mergeable: bool,
        location: Location | None = None,
    ) -> tuple[Result, ...]:
        """`wax.checkpoint` around a function's operations."""

    # The basis. Sizes are ints, or ("value", n) for an index value n.
    def constant(self, data: bytes, shape: Sequence[int], element: str, location: Location | None = None) -> Result:
        """`data` is the row-major little-endian elements (a bool is one byte), or one element for a splat."""

    def map(self, operand: int, kernel: Kernel, location: Location | None = None) -> Result: ...
    def broadcast(
        self,
        inputs: Sequence[int],
        dims: Sequence[Sequence[int]],
        sizes: Sequence[int | tuple[Literal["value"], int]],
        kernel: Kernel,
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]: ...
    def reduce(
        self,
        inputs: Sequence[int],
        inits: Sequence[int],
        dims: Sequence[int],
        fold: Kernel,
        combine: Kernel | None,
        location: Location | None = None,
    ) -> tuple[tuple[Result, ...], tuple[Constraint, ...]]: ...
    def scan(
        self,
        inputs: Sequence[int],
        inits: Sequence[int],
        dim: int,
        exclusive: bool,
        reverse: bool,
        fold: Kernel,
        combine: Kernel | None,
        location: Location | None = None,
    ) -> tuple[tuple[Result, ...], tuple[Constraint, ...]]: ...
    def sort(
        self, inputs: Sequence[int], dim: int, comparator: Kernel, location: Location | None = None
    ) -> tuple[tuple[Result, ...], tuple[Constraint, ...]]: ...
    def permute(self, operand: int, permutation: Sequence[int], location: Location | None = None) -> Result: ...
    def reshape(
        self,
        operand: int,
        source_groups: Sequence[Sequence[int]],
        result_groups: Sequence[Sequence[int]],
        result_shape: Sequence[int | None | tuple[Literal["value"], int]],
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]:
        """`None` is a dynamic dim whose size follows from its operand group."""

    def slice(
        self,
        operand: int,
        offsets: Sequence[int | tuple[Literal["value"], int]],
        sizes: Sequence[int | tuple[Literal["value"], int]],
        strides: Sequence[int],
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]: ...
    def pad(
        self,
        operand: int,
        value: int,
        low: Sequence[int],
        high: Sequence[int],
        interior: Sequence[int],
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]: ...
    def concat(
        self, inputs: Sequence[int], dim: int, location: Location | None
    ) -> tuple[Result, tuple[Constraint, ...]]: ...
    def gather(
        self,
        operand: int,
        indices: Sequence[int],
        operand_dims: Sequence[int],
        index_dims: Sequence[Sequence[int]],
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]: ...
    def reverse(self, operand: int, dims: Sequence[int], location: Location | None = None) -> Result: ...
    def insert(
        self,
        update: int,
        operand: int,
        offsets: Sequence[int | tuple[Literal["value"], int]],
        strides: Sequence[int],
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]: ...
    def scatter(
        self,
        updates: Sequence[int],
        inits: Sequence[int],
        indices: Sequence[int],
        operand_dims: Sequence[int],
        index_dims: Sequence[Sequence[int]],
        fold: Kernel,
        combine: Kernel | None,
        location: Location | None = None,
    ) -> tuple[tuple[Result, ...], tuple[Constraint, ...]]: ...
    def iota(
        self,
        dim: int,
        shape: Sequence[int | tuple[Literal["value"], int]],
        element: str,
        location: Location | None = None,
    ) -> Result: ...
    def fft(
        self,
        operand: int,
        dims: Sequence[int],
        length: int | None,
        inverse: bool,
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]:
        """`length` makes the result real; otherwise a real operand gives a half result."""
    def window(
        self,
        operand: int,
        dims: Sequence[int],
        sizes: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]: ...
    def fold(
        self,
        operand: int,
        init: int,
        dims: Sequence[int],
        sizes: Sequence[int | tuple[Literal["value"], int]],
        strides: Sequence[int],
        dilations: Sequence[int],
        fold: Kernel,
        combine: Kernel | None,
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]: ...
    def convolve(
        self,
        lhs: int,
        rhs: int,
        lhs_dims: Sequence[int],
        rhs_dims: Sequence[int],
        result_dims: Sequence[int],
        strides: Sequence[int],
        low: Sequence[int],
        high: Sequence[int],
        lhs_dilations: Sequence[int],
        rhs_dilations: Sequence[int],
        feature_groups: int,
        batch_groups: int,
        element: str,
        location: Location | None = None,
    ) -> tuple[Result, tuple[Constraint, ...]]:
        """The dims are listed as batch, feature, spatial …; those of `rhs` as in, out, spatial …."""

    def axis_index(self, axis: str, location: Location | None = None) -> Result: ...
    def all_gather(
        self, operand: int, size: int | tuple[Literal["value"], int], axis: str, location: Location | None = None
    ) -> Result: ...
    def psum(self, operand: int, axis: str, location: Location | None = None) -> Result: ...
    def pmax(
        self, operand: int, axis: str, minimum: bool, unsigned: bool, location: Location | None = None
    ) -> Result: ...
    def ppermute(self, operand: int, axis: str, sources: Sequence[int], location: Location | None = None) -> Result: ...
    def name(self, operand: int, name: str, location: Location | None = None) -> Result: ...
    def call(self, callee: Function, operands: Sequence[int], location: Location | None = None) -> tuple[Result, ...]:
        """`func.call`; result sizes that are dynamic are `("dim", result, axis)` of the result itself.

        An index result has shape `()` and element "index".
        """

    def finish(self, results: Sequence[int]) -> Function: ...

class Module:
    """A module of its own: an entry function and all it calls, under deterministic names."""

    def text(self, debug_info: bool = False) -> str:
        """As `Function.text`; equal programs have equal texts."""

    def snapshot(self) -> snapshot.Module:
        """The entry is the public function `main`, or else the first public function."""
    def clone(self) -> Module: ...
    def verify(self) -> None:
        """Raises DialectError."""

    def run(self, pipeline: str) -> None:
        """Runs a textual pass pipeline in place, without the GIL; raises PassError.

        The pipeline is `builtin.module(…)` or what stands in it. After a failure the module is as it
        was before. While it runs, other calls on the module raise DialectError. The module is verified
        at the end; after every pass if the environment variable WAX_VERIFY_PASSES is 1.
        """

    def is_alone(self) -> bool:
        """Whether IREE would make no loops of it: its functions do no more than call executables, and look at memory
        in other ways.
        """

    def may_be_alone(self) -> bool:
        """Whether it might be so, lowered with `alone=true`: what is left is loops of known sizes, and copies."""

    def sizes(self) -> tuple[tuple[SizeExpr, ...], ...]:
        """By the numbers of the entry's snapshot, the sizes of each value; of an index value, itself.

        They are followed back to dims of arguments, and to what only the running program knows.
        """

    def replace(self, replacements: Sequence[tuple[int, Function, Sequence[int]]]) -> None:
        """Lets results of the entry's operations be computed by functions that call no others, of these values.

        Values are numbered as in the snapshot. What is computed for nobody any more stays. Raises DialectError for
        types that differ.
        """

    def entry(self) -> Function:
        """The entry as a function of its own. Raises DialectError where it calls others."""

def make_module(entry: Function, entry_name: str = "main") -> Module:
    """Clones `entry` and its callees into a new module; the entry is public, the others private."""

def parse_module(text: str, file: str = "<string>") -> Module:
    """Parses any registered dialects; raises DialectError with line and column."""

def processor(name: str) -> str:
    """What a CPU of x86-64 has that `wax-to-linalg` is told, by LLVM's name for it or "host"; "any" for others."""

def recognized_operations() -> tuple[str, ...]:
    """The full names of the operations that `wax-raise` introduces."""

def differentiate(function: Function, forward: bool, arguments: Sequence[int], results: Sequence[int]) -> Function:
    """A function that computes derivatives too, of the results at these places by the arguments at those.

    `forward`: it takes a tangent for each of the arguments, and gives one for each of the results, after the
    function's own. Else it takes cotangents of the results, and gives those of the arguments. Calls are inlined, but
    for those of functions that have a rule. Raises DialectError with the place of what is not differentiable.
    """

def split(function: Function, argument_count: int, result_count: int) -> tuple[Function, Function, tuple[int, ...]]:
    """A function in two, after these many arguments and results: `(leading…) -> (leading results…, residuals…)` and
    `(residuals…, others…) -> (other results…)`.

    The numbers tell where the residuals are: among the leading arguments, or, counted after them, among the first
    part's results.
    """

def batch(
    function: Function, arguments: Sequence[int], size: int | None, axis: str
) -> tuple[Function, tuple[int, ...]]:
    """A function that does the same for a batch, whose size is static or that of the arguments at these places: these
    have it as their first dim, and so have the results at the places that are returned. Collectives over `axis` are
    computed. Calls are inlined, but for those of functions that have a rule, which is batched too. Raises DialectError
    with the place of what is not batchable.
    """

def with_rule(function: Function, kind: Literal["zero", "reverse", "forward"]) -> Function:
    """The function, calls of which are differentiated by a rule: "zero" is no derivative, others need `set_rule`."""

def set_rule(
    function: Function, forward: Function, backward: Function | None = None, jvp: Function | None = None
) -> None:
    """Gives the rule of a function that `with_rule` made; until then the function is differentiated as it is.

    - "reverse": `forward` gives the results and residuals; `backward` takes these, the cotangents of results that are
      floats or complex, and the operands, and gives the cotangents of such operands. `jvp`, if given, is for forward
      mode, as the other kind's `forward`.
    - "forward": `forward` takes the operands and tangents of those that are floats or complex, and gives the results
      and tangents of such results.
    """

class TreeTemplate:
    """How tuples, lists and dicts are built around leaves."""

    def __init__(self, tree: Any) -> None:
        """`tree` has the leaves' numbers in their places.

        Raises ValueError for other containers, and for keys that are neither strings nor integers.
        """

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """The tree with the leaves (a list or a tuple) in their places."""

class CallCache:
    """A jitted function's calls, found by what of their arguments `wax.abstract.call_key` looks at.

    It reads exact tuples, lists, dicts with strings as keys, `None`, instances of classes it was told of, arrays,
    NumPy's arrays and Python's numbers, and keeps none of these, but static ones, alive. It is guarded by the GIL.
    """

    def __init__(
        self,
        array_type: type,
        numpy_type: type,
        static_argnums: frozenset[int],
        static_argnames: frozenset[str],
        capacity: int,
    ) -> None:
        """`array_type` has an attribute `spec`, the same object for all arrays of a kind.

        A full cache is emptied.
        """

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result of the call, or `NotImplemented` if no such call was added."""

    def add(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        traced: tuple[Any, ...],
        leaves: tuple[Any, ...],
        numbers: tuple[Any, ...],
        takes: tuple[Callable[[Any], Any], ...],
        run: Callable[[tuple[Any, ...]], list[Any]],
        rebuild: Callable[[list[Any]], Any],
        containers: dict[type, tuple[tuple[str, ...] | None, tuple[str, ...]]],
    ) -> bool:
        """Lets calls like this one be found; false if it cannot read such a call.

        `traced` is the arguments without static ones, `leaves` are theirs, and `numbers` is `traced` with the leaves'
        numbers in their places. `takes` makes an array of each leaf, unless it is one; `run` computes with the arrays
        (if its attribute `steps` has `wax_runtime.iree.invocation.Steps`, these are taken instead); `rebuild` makes of
        the results what is returned. `containers` are the classes among the containers, as `wax.tree.Fields`.
        """

    def clear(self) -> None: ...
    @staticmethod
    def forget_containers() -> None:
        """Lets every cache forget everything, because a class has become another container."""

    def __len__(self) -> int: ...
