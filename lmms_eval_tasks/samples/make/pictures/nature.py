"""Living things, and a scene in the sun."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from lmms_eval_tasks.samples.make.drawing import CLEAR, INK, Board, Colour, Point, towards
from lmms_eval_tasks.samples.make.people import Person


def arthropods() -> Image.Image:
    """Four animals numbered 1 to 4; the third has eight legs, the others six."""
    board = Board(560, 200, CLEAR)
    _ant(board, (75, 85))
    _beetle(board, (210, 85))
    _spider(board, (350, 85))
    _fly(board, (485, 85))
    for number, x in enumerate((75, 210, 350, 485), start=1):
        board.disc((x, 176), 15, "#fff2cc", INK, 1.5)
        board.text((x, 176), str(number), 18)
    return board.finish()


def shadows() -> Image.Image:
    """A garden with the sun on the left; all shadows fall right, but the lamp post's."""
    board = Board(540, 320, "#bfe3f5")
    board.disc((62, 56), 30, "#ffd34d", "#f0a500", 2)
    for ray in range(0, 360, 30):
        ends = [towards((62, 56), ray, reach) for reach in (38, 50)]
        board.line(ends, "#f0a500", 3)
    board.box((0, 175, 540, 320), "#a9cf7d")
    shade = "#7fa65a"
    board.polygon([(60, 232), (120, 232), (196, 262), (136, 262)], shade)
    board.polygon([(214, 240), (222, 240), (292, 276), (268, 282)], shade)
    board.oval((250, 256, 318, 292), shade)
    board.polygon([(372, 262), (388, 262), (448, 290), (432, 294)], shade)
    board.polygon([(479, 246), (485, 246), (418, 284), (411, 281)], shade)
    board.disc((408, 284), 8, shade)
    _house(board)
    board.box((212, 170, 224, 241), "#8a5a33")
    board.disc((218, 142), 42, "#4d8f3c", "#38702b", 2)
    Person("#c8453b").draw(board, (380, 262), 88)
    board.box((479, 120, 485, 246), "#50565f")
    board.disc((482, 112), 12, "#fff3b0", "#50565f", 2)
    return board.finish()


def _house(board: Board) -> None:
    board.box((60, 160, 120, 232), "#e8d2ae", INK, 1.5)
    board.polygon([(50, 162), (90, 122), (130, 162)], "#b0503c", INK, 1.5)
    board.box((82, 196, 100, 232), "#7b4b2a", INK, 1)


def _legs(board: Board, roots: Sequence[Point], fan: Sequence[float], reach: float) -> None:
    """Draw a pair of legs at each root, mirrored at the body's upright axis."""
    for (x, y), slope in zip(roots, fan, strict=True):
        for side in (-1, 1):
            knee = (x + side * reach * 0.55, y + slope * 0.55 - 8)
            foot = (x + side * reach, y + slope)
            board.line([(x, y), knee, foot], INK, 2.5)


def _feelers(board: Board, head: Point, length: float) -> None:
    for side in (-1, 1):
        tip = (head[0] + side * length * 0.6, head[1] - length)
        board.line([head, (head[0] + side * length * 0.45, head[1] - length * 0.5), tip], INK, 2)


def _part(board: Board, centre: Point, size: tuple[float, float], fill: Colour) -> None:
    (x, y), (across, along) = centre, size
    board.oval((x - across, y - along, x + across, y + along), fill, INK, 2)


def _ant(board: Board, centre: Point) -> None:
    x, y = centre
    _legs(board, [(x, y - 10), (x, y), (x, y + 8)], [-30, 6, 40], 46)
    _feelers(board, (x, y - 40), 26)
    _part(board, (x, y + 36), (17, 25), "#8c3b2a")
    _part(board, (x, y), (9, 17), "#a84a36")
    _part(board, (x, y - 30), (13, 14), "#8c3b2a")


def _beetle(board: Board, centre: Point) -> None:
    x, y = centre
    _legs(board, [(x, y - 12), (x, y + 8), (x, y + 26)], [-26, 8, 36], 54)
    _feelers(board, (x, y - 40), 22)
    _part(board, (x, y - 34), (14, 12), "#2c3a2e")
    _part(board, (x, y + 12), (30, 42), "#3f8f6b")
    board.line([(x, y - 28), (x, y + 53)], INK, 2)
    board.arc((x - 26, y - 34, x + 26, y + 2), (20, 160), INK, 2)


def _spider(board: Board, centre: Point) -> None:
    x, y = centre
    roots = [(x, y - 24), (x, y - 18), (x, y - 12), (x, y - 6)]
    _legs(board, roots, [-44, -14, 26, 62], 56)
    _part(board, (x, y + 26), (26, 32), "#6d5a86")
    _part(board, (x, y - 16), (16, 17), "#8873a3")
    for side in (-1, 1):
        board.disc((x + side * 5, y - 24), 2.5, "white", INK, 1)


def _fly(board: Board, centre: Point) -> None:
    x, y = centre
    _legs(board, [(x, y - 12), (x, y - 2), (x, y + 8)], [-34, 4, 50], 50)
    for side in (-1, 1):
        root, tip = (x + side * 6, y - 6), (x + side * 44, y + 44)
        board.polygon(
            [root, (x + side * 50, y + 22), tip, (x + side * 18, y + 40)], "#cfe6f0", INK, 2
        )
    _part(board, (x, y + 26), (14, 24), "#56606b")
    _part(board, (x, y - 8), (14, 15), "#6b7682")
    _part(board, (x, y - 33), (13, 11), "#56606b")
    for side in (-1, 1):
        board.disc((x + side * 10, y - 36), 7, "#b5342b", INK, 1.5)
