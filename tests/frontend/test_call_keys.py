"""Which calls of a jitted function are alike: where Python says so, and where the native cache finds them."""

import dataclasses
import enum
import gc
import itertools
import weakref
from typing import NamedTuple

import ml_dtypes
import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import _native, errors, tree
from wax.array import Array
from wax.jit import Jitted


def own(shape, dtype="float32"):
    return wnp.asarray(np.zeros(shape, dtype))


class Point(tuple):
    __slots__ = ()


class Named(NamedTuple):
    x: object
    y: object


class AlsoNamed(NamedTuple):
    x: object
    y: object


@dataclasses.dataclass
class Layer:
    weight: object
    bias: object
    size: object = dataclasses.field(default=0, metadata={"static": True})


@dataclasses.dataclass(frozen=True, slots=True)
class Slotted:
    weight: object
    bias: object


class Level(enum.IntEnum):
    LOW = 1
    HUGE = 2**40


def function():
    pass


#: Calls by what they are: within a row all are alike, and none is like one of another row.
ARGUMENTS = {
    "nothing": [((), {}), ((), {})],
    "float32[3]": [((own(3),), {}), ((own(3) + 1,), {})],
    "float32[4]": [((own(4),), {})],
    "float32[3, 1]": [((own((3, 1)),), {})],
    "float32[1, 3]": [((own((1, 3)),), {})],
    "float32[]": [((own(()),), {})],
    "float32[0]": [((own(0),), {})],
    "int32[3]": [((own(3, "int32"),), {})],
    "uint32[3]": [((own(3, "uint32"),), {})],
    "bool[3]": [((own(3, "bool"),), {})],
    "numpy float32[3]": [
        ((np.zeros(3, np.float32),), {}),
        ((np.ones(3, np.float32),), {}),
        ((np.ones(6, np.float32)[::2],), {}),
        ((np.broadcast_to(np.float32(1), (3,)),), {}),
    ],
    "numpy big-endian float32[3]": [((np.zeros(3, ">f4"),), {}), ((np.ones(3, np.dtype(">f4")),), {})],
    "numpy float64[3]": [((np.zeros(3),), {})],
    "numpy float16[3]": [((np.zeros(3, np.float16),), {})],
    "numpy bfloat16[3]": [((np.zeros(3, ml_dtypes.bfloat16),), {}), ((np.ones(3, ml_dtypes.bfloat16),), {})],
    "numpy int32[3]": [((np.zeros(3, np.int32),), {})],
    "numpy uint32[3]": [((np.zeros(3, np.uint32),), {})],
    "numpy bool[3]": [((np.zeros(3, np.bool_),), {})],
    "numpy float32[3, 1]": [((np.zeros((3, 1), np.float32),), {})],
    "numpy float32[1, 3]": [((np.zeros((1, 3), np.float32),), {})],
    "numpy float32[]": [((np.zeros((), np.float32),), {})],
    "numpy float32[0]": [((np.zeros(0, np.float32),), {})],
    "a bool": [((True,), {}), ((False,), {})],
    "an int": [((0,), {}), ((1,), {}), ((-(2**31),), {}), ((2**31 - 1,), {})],
    "a wide int": [((2**31,), {}), ((-(2**31) - 1,), {}), ((2**63 - 1,), {}), ((-(2**63),), {})],
    "a float": [((1.0,), {}), ((0.0,), {}), ((-0.0,), {}), ((float("nan"),), {}), ((float("inf"),), {})],
    "a complex": [((1j,), {}), ((complex(-0.0, 0.0),), {})],
    "None": [((None,), {})],
    "two floats": [((1.0, 2.0), {})],
    "an int and a float": [((1, 2.0), {})],
    "()": [(((),), {})],
    "[]": [(([],), {})],
    "{}": [(({},), {})],
    "(float,)": [(((1.0,),), {})],
    "[float]": [(([1.0],), {}), (([2.0],), {})],
    "{a: float}": [(({"a": 1.0},), {}), (({"".join(["a"]): 2.0},), {})],
    "{b: float}": [(({"b": 1.0},), {})],
    "{a: float, b: float}": [(({"a": 1.0, "b": 2.0},), {})],
    "{a: float, b: int}": [(({"a": 1.0, "b": 2},), {})],
    "{a: {b: float}}": [(({"a": {"b": 1.0}},), {})],
    "((float, float),)": [(((1.0, 2.0),), {})],
    "((float,), float)": [(((1.0,), 2.0), {})],
    "(float, (float,))": [((1.0, (2.0,)), {})],
    "((float, None),)": [(((1.0, None),), {})],
    "((None, float),)": [(((None, 1.0),), {})],
    "Named(float, float)": [((Named(1.0, 2.0),), {}), ((Named(3.0, 4.0),), {})],
    "Named(float, int)": [((Named(1.0, 2),), {})],
    "Named((float,), float)": [((Named((1.0,), 2.0),), {})],
    "AlsoNamed(float, float)": [((AlsoNamed(1.0, 2.0),), {})],
    "[Named(float, float)]": [(([Named(1.0, 2.0)],), {})],
    "Layer(float, float)": [((Layer(1.0, 2.0),), {}), ((Layer(3.0, 4.0),), {})],
    "Layer(float, float, 1)": [((Layer(1.0, 2.0, 1),), {})],
    "Layer(float, float, 'a')": [((Layer(1.0, 2.0, "a"),), {}), ((Layer(1.0, 2.0, "".join(["a"])),), {})],
    "Layer(float, int)": [((Layer(1.0, 2),), {})],
    "Layer(float, Layer)": [((Layer(1.0, Layer(2.0, 3.0)),), {})],
    "Slotted(float, float)": [((Slotted(1.0, 2.0),), {})],
    "a=float": [((), {"a": 1.0})],
    "b=float": [((), {"b": 1.0})],
    "float, a=float": [((1.0,), {"a": 1.0})],
    "a={a: float}": [((), {"a": {"a": 1.0}})],
}

#: The same for a static argument, given by position.
STATIC = {
    "True": [True],
    "False": [False],
    "0": [0],
    "1": [1],
    "a large int": [10**30, int("1" + "0" * 30)],
    "1.0": [1.0],
    "0.0": [0.0],
    "-0.0": [-0.0],
    "nan": [float("nan"), np.float64("nan").item()],
    "-nan": [-float("nan")],
    "1j": [1j, complex(0.0, 1.0)],
    "-0 + 1j": [complex(-0.0, 1.0)],
    "nan + 1j": [complex(float("nan"), 1.0), complex(np.float64("nan").item(), 1.0)],
    "-nan + 1j": [complex(-float("nan"), 1.0)],
    "None": [None],
    "...": [...],
    "'a'": ["a", "".join(["a"])],
    "b'a'": [b"a"],
    "()": [()],
    "(1,)": [(1,)],
    "(True,)": [(True,)],
    "(1.0,)": [(1.0,)],
    "((1,),)": [((1,),)],
    "(1, 2)": [(1, 2), tuple(range(1, 3))],
    "Point(1, 2)": [Point((1, 2))],
    "Level.LOW": [Level.LOW],
    "np.int32(1)": [np.int32(1)],
    "int": [int],
    "float": [float],
    "a function": [function],
    "dtype": [np.dtype("float32"), np.dtype(np.float32)],
    "frozenset": [frozenset({1, 2}), frozenset({2, 1})],
}


def cache_of(jitted):
    return _native.CallCache(Array, np.ndarray, jitted._static_nums, jitted._static_names, 100)


def add(cache, jitted, args, kwargs, answer):
    call = jitted._read(args, kwargs)
    numbers = tree.numbered(call.structure)
    takes = (lambda leaf: leaf,) * len(call.leaves)
    return cache.add(
        args,
        kwargs,
        call.traced,
        tuple(call.leaves),
        numbers,
        takes,
        lambda _: [answer],
        _native.TreeTemplate(0),
        tree.native_containers(call.structure),
    )


def check_rows(jitted: Jitted, rows):
    for calls in rows.values():
        jitted._read(*calls[0])  # dataclasses are registered when they are met, which empties every cache
    cache = cache_of(jitted)
    for name, calls in rows.items():
        assert cache.call(*calls[0]) is NotImplemented, name
        assert add(cache, jitted, *calls[0], name), name
    assert len(cache) == len(rows)
    for name, calls in rows.items():
        for call in calls:
            assert cache.call(*call) == name
    keys = [(name, jitted._read(*call).key) for name, calls in rows.items() for call in calls]
    for (mine, key), (theirs, other) in itertools.product(keys, keys):
        assert (key == other) == (mine == theirs), (mine, theirs)


def test_calls_are_alike_if_their_arguments_are_made_of_the_same():
    check_rows(wax.jit(lambda *args, **kwargs: None), ARGUMENTS)


def test_static_arguments_are_alike_if_their_types_and_values_are():
    jitted = wax.jit(lambda static: None, static_argnames="static")
    by_position = {f"{name} by position": [((x,), {}) for x in values] for name, values in STATIC.items()}
    by_name = {f"{name} by name": [((), {"static": x}) for x in values] for name, values in STATIC.items()}
    check_rows(jitted, by_position | by_name)


def test_what_the_native_cache_does_not_read_is_left_to_python():
    jitted = wax.jit(lambda *args, **kwargs: None, static_argnums=())
    torch = pytest.importorskip("torch")
    itself = []
    itself.append(itself)
    deep = 1.0
    for _ in range(100):
        deep = (deep,)
    for argument in (
        np.float32(1),
        np.ma.ones(3),
        torch.zeros(3),
        2**63,
        Level.LOW,
        {1: 2.0},
        {("a", 1): 2.0},
        wax.ShapeDtypeStruct((3,), "float32"),
        "text",
        object(),
        itself,
        deep,
    ):
        cache = cache_of(jitted)
        assert cache.call((argument,), {}) is NotImplemented
        assert cache.call((), {"x": [argument]}) is NotImplemented
    unhashable = cache_of(wax.jit(lambda static: None, static_argnums=0))
    assert unhashable.call(([],), {}) is NotImplemented


def test_leaves_reach_the_program_in_the_order_of_sorted_keys_however_dicts_were_filled():
    @wax.jit(backend="reference")
    def f(p, *, y, x):
        return p["a"] + 10 * p["b"] + 100 * x + 1000 * y

    for _ in range(3):
        assert float(f({"b": 2.0, "a": 1.0}, x=3.0, y=4.0)) == 4321
        assert float(f({"a": 1.0, "b": 2.0}, y=4.0, x=3.0)) == 4321
        assert float(f({"b": 1.0, "a": 2.0}, y=3.0, x=4.0)) == 3412
    assert len(f._entries) == 1
    assert len(f._cache) == 3


@pytest.mark.parametrize("backend", ["reference", "iree"])
def test_a_call_found_again_gives_what_the_first_gave(backend):
    def body(*args, **kwargs):
        leaves, structure = tree.flatten((args, kwargs))
        return tree.unflatten(structure, [leaf + leaf for leaf in leaves])

    def described(result):
        leaves, structure = tree.flatten(result)
        return structure, [(type(x), x.dtype, x.shape, np.asarray(x).tobytes()) for x in leaves]

    rows = ARGUMENTS if backend == "reference" else {k: ARGUMENTS[k] for k in list(ARGUMENTS)[-12:] + ["a bool"]}
    calls = [
        call
        for name, row in rows.items()
        for call in row
        if "bool" not in name and not any(isinstance(x, np.ndarray) and x.dtype == ">f4" for x in call[0])
    ]
    jitted = wax.jit(body, backend=backend)
    first = [described(jitted(*args, **kwargs)) for args, kwargs in calls]
    assert [described(jitted(*args, **kwargs)) for args, kwargs in reversed(calls)] == first[::-1]
    assert len(jitted._cache) == len(jitted._entries) > 10


@pytest.mark.parametrize("backend", ["reference", "iree"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", ml_dtypes.bfloat16, "complex64", ">f4", ">i2"])
def test_numpy_arrays_are_copied_whatever_their_layout(backend, dtype):
    # The result may be the argument's memory, and the argument stays its owner's to write to.
    jitted = wax.jit(lambda x: x, backend=backend)
    base = np.arange(24).astype(dtype).reshape(4, 6)
    for _ in range(3):
        for array in (base, base.T, base[::2, ::-3], base[:0], base[1:2, 0], np.array(base[0, 1])):
            given = array.copy() if array.flags.c_contiguous else array
            expected = array.astype(np.dtype(dtype).newbyteorder("="))
            result = jitted(given)
            if given is not array:
                given[...] = 0
            assert result.dtype == expected.dtype
            np.testing.assert_array_equal(np.asarray(result), expected)


def test_numbers_of_a_donated_argument_can_be_given_again():
    jitted = wax.jit(lambda x, s: x * s, donate_argnames="s")
    x = wnp.asarray([1.0, 2.0])
    for _ in range(3):
        np.testing.assert_array_equal(jitted(x, 2.5), [2.5, 5.0])
        np.testing.assert_array_equal(jitted(x, np.float32(2.5)), [2.5, 5.0])
        np.testing.assert_array_equal(jitted.trace(x, 2.5).lower().compile()(x, 2.5), [2.5, 5.0])


def test_static_numbers_that_are_equal_are_different_programs():
    jitted = wax.jit(lambda x, s: x + (10 if isinstance(s[0], bool) else 1), static_argnums=1, backend="reference")
    assert [int(jitted(wnp.asarray(0), s)) for s in ((1,), (True,), (1,), (True,))] == [1, 10, 1, 10]
    signed = wax.jit(lambda x, s: x * s, static_argnums=1, backend="reference")
    one = wnp.asarray(1.0)
    assert [bool(np.signbit(np.asarray(signed(one, s)))) for s in (0.0, -0.0, 0.0, -0.0)] == [False, True] * 2


def test_integers_of_a_users_class_are_told_apart_by_their_width():
    jitted = wax.jit(lambda s: s, backend="reference")
    assert [int(jitted(s)) for s in (Level.LOW, Level.HUGE, Level.LOW, Level.HUGE)] == [1, 2**40] * 2


def test_errors_of_arguments_are_the_same_at_every_call():
    jitted = wax.jit(lambda x, s=(): x, static_argnames="s", backend="reference")
    jitted(1.0)
    wrong = [
        (((1.0, []), {}), errors.UnhashableStaticArgumentError),
        (((2**63,), {}), errors.PromotionError),
        ((("text",), {}), errors.ArgumentTypeError),
        ((([1.0, "text"],), {}), errors.ArgumentTypeError),
        (((), {}), errors.ArgumentStructureError),
        (((1.0, 2.0, 3.0), {}), errors.ArgumentStructureError),
        (((np.zeros(3, "S4"),), {}), errors.DTypeError),
        (((np.zeros(3, "M8[s]"),), {}), errors.DTypeError),
        (((wax.ShapeDtypeStruct((2,), "float32"),), {}), errors.ArgumentTypeError),
    ]
    for (args, kwargs), kind in wrong:
        texts = set()
        for _ in range(3):
            with pytest.raises(kind) as caught:
                jitted(*args, **kwargs)
            texts.add(caught.value.message)
        assert len(texts) == 1


def test_a_list_that_contains_itself_is_an_error_and_no_crash():
    itself = []
    itself.append(itself)
    with pytest.raises(RecursionError):
        wax.jit(lambda x: x)(itself)


def test_a_full_cache_is_emptied():
    jitted = wax.jit(lambda x: None)
    cache = _native.CallCache(Array, np.ndarray, frozenset(), frozenset(), 3)
    for size in range(5):
        add(cache, jitted, (np.zeros(size),), {}, size)
    assert len(cache) == 2
    assert [cache.call((np.zeros(size),), {}) for size in range(5)] == [*[NotImplemented] * 3, 3, 4]


def test_a_call_is_not_added_under_other_leaves_than_those_that_python_read():
    jitted = wax.jit(lambda x: None)
    cache = cache_of(jitted)
    given = [1.0, 2.5]
    call = jitted._read((given,), {})
    numbers = tree.numbered(call.structure)

    def added(*, leaves=tuple(call.leaves), numbers=numbers, traced=call.traced):
        takes = (float,) * len(leaves)
        return cache.add((given,), {}, traced, leaves, numbers, takes, list, _native.TreeTemplate(0), {})

    assert not added(leaves=(1.0, 3.5))
    assert not added(leaves=(2.5, 1.0))
    assert not added(leaves=(1.0,))
    assert not added(numbers=(([0, 0],), {}))
    assert not added(numbers=(([0, 2],), {}))
    assert not added(numbers=(((0, 1),), {}))
    assert not added(numbers=(([0],), {}))
    given[1] = 7
    assert not added()
    given.append(2.5)
    assert not added()
    assert len(cache) == 0
    given[1:] = [call.leaves[1]]
    assert added()
    assert len(cache) == 1


class Fickle:
    """A static value that does something when it is compared."""

    def __init__(self, when_compared=None):
        self.when_compared = when_compared

    def __hash__(self):
        return 7

    def __eq__(self, other):
        if self.when_compared is not None:
            self.when_compared()
        return isinstance(other, Fickle)


def test_the_cache_may_be_cleared_while_it_is_searched():
    jitted = wax.jit(lambda x, s: x + 1, static_argnums=1, backend="reference")
    compared = []

    def clear():
        compared.append(jitted.clear_cache())

    def call_again():
        kept.when_compared = None
        compared.append(float(jitted(2.0, Fickle())))

    def fail():
        raise ZeroDivisionError("compared")

    for action in (clear, call_again):
        kept = Fickle()
        jitted.clear_cache()
        jitted(1.0, kept)
        kept.when_compared = action
        assert float(jitted(1.0, Fickle())) == 2
    assert compared == [None, 3.0]
    kept.when_compared = fail
    with pytest.raises(ZeroDivisionError, match="compared"):
        jitted(1.0, Fickle())


def test_a_cache_may_be_cleared_by_the_call_it_found():
    jitted = wax.jit(lambda x: None)
    cache = cache_of(jitted)
    call = jitted._read((1.0,), {})

    def run(arrays):
        cache.clear()
        gc.collect()
        return list(arrays)

    cache.add((1.0,), {}, call.traced, (1.0,), ((0,), {}), (lambda x: 2 * x,), run, _native.TreeTemplate((0, [0])), {})
    assert cache.call((4.0,), {}) == (8.0, [8.0])
    assert len(cache) == 0
    add(cache, jitted, (1.0,), {}, "again")
    assert cache.call((4.0,), {}) == "again"


def test_static_values_are_let_go_and_cycles_through_a_cache_are_collected():
    class Config:
        pass

    config = Config()
    jitted = wax.jit(lambda x, c: x, static_argnums=1, backend="reference")
    config.function = jitted
    jitted(1.0, config)
    jitted(1.0, config)
    gone = weakref.ref(config)
    del config, jitted
    gc.collect()
    assert gone() is None


def test_static_fields_that_python_takes_as_equal_are_found_apart():
    jitted = wax.jit(lambda layer: layer.weight + 1, backend="reference")
    for size in (1, True, 1.0, 1):
        assert float(jitted(Layer(1.0, 2.0, size))) == 2
    assert len(jitted._entries) == 1
    assert len(jitted._cache) == 3


def test_models_of_named_tuples_and_dataclasses_are_found_natively():
    @wax.jit(backend="reference")
    def f(model, x):
        for layer in model["layers"]:
            x = x * layer.weight + layer.bias.y
        return Layer(x, model["layers"][0].bias.x)

    for scale in (1.0, 2.0, 3.0):
        layers = [Layer(wnp.asarray(scale), Named(None, 1.0), size) for size in range(3)]
        result = f({"name": None, "layers": layers}, wnp.asarray(1.0))
        assert isinstance(result, Layer)
        assert result.bias is None
        assert float(result.weight) == ((scale + 1) * scale + 1) * scale + 1
    assert len(f._cache) == len(f._entries) == 1


class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right


tree.register(Pair, lambda pair: ((pair.left, pair.right), None), lambda _, children: Pair(*children))


def test_containers_of_a_users_own_go_by_python():
    jitted = wax.jit(lambda p: Pair(p.right, [p.left]), backend="reference")
    for left in (1.0, 2.0):
        result = jitted(Pair(left, 3.0))
        assert isinstance(result, Pair)
        assert (float(result.left), float(result.right[0])) == (3.0, left)
    assert len(jitted._entries) == 1
    assert len(jitted._cache) == 0


def test_a_class_that_becomes_another_container_is_read_anew():
    class Late(NamedTuple):
        value: object
        kind: object

    jitted = wax.jit(lambda p: p.value * 2 if p.kind == "double" else p.value * p.kind, backend="reference")
    assert [float(jitted(Late(2.0, 5.0))) for _ in range(2)] == [10, 10]
    assert len(jitted._cache) == 1
    with pytest.warns(UserWarning, match="Override it"):
        tree.register(Late, lambda p: ((p.value,), p.kind), lambda kind, children: Late(children[0], kind))
    for _ in range(2):
        assert float(jitted(Late(2.0, "double"))) == 4
        assert float(jitted(Late(2.0, 5.0))) == 10
        assert float(jitted(Late(2.0, 6.0))) == 12
    assert len(jitted._cache) == 0


def test_fields_that_cannot_be_read_are_left_to_python():
    @dataclasses.dataclass
    class Broken:
        x: object

        def __getattribute__(self, name):
            if name == "x" and object.__getattribute__(self, "__dict__")["x"] is None:
                raise ValueError("no x")
            return object.__getattribute__(self, name)

    jitted = wax.jit(lambda p: p.x, backend="reference")
    for _ in range(2):
        assert float(jitted(Broken(1.0))) == 1
        with pytest.raises(ValueError, match="no x"):
            jitted(Broken(None))


def test_classes_that_are_neither_are_refused_as_containers():
    jitted = wax.jit(lambda x: x)
    cache = cache_of(jitted)
    call = jitted._read((1.0,), {})
    for containers in ({list: (None, ())}, {1: (None, ())}, {Layer: (["weight"], ())}):
        with pytest.raises(TypeError):
            cache.add((1.0,), {}, call.traced, (1.0,), ((0,), {}), (float,), list, _native.TreeTemplate(0), containers)


def test_the_sign_of_a_static_nan_is_not_forgotten():
    jitted = wax.jit(lambda static: wnp.signbit(wnp.asarray(static)), static_argnames="static")
    assert [bool(jitted(nan)) for nan in (float("nan"), -float("nan"), float("nan"))] == [False, True, False]
