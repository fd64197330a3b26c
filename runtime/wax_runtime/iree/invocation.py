"""One call of a program on a HAL device: arguments packed, `VmContext.invoke`, results wrapped.

In Python, and as the steps that a native caller (`wax._native.CallCache`) takes itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from wax_runtime.buffer import Buffer
from wax_runtime.devices import Device
from wax_runtime.errors import BackendError, CheckError, WaxError
from wax_runtime.iree.direct import DirectSteps, Watch
from wax_runtime.iree.native import binding
from wax_runtime.iree.plans import Plan
from wax_runtime.iree.storage import ViewStorage
from wax_runtime.signature import Signature
from wax_runtime.spec import ArraySpec, spec
from wax_runtime.storage import Storage

__all__ = ["Invocation", "Invoke", "Run", "Steps", "call_error", "reason", "wrapped"]

#: `VmContext.invoke`: of a function, the list of its inputs and that of its outputs.
Invoke = Callable[[Any, Any, Any], None]
#: A call of a program: buffers in, buffers out.
Run = Callable[[Sequence[Buffer]], list[Buffer]]

_HalBufferView = binding.HalBufferView
_VmVariantList = binding.VmVariantList
_NO_KEYWORDS: dict[str, Any] = {}
_CALLS_BY_HAND = 4
_SPARE_BYTES = 4096


class Steps(NamedTuple):
    """What a call is made of, for arguments of which each has its slot `_handle` set.

    - `inputs = pack(pack_context, handles, {})`; where a handle is no view it raises, and nothing has happened yet;
    - `invoke(function, inputs, outputs)`, `outputs` a new `list_type(len(specs))`; errors go to `fail`, which raises;
    - `view = cast(outputs.get_as_ref(i))` for each result;
    - its storage: a new `storage_type` with `storage_slots` set to `view` and True, and nothing else;
    - its buffer: a new `buffer_type` with `buffer_slots` set to `specs[i]`, the storage and `view`, and nothing else.

    If `spare`, the list of outputs may serve another call, and keeps the results' memory until then.
    """

    pack: Callable[[Any, Sequence[Any], dict[str, Any]], Any]
    pack_context: Any
    invoke: Invoke
    function: Any
    fail: Callable[[Exception], NoReturn]
    list_type: type
    cast: Callable[[Any], Any]
    specs: tuple[ArraySpec, ...]
    storage_type: type[ViewStorage]
    storage_slots: tuple[Any, Any]
    buffer_type: type[Buffer]
    buffer_slots: tuple[Any, Any, Any]
    spare: bool


class Invocation:
    """A function, called by its context's `invoke`, for arguments of certain specs; safe to call from several threads.

    `results` have `None` for what is known from the result only.
    """

    def __init__(
        self,
        invoke: Invoke,
        function: Any,
        device: Any,
        signature: Signature,
        results: tuple[ArraySpec | None, ...],
        where: Device,
        buffer_type: type[Buffer],
        storage_of: Callable[[Any], Storage],
        view_of: Callable[[Buffer], Any],
        plan: Plan | None = None,
        threads: int = 1,
    ) -> None:
        self._invoke, self._function = invoke, function
        self._pack_context = binding.InvokeContext(device)
        self._pack: Callable[[Any, Sequence[Any], dict[str, Any]], Any] = self._pack_by_hand
        self._packed = 0
        self._signature, self._where = signature, where
        self._results, self._buffer_type, self._storage_of, self._view_of = results, buffer_type, storage_of, view_of
        self._plan, self._threads = plan, threads
        #: How a native caller does what `__call__` does; `None` where it cannot, or should not yet.
        self.steps: Steps | DirectSteps | None = None

    def __call__(self, args: Sequence[Buffer]) -> list[Buffer]:
        if self._packed == _CALLS_BY_HAND and self._plan is not None and self.steps is None:
            return self._watched(args, self._plan)
        return self._call(args)

    def _call(self, args: Sequence[Buffer]) -> list[Buffer]:
        try:
            inputs = self._pack(self._pack_context, [arg._handle for arg in args], _NO_KEYWORDS)
        except (AttributeError, ValueError):  # no view yet, or another backend's handle
            view_of = self._view_of
            inputs = self._pack(self._pack_context, [view_of(arg) for arg in args], _NO_KEYWORDS)
        outputs = _VmVariantList(len(self._results))
        try:
            self._invoke(self._function, inputs, outputs)
        except (RuntimeError, ValueError) as error:
            self._fail(error)
        return wrapped(outputs, self._results, self._signature, self._where, self._buffer_type, self._storage_of)

    def _pack_by_hand(self, context: Any, views: Sequence[Any], keywords: dict[str, Any]) -> Any:
        # IREE's packer is faster, but its first use imports all of `iree.runtime`, longer than most calls take.
        self._packed += 1
        if self._packed > _CALLS_BY_HAND:
            self._pack = binding.ArgumentPacker(binding._invoke_statics, None).pack
            self.steps = self._steps()
            return self._pack(context, views, keywords)
        inputs = _VmVariantList(len(views))
        for view in views:
            if type(view) is not _HalBufferView:
                raise ValueError("not a view of IREE's")
            inputs.push_ref(view)  # pyright: ignore[reportArgumentType]  # the stub knows no views
        return inputs

    def _watched(self, args: Sequence[Buffer], plan: Plan) -> list[Buffer]:
        """A call from which native callers learn how to do without IREE."""
        self._plan = None
        with Watch() as watch:
            made = self._call(args)
        # The context has the kernels.
        steps = watch.steps(plan, args, made, self._view_of, self._threads, self._fail, self._invoke)
        self.steps = steps or self.steps
        return made

    def _steps(self) -> Steps | None:
        storage: Any = self._storage_of
        specs = tuple([known for known in self._results if known is not None])
        if len(specs) < len(self._results) or not isinstance(storage, type):
            return None
        if self._buffer_type.__init__ is not Buffer.__init__ or storage.__init__ is not ViewStorage.__init__:
            return None
        return Steps(
            pack=self._pack,
            pack_context=self._pack_context,
            invoke=self._invoke,
            function=self._function,
            fail=self._fail,
            list_type=_VmVariantList,
            cast=_HalBufferView.__iree_vm_cast__,  # pyright: ignore[reportAttributeAccessIssue]
            specs=specs,
            storage_type=storage,
            storage_slots=(ViewStorage.view, ViewStorage.exclusive),
            buffer_type=self._buffer_type,
            buffer_slots=(Buffer.spec, Buffer._storage, Buffer._handle),
            spare=sum(known.nbytes for known in specs) <= _SPARE_BYTES,
        )

    def _fail(self, error: Exception) -> NoReturn:
        raise call_error(self._signature.title, error) from error


def wrapped(
    outputs: Any,
    results: tuple[ArraySpec | None, ...],
    signature: Signature,
    where: Device,
    buffer_type: type[Buffer],
    storage_of: Callable[[Any], Storage],
) -> list[Buffer]:
    """The buffers of a call's outputs."""
    made: list[Buffer] = []
    for index, known in enumerate(results):
        view = outputs.get_as_object(index, _HalBufferView)
        if known is None:
            known = spec(view.shape, signature.results[index].dtype, where)
        result = buffer_type(known, storage_of(view))
        result._handle = view
        made.append(result)
    return made


def call_error(title: str, error: Exception) -> WaxError:
    """What a call's error in IREE is to a user."""
    text = str(error)
    if "FAILED_PRECONDITION" in text:  # how `cf.assert` ends
        return CheckError(f"{title}: {reason(error)}")
    if "RESOURCE_EXHAUSTED" in text:
        return BackendError(f"{title}: out of memory: {reason(error)}")
    return BackendError(f"{title} failed in IREE's runtime: {text}")


def reason(error: Exception) -> str:
    """IREE's message without its C++ file and line."""
    text = str(error)
    _, _, said = text.partition("; ")
    return said.split("; while ")[0].strip(" ;\n") or text
