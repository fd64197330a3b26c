import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wax_runtime import ArgumentSpec, Device, Signature, SymbolFact, dtypes, spec
from wax_runtime.errors import LoadError

dims = st.one_of(st.integers(0, 2**40), st.sampled_from(["b", "2*b+1", "?"]))
argument = st.builds(
    ArgumentSpec,
    st.text(max_size=5),
    st.lists(dims, max_size=4).map(tuple),
    st.sampled_from([row.numpy for row in dtypes.ALL]),
)
tree = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda t: st.lists(t))
signatures = st.builds(
    Signature,
    st.text(min_size=1),
    st.lists(argument).map(tuple),
    st.lists(argument).map(tuple),
    st.just((SymbolFact("b", 1, 64, 8), SymbolFact("c"))),
    st.just((0, 2)),
    tree,
    tree,
    st.text(max_size=5),
)


@given(signatures)
def test_a_signature_survives_its_json(signature):
    assert Signature.from_json(signature.to_json()) == signature


def test_a_file_written_before_signatures_had_names_is_read():
    signature = Signature("main", (), ())
    old = {key: value for key, value in json.loads(signature.to_json()).items() if key != "name"}
    assert Signature.from_json(json.dumps(old)) == signature


def test_messages_call_a_function_by_its_name_if_it_has_one():
    assert str(Signature("main", (), ())) == "main() -> ()"
    assert str(Signature("main", (), (), name="predict")) == "predict() -> ()"


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"version": 1}', '{"version": 1, "entry": "f", "arguments": 3}']
)
def test_other_json_is_a_load_error(text):
    with pytest.raises(LoadError, match="not a signature written by wax"):
        Signature.from_json(text)


def test_a_later_version_is_a_load_error_that_says_so():
    with pytest.raises(LoadError, match="of version 99, this wax reads version 1"):
        Signature.from_json('{"version": 99}')


def test_equal_specs_are_one_object():
    assert spec((2, 3), "float32") is spec([np.int64(2), 3], np.float32)
    assert type(spec([np.int64(2)], "int8").shape[0]) is int
    assert spec((2,), "float32") is not spec((2,), "float32", Device("cuda", 1))
    assert spec((2,), "int32") is not spec((2,), "uint32")


def test_a_spec_is_interned_again_when_it_is_unpickled():
    one = spec((5, 0), "bfloat16")
    assert pickle.loads(pickle.dumps(one)) is one


def test_a_spec_knows_its_sizes():
    one = spec((2, 3), "complex128")
    assert (one.size, one.nbytes, one.ndim, str(one)) == (6, 96, 2, "complex128[2, 3]")
