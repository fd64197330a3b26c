import ml_dtypes
import numpy as np
import pytest

from wax_runtime import dtypes
from wax_runtime.errors import DTypeError, WaxError


def test_the_table_holds_each_dtype_of_wax_once():
    names = [row.name for row in dtypes.ALL]
    assert len(set(names)) == len(names) == 15
    assert {"bool", "bfloat16", "uint64", "complex128"} <= set(names)


@pytest.mark.parametrize("row", dtypes.ALL, ids=lambda row: row.name)
def test_each_row_is_found_by_name_numpy_dtype_scalar_type_and_dlpack_type(row):
    assert dtypes.dtype(row.name) is row.numpy
    assert dtypes.dtype(row.numpy) is row.numpy
    assert dtypes.dtype(row.numpy.type) is row.numpy
    assert dtypes.from_dlpack_type(row.dlpack_code, row.bits) is row.numpy
    assert row.itemsize == row.numpy.itemsize


def test_integers_are_signless_in_mlir():
    assert dtypes.mlir_type("uint8") == dtypes.mlir_type("int8") == "i8"
    assert dtypes.mlir_type(bool) == "i1"
    assert dtypes.mlir_type(ml_dtypes.bfloat16) == "bf16"
    assert dtypes.mlir_type("complex64") == "complex<f32>"


def test_a_foreign_byte_order_names_the_native_dtype():
    assert dtypes.dtype(">f4") == np.float32
    assert dtypes.dtype(">f4").isnative


@pytest.mark.parametrize("bad", ["str", "float8", "longdouble", object, np.dtype("M8[s]"), "U3", None, 3, [], "f2,i4"])
def test_what_is_no_dtype_of_wax_is_an_error_that_lists_them(bad):
    with pytest.raises(DTypeError, match=r"the dtypes are bool, int8") as caught:
        dtypes.dtype(bad)
    assert isinstance(caught.value, WaxError)
    assert isinstance(caught.value, TypeError)
