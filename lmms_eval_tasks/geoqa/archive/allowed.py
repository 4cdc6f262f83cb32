"""What a pickle may name and call: the makers of plain containers and numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from lmms_eval_tasks.geoqa.archive.arrays import (
    ArrayError,
    ArrayType,
    PickledArray,
    raw_bytes,
    scalar,
)

_SIMPLE = frozenset((str, bytes, int, float, bool, type(None)))


class AllowedName:
    """A dotted name that is allowed, and what it makes of its arguments."""

    __slots__ = ("make", "name")

    def __init__(self, name: str, make: Callable[..., object]) -> None:
        self.name, self.make = name, make


class NotAllowedError(Exception):
    """Something is not in the list of what is allowed."""

    def __init__(self, refused: str, trouble: str = "") -> None:
        super().__init__(refused)
        self.refused, self.trouble = refused, trouble


def allowed(name: str) -> AllowedName:
    """What a dotted name stands for.

    Raises:
        NotAllowedError: It is none of the few that are allowed.
    """
    if name not in _NAMES:
        raise NotAllowedError(name)
    return _NAMES[name]


def key_of(value: Any) -> Any:  # noqa: ANN401
    """A key, if it is one that can be hashed in no time.

    Raises:
        NotAllowedError: It is anything but a simple value or a tuple of such.
    """
    parts = value if type(value) is tuple else (value,)
    if not all(type(part) in _SIMPLE for part in parts):
        raise NotAllowedError(f"a key of the type {type(value).__name__}")
    return value


def pairs_of(values: list[Any]) -> dict[Any, Any]:
    """Keys and values that take turns, as a dictionary.

    Raises:
        NotAllowedError: A key is none that is allowed.
        ValueError: A value is missing.
    """
    keys = map(key_of, values[::2])
    return dict(zip(keys, values[1::2], strict=True))


def _reconstruct(kind: object, *_: object) -> PickledArray:
    """An array yet without content."""
    if not isinstance(kind, AllowedName) or kind.name != "numpy.ndarray":
        raise ArrayError("an array of a class of its own")
    return PickledArray()


def _no_call(*_: object) -> object:
    raise NotAllowedError("a call of a type that only names what an array is")


def _encode(text: str, encoding: str = "latin1") -> bytes:
    if encoding not in {"latin1", "latin-1"}:
        raise NotAllowedError(f"bytes encoded as {encoding!r}")
    return raw_bytes(text)


def _set(values: object = ()) -> set[Any]:
    return set(map(key_of, _listed(values)))


def _frozenset(values: object = ()) -> frozenset[Any]:
    return frozenset(map(key_of, _listed(values)))


def _bytearray(content: object = b"", _: object = None) -> bytes:
    return raw_bytes(content)


def _ordered(pairs: object = ()) -> dict[Any, Any]:
    return {key_of(key): value for key, value in map(_listed, _listed(pairs))}


def _listed(values: object) -> Sequence[Any]:
    if not isinstance(values, (list, tuple)):
        raise TypeError("no list where one is due")
    return values


def _type(code: object, *_: object) -> ArrayType:
    return ArrayType(code)


_ARRAY_MAKERS: Mapping[str, Callable[..., object]] = {
    "multiarray._reconstruct": _reconstruct,
    "multiarray.scalar": scalar,
    "numeric._frombuffer": PickledArray.from_buffer,
}
_CONTAINERS: Mapping[str, Callable[..., object]] = {
    "set": _set,
    "frozenset": _frozenset,
    "bytes": _bytearray,
    "bytearray": _bytearray,
}
_MAKERS: Mapping[str, Callable[..., object]] = {
    "numpy.ndarray": _no_call,
    "numpy.dtype": _type,
    "_codecs.encode": _encode,
    "collections.OrderedDict": _ordered,
    # Where numpy keeps them before and since its version 2.
    **{f"numpy.core.{name}": make for name, make in _ARRAY_MAKERS.items()},
    **{f"numpy._core.{name}": make for name, make in _ARRAY_MAKERS.items()},
    # Python 3 and Python 2.
    **{f"builtins.{name}": make for name, make in _CONTAINERS.items()},
    **{f"__builtin__.{name}": make for name, make in _CONTAINERS.items()},
}
_NAMES = MappingProxyType({name: AllowedName(name, make) for name, make in _MAKERS.items()})
