"""A snapshot as bytes, and back: the file format of the reference backend.

The file is a line that names the format, a line with the SHA-256 of the rest, and JSON. Nothing is
unpickled, and whatever is not exactly what `dumps` writes is refused. Floats are written in hexadecimal,
array data in base64; a constant whose elements are all one value in memory is written as that one.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from wax_runtime import dtypes
from wax_runtime.errors import LoadError, WaxError
from wax_runtime.reference.trees import in_order
from wax_runtime.signature import Signature
from wax_runtime.snapshot import (
    Apply,
    Argument,
    Attribute,
    Function,
    Kernel,
    Literal,
    Location,
    Module,
    Operation,
    Region,
    Scalar,
    TensorType,
)

__all__ = ["MAGIC", "dumps", "loads"]

MAGIC = b"wax snapshot 2\n"


def dumps(module: Module, signature: Signature, about: Mapping[str, Any] | None = None) -> bytes:
    """A program and its calling convention as bytes; equal programs give equal bytes. `about` is anything in JSON."""
    data = {
        "signature": signature.to_json(),
        "about": dict(about or {}),
        "entry": module.entry,
        "functions": [_from_function(function) for function in module.functions.values()],
    }
    text = json.dumps(data, separators=(",", ":")).encode()
    return MAGIC + hashlib.sha256(text).hexdigest().encode() + b"\n" + text


def loads(data: bytes) -> tuple[Module, Signature, dict[str, Any]]:
    """What `dumps` was given. Raises `LoadError` for bytes that are damaged or that it did not write."""
    if not data.startswith(MAGIC):
        raise LoadError("not a snapshot written by this version of wax")
    digest, _, text = data[len(MAGIC) :].partition(b"\n")
    if hashlib.sha256(text).hexdigest().encode() != digest:
        raise LoadError("the snapshot is damaged: its checksum does not match")
    try:
        tree = json.loads(text)
        functions = [_to_function(row) for row in tree["functions"]]
        module = Module({function.name: function for function in functions}, tree["entry"])
        return module, Signature.from_json(tree["signature"]), tree["about"]
    except WaxError:
        raise
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise LoadError(f"not a snapshot written by this version of wax: {error!r}") from error


# Functions and operations.


def _from_function(function: Function) -> dict[str, Any]:
    return {
        "name": function.name,
        "arguments": list(function.arguments),
        "operations": [_from_operation(operation) for operation in function.operations],
        "results": list(function.results),
        "types": [[list(type.shape), type.element] for type in function.types],
        "argument_attributes": [_from_attributes(each) for each in function.argument_attributes],
        "attributes": _from_attributes(function.attributes),
        "result_attributes": [_from_attributes(each) for each in function.result_attributes],
    }


def _to_function(row: dict[str, Any]) -> Function:
    return Function(
        name=row["name"],
        arguments=tuple(row["arguments"]),
        operations=tuple(_to_operation(each) for each in row["operations"]),
        results=tuple(row["results"]),
        types=tuple(TensorType(tuple(shape), element) for shape, element in row["types"]),
        argument_attributes=tuple(_to_attributes(each) for each in row["argument_attributes"]),
        attributes=_to_attributes(row["attributes"]),
        result_attributes=tuple(_to_attributes(each) for each in row["result_attributes"]),
    )


def _from_operation(operation: Operation) -> list[Any]:
    place = operation.location
    return [
        operation.name,
        list(operation.operands),
        list(operation.results),
        _from_attributes(operation.attributes),
        list(operation.segments),
        [None if kernel is None else _from_kernel(kernel) for kernel in operation.kernels],
        [
            [list(region.arguments), [_from_operation(inner) for inner in region.operations], list(region.results)]
            for region in operation.regions
        ],
        None if place is None else [place.file, place.line, place.column],
    ]


def _to_operation(row: list[Any]) -> Operation:
    name, operands, results, attributes, segments, kernels, regions, place = row
    return Operation(
        name=name,
        operands=tuple(operands),
        results=tuple(results),
        attributes=_to_attributes(attributes),
        segments=tuple(segments),
        kernels=tuple(None if kernel is None else _to_kernel(kernel) for kernel in kernels),
        regions=tuple(
            Region(tuple(arguments), tuple(_to_operation(inner) for inner in operations), tuple(values))
            for arguments, operations, values in regions
        ),
        location=None if place is None else Location(*place),
    )


# Kernels: the nodes in order, operands before users, so that what is shared is written once and stays shared.


def _from_kernel(kernel: Kernel) -> list[Any]:
    nodes = in_order(kernel.results)
    number = {id(node): i for i, node in enumerate(nodes)}
    rows: list[list[Any]] = []
    for node in nodes:
        match node:
            case Argument():
                rows.append(["a", node.index, node.element])
            case Literal():
                rows.append(["c", _from_attribute(node.value), node.element])
            case Apply():
                operands = [number[id(operand)] for operand in node.operands]
                rows.append([node.op, operands, node.element, _from_attributes(node.attributes)])
    return [list(kernel.arguments), rows, [number[id(result)] for result in kernel.results]]


def _to_kernel(row: list[Any]) -> Kernel:
    arguments, rows, results = row
    nodes: list[Scalar] = []
    for kind, *rest in rows:
        match kind, rest:
            case "a", [int(index), str(element)]:
                nodes.append(Argument(index, element))
            case "c", [value, str(element)]:
                literal = _to_attribute(value)
                if not isinstance(literal, (bool, int, float, complex)):
                    raise ValueError(f"{literal!r} is not a scalar")
                nodes.append(Literal(literal, element))
            case str(op), [operands, str(element), attributes]:
                nodes.append(Apply(op, tuple(nodes[i] for i in operands), element, _to_attributes(attributes)))
            case _:
                raise ValueError(f"{kind!r} is not a kernel's node")
    return Kernel(tuple(arguments), tuple(nodes[i] for i in results))


# Attributes: JSON's own integers, strings, booleans and null; all else is an object with one key, its kind.


def _from_attributes(attributes: Mapping[str, Attribute]) -> dict[str, Any]:
    return {name: _from_attribute(attributes[name]) for name in sorted(attributes)}


def _to_attributes(row: dict[str, Any]) -> dict[str, Attribute]:
    return {name: _to_attribute(value) for name, value in row.items()}


def _from_attribute(value: Attribute) -> Any:
    match value:
        case np.ndarray():
            return _from_array(value)
        case np.generic():
            return _from_array(np.asarray(value))
        case None | bool() | int() | str():
            return value
        case float():
            return {"float": value.hex()}
        case complex():
            return {"complex": [value.real.hex(), value.imag.hex()]}
        case tuple():
            return [_from_attribute(each) for each in value]
        case _:
            raise TypeError(f"{value!r} is not an attribute of a snapshot")


def _to_attribute(row: Any) -> Any:
    match row:
        case None | bool() | int() | str():
            return row
        case list():
            return tuple(_to_attribute(each) for each in row)
        case {"float": text}:
            return float.fromhex(text)
        case {"complex": [real, imaginary]}:
            return complex(float.fromhex(real), float.fromhex(imaginary))
        case {"array": [name, shape, data]}:
            return _to_array(name, shape, data)
        case _:
            raise ValueError(f"{row!r} is not an attribute of a snapshot")


def _from_array(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    # A splat has no strides, so that one element stands for all.
    stored = array.reshape(-1)[:1] if array.size and not any(array.strides) else np.ascontiguousarray(array)
    data = base64.b64encode(stored.tobytes()).decode()
    return {"array": [dtypes.info(array.dtype).name, list(array.shape), data]}


def _to_array(name: str, shape: list[int], data: str) -> np.ndarray[Any, Any]:
    elements = np.frombuffer(base64.b64decode(data, validate=True), dtypes.from_name(name))
    if elements.size == 1:
        return np.broadcast_to(elements.reshape(()), tuple(shape))
    return elements.reshape(tuple(shape))
