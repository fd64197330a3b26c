"""Products of matrices in tiles (`wax-tile-products`): the same numbers, for factors of any order of dims and type."""

import itertools
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from product_programs import PATTERNS, each_cpu, judged, open_dims, product
from tiers import every_other, tiered

import wax
import wax.numpy as wnp
from wax import _native
from wax._compile import TARGETS, form_of, lower
from wax_runtime import registry
from wax_runtime.devices import CPU

RANDOM = np.random.default_rng(11)

QUICK = {"rows and rows", "columns and columns", "columns and rows", "scores", "panels made before, turned"}


def has_tiles(function, *specs, processor="any"):
    text = lower(wax.jit(function).lower(*specs)._function, f"iree processor={processor}").text()
    return "fastmath<contract>" in text or "llvm.call_intrinsic" in text


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("dtype", tiered(["float32", "float64"], lambda dtype: dtype == "float32"))
@each_cpu
def test_floats(name, dtype, cpu):
    function, shapes = product(name)
    x, y = (RANDOM.standard_normal(shape).astype(dtype) for shape in shapes)
    assert has_tiles(function, x, y)
    wanted, bound = judged(name, x, y)
    found = np.asarray(wax.jit(function, backend="iree", options=cpu)(x, y))
    assert np.all(np.abs(found - wanted) <= np.finfo(dtype).eps * bound)


@pytest.mark.parametrize("name", tiered(PATTERNS, QUICK.__contains__))
def test_open_sizes(name):
    function, _ = product(name)
    f = wax.jit(lambda x, y: function(x, y), backend="iree", dynamic_shapes=open_dims(name))
    letters = dict.fromkeys(PATTERNS[name][0].replace(",", "").split("->")[0])
    for most in (None, 1, 7, 0):
        sizes = {one: PATTERNS[name][1][one] if most is None else min(most, PATTERNS[name][1][one]) for one in letters}
        x, y = (
            RANDOM.standard_normal([sizes[one] for one in factor]).astype("float32")
            for factor in PATTERNS[name][0].split("->")[0].split(",")
        )
        wanted, bound = judged(name, x, y)
        found = np.asarray(f(x, y))
        assert found.shape == wanted.shape
        assert np.all(np.abs(found - wanted) <= np.finfo("float32").eps * bound)


@pytest.mark.parametrize(
    ("dtype", "name"),
    every_other([ml_dtypes.bfloat16, np.float16], tiered(PATTERNS, QUICK.__contains__)),
    ids=lambda one: getattr(one, "__name__", one),
)
@each_cpu
def test_short_floats_are_multiplied_in_f32(name, dtype, cpu):
    function, shapes = product(name)
    x, y = (RANDOM.standard_normal(shape).astype(dtype) for shape in shapes)
    assert has_tiles(function, x, y)
    wanted, bound = judged(name, x, y)
    found = np.asarray(wax.jit(function, backend="iree", options=cpu)(x, y)).astype(np.float64)
    rounded = 2 * float(ml_dtypes.finfo(dtype).eps) * np.abs(wanted)
    assert np.all(np.abs(found - wanted) <= np.finfo("float32").eps * bound + rounded)


def extreme(shape, dtype):
    ends = np.iinfo(dtype)
    return np.where(RANDOM.random(shape) < 0.9, [ends.min, ends.max][ends.min == 0], ends.max).astype(dtype)


@pytest.mark.parametrize(
    ("left", "right", "name"),
    every_other(
        [("int8", "int8"), ("uint8", "int8"), ("int8", "uint8"), ("uint8", "uint8")],
        tiered(PATTERNS, QUICK.__contains__),
    ),
)
@each_cpu
def test_bytes_are_exact(name, left, right, cpu):
    spelled, shapes = PATTERNS[name][0], product(name)[1]

    def function(x, y):
        return wnp.einsum(spelled, x.astype("int32"), y.astype("int32"))

    x, y = extreme(shapes[0], left), extreme(shapes[1], right)
    assert has_tiles(function, x, y)
    wanted = np.einsum(spelled, x.astype(np.int64), y.astype(np.int64))
    np.testing.assert_array_equal(np.asarray(wax.jit(function, backend="iree", options=cpu)(x, y)), wanted)


@pytest.mark.parametrize(("dtype", "name"), every_other(["bfloat16", "int8"], tiered(PATTERNS, QUICK.__contains__)))
def test_words_of_open_sizes(name, dtype):
    spelled, sizes = PATTERNS[name]
    letters = dict(zip("xy", spelled.split("->")[0].split(","), strict=True))
    wide = "int32" if dtype == "int8" else "float32"
    f = wax.jit(
        lambda x, y: wnp.einsum(spelled, x.astype(wide), y.astype(wide)),
        backend="iree",
        dynamic_shapes=open_dims(name),
    )
    for most in (None, 1, 7, 0):
        here = {letter: size if most is None else min(most, size) for letter, size in sizes.items()}
        x, y = (
            RANDOM.integers(-9, 9, [here[one] for one in factor]).astype(
                ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
            )
            for factor in letters.values()
        )
        # Small integers, whose sums are exact in either type.
        wanted = np.einsum(spelled, x.astype("float64"), y.astype("float64"))
        np.testing.assert_array_equal(np.asarray(f(x, y)), wanted)


#: More words than a panel has, in panels of one length and of two.
@pytest.mark.parametrize(
    ("dtype", "spelled", "elements"),
    every_other(["bfloat16", "int8"], ["ij,jk->ik", "ij,kj->ik", "ji,jk->ik"], [4096, 5000]),
)
def test_words_of_several_panels(dtype, spelled, elements):
    sizes = {"i": 37, "j": elements * (2 if dtype == "int8" else 1), "k": 50}
    wide = "int32" if dtype == "int8" else "float32"
    x, y = (
        RANDOM.integers(-9, 9, [sizes[one] for one in factor]).astype(
            ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
        )
        for factor in spelled.split("->")[0].split(",")
    )
    f = wax.jit(lambda x, y: wnp.einsum(spelled, x.astype(wide), y.astype(wide)), backend="iree")
    np.testing.assert_array_equal(
        np.asarray(f(x, y)), np.einsum(spelled, x.astype("float64"), y.astype("float64"), optimize=True)
    )


def test_words_at_the_end_have_zeros_in_place_of_what_is_not_there():
    x, y = np.ones((40, 301), ml_dtypes.bfloat16), np.ones((301, 70), ml_dtypes.bfloat16)
    x[3, 300], x[4, 299], y[300, 9] = np.inf, np.nan, -np.inf
    wanted = (x.astype("float32") @ y.astype("float32")).astype(ml_dtypes.bfloat16).astype("float32")
    for function in (lambda x, y: x @ y, lambda x, y: (y.T @ x.T).T, lambda x, y: (wnp.asarray(y.T) @ x.T).T):
        found = np.asarray(wax.jit(function, backend="iree")(x, y)).astype("float32")
        np.testing.assert_array_equal(found, wanted)


#: Processors by LLVM's name, what wax takes each for, and what of Linux's names a machine has that runs its programs.
NAMED = {
    "ivybridge": ("any", {"avx"}),
    "haswell": ("avx2", {"avx2"}),
    "alderlake": ("avxvnni", {"avx_vnni", "gfni", "vaes"}),
    "skylake-avx512": ("avx512", {"avx512vl", "avx512bw", "avx512dq"}),
    "cascadelake": ("avx512vnni", {"avx512_vnni"}),
    "cooperlake": ("avx512bf16", {"avx512_bf16"}),
    "sapphirerapids": ("amx", {"amx_tile", "amx_int8", "amx_bf16", "avx512_fp16"}),
}


#: The quick tier takes what a processor multiplies as none before it does.
NEW = {"ivybridge": "float32 bfloat16 int8", "haswell": "int8", "alderlake": "int8", "skylake-avx512": "float32 int8"}
NEW |= {"cascadelake": "int8", "cooperlake": "bfloat16", "sapphirerapids": "bfloat16 int8"}


@pytest.mark.parametrize(
    ("dtype", "name"),
    tiered(itertools.product(["float32", "bfloat16", "int8"], NAMED), lambda case: case[0] in NEW[case[1]].split()),
)
def test_files_for_named_processors(name, dtype, tmp_path):
    processor, needed = NAMED[name]
    assert _native.processor(name) == processor
    wide = "int32" if dtype == "int8" else "float32"
    # 83 columns and 45 elements leave some over of each vector, word and panel.
    x, y = (
        RANDOM.integers(-9, 9, shape).astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
        for shape in ((43, 45), (83, 45))
    )
    exported = wax.export(
        lambda x, y: x.astype(wide) @ wnp.permute_dims(y, (1, 0)).astype(wide), targets=f"cpu:x86_64/{name}"
    )(x, y)
    exported.save(tmp_path / "product.vmfb")
    cpuinfo = Path("/proc/cpuinfo")
    if not needed <= set(cpuinfo.read_text().split() if cpuinfo.exists() else ()):
        pytest.skip("this machine has other instructions: compiled only")
    found = np.asarray(wax.load(tmp_path / "product.vmfb")(x, y))
    np.testing.assert_array_equal(found, x.astype("float64") @ y.astype("float64").T)


def test_a_process_that_only_loads_may_use_squares(tmp_path):
    if _native.processor("host") != "amx":
        pytest.skip("this machine has no AMX")
    x = RANDOM.integers(-9, 9, (64, 64)).astype("int8")
    wax.export(lambda x: x.astype("int32") @ x.astype("int32"))(x).save(tmp_path / "product.vmfb")
    np.save(tmp_path / "x.npy", x)
    program = (
        "import sys, numpy as np, wax\n"
        "folder = sys.argv[1]\n"
        "x = np.load(folder + '/x.npy')\n"
        "found = np.asarray(wax.load(folder + '/product.vmfb')(x))\n"
        "np.testing.assert_array_equal(found, x.astype('int32') @ x.astype('int32'))\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)


def test_the_processor_s_dot_products_are_used():
    names = {"avx512vnni": "vpdpbusd.512", "avx512bf16": "dpbf16ps.512"}
    squares = {"int8": "tdpbssd", "bfloat16": "tdpbf16ps"}
    here = _native.processor("host")
    form = form_of(registry.get("iree"), CPU, wax.CompileOptions())
    assert TARGETS[form] == ("iree" if here == "any" else f"iree processor={here}")
    for dtype, sum_type, least in (("int8", "int32", "avx512vnni"), ("bfloat16", "float32", "avx512bf16")):
        x = wnp.ones((64, 64), dtype=getattr(wnp, dtype))
        traced = wax.jit(lambda x, y, wide=sum_type: x.astype(wide) @ y.astype(wide)).lower(x, x)._function
        for processor in ("any", "avx512", *names):
            text = lower(traced, f"iree processor={processor}").text()
            has = names[least] in text
            order = ["any", "avx512", *names]
            assert has == (order.index(processor) >= order.index(least))
        for processor, name in (("any", None), ("avx2", "avx2.pmadd.wd"), ("avx512", "avx512.pmaddw.d.512")):
            text = lower(traced, f"iree processor={processor}").text()
            assert [one for one in ("avx2.pmadd.wd", "avx512.pmaddw.d.512") if one in text] == (
                [name] if name and dtype == "int8" else []
            )
        text = lower(traced, "iree processor=amx").text()
        assert squares[dtype] in text and names[least] not in text


@pytest.mark.parametrize("name", ["rows and columns", "rows and rows"])
def test_special_values_stay_in_their_rows_and_columns(name):
    function, shapes = product(name)
    x, y = (np.ones(shape, "float32") for shape in shapes)
    x[3, 5], x[36, 299], x[7, 8], x[8] = np.nan, np.inf, -np.inf, -0.0
    (y if name == "rows and columns" else y.T)[:, 49] = [*[0.0] * 299, -np.inf]
    (y if name == "rows and columns" else y.T)[2, 20] = np.nan
    with np.errstate(invalid="ignore"):
        wanted = np.einsum(PATTERNS[name][0], x, y)
    np.testing.assert_array_equal(np.asarray(wax.jit(function, backend="iree")(x, y)), wanted)


def test_what_there_is_to_add_to_is_added_to():
    def function(c, x, y):
        return wax.fori_loop(0, 3, lambda i, c: c + x @ y, c)

    c, x, y = (RANDOM.standard_normal((64, 64)).astype("float32") for _ in range(3))
    found = np.asarray(wax.jit(function, backend="iree")(c, x, y))
    np.testing.assert_allclose(found, c + 3 * (x.astype("f8") @ y), rtol=1e-5, atol=1e-4)


def test_a_result_is_written_where_a_copy_has_it():
    x, y = (RANDOM.standard_normal(shape).astype("float32") for shape in ((2, 40, 30), (30, 50)))
    for order in ((2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)):
        found = wax.jit(lambda x, y, order=order: wnp.permute_dims(x @ y, order), backend="iree")(x, y)
        np.testing.assert_allclose(found, np.transpose(x.astype("f8") @ y, order), atol=1e-4)


#: Products of few rows, whose other factor is read once, along memory.
FEW = {
    "one row": ("ij,jk->ik", {"i": 1, "j": 260, "k": 270}),
    "rows": ("ij,jk->ik", {"i": 8, "j": 260, "k": 270}),
    "many of few": ("ij,jk->ik", {"i": 11, "j": 300, "k": 601}),
    "turned": ("ji,jk->ik", {"i": 5, "j": 257, "k": 300}),
    "a vector": ("j,jk->k", {"j": 260, "k": 270}),
    "by a vector": ("jk,j->k", {"j": 500, "k": 1000}),
    "a stack": ("bij,bjk->bik", {"b": 2, "i": 3, "j": 261, "k": 272}),
    "a stack of vectors": ("bj,bjk->bk", {"b": 3, "j": 260, "k": 270}),
    "two dims of columns": ("ij,jkl->ikl", {"i": 4, "j": 64, "k": 33, "l": 40}),
    "one row along": ("ij,kj->ik", {"i": 1, "j": 300, "k": 270}),
    "rows along": ("ij,kj->ik", {"i": 8, "j": 260, "k": 270}),
    "three rows along": ("ij,kj->ik", {"i": 3, "j": 512, "k": 131}),
    "many of few along": ("ij,kj->ik", {"i": 11, "j": 301, "k": 601}),
    "a stack along": ("bij,bkj->bik", {"b": 2, "i": 3, "j": 261, "k": 272}),
    "two dims of columns along": ("ij,klj->ikl", {"i": 5, "j": 64, "k": 33, "l": 40}),
}


def few(name, dtype):
    spelled, sizes = FEW[name]
    return [
        RANDOM.standard_normal([sizes[one] for one in factor]).astype(dtype)
        for factor in spelled.split("->")[0].split(",")
    ]


@pytest.mark.parametrize(
    ("dtype", "name"),
    every_other(tiered(["float32", "float64", "bfloat16", "float16"], {"float32", "bfloat16"}.__contains__), FEW),
)
def test_few_rows(name, dtype):
    kind = np.dtype(getattr(ml_dtypes, dtype) if dtype == "bfloat16" else dtype)
    spelled, sizes = FEW[name]
    x, y = few(name, kind)
    wide = [factor.astype("float64") for factor in (x, y)]
    terms = np.prod([size for letter, size in sizes.items() if letter not in spelled.split("->")[1]]) + 2
    wanted, bound = np.einsum(spelled, *wide), terms * np.einsum(spelled, *map(np.abs, wide))
    found = np.asarray(wax.jit(lambda x, y: wnp.einsum(spelled, x, y), backend="iree")(x, y)).astype("float64")
    summed = np.finfo("float64" if dtype == "float64" else "float32").eps * bound
    rounded = 2 * float(ml_dtypes.finfo(kind).eps) * np.abs(wanted)
    assert np.all(np.abs(found - wanted) <= summed + rounded)
    # Sums of vectors of these lengths are folded by columns, which reads memory alike.
    if dtype == "float32" and "vector" not in name:
        assert has_tiles(lambda x, y: wnp.einsum(spelled, x, y), x, y)


def test_vectors_times_matrices():
    x, y = (RANDOM.standard_normal(shape).astype("float32") for shape in ((512,), (512, 256)))
    assert has_tiles(lambda x, y: x @ y, x, y)
    for function in (lambda x, y: x @ y, lambda x, y: y.T @ x, lambda x, y: wnp.sum(x[:, None] * y, axis=0)):
        np.testing.assert_allclose(np.asarray(wax.jit(function, backend="iree")(x, y)), x.astype("f8") @ y, atol=1e-3)


@pytest.mark.parametrize("name", [name for name in FEW if "along" in name])
@each_cpu
def test_few_rows_of_factors_that_both_lie_along_what_is_summed_up(name, cpu):
    spelled = FEW[name][0]
    x, y = few(name, "float32")
    found = np.asarray(wax.jit(lambda x, y: wnp.einsum(spelled, x, y), backend="iree", options=cpu)(x, y))
    np.testing.assert_allclose(found, np.einsum(spelled, x.astype("f8"), y.astype("f8")), rtol=0, atol=3e-5)


@pytest.mark.parametrize("name", ["rows", "a vector", "a stack", "rows along", "a stack along"])
def test_few_rows_of_open_sizes(name):
    spelled, sizes = FEW[name]
    letters = dict(zip("xy", spelled.split("->")[0].split(","), strict=True))
    opened = {
        argument: {place: wax.Dim(letter) for place, letter in enumerate(factor) if letter != "i"}
        for argument, factor in letters.items()
    }
    f = wax.jit(lambda x, y: wnp.einsum(spelled, x, y), backend="iree", dynamic_shapes=opened)
    for most in (1000, 17, 1, 0):
        here = {letter: size if letter == "i" else min(size, most) for letter, size in sizes.items()}
        x, y = (RANDOM.standard_normal([here[one] for one in factor]).astype("float32") for factor in letters.values())
        np.testing.assert_allclose(np.asarray(f(x, y)), np.einsum(spelled, x.astype("f8"), y), atol=1e-3)


def test_few_rows_of_special_values_and_what_there_is_to_add_to():
    x, y = np.ones((3, 300), "float32"), np.ones((300, 400), "float32")
    x[0, 299], x[1, 5], y[7, 399], y[0, 100] = np.nan, np.inf, -np.inf, np.nan
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(np.asarray(wax.jit(lambda x, y: x @ y, backend="iree")(x, y)), x @ y)
        along = np.ascontiguousarray(y.T)
        np.testing.assert_array_equal(np.asarray(wax.jit(lambda x, y: x @ y.T, backend="iree")(x, along)), x @ y)
    c, x, y = (RANDOM.standard_normal(shape).astype("float32") for shape in ((3, 400), (3, 300), (300, 400)))
    for multiply, given in ((lambda x, y: x @ y, y), (lambda x, y: x @ y.T, np.ascontiguousarray(y.T))):
        found = wax.jit(lambda c, x, y, by=multiply: wax.fori_loop(0, 3, lambda i, c: c + by(x, y), c), backend="iree")(
            c, x, given
        )
        np.testing.assert_allclose(np.asarray(found), c + 3 * (x.astype("f8") @ y), atol=1e-3)


FEW_BYTES = FEW | {"fifteen rows along": ("ij,kj->ik", {"i": 15, "j": 200, "k": 333})}


@pytest.mark.parametrize(
    ("left", "right", "name"),
    every_other([("int8", "int8"), ("uint8", "int8"), ("int8", "uint8"), ("uint8", "uint8")], FEW_BYTES),
)
@each_cpu
def test_few_rows_of_bytes_are_exact(name, left, right, cpu):
    spelled, sizes = FEW_BYTES[name]
    x, y = (
        extreme([sizes[one] for one in factor], dtype)
        for factor, dtype in zip(spelled.split("->")[0].split(","), (left, right), strict=True)
    )

    def function(x, y):
        return wnp.einsum(spelled, x.astype("int32"), y.astype("int32"))

    wanted = np.einsum(spelled, x.astype(np.int64), y.astype(np.int64))
    np.testing.assert_array_equal(np.asarray(wax.jit(function, backend="iree", options=cpu)(x, y)), wanted)
    if "vector" not in name:
        assert "llvm.call_intrinsic" in lower(wax.jit(function).lower(x, y)._function, "iree processor=avx2").text()
        assert "llvm.call_intrinsic" not in lower(wax.jit(function).lower(x, y)._function, "iree").text()


#: Weights that take a byte each, of sums of floats: few rows, and tiles.
@pytest.mark.parametrize("name", ["one row", "rows", "many of few along", "a stack along"])
@pytest.mark.parametrize("kind", ["int8", "uint8"])
@each_cpu
def test_few_rows_of_floats_and_bytes(kind, name, cpu):
    check_floats_and_bytes(*FEW[name], kind, cpu)


@pytest.mark.parametrize("name", tiered(PATTERNS, QUICK.__contains__))
@each_cpu
def test_floats_and_bytes(name, cpu):
    check_floats_and_bytes(*PATTERNS[name], "int8", cpu)


def check_floats_and_bytes(spelled, sizes, kind, cpu):
    x, y = (np.ones([sizes[one] for one in factor], "float32") for factor in spelled.split("->")[0].split(","))
    for factors in (
        (RANDOM.standard_normal(x.shape).astype("float32"), extreme(y.shape, kind)),
        (extreme(x.shape, kind), RANDOM.standard_normal(y.shape).astype("float32")),
    ):

        def function(x, y):
            return wnp.einsum(spelled, x.astype("float32"), y.astype("float32"))

        assert has_tiles(function, *factors)
        wide = [factor.astype("float64") for factor in factors]
        terms = np.prod([size for letter, size in sizes.items() if letter not in spelled.split("->")[1]]) + 2
        wanted, bound = np.einsum(spelled, *wide), terms * np.einsum(spelled, *map(np.abs, wide))
        found = np.asarray(wax.jit(function, backend="iree", options=cpu)(*factors))
        assert np.all(np.abs(found - wanted) <= np.finfo("float32").eps * bound)


#: Weights of a byte each, and what makes floats of them: a scale of each column, or row; zeros that are others' zeros.
SCALED = {
    "columns": lambda b, s, z: b.astype("float32") * s[: b.shape[1]],
    "rows": lambda b, s, z: b.astype("float32") * s[: b.shape[0], None],
    "zeros": lambda b, s, z: (b.astype("float32") - z.astype("float32")) * s[: b.shape[1]],
    "short": lambda b, s, z: b.astype("bfloat16") * s[: b.shape[1]].astype("bfloat16"),
}


@pytest.mark.parametrize("scaled", SCALED)
@pytest.mark.parametrize("rows", [1, 7, 13, 40, 600])
@pytest.mark.parametrize("turned", [False, True])
@each_cpu
def test_a_factor_is_made_of_bytes_where_it_is_read(turned, rows, scaled, cpu):
    dtype = "bfloat16" if scaled == "short" else "float32"
    x = RANDOM.standard_normal((rows, 300)).astype(ml_dtypes.bfloat16 if scaled == "short" else dtype)
    b = RANDOM.integers(-128, 128, (270, 300) if turned else (300, 270)).astype("int8")
    s, z = RANDOM.random(300).astype("float32"), np.int8(-3)

    def function(x, b, s, z):
        made = SCALED[scaled](b, s, z)
        return (x.astype("float32") @ (made.T if turned else made).astype("float32")).astype(dtype)

    text = lower(wax.jit(function).lower(x, b, s, z)._function, "iree").text()
    assert "tensor<270x300xf32>" not in text and "tensor<300x270xf32>" not in text
    made = (
        SCALED[scaled](b.astype("float64"), s.astype("float64"), z) if dtype == "float32" else SCALED[scaled](b, s, z)
    )
    wide = [x.astype("float64"), (made.T if turned else made).astype("float64")]
    wanted, bound = wide[0] @ wide[1], np.abs(wide[0]) @ np.abs(wide[1])
    found = np.asarray(wax.jit(function, backend="iree", options=cpu)(x, b, s, z)).astype("float64")
    rounded = 2 * float(ml_dtypes.finfo(x.dtype).eps) * np.abs(wanted)
    assert np.all(np.abs(found - wanted) <= np.finfo("float32").eps * 302 * bound + rounded)


@pytest.mark.parametrize("kind", ["int8", "bool", "uint8"])
def test_a_factor_of_bytes_of_open_sizes(kind):
    opened = {"b": {1: wax.Dim("n")}, "s": {0: wax.Dim("n")}}
    scaled = wax.jit(lambda x, b, s: x @ (b.astype("float32") * s), backend="iree", dynamic_shapes=opened)
    bare = wax.jit(lambda x, b: x @ b.astype("float32"), backend="iree", dynamic_shapes={"b": opened["b"]})
    for rows in (3, 40):
        for columns in (300, 64, 1, 0):
            x, s = RANDOM.standard_normal((rows, 300)).astype("float32"), RANDOM.random(columns).astype("float32")
            b = RANDOM.integers(0, 2 if kind == "bool" else 100, (300, columns)).astype(kind)
            np.testing.assert_allclose(np.asarray(scaled(x, b, s)), x @ (b.astype("float64") * s), rtol=1e-3, atol=1e-2)
            np.testing.assert_allclose(np.asarray(bare(x, b)), x @ b.astype("float64"), rtol=1e-3, atol=1e-2)


@pytest.mark.parametrize("group", [8, 16, 50, 64])
@pytest.mark.parametrize("rows", [1, 7, 13, 40, 600])
@pytest.mark.parametrize("turned", [False, True])
@each_cpu
def test_groups_of_bytes_have_a_scale_each(turned, rows, group, cpu):
    elements, columns = 6 * group, 270
    x = RANDOM.standard_normal((rows, elements)).astype("float32")
    b = RANDOM.integers(-128, 128, (columns, 6, group) if turned else (6, group, columns)).astype("int8")
    s = RANDOM.random((columns, 6, 1) if turned else (6, 1, columns)).astype("float32")
    shape = (columns, elements) if turned else (elements, columns)

    def function(x, b, s):
        made = wnp.reshape(b.astype("float32") * s, shape)
        return x @ (made.T if turned else made)

    text = lower(wax.jit(function).lower(x, b, s)._function, "iree").text()
    # Vectors are of one group each.
    if elements * columns >= 65536 and not (turned and group % 16):
        assert f"tensor<{'x'.join(map(str, b.shape))}xf32>" not in text
    made = (b.astype("float64") * s).reshape(shape)
    made = made.T if turned else made
    found = np.asarray(wax.jit(function, backend="iree", options=cpu)(x, b, s)).astype("float64")
    bound = np.finfo("float32").eps * (elements + 2) * (np.abs(x).astype("float64") @ np.abs(made))
    assert np.all(np.abs(found - x.astype("float64") @ made) <= bound)


@pytest.mark.parametrize("rows", [3, 50])
@pytest.mark.parametrize("turned", [False, True])
def test_scales_that_are_no_numbers_stay_in_their_columns(turned, rows):
    x, b, s = np.ones((rows, 301), "float32"), np.ones((301, 260), "int8"), np.ones(260, "float32")
    s[5], s[9], s[200] = np.inf, np.nan, -np.inf
    b[7, 5], b[:, 11] = 0, 0
    with np.errstate(invalid="ignore"):
        wanted = x @ (b.astype("float32") * s)
    if turned:
        found = wax.jit(lambda x, b, s: x @ (b.astype("float32") * s[:, None]).T, backend="iree")(
            x, np.ascontiguousarray(b.T), s
        )
    else:
        found = wax.jit(lambda x, b, s: x @ (b.astype("float32") * s), backend="iree")(x, b, s)
    np.testing.assert_array_equal(np.asarray(found), wanted)


def test_few_rows_of_bytes_of_each_processor():
    """What is chosen for processors that this machine may not be."""
    names = {
        "avx2": "pmadd.wd",
        "avx512": "pmaddw",
        "avx512vnni": "vpdpbusd",
        "avx512bf16": "vpdpbusd",
        "amx": "vpdpbusd",
    }
    for left, right in itertools.product(["int8", "uint8"], repeat=2):
        x, y = np.ones((5, 200), left), np.ones((400, 200), right)
        traced = wax.jit(lambda x, y: x.astype("int32") @ y.T.astype("int32")).lower(x, y)._function
        for processor, name in names.items():
            text = lower(traced, f"iree processor={processor}").text()
            # No instruction for bytes takes two unsigned ones, but squares' do, which few rows are not of.
            assert ("pmadd" if (left, right) == ("uint8", "uint8") else name) in text
            assert ("vpdpbusd" in text) == (name == "vpdpbusd" and (left, right) != ("uint8", "uint8"))
            assert "tdpb" not in text
            raised = "dense<-128> : vector<64xi8>" in text
            assert raised == (name == "vpdpbusd" and (left, right) == ("int8", "int8"))


@pytest.mark.parametrize("rows", [8, 13, 40])
def test_a_short_factor_that_was_transposed_is_a_product_yet(rows):
    x, y = np.ones((rows, 40), "int8"), np.ones((2000, 40), "int8")

    def function(x, y):
        return x.astype("int32") @ y.T.astype("int32")

    assert has_tiles(function, x, y, processor="avx512vnni")
    np.testing.assert_array_equal(np.asarray(wax.jit(function, backend="iree")(x, y)), np.full((rows, 2000), 40))


@pytest.mark.parametrize("rows", [1, 5, 13, 40])
@pytest.mark.parametrize("dtype", ["int8", "bfloat16"])
def test_a_factor_is_widened_after_it_was_transposed(dtype, rows):
    wide = "int32" if dtype == "int8" else "float32"
    x, y = (
        RANDOM.integers(-9, 9, shape).astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
        for shape in ((rows, 300), (250, 300))
    )

    def function(x, y):
        return x.astype(wide) @ y.T.astype(wide)

    text = lower(wax.jit(function).lower(x, y)._function, "iree").text()
    assert "tensor<300x250x" not in text
    np.testing.assert_array_equal(
        np.asarray(wax.jit(function, backend="iree")(x, y)), x.astype("float64") @ y.T.astype("float64")
    )


def test_a_factor_with_itself():
    x = RANDOM.standard_normal((65, 65)).astype("float32")
    for function in (lambda x: x @ x, lambda x: x @ x.T, lambda x: x.T @ x):
        assert has_tiles(function, x)
        np.testing.assert_allclose(wax.jit(function, backend="iree")(x), function(x.astype("f8")), atol=1e-4)


def test_without_optimization_products_stay_iree_s():
    x = np.ones((64, 64), "float32")
    assert "fastmath<contract>" not in lower(wax.jit(lambda x: x @ x, optimize=False).lower(x)._function, "iree").text()


@pytest.mark.parametrize("n", [20, 33])
def test_products_that_are_masked_and_transposed(n):
    """IREE's compiler crashes on them where it tiles data: in another process, and goes on without."""
    x, y = RANDOM.standard_normal((2, n, n))
    found = wax.jit(lambda x, y: (wnp.tril(x @ y) + x).T, backend="iree")(x, y)
    np.testing.assert_allclose(np.asarray(found), (np.tril(x @ y) + x).T, rtol=1e-12, atol=1e-12)
