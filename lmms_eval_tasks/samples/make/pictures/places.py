"""Places: a bus stop, and a street map with a route."""

from __future__ import annotations

from PIL import Image

from lmms_eval_tasks.samples.make.drawing import INK, Board, Point, towards
from lmms_eval_tasks.samples.make.people import Person

_ROAD = "#ffffff"


def bus_stop() -> Image.Image:
    """A stop whose clock shows 9:40; line 12 leaves at 9:15, 9:35, 9:55, 10:15."""
    board = Board(360, 480, "#cfe4ee")
    board.box((0, 400, 360, 480), "#9aa0a6")
    board.box((0, 392, 360, 404), "#d0d3d6")
    board.box((54, 60, 64, 400), "#4a525c")
    _clock(board, (59, 90), 48, (9, 40))
    board.box((120, 70, 340, 260), "#fdfdf8", "#2b4c7e", 4, radius=6)
    board.box((120, 70, 340, 104), "#2b4c7e", "#2b4c7e", 2, radius=6)
    board.text((230, 87), "MILL LANE", 19, "white")
    rows = [("Line", "7", "12", "30"), ("", "9:05", "9:15", "9:10")]
    rows += [("", "9:25", "9:35", "9:30"), ("", "9:45", "9:55", "9:50")]
    rows += [("", "10:05", "10:15", "10:10")]
    for row, cells in enumerate(rows):
        for cell, x in zip(cells, (150, 200, 253, 308), strict=True):
            board.text((x, 124 + 29 * row), cell, 17 if row else 18)
    board.line([(132, 139), (328, 139)], "#2b4c7e", 2)
    Person("#c8743b").draw(board, (250, 404), 120)
    board.box((276, 376, 300, 404), "#6b4a8a", INK, 1.5, radius=4)
    return board.finish()


def street_map() -> Image.Image:
    """A navigation app's map; the route north, east, north, east, south turns right three times."""
    board = Board(480, 380, "#e9e5dc")
    columns, rows = (70, 170, 270, 370), (90, 180, 270, 340)
    board.box((185, 195, 255, 255), "#b9dba5", "#8fbf75", 1)
    board.text((220, 225), "Park", 14, "#3d6b2a")
    board.box((385, 105, 465, 165), "#a9d3ea", "#78b4d4", 1)
    board.text((425, 135), "Lake", 14, "#245b7d")
    for x in columns:
        board.box((x - 11, 44, x + 11, 380), _ROAD)
    for y in rows:
        board.box((0, y - 11, 480, y + 11), _ROAD)
    for name, y in zip(("Hill St", "Oak St", "Mill St", "Bay St"), rows, strict=True):
        board.text((5, y), name, 12, "#6a6a6a", "lm")
    _route(board, [(70, 340), (70, 270), (170, 270), (170, 90), (370, 90), (370, 180)])
    board.box((0, 0, 480, 44), "#1f6f5c")
    board.text((16, 22), "<   Route to the museum", 17, "white", "lm")
    board.text((464, 22), "12 min", 17, "white", "rm")
    board.disc((440, 340), 22, "#f7f7f4", INK, 1.5)
    board.polygon([(440, 323), (447, 341), (433, 341)], "#b5342b")
    board.text((440, 350), "N", 12)
    return board.finish()


def _route(board: Board, path: list[Point]) -> None:
    board.line(path, "#16468c", 9)
    board.line(path, "#3f82e0", 6)
    board.disc(path[0], 11, "#2ea04d", "white", 3)
    x, y = path[-1]
    board.line([(x, y + 4), (x, y - 26)], INK, 3)
    board.polygon([(x, y - 26), (x + 22, y - 18), (x, y - 10)], "#d3342b", INK, 1)
    board.disc((x, y + 4), 5, INK)


def _clock(board: Board, centre: Point, radius: float, time: tuple[int, int]) -> None:
    board.disc(centre, radius, "white", INK, 4)
    for hour in range(12):
        reach = 0.78 if hour % 3 else 0.7
        ends = [towards(centre, 30 * hour, radius * part) for part in (reach, 0.88)]
        board.line(ends, INK, 2 if hour % 3 else 3.5)
    hours, minutes = time
    hand = towards(centre, 30 * (hours + minutes / 60) - 90, radius * 0.48)
    board.line([centre, hand], INK, 5)
    board.line([centre, towards(centre, 6 * minutes - 90, radius * 0.74)], INK, 3)
    board.disc(centre, 4, "#b5342b")
