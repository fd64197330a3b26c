"""Bytecode of our own does in IREE's VM what it says."""

import pytest
from iree import runtime as iree_runtime
from vm_files import VmFile, disassembled

from wax.backends.iree import bytecode
from wax.backends.iree.bytecode import I32, I64, Code
from wax.backends.iree.unknown import UnknownError
from wax.backends.iree.vm_module import Import, Module, Rodata, VmFunction

BUFFER = "!vm.buffer"


def module(*functions, **parts):
    return Module(**{"imports": (), "globals": (), "rodata": (), **parts, "functions": functions}).written()


def called(payload, *arguments):
    """What the function `main` returns for numbers, or the error that it ends with."""
    instance = iree_runtime.VmInstance()
    loaded = iree_runtime.VmModule.copy_buffer(instance, payload)
    context = iree_runtime.VmContext(instance, [loaded])
    given = iree_runtime.VmVariantList(len(arguments))
    for one in arguments:
        given.push_int(one)
    results = iree_runtime.VmVariantList(1)
    context.invoke(loaded.lookup_function("main"), given, results)
    return [results.get_variant(index) for index in range(len(results))]


def summed():
    """The sum of the numbers below one, of 64 bits, in a loop."""
    code = Code([I32])
    end = code.calculated("ext.i32.i64.s", I64, code.arguments[0])
    code.branch("next", code.number(0, I64), code.number(0, I64))
    at, total = code.block("next", I64, I64)
    code.branch_if(code.calculated("cmp.lt.i64.s", I32, at, end), "more", "done", (), (total,))
    code.block("more")
    added = code.calculated("add.i64", I64, total, at)
    code.branch("next", code.calculated("add.i64", I64, at, code.number(1, I64)), added)
    (result,) = code.block("done", I64)
    code.give([result])
    return code


@pytest.mark.parametrize(("count", "total"), [(0, 0), (1, 0), (10, 45), (1000, 499500)])
def test_a_loop_counts(count, total):
    assert called(module(VmFunction("main", "0i_I", summed(), exported=True)), count) == [total]


@pytest.mark.parametrize("value", [0, 1, -1, 2**31 - 1, -(2**31)])
def test_numbers_of_32_bits_are_what_they_are(value):
    code = Code()
    code.give([code.number(value, I32)])
    assert called(module(VmFunction("main", "0v_i", code, exported=True))) == [value]


@pytest.mark.parametrize("value", [0, 1, -1, 2**63 - 1, -(2**63)])
def test_numbers_of_64_bits_are_what_they_are(value):
    code = Code()
    narrow, wide = code.number(7, I32), code.number(value, I64)
    code.give([narrow, wide, narrow])
    assert called(module(VmFunction("main", "0v_iIi", code, exported=True))) == [7, value, 7]


@pytest.mark.parametrize(("value", "kind"), [(2**31, I32), (-(2**31) - 1, I32), (2**63, I64)])
def test_larger_numbers_are_refused(value, kind):
    with pytest.raises(UnknownError):
        Code().number(value, kind)


def test_functions_call_one_another():
    """And what a number is may be said at the end."""
    inner = summed()
    code = Code()
    count = code.value(I32)
    (result,) = code.invoke(("function", "inner"), [count], (I64,))
    code.give([result, code.calculated("trunc.i64.i32", I32, result)])
    code.define(count, 5)
    functions = (VmFunction("inner", "0i_I", inner), VmFunction("main", "0v_Ii", code, exported=True))
    assert called(module(*functions)) == [10, 10]


def test_errors_say_what_they_are_given():
    code = Code([I32])
    code.branch_if(code.arguments[0], "bad", "good")
    code.block("bad")
    code.fail(code.number(3, I32), "größer „als“ erlaubt")
    code.block("good")
    code.give(())
    payload = module(VmFunction("main", "0i_v", code, exported=True))
    assert called(payload, 0) == []
    with pytest.raises(ValueError, match="INVALID_ARGUMENT; größer „als“ erlaubt"):
        called(payload, 1)
    with pytest.raises(UnknownError):
        code.fail(code.number(3, I32), "x" * 65536)


def test_references_are_given_away_by_their_last_use():
    """And where nothing uses them, on one way or on all, they are let go."""
    code = Code([BUFFER, BUFFER])
    used, unused = code.arguments
    there = code.calculated("cmp.nz.ref", I32, used)
    code.branch_if(there, "some", "none")
    code.block("some")
    code.invoke(("import", "a.b"), [used, used])
    code.branch("none")
    code.block("none")
    code.give(())
    payload = module(VmFunction("main", "0rr_v", code, exported=True), imports=[Import("a.b", "0rr_v", 3)])
    (function,) = VmFile(payload).functions
    names = [one.name for one in function.operations if one.name != "br"]
    assert names == (
        ["block", "discard.refs", "cmp.nz.ref", "cond_br", "block", "call", "block", "discard.refs", "return"]
    )
    read = [one.fields for one in function.operations if one.name in ("discard.refs", "call")]
    assert read == [((unused.register,),), (1 << 31, (used.register, used.register | 0x4000), ()), ((used.register,),)]
    assert VmFile(payload).dependencies == [("a", 3)]


def test_a_register_is_even_that_begins_a_pair():
    code = Code()
    kinds = [I32, I64, I32, I32, I64, BUFFER, I32]
    assert [code.value(kind).register for kind in kinds] == [0, 2, 1, 4, 6, 0x8000, 5]


def test_values_that_change_places_are_refused():
    code = Code()
    code.branch("next", code.number(0, I32), code.number(1, I32))
    one, other = code.block("next", I32, I32)
    code.branch("next", other, one)
    with pytest.raises(UnknownError, match="change places"):
        module(VmFunction("main", "0v_v", code))


@pytest.mark.parametrize(("kind", "most"), [(I32, 0x4000), (I64, 0x2000), (BUFFER, 0x2000)])
def test_no_more_registers_are_used_than_the_vm_has(kind, most):
    code = Code()
    last = [code.number(index, kind) if kind != BUFFER else code.value(kind) for index in range(most)][-1]
    assert (last.register & 0x7FFF) + (2 if kind == I64 else 1) == (most * 2 if kind == I64 else most)
    code.give(())
    # The runtime verifies how many there are.
    iree_runtime.VmModule.copy_buffer(
        iree_runtime.VmInstance(), module(VmFunction("main", "0v_v", code, exported=True))
    )
    with pytest.raises(UnknownError, match="registers"):
        code.value(kind)


def test_long_blocks_are_refused(monkeypatch):
    monkeypatch.setattr(bytecode, "_LARGEST_BLOCK", 20)
    with pytest.raises(UnknownError, match="long block"):
        module(VmFunction("main", "0i_I", summed()))


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 100_000])
@pytest.mark.parametrize("is_file", [False, True])
def test_data_are_where_they_are_to_be(size, is_file):
    """Aligned, and where they are large or a file, in one of the archive."""
    data = bytes(index * 7 % 256 for index in range(size))
    code = Code()
    code.give(())
    rodata = [Rodata("a.bin", b"abc", 1), Rodata("b.bin", data, 64, is_file), Rodata("c.bin", data[::-1], 16, is_file)]
    payload = module(VmFunction("main", "0v_v", code, exported=True), rodata=rodata)
    assert VmFile(payload).rodata == [b"abc", data, data[::-1]]
    assert called(payload) == []
    if size > 16:
        assert payload.index(data) % 64 == payload.index(data[::-1]) % 16 == 0
    assert payload.count(b"b.bin") == (2 if is_file or size >= 4096 else 0)


def test_an_operation_is_what_it_was_written_as():
    assert [one.name for one in disassembled(summed().encoded({}).code)] == (
        ["block", "const.i64.zero", "const.i64", "ext.i32.i64.s", "br", "block", "cmp.lt.i64.s", "cond_br"]
        + ["block", "add.i64", "add.i64", "br", "block", "return"]
    )
