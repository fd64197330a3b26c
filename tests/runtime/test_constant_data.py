"""Constants that MLIR prints are read as the bytes that IREE makes of them."""

import re

import ml_dtypes
import numpy as np
import pytest
from vm_files import VmFile

from wax.backends.iree import capi
from wax.backends.iree.constant_data import data_of, unescaped
from wax.backends.iree.unknown import UnknownError

RANDOM = np.random.default_rng(0)
TYPES = {
    **{f"i{width}": np.dtype(f"i{width // 8}") for width in (8, 16, 32, 64)},
    **{f"f{width}": np.dtype(f"f{width // 8}") for width in (16, 32, 64)},
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "complex<f32>": np.dtype("c8"),
}
SPECIAL = {
    "f16": ["0x7C00", "0xFC00", "0x7E01", "-0.0", "6.0e-08", "65504.0"],
    "bf16": ["0x7F80", "0xFF80", "0x7FC1", "-0.0", "1.0e-40", "3.3895e+38"],
    "f32": ["0x7F800000", "0xFF800000", "0x7FC00000", "0xFFC00123", "-0.0", "1.4e-45", "3.40282347e+38"],
    "f64": ["0x7FF0000000000000", "0xFFF8000000000001", "-0.0", "5.0e-324", "1.7976931348623157e+308", "0.1"],
    "i8": ["-128", "127", "-1"],
    "i64": ["-9223372036854775808", "9223372036854775807"],
    "i1": ["true", "false", "true"],
}


def printed_and_made(*constants, make=True):
    """Constants in one, as IREE prints them, and the bytes that it makes of them, where it can."""
    size = sum(size for _, size in constants)
    whole = f"#util.composite<{size}xi8, [\n{''.join(f'{text},{chr(10)}' for text, _ in constants)}]>"
    text = f"""module attributes {{vm.toplevel}} {{
  vm.module public @module {{
    vm.rodata private @data <alignment = 64> {whole}
    vm.export @run
    vm.func private @run() {{
      %data = vm.const.ref.rodata @data : !vm.buffer
      vm.discard.refs %data : !vm.buffer
      vm.return
    }}
  }}
}}
"""
    with capi._invocation(()) as invocation:
        invocation._parse(text)
        printed = invocation._printed()
        made = invocation._output(invocation._invocation.output_vm_bytecode) if make else None
    (found,) = re.findall(r"#util\.composite<.*\n *\]>", printed, re.S)
    return "\n".join(line.strip() for line in found.splitlines()), VmFile(made).rodata[0] if made else None


def written(array, element):
    return f'dense<"0x{array.tobytes().hex().upper()}"> : tensor<{"".join(f"{n}x" for n in array.shape)}{element}>'


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("shape", [(2,), (2, 3), (3, 1, 33), (101,), (7, 5, 4)])
def test_random_bits_are_read(element, shape):
    """In lists, or as bytes where there are many."""
    kind = TYPES[element]
    bits = RANDOM.integers(0, 256, (*shape, kind.itemsize), dtype=np.uint8)
    array = np.ascontiguousarray(bits).view(kind).reshape(shape)
    printed, made = printed_and_made((written(array, element), array.nbytes))
    assert made == array.tobytes()
    assert data_of(printed) == made


@pytest.mark.parametrize("element", TYPES)
def test_ordinary_numbers_are_read(element):
    kind = TYPES[element]
    numbers = RANDOM.standard_normal(90) * 10.0 ** RANDOM.integers(-3, 4, 90)
    if kind.kind == "c":
        numbers = numbers + 1j * numbers[::-1]
    with np.errstate(invalid="ignore"):
        array = numbers.astype(kind)
    printed, made = printed_and_made((written(array, element), array.nbytes))
    assert "dense<[" in printed
    assert data_of(printed) == made == array.tobytes()


@pytest.mark.parametrize("element", SPECIAL)
def test_special_numbers_are_read(element):
    """Alone, all the same, and in a list."""
    width = 1 if element == "i1" else TYPES[element].itemsize
    texts = SPECIAL[element]
    constants = [(f"dense<{one}> : tensor<{element}>", width) for one in texts]
    constants += [(f"dense<{one}> : tensor<3x2x{element}>", 6 * width) for one in texts]
    constants.append((f"dense<[{', '.join(texts)}]> : tensor<{len(texts)}x{element}>", len(texts) * width))
    printed, made = printed_and_made(*constants)
    assert data_of(printed) == made


def test_truths_are_bytes():
    some = ", ".join(["true", "false", "false"] * 20)
    printed, made = printed_and_made((f"dense<[{some}]> : tensor<60xi1>", 60))
    assert data_of(printed) == made == bytes([1, 0, 0] * 20)


def test_several_stand_one_behind_the_other():
    """With what fills them up, and such that are empty."""
    array = RANDOM.standard_normal((14, 7)).astype(np.float32)
    given = [(written(array, "f32"), array.nbytes), ("dense<0> : vector<56xi8>", 56)]
    given += [("dense<[[], []]> : tensor<2x0xf32>", 0), ("dense<7> : tensor<2xi64>", 16)]
    printed, made = printed_and_made(*given)
    assert data_of(printed) == made == array.tobytes() + bytes(56) + np.array([7, 7]).tobytes()


def test_complex_numbers_are_read():
    texts = ["(1.0, -0.0)", "(0x7FC00000, 0.1)", "(0xFF800000, -2.5)"]
    printed, made = printed_and_made((f"dense<[{', '.join(texts)}]> : tensor<3xcomplex<f32>>", 24))
    assert data_of(printed) == made


@pytest.mark.parametrize(("element", "kind"), [("complex<f32>", "c8"), ("complex<f64>", "c16")])
@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (7, 31)])
def test_complex_numbers_are_read_that_iree_cannot_write(element, kind, shape):
    """Alone, all the same, or with 64 bits."""
    array = (RANDOM.standard_normal(shape) + 1j * RANDOM.standard_normal(shape)).astype(kind)
    printed, _ = printed_and_made((written(array, element), array.nbytes), make=False)
    assert data_of(printed) == array.tobytes()
    same = np.full((3, 5), array.reshape(-1)[0])
    printed, _ = printed_and_made((written(same, element), same.nbytes), make=False)
    assert "dense<(" in printed
    assert data_of(printed) == same.tobytes()


UNKNOWN = {
    "another attribute": '#util.composite<4xi8, [\n"abcd",\n]>',
    "a resource": "#util.composite<4xi8, [\ndense_resource<a> : tensor<1xf32>,\n]>",
    "another type": "#util.composite<1xi8, [\ndense<1.0> : tensor<1xf8E4M3FN>,\n]>",
    "bits": "#util.composite<1xi8, [\ndense<3> : tensor<2xi4>,\n]>",
    "truths as bytes": '#util.composite<16xi8, [\ndense<"0xFF00"> : tensor<16xi1>,\n]>',
    "too few numbers": "#util.composite<12xi8, [\ndense<[1, 2]> : tensor<3xi32>,\n]>",
    "too few bytes": '#util.composite<12xi8, [\ndense<"0x0000"> : tensor<3xi32>,\n]>',
    "half a byte": '#util.composite<4xi8, [\ndense<"0x0000000"> : tensor<1xi32>,\n]>',
    "no numbers": "#util.composite<4xi8, [\ndense<[one]> : tensor<1xi32>,\n]>",
    "too large": "#util.composite<1xi8, [\ndense<300> : tensor<1xi8>,\n]>",
    "another size": "#util.composite<64xi8, [\ndense<0> : vector<56xi8>,\n]>",
    "an end that is missing": "#util.composite<4xi8, [\ndense<0> : vector<4xi8>,\n",
}


@pytest.mark.parametrize("fault", UNKNOWN)
def test_what_is_not_known_is_refused(fault):
    with pytest.raises(UnknownError):
        data_of(UNKNOWN[fault])


@pytest.mark.parametrize("text", ["plain", 'a "word"', "back\\slash", "a\nb\tc", "größe ·", "\x01"])
def test_strings_are_read_as_mlir_prints_them(text):
    escaped = "".join(
        "\\\\" if one == ord("\\") else chr(one) if 32 <= one < 127 and one != ord('"') else f"\\{one:02X}"
        for one in text.encode()
    )
    assert unescaped(escaped) == text
    for fault in ("\\q", "\\FF"):
        with pytest.raises(UnknownError):
            unescaped(fault)
