"""A pickle is read, never run: plain containers and arrays come back, all else has its name."""

from __future__ import annotations

import builtins
import collections
import contextlib
import datetime as dt
import fractions
import os
import pickle
import pickletools
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa.archive.arrays import ArrayError, PickledArray, as_list
from lmms_eval_tasks.geoqa.archive.errors import PickleDamagedError, PickleRefusedError
from lmms_eval_tasks.geoqa.archive.safe_pickle import read_pickle
from tests.geoqa.archive.official import Call, old_pickle

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)

simple = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
keys = simple | st.binary() | st.tuples(simple, simple)
plain = st.recursive(
    simple | st.binary() | st.sets(keys) | st.frozensets(simple),
    lambda inner: (
        st.lists(inner) | st.tuples(inner, inner) | st.tuples(inner) | st.dictionaries(keys, inner)
    ),
    max_leaves=20,
)


@given(plain, st.sampled_from(PROTOCOLS))
def test_plain_containers_come_back(value: object, protocol: int) -> None:
    assert read_pickle(pickle.dumps(value, protocol), "a pickle") == value


@given(st.binary(max_size=200) | plain.map(lambda value: pickle.dumps(value)[:-3] + b"R."))
def test_any_bytes_end_in_a_value_or_a_typed_error(content: bytes) -> None:
    with contextlib.suppress(PickleDamagedError, PickleRefusedError):
        read_pickle(content, "a pickle")


@given(st.lists(st.sampled_from(pickletools.opcodes), max_size=30))
def test_any_instructions_end_in_a_value_or_a_typed_error(codes: list[Any]) -> None:
    content = b"".join(code.code.encode("latin-1") + b"\x01" * bool(code.arg) for code in codes)
    with contextlib.suppress(PickleDamagedError, PickleRefusedError):
        read_pickle(content + b".", "a pickle")


DTYPES = ["b1", "u1", "i2", "<i4", ">i4", "i8", "f2", "<f4", ">f8", "U3", "S4"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_come_back(protocol: int, dtype: str, order: Any) -> None:
    array = np.asarray(np.arange(12).reshape(3, 4).astype(dtype), order=order)
    for content in (pickle.dumps(array, protocol), old_pickle(array, min(protocol, 3))):
        read = read_pickle(content, "a pickle")
        assert isinstance(read, PickledArray)
        found = read.to_numpy()
        assert found.dtype == array.dtype
        assert np.array_equal(found, array)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_scalars_and_lists_of_objects_come_back(protocol: int) -> None:
    value = [np.float64(1.5), np.int64(3), np.bool_(1), np.str_("ab"), np.float32(0.5)]
    assert read_pickle(pickle.dumps(value, protocol), "a pickle") == [1.5, 3, True, "ab", 0.5]
    objects = read_pickle(pickle.dumps(np.array([1.0, None, "x"], dtype=object), protocol), "p")
    assert as_list(objects) == [1.0, None, "x"]
    with pytest.raises(ArrayError):
        objects.to_numpy()  # type: ignore[attr-defined] # it is an array


def test_ordered_dictionaries_come_back() -> None:
    value = collections.OrderedDict(a=1, b=2)
    assert read_pickle(pickle.dumps(value, 2), "a pickle") == {"a": 1, "b": 2}


def refused(content: bytes) -> str:
    with pytest.raises(PickleRefusedError) as caught:
        read_pickle(content, "test.pk")
    assert "test.pk" in str(caught.value)
    assert "Nothing of it was run" in str(caught.value)
    return caught.value.refused


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("function", "name"),
    [
        (os.system, "posix.system"),
        (eval, "eval"),
        (exec, "exec"),
        (builtins.__import__, "__import__"),
        (getattr, "getattr"),
        (subprocess.Popen, ".Popen"),
        (np.load, "numpy.load"),
        (np.array, "array"),
    ],
)
def test_a_call_is_refused_by_its_name_and_not_made(
    protocol: int, function: Any, name: str, tmp_path: Path
) -> None:
    trap = tmp_path / "executed"
    said = refused(pickle.dumps([Call(function, f"touch {trap}")], protocol))
    assert said.endswith(name)
    assert not trap.exists()


@pytest.mark.parametrize(
    "value",
    [fractions.Fraction(1, 2), dt.date(2026, 1, 1), Path("x"), print, int, Exception("x")],
)
def test_objects_of_other_classes_are_refused(value: object) -> None:
    assert "." in refused(pickle.dumps(value))


def test_an_object_deep_inside_is_refused() -> None:
    assert refused(pickle.dumps({"a": [({"b": Call(os.getcwd)},)]})) == "posix.getcwd"


PLAIN_ARRAY = np.zeros(3, dtype="u1")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"cos\nsystem\n(S'true'\ntR.", "os.system"),
        (b"(S'true'\nios\nsystem\n.", "INST os.system"),
        (b"(cos\nsystem\nS'true'\no.", "os.system"),
        (b"\x80\x02cnumpy\nndarray\n)\x81.", "NEWOBJ"),
        (b"\x82\x01.", "EXT1"),
        (b"Pname\n.", "PERSID name"),
        (b"]}b.", "state for list"),
        (b"cnumpy\nndarray\n}b.", "state for AllowedName"),
        (b"cnumpy\nndarray\n(tR.", "names what an array is"),
        (b"cbuiltins\nset\n(S'ab'\ntR.", None),
        (b"}(((tt" + b"\x85" * 5 + b"I1\nu.", "key of the type tuple"),
        (b"c_codecs\nencode\n(S'x'\nS'rot13'\ntR.", "rot13"),
        (b"\x8c\x06numpy.\x8c\x05dtype\x93.", "numpy..dtype"),
        (b"\x8c\x05numpy\x8c\x09dtype.mro\x93.", "numpy.dtype.mro"),
    ],
)
def test_crafted_instructions_are_refused_by_name(content: bytes, words: str | None) -> None:
    if words is None:
        with pytest.raises(PickleDamagedError):
            read_pickle(content, "test.pk")
        return
    assert words in refused(content)


def test_keys_of_any_depth_do_not_end_the_process() -> None:
    deep = b"}" + b")" + b"\x85" * 1_000_000 + b"I1\ns."
    assert "key" in refused(deep)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "O"},
        {"kind": "V8"},
        {"kind": "M8[s]"},
        {"kind": "f16"},
        {"shape": (1 << 40,)},
        {"shape": (-1,)},
        {"shape": [3]},
        {"shape": (3, 1, 1, 1, 1)},
        {"content": b"xx"},
        {"content": "\u1234"},
        {"content": 7},
    ],
)
def test_arrays_that_do_not_fit_their_description_are_refused(change: dict[str, Any]) -> None:
    parts = {"kind": "u1", "shape": (3,), "content": b"abc", **change}
    state = (1, parts["shape"], _Type(parts["kind"]), False, parts["content"])
    assert refused(pickle.dumps(_Array(state), 2))


@pytest.mark.parametrize(
    "state",
    [None, (1, (3,)), (1, (3,), "u1", False, b"abc")],
)
def test_an_array_with_an_odd_state_is_refused(state: Any) -> None:
    if state is None:
        content = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\ntRI1\nb."
    else:
        content = pickle.dumps(_Array(state), 2)
    assert "array" in refused(content)


@pytest.mark.parametrize("state", [(3,), (3, "?", None, None, None), (3, "<", "u1", None, None)])
def test_an_array_type_with_an_odd_state_is_refused(state: Any) -> None:
    assert "array type" in refused(
        pickle.dumps(_Array((1, (3,), _Type("u1", state), False, b"")), 2)
    )


def test_objects_of_a_wrong_number_or_shape_are_refused() -> None:
    objects = (1, (3,), _Type("O"), False, [1])
    assert "needs 3" in refused(pickle.dumps(_Array(objects), 2))
    square = read_pickle(pickle.dumps(np.array([[1, None]], dtype=object)), "a pickle")
    assert as_list(square) is None
    assert as_list("ab") is None


def test_an_array_type_with_fields_is_refused() -> None:
    structured = np.zeros(2, dtype=[("a", "O"), ("b", "i4")])
    assert "array type" in refused(pickle.dumps(structured))
    forged = _Array((1, (1,), _Type("O", (3, "|", None, None, None, 8, 8, 0)), False, b"12345678"))
    assert "objects that are given as bytes" in refused(pickle.dumps(forged, 2))


def test_a_subclass_of_array_is_refused() -> None:
    assert "memmap" in refused(pickle.dumps(Call(np.memmap, "x")))
    content = pickle.dumps(PLAIN_ARRAY, 2).replace(b"cnumpy\nndarray", b"c_codecs\nencode")
    assert "class of its own" in refused(content)


class _Type:
    """Pickles as a numpy type of any description."""

    def __init__(self, code: str, state: Any = None) -> None:
        self._code = code
        self._state = state or (3, "|", None, None, None, -1, -1, 0)

    def __reduce__(self) -> Any:
        return (np.dtype, (self._code, False, True), self._state)


class _Array:
    """Pickles as a numpy array of any description."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def __reduce__(self) -> Any:
        function, arguments, _ = PLAIN_ARRAY.__reduce__()
        return (function, arguments, self._state)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b".",
        b"not a pickle",
        b"\x80\x04",
        b"]a.",
        b"(.",
        b"t.",
        b"N(a.",
        b"I1\nI2\na.",
        b"g7\n.",
        pickle.dumps([1, 2])[:-1],
        b"B" + struct.pack("<I", 2**31) + b"x.",
        b"\x8e" + struct.pack("<Q", 2**60) + b"x.",
        b"\x96" + struct.pack("<Q", 2**60) + b"x.",
        b"L" + b"9" * 50_000 + b"L\n.",
        b"\xff.",
    ],
)
def test_what_is_no_pickle_is_damaged(content: bytes) -> None:
    with pytest.raises(PickleDamagedError, match=r"a\.pk cannot be read"):
        read_pickle(content, "a.pk")


def test_a_place_in_memory_of_any_number_costs_nothing() -> None:
    assert read_pickle(b"I1\nr" + struct.pack("<I", 2**32 - 1) + b".", "a pickle") == 1


def test_values_that_contain_themselves_are_read_and_not_followed() -> None:
    doubling: list[object] = []
    for _ in range(200):
        doubling = [doubling, doubling]
    loop: list[object] = [doubling]
    loop.append(loop)
    assert isinstance(read_pickle(pickle.dumps(loop), "a pickle"), list)


def test_progress_is_told() -> None:
    told: list[int] = []
    content = pickle.dumps(list(range(100_000)))
    read_pickle(content, "a pickle", told.append)
    assert told == sorted(told)
    assert len(told) > 3
    assert told[-1] < len(content)


@settings(max_examples=7, deadline=None)
@given(st.sampled_from([b")", b"]", b"}", b"(", b"N", b"2", b"\x85"]))
def test_time_is_linear_in_the_length(code: bytes) -> None:
    content = b"N" + code * 200_000 + b"."
    started = time.process_time()
    with contextlib.suppress(PickleDamagedError, PickleRefusedError):
        read_pickle(content, "a pickle")
    assert time.process_time() - started < 5
