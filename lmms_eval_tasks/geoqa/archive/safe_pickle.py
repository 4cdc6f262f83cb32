"""Reads pickles without running them.

Unpickling calls whatever the file names. `pickle.Unpickler` can be told which names to allow, but
the rest of its machine stays in reach of a hostile file: it sets attributes on what it is given,
allocates what it is told to, and hashes keys however deep they are nested, which ends the process.
So the standard library's `pickletools` only splits a file into its instructions, and the few that
plain containers and numpy arrays need are carried out here.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from lmms_eval_tasks.geoqa.archive.allowed import (
    AllowedName,
    NotAllowedError,
    allowed,
    key_of,
    pairs_of,
)
from lmms_eval_tasks.geoqa.archive.arrays import ArrayError, ArrayType, PickledArray
from lmms_eval_tasks.geoqa.archive.errors import PickleDamagedError, PickleRefusedError

Progress: TypeAlias = Callable[[int], None]
_STEPS_PER_REPORT = 20_000


class _Mark:
    """Stands on the stack where a group of values begins."""


_MARK = _Mark()


def read_pickle(content: bytes, source: str, progress: Progress = lambda _: None) -> object:
    """Read a pickle of plain containers and numpy arrays.

    Args:
        content: The pickle, of any protocol.
        source: What it is called in error messages.
        progress: Is told now and then how many bytes have been read.

    Returns:
        Python's own containers, strings and numbers, numpy's scalars as such, and arrays as
        `PickledArray`. Values may contain themselves: nothing here follows them.

    Raises:
        PickleRefusedError: It holds anything else; the error names the first such thing.
        PickleDamagedError: It is no pickle, or ends early.
    """
    machine = _Machine()
    position = 0
    try:
        for count, (instruction, argument, start) in enumerate(pickletools.genops(content)):
            position = start or 0
            machine.step(instruction.name, argument)
            if count % _STEPS_PER_REPORT == 0:
                progress(position)
        return machine.result()
    except NotAllowedError as error:
        raise PickleRefusedError(source, error.refused, position, error.trouble) from None
    except ArrayError as error:
        why = "which is no plain array"
        raise PickleRefusedError(source, str(error), position, why) from None
    except (IndexError, KeyError, ValueError, TypeError, OverflowError, MemoryError) as error:
        trouble = f"it is no complete pickle ({type(error).__name__})"
        raise PickleDamagedError(source, trouble, position) from error


class _Machine:
    """The stack and the memory of a pickle, and what its instructions do to them."""

    def __init__(self) -> None:
        self._stack: list[Any] = []
        self._memory: dict[int, Any] = {}

    def step(self, instruction: str, argument: object) -> None:
        """Carry out one instruction."""
        if instruction in _CONSTANTS:
            self._stack.append(_VALUE_OF.get(instruction, argument))
            return
        act = _ACTIONS.get(instruction)
        if act is None:
            named = f" {argument.replace(' ', '.', 1)}" if isinstance(argument, str) else ""
            raise NotAllowedError(f"the instruction {instruction}{named}")
        act(self, argument)

    def result(self) -> object:
        """The value that is left."""
        return self._pop()

    def _pop(self) -> Any:  # noqa: ANN401 - a pickle holds anything
        value = self._stack.pop()
        if value is _MARK:
            raise ValueError("a mark where a value is due")
        return value

    def _top(self, kind: type) -> Any:  # noqa: ANN401
        value = self._stack[-1]
        if not isinstance(value, kind):
            raise TypeError(f"no {kind.__name__} where one is due")
        return value

    def _group(self) -> list[Any]:
        """Take off the values above the last mark, and the mark."""
        place = len(self._stack) - 1
        while self._stack[place] is not _MARK:
            place -= 1
            if place < 0:
                raise IndexError("no mark")
        group = self._stack[place + 1 :]
        del self._stack[place:]
        return group

    def mark(self, _: object) -> None:
        self._stack.append(_MARK)

    def constant(self, value: object) -> None:
        self._stack.append(value)

    def pop(self, _: object) -> None:
        self._stack.pop()

    def pop_group(self, _: object) -> None:
        self._group()

    def duplicate(self, _: object) -> None:
        self._stack.append(self._stack[-1])

    def remember(self, place: object) -> None:
        at = place if isinstance(place, int) else len(self._memory)
        self._memory[at] = self._top(object)

    def recall(self, place: Any) -> None:  # noqa: ANN401
        self._stack.append(self._memory[place])

    def make_tuple(self, length: int | None) -> None:
        values = self._group() if length is None else [self._pop() for _ in range(length)][::-1]
        self._stack.append(tuple(values))

    def make_list(self, _: object) -> None:
        self._stack.append(self._group())

    def make_dict(self, _: object) -> None:
        self._stack.append(pairs_of(self._group()))

    def make_frozenset(self, _: object) -> None:
        self._stack.append(frozenset(map(key_of, self._group())))

    def append(self, _: object) -> None:
        value = self._pop()
        self._top(list).append(value)

    def extend(self, _: object) -> None:
        values = self._group()
        self._top(list).extend(values)

    def set_item(self, _: object) -> None:
        value, key = self._pop(), self._pop()
        self._top(dict)[key_of(key)] = value

    def set_items(self, _: object) -> None:
        pairs = pairs_of(self._group())
        self._top(dict).update(pairs)

    def add_items(self, _: object) -> None:
        values = self._group()
        self._top(set).update(map(key_of, values))

    def name(self, argument: object) -> None:
        module, _, name = str(argument).partition(" ")
        self._stack.append(allowed(f"{module}.{name}"))

    def stacked_name(self, _: object) -> None:
        name, module = self._pop(), self._pop()
        if not (isinstance(name, str) and isinstance(module, str)):
            raise TypeError("a name that is no text")
        self._stack.append(allowed(f"{module}.{name}"))

    def call(self, _: object) -> None:
        arguments, name = self._pop(), self._pop()
        if not isinstance(name, AllowedName) or not isinstance(arguments, tuple):
            raise NotAllowedError(f"a call of {type(name).__name__}")
        self._stack.append(name.make(*arguments))

    def build(self, _: object) -> None:
        state = self._pop()
        value = self._stack[-1]
        if not isinstance(value, (ArrayType, PickledArray)):
            raise NotAllowedError(f"a state for {type(value).__name__}")
        value.set_state(state)


_CONSTANTS = frozenset(
    (
        *("NONE", "NEWTRUE", "NEWFALSE", "INT", "BININT", "BININT1", "BININT2"),
        *("LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT", "STRING", "BINSTRING", "SHORT_BINSTRING"),
        *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"),
        *("UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"),
    )
)
_VALUE_OF = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}

_ACTIONS: Mapping[str, Callable[[_Machine, Any], None]] = MappingProxyType(
    {
        **dict.fromkeys(("PROTO", "FRAME", "STOP"), lambda _machine, _argument: None),
        **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"), _Machine.remember),
        **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _Machine.recall),
        "EMPTY_LIST": lambda machine, _: machine.constant([]),
        "EMPTY_TUPLE": lambda machine, _: machine.constant(()),
        "EMPTY_DICT": lambda machine, _: machine.constant({}),
        "EMPTY_SET": lambda machine, _: machine.constant(set()),
        "TUPLE": lambda machine, _: machine.make_tuple(None),
        "TUPLE1": lambda machine, _: machine.make_tuple(1),
        "TUPLE2": lambda machine, _: machine.make_tuple(2),
        "TUPLE3": lambda machine, _: machine.make_tuple(3),
        "MARK": _Machine.mark,
        "POP": _Machine.pop,
        "POP_MARK": _Machine.pop_group,
        "DUP": _Machine.duplicate,
        "LIST": _Machine.make_list,
        "DICT": _Machine.make_dict,
        "FROZENSET": _Machine.make_frozenset,
        "APPEND": _Machine.append,
        "APPENDS": _Machine.extend,
        "SETITEM": _Machine.set_item,
        "SETITEMS": _Machine.set_items,
        "ADDITEMS": _Machine.add_items,
        "GLOBAL": _Machine.name,
        "STACK_GLOBAL": _Machine.stacked_name,
        "REDUCE": _Machine.call,
        "BUILD": _Machine.build,
    }
)
