"""A loaded `.vmfb`: the shortest way from buffers to `VmContext.invoke` and back.

Everything that depends only on the arguments' specs (checks, result shapes, which device) is worked out once
per combination of specs, by `bind`; what remains per call is an `Invocation`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from wax_runtime.backend import Artefact
from wax_runtime.buffer import Buffer
from wax_runtime.devices import CPU, Device
from wax_runtime.errors import ArgumentError, LoadError
from wax_runtime.iree import accelerator, cuda
from wax_runtime.iree.direct import DirectSteps
from wax_runtime.iree.hal import hal_device, hal_module, instance
from wax_runtime.iree.invocation import Invocation, Run, call_error, reason, wrapped
from wax_runtime.iree.native import binding
from wax_runtime.iree.placement import devices_for, forked, start_of, team_size
from wax_runtime.iree.plans import Plan
from wax_runtime.iree.storage import HalStorage, copy_of, putter, view_of
from wax_runtime.iree.team import is_there, shared, switched_on
from wax_runtime.iree.timeline import takes_fences, timeline_of
from wax_runtime.iree.trial import Trial
from wax_runtime.iree.waiting import patient
from wax_runtime.spec import ArraySpec, spec
from wax_runtime.storage import Storage
from wax_runtime.symbols import bind, evaluate

__all__ = ["IreeExecutable"]

_VmVariantList = binding.VmVariantList
_MAX_PLANS = 4096


class IreeExecutable:
    """One function of a `.vmfb` on one device; safe to call from several threads. Raises `LoadError`."""

    def __init__(self, artefact: Artefact, device: Device, buffer_type: type[Buffer]) -> None:
        self.signature = artefact.signature
        self._artefact = artefact
        self._device = device
        self._buffer_type = buffer_type
        self._plans: dict[tuple[ArraySpec, ...], Run] = {}
        self._contexts: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._is_host = device == CPU
        switched = switched_on(artefact.payload) if self._is_host else None
        # What is switched on can be watched, and what has no kernels need not be.
        plan: Plan | None = artefact.plan
        can = self._is_host and plan is not None and (switched is not None or (plan.is_bare and is_there()))
        self._plan = plan if can else None
        self._spread = "local-task" if switched is None else "local-team"
        try:
            self._module = binding.VmModule.copy_buffer(instance(), switched or artefact.payload)
        except (RuntimeError, ValueError) as error:
            raise LoadError(f"not a program that this iree-base-runtime reads: {reason(error)}") from error
        self._function = self._module.lookup_function(self.signature.entry)
        if self._function is None:
            raise LoadError(f"the program has no function {self.signature.entry!r}: {self._module.function_names}")
        self._takes_fences = takes_fences(self._function)
        self._enter = partial(cuda.enter_named, str(device))
        self._storage: Callable[..., Storage] = HalStorage
        self._view_of, self._copy_of = view_of, copy_of
        if not self._is_host:
            self._storage = partial(accelerator.DeviceStorage, device=device)
            self._view_of = partial(accelerator.view_on, device=device)
            self._copy_of = partial(accelerator.copy_of, device=device)
        # Here, so that what cannot be loaded is known now and not at the first call.
        self._context("local-sync" if self._is_host else str(device))

    def __call__(self, args: Sequence[Buffer]) -> list[Buffer]:
        specs = tuple([arg.spec for arg in args])
        run = self._plans.get(specs)
        if run is None:
            run = self.bind(specs)
            if len(self._plans) >= _MAX_PLANS:
                self._plans.clear()
            self._plans[specs] = run
        return run(args)

    def putter(self, spec: ArraySpec) -> Callable[[np.ndarray[Any, Any] | np.generic], Buffer]:
        """What makes buffers, which a call takes as they are, of arrays of this spec."""
        if not self._is_host:
            return accelerator.putter(spec, self._device, self._buffer_type)
        return putter(spec, self._buffer_type)

    def bind(self, specs: tuple[ArraySpec, ...]) -> Run:
        """A callable for arguments of exactly these specs. Raises `ArgumentError` when they do not fit."""
        for index, got in enumerate(specs):
            if got.device not in (self._device, CPU):
                raise ArgumentError(
                    f"{self.signature.title}: argument {index}{self._name_of(index)} is on {got.device}, "
                    f"the function on {self._device}; move it by wax.device_put"
                )
        symbols = bind(self.signature, specs)
        results = self._result_specs(symbols)
        if self._takes_fences:
            run = self._queueing_runner(results)
        elif self._is_host:
            names = devices_for(self._artefact.work, symbols, specs, results, self._spread)
            run = self._host_runner(names, results)
        else:
            run = self._waiting_runner(self._runner(str(self._device), results))
        if any(got.device != self._device for got in specs):
            run = self._moving_runner(run)
        if self.signature.donated:
            return self._careful_runner(run)
        if self._artefact.overwrites or self._artefact.aliases:
            return _Directly(run, self._careful_runner(run))
        return run

    def _name_of(self, index: int) -> str:
        arguments = self.signature.arguments
        return f" ({arguments[index].name})" if index < len(arguments) and arguments[index].name else ""

    def _result_specs(self, symbols: Mapping[str, int]) -> tuple[ArraySpec | None, ...]:
        return tuple(
            None if "?" in want.shape else spec([evaluate(d, symbols) for d in want.shape], want.dtype, self._device)
            for want in self.signature.results
        )

    def _context(self, name: str) -> Any:
        with self._lock:
            if name not in self._contexts:
                self._enter()
                try:
                    context = binding.VmContext(instance(), [hal_module(name), self._module])
                except (RuntimeError, ValueError) as error:
                    raise LoadError(
                        f"{self.signature.title} cannot be loaded on {self._device} of this machine: {reason(error)}"
                    ) from error
                self._contexts[name] = context
            return self._contexts[name]

    def _runner(self, name: str, results: tuple[ArraySpec | None, ...]) -> Run:
        way, threads = name.partition(":")[0], 1
        name = name.replace("local-team", "local-sync")
        invoke = self._context(name).invoke
        if way == "local-team":
            threads = team_size()
            invoke = shared(invoke, threads)
        elif way == "local-task":
            invoke = patient(invoke)
        return Invocation(
            invoke,
            self._function,
            hal_device(name),
            self.signature,
            results,
            self._device,
            self._buffer_type,
            self._storage,
            self._view_of,
            self._plan if way != "local-task" and None not in results else None,
            threads,
        )

    def _host_runner(self, names: Sequence[str], results: tuple[ArraySpec | None, ...]) -> Run:
        """On one of the CPU's devices: on the faster, where there are two to choose from."""
        first, *others = names
        run = self._runner(first, results)
        if first != "local-sync":
            run = _Directly(run, self._surviving_forks(run, results))
        for other in others:
            run = Trial(run, partial(self._host_runner, [other], results), start_of(other))
        return run

    def _queueing_runner(self, results: tuple[ArraySpec | None, ...]) -> Run:
        """For programs that take fences: a call returns when its work is in the device's queue."""
        name = str(self._device)
        invoke, timeline, view_of = self._context(name).invoke, timeline_of(name), self._view_of

        def run(args: Sequence[Buffer]) -> list[Buffer]:
            self._enter()
            inputs, outputs = _VmVariantList(len(args) + 2), _VmVariantList(len(results))
            for arg in args:
                inputs.push_ref(view_of(arg))
            wait, reached = timeline.next(inputs)
            inputs.push_ref(wait)
            inputs.push_ref(reached)
            try:
                invoke(self._function, inputs, outputs)
            except (RuntimeError, ValueError) as error:
                timeline.skip(wait, reached)
                raise call_error(self.signature.title, error) from error
            storage = partial(self._storage, ready=reached)
            return wrapped(outputs, results, self.signature, self._device, self._buffer_type, storage)

        return run

    def _waiting_runner(self, run: Run) -> Run:
        """For programs on such devices that take no fences: of another version, or for several devices."""

        def run_when_ready(args: Sequence[Buffer]) -> list[Buffer]:
            self._enter()
            for arg in args:
                arg.block_until_ready()
            return run(args)

        return run_when_ready

    def _moving_runner(self, run: Run) -> Run:
        """Brings arguments from the host to the device, for each call anew."""

        def run_there(args: Sequence[Buffer]) -> list[Buffer]:
            return run([arg if arg.spec.device == self._device else self._copy_of(arg) for arg in args])

        return run_there

    def _surviving_forks(self, run: Run, results: tuple[ArraySpec | None, ...]) -> Run:
        """A call in a forked child could wait for ever: for workers that it has not, or for who held a pool's lock."""
        instead: list[Run] = []

        def run_somewhere(args: Sequence[Buffer]) -> list[Buffer]:
            if not forked():
                return run(args)
            if not instead:
                instead.append(self._runner("local-sync", results))
            return instead[0](args)

        return run_somewhere

    def _careful_runner(self, run: Run) -> Run:
        """For programs that overwrite or return memory of arguments: arrays stay immutable, donated ones go."""
        donated = frozenset(self.signature.donated)
        overwrites = self._artefact.overwrites
        aliases = tuple((r, a) for r, a in self._artefact.aliases if a not in overwrites)

        def run_carefully(args: Sequence[Buffer]) -> list[Buffer]:
            passed = list(args)
            for index in donated:
                if sum(arg is args[index] for arg in args) > 1:
                    raise ArgumentError(
                        f"{self.signature.title}: argument {index}{self._name_of(index)} is donated, and passed as "
                        f"another argument as well; pass a copy, or do not donate it"
                    )
            for index in overwrites:
                if not (index in donated and _is_exclusive(args[index])):
                    passed[index] = self._copy_of(args[index])
            made = run(passed)
            for result, argument in aliases:
                made[result]._live().share()
                args[argument]._live().share()
            for index in donated:
                args[index].delete()
            return made

        return run_carefully


class _Directly:
    """A call that a native caller may make as another would be made, if that is without IREE, and by no other."""

    def __init__(self, run: Run, other: Run) -> None:
        self._run, self._other = run, other

    @property
    def steps(self) -> DirectSteps | None:
        steps = getattr(self._run, "steps", None)
        return steps if isinstance(steps, DirectSteps) else None

    def lend(self) -> int | None:
        """As `Trial.lend`."""
        return self._run.lend() if isinstance(self._run, Trial) else None

    def __call__(self, args: Sequence[Buffer]) -> list[Buffer]:
        return self._other(args)


def _is_exclusive(buffer: Buffer) -> bool:
    return getattr(buffer._live(), "exclusive", False)
