"""Objects: mugs on a shelf, keys for a lock, a lever, things before a robot's gripper."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from lmms_eval_tasks.samples.make.drawing import CLEAR, INK, Board, Colour, Point, between

_WALL = "#f4efe6"
_STEEL = "#9aa3ad"


def mugs() -> Image.Image:
    """Two shelves with seven mugs, three of them with the handle on the left."""
    board = Board(520, 320, _WALL)
    for y in (150, 290):
        board.box((20, y, 500, y + 14), "#a9744f", "#6f4a30", 2)
    upper = [(75, "#c8453b", "right"), (185, "#3a7ca5", "left"), (300, "#e0a030", "right")]
    lower = [
        (70, "#5b8c5a", "left"),
        (180, "#7d5ba6", "right"),
        (345, "#d9785f", "left"),
        (450, "#4f5d75", "right"),
    ]
    for x, colour, side in upper:
        _mug(board, (x, 150), colour, -1 if side == "left" else 1)
    for x, colour, side in lower:
        _mug(board, (x, 290), colour, -1 if side == "left" else 1)
    _vase(board, (420, 150))
    board.box((245, 218, 275, 290), "#6a994e", INK, 1.5)
    board.text((260, 254), "TEA", 12, "white")
    return board.finish()


def keys() -> Image.Image:
    """A lock whose five pins have the lengths of the fourth key's notches."""
    board = Board(500, 330, CLEAR)
    pins = (10, 26, 16, 32, 20)
    board.box((130, 12, 390, 92), _STEEL, INK, 2, radius=8)
    board.text((260, 32), "LOCK", 16)
    board.box((130, 50, 390, 92), "#eef1f4", INK, 2)
    for place, length in enumerate(pins):
        x = 165 + 45 * place
        board.box((x - 6, 50, x + 6, 50 + length), "#c99b3b", INK, 1.5)
    cuts = [(26, 10, 32, 16, 20), (10, 20, 16, 26, 32), (32, 26, 16, 10, 20), pins]
    for number, (row, column) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
        _key(board, (20 + 245 * column, 130 + 100 * row), cuts[number], number + 1)
    return board.finish()


def lever() -> Image.Image:
    """A beam: 3 kg four steps left of the pivot, an unknown weight two steps right of it."""
    board = Board(520, 270, "#fffdf6")
    left, right, y = 40.0, 480.0, 120.0
    board.polygon([(260, 128), (225, 215), (295, 215)], "#6b8fb5", INK, 2)
    board.box((left - 10, y - 7, right + 10, y + 7), "#d7b07a", INK, 2, radius=3)
    for step in range(-5, 6):
        x = 260 + 44 * step
        board.line([(x, y - 7), (x, y + 7)], INK, 1.5)
        board.text((x, y - 22), str(abs(step)), 15)
    _weight(board, 260 - 44 * 4, "3 kg")
    _weight(board, 260 + 44 * 2, "? kg")
    board.text((260, 50), "The beam is in balance. Its own weight does not matter.", 15)
    board.line([(150, 215), (370, 215)], INK, 2)
    return board.finish()


def gripper() -> Image.Image:
    """A gripper seen from above, fully open (70 pixels); only the fourth object is narrower."""
    board = Board(520, 340, "#dfe5ea")
    board.box((10, 100, 510, 330), "#c9b28f", "#8a7350", 2, radius=6)
    board.box((230, 0, 290, 34), "#5f6b78", INK, 2)
    board.box((205, 34, 315, 56), "#77838f", INK, 2, radius=4)
    for x in (211, 295):
        board.box((x, 56, x + 14, 92), "#3c4650", INK, 1.5, radius=3)
    board.dashes((225, 92), (225, 120), "#b5342b")
    board.dashes((295, 92), (295, 120), "#b5342b")
    board.text((332, 20), "WRIST CAMERA  01", 12, "#3c4650", "lm")
    board.disc((82, 210), 55, "#e5e9ee", INK, 2)
    board.disc((82, 210), 38, "#f8fafb", "#9aa3ad", 1.5)
    board.box((160, 165, 268, 255), "#b07b45", INK, 2)
    board.line([(160, 210), (268, 210)], "#e9d8b4", 6)
    board.disc((338, 210), 48, "#c8453b", INK, 2)
    board.disc((338, 210), 9, "#f4efe6", INK, 1.5)
    board.box((424, 158, 470, 262), "#3a7ca5", INK, 2, radius=8)
    board.box((424, 158, 470, 186), "#f0c23c", INK, 2, radius=8)
    for number, x in enumerate((82, 214, 338, 447), start=1):
        board.text((x, 306), str(number), 20)
    return board.finish()


def _mug(board: Board, foot: Point, colour: Colour, side: int) -> None:
    x, y = foot
    middle = (x + side * 30, y - 35)
    board.disc(middle, 19, None, INK, 9)
    board.disc(middle, 17.5, None, colour, 6)
    board.box((x - 28, y - 68, x + 28, y), colour, INK, 2, radius=7)
    board.oval((x - 28, y - 75, x + 28, y - 61), "#fbfaf7", INK, 2)


def _vase(board: Board, foot: Point) -> None:
    x, y = foot
    outline = [(x - 14, y), (x - 30, y - 40), (x - 10, y - 78), (x + 10, y - 78), (x + 30, y - 40)]
    board.polygon([*outline, (x + 14, y)], "#8fb8c9", INK, 2)
    for tip in ((x - 22, y - 122), (x + 2, y - 132), (x + 26, y - 118)):
        board.line([(x, y - 78), tip], "#4d8f3c", 2.5)
        board.disc(tip, 8, "#e08bb0", INK, 1)


def _key(board: Board, corner: Point, cuts: Sequence[float], number: int) -> None:
    """Draw a key that points right; its blade's upper edge carries the notches."""
    x, y = corner
    brass, top, bottom = "#e3bf62", y, y + 44
    start, pitch = x + 62.0, 30.0
    edge: list[Point] = [(start - 14, top)]
    for place, depth in enumerate(cuts):
        middle = start + 12 + pitch * place
        edge += [(middle - 9, top), (middle - 5, top + depth), (middle + 5, top + depth)]
        edge += [(middle + 9, top)]
    tip = edge[-1][0] + 16
    edge += [(tip - 8, top), (tip, between((tip, top), (tip, bottom), 0.5)[1]), (tip - 8, bottom)]
    board.polygon([*edge, (start - 14, bottom)], brass, INK, 2)
    board.disc((x + 28, y + 26), 28, brass, INK, 2)
    board.text((x + 28, y + 26), str(number), 22)


def _weight(board: Board, x: float, label: str) -> None:
    board.line([(x, 127), (x, 150)], INK, 2)
    board.polygon([(x - 22, 150), (x + 22, 150), (x + 30, 198), (x - 30, 198)], "#8d99a6", INK, 2)
    board.text((x, 176), label, 17)
