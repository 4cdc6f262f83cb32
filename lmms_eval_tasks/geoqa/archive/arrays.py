"""Numpy arrays as pickles describe them, checked before numpy sees a byte.

Numpy's own functions for unpickling trust what they are told: a crafted type can make them take
bytes for memory addresses. So none of them is called. An array is accepted as a shape, one of a few
plain types, and exactly as many bytes as these two need.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # numpy is needed for the pictures alone
    import numpy as np

_MAX_DIMENSIONS = 4
_PLAIN_TYPE = re.compile(r"([<>|=]?)(b1|i[1248]|u[1248]|f[248]|[US][0-9]{1,5}|O8?)")
_BYTE_ORDERS = ("<", ">", "|", "=")
_BYTES_PER_CHARACTER = 4


class ArrayError(ValueError):
    """An array is not one of the plain ones that are allowed."""


class ArrayType:
    """The type of an array's entries, by its code such as ``<f8``."""

    __slots__ = ("_code", "_order")

    def __init__(self, code: object) -> None:
        match = _PLAIN_TYPE.fullmatch(code) if isinstance(code, str) else None
        if match is None:
            raise ArrayError(f"the array type {_named(code)}")
        self._order, self._code = match[1] or "=", match[2]

    def set_state(self, state: object) -> None:
        """Take the byte order from what a pickle says of the type."""
        if not isinstance(state, tuple) or len(state) < _MAX_DIMENSIONS:
            raise ArrayError("an array type without its description")
        _, order, *parts = state
        if order not in _BYTE_ORDERS or any(part is not None for part in parts[:3]):
            raise ArrayError("an array type with parts")
        self._order = str(order)

    @property
    def holds_objects(self) -> bool:
        """Whether the entries are Python objects."""
        return self._code.startswith("O")

    @property
    def code(self) -> str:
        """The code with its byte order."""
        return f"{self._order}{self._code}"

    @property
    def size(self) -> int:
        """The bytes of one entry."""
        size = int(self._code[1:] or 0)
        return size * _BYTES_PER_CHARACTER if self._code.startswith("U") else size


class PickledArray:
    """An array: a shape, a type, and its bytes or objects."""

    __slots__ = ("_content", "_fortran", "_type", "shape")

    def __init__(self) -> None:
        self.shape: tuple[int, ...] = (0,)
        self._type = ArrayType("u1")
        self._content: bytes | list[object] = b""
        self._fortran = False

    def set_state(self, state: object) -> None:
        """Take shape, type and content from what a pickle says of the array.

        Raises:
            ArrayError: They do not fit each other, or the type is not allowed.
        """
        if not isinstance(state, tuple) or len(state) not in {4, 5}:
            raise ArrayError("an array without its content")
        shape, kind, fortran, content = state[-4:]
        self._set(shape, kind, content, fortran=bool(fortran))

    @classmethod
    def from_buffer(
        cls, content: object, kind: object, shape: object, order: object
    ) -> PickledArray:
        """An array as pickles of protocol 5 describe it.

        Raises:
            ArrayError: The parts do not fit each other, or the type is not allowed.
        """
        array = cls()
        array._set(shape, kind, content, fortran=order == "F")
        return array

    def to_numpy(self) -> np.ndarray[Any, Any]:
        """The array.

        Raises:
            ArrayError: It holds objects.
        """
        import numpy as np  # noqa: PLC0415 - see TYPE_CHECKING above

        if isinstance(self._content, list):
            raise ArrayError("an array of objects")
        flat = np.frombuffer(self._content, dtype=np.dtype(self._type.code))
        return flat.reshape(self.shape, order="F" if self._fortran else "C")

    def to_list(self) -> list[object]:
        """The entries of a flat array as Python values.

        Raises:
            ArrayError: The array has more than one dimension.
        """
        if len(self.shape) != 1:
            raise ArrayError(f"an array of {len(self.shape)} dimensions in place of a list")
        return self._content if isinstance(self._content, list) else self.to_numpy().tolist()

    def _set(self, shape: object, kind: object, content: object, *, fortran: bool) -> None:
        if not isinstance(kind, ArrayType):
            raise ArrayError(f"an array of the type {_named(kind)}")
        self.shape, self._type, self._fortran = _checked_shape(shape), kind, fortran
        if kind.holds_objects:
            if not isinstance(content, list):
                raise ArrayError("an array of objects that are given as bytes")
            length, expected = len(content), math.prod(self.shape)
            self._content = content
        else:
            self._content = raw_bytes(content)
            length, expected = len(self._content), math.prod(self.shape) * kind.size
        if length != expected:
            raise ArrayError(f"an array that needs {expected} bytes and has {length}")


def scalar(kind: object, content: object) -> object:
    """A numpy scalar as the Python value it stands for.

    Raises:
        ArrayError: Type and content do not fit each other.
    """
    array = PickledArray()
    array.set_state(((1,), kind, False, content))
    return array.to_list()[0]


def raw_bytes(content: object) -> bytes:
    """Bytes as any version of pickle gives them.

    Raises:
        ArrayError: The content is something else.
    """
    if isinstance(content, (bytes, bytearray)):
        return bytes(content)
    if isinstance(content, str):
        # How Python 2 wrote bytes.
        try:
            return content.encode("latin-1")
        except UnicodeEncodeError as error:
            raise ArrayError("an array whose content is text") from error
    raise ArrayError("an array whose content is no bytes")


def _checked_shape(shape: object) -> tuple[int, ...]:
    if isinstance(shape, int) and not isinstance(shape, bool):
        shape = (shape,)
    if not isinstance(shape, tuple) or len(shape) > _MAX_DIMENSIONS:
        raise ArrayError("an array without a plain shape")
    if not all(isinstance(side, int) and 0 <= side < 2**31 for side in shape):
        raise ArrayError("an array without a plain shape")
    return shape


def _named(value: object) -> str:
    return repr(value[:40]) if isinstance(value, str) else type(value).__name__


def as_list(value: object) -> Sequence[object] | None:
    """A list, tuple or flat array as a sequence of Python values; None for anything else."""
    if isinstance(value, PickledArray):
        try:
            return value.to_list()
        except ArrayError:
            return None
    return value if isinstance(value, (list, tuple)) else None
