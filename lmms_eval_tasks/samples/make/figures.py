"""Geometry figures in true measure, and their drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from PIL import Image

from lmms_eval_tasks.samples.make.drawing import CLEAR, INK, Board, Point, between, towards

_SIZE = (300, 220)
_MARGIN = 34
# In an angle below this many degrees the label stands farther out.
_NARROW = 40


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: where its points lie, and what is drawn.

    Attributes:
        points: Each point's place by its one-letter name; y grows upwards.
        segments: Straight lines, each named by its two ends.
        dashed: Dashed lines, named likewise.
        circles: Each circle's centre and a point on it.
        arcs: Each circular arc as centre, start and end, drawn anticlockwise.
        ovals: Flat ellipses: a centre and a point at the end of the long axis.
        angles: Marked angles (three letters, the vertex in the middle) with their labels.
        right_angles: Angles that carry the mark of a right angle.
        lengths: Labels of segments.
        unnamed: Points whose names are not written.
        below: Points whose names stand straight below them, not on the figure's outside.
    """

    points: Mapping[str, Point]
    segments: tuple[str, ...] = ()
    dashed: tuple[str, ...] = ()
    circles: tuple[str, ...] = ()
    arcs: tuple[str, ...] = ()
    ovals: tuple[str, ...] = ()
    angles: Mapping[str, str] = field(default_factory=dict)
    right_angles: tuple[str, ...] = ()
    lengths: Mapping[str, str] = field(default_factory=dict)
    unnamed: str = ""
    below: str = ""

    def distance(self, ends: str) -> float:
        """The distance of two points."""
        return math.dist(self.points[ends[0]], self.points[ends[1]])

    def angle(self, corner: str) -> float:
        """The angle at the middle one of three points, in degrees from 0 to 180."""
        first, second = (
            _direction(self.points[corner[1]], self.points[end]) for end in corner[::2]
        )
        return abs((first - second + 180) % 360 - 180)


def draw(figure: Figure, mode: str) -> Image.Image:
    """Draw a figure in ink.

    Args:
        figure: What to draw.
        mode: The picture's mode: ``L`` and ``RGB`` have a white background, ``LA`` and ``RGBA`` a
            transparent one.
    """
    board = Board(*_SIZE, CLEAR if mode.endswith("A") else "white")
    _Pen(board, figure).draw()
    return board.finish().convert(mode)


def _direction(start: Point, end: Point) -> float:
    return math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))


class _Pen:
    """Draws one figure on one board."""

    def __init__(self, board: Board, figure: Figure) -> None:
        self._board, self._figure = board, figure
        left, bottom, right, top = _extent(figure)
        room = (board.width - 2 * _MARGIN, board.height - 2 * _MARGIN)
        self._scale = min(room[0] / max(right - left, 1e-9), room[1] / max(top - bottom, 1e-9))
        self._shift = (
            board.width / 2 - self._scale * (left + right) / 2,
            board.height / 2 + self._scale * (bottom + top) / 2,
        )
        places = [self._at(point) for point in figure.points.values()]
        count = len(places)
        self._middle = (sum(x for x, _ in places) / count, sum(y for _, y in places) / count)

    def draw(self) -> None:
        figure, at = self._figure, self._named
        for ends in figure.segments:
            self._board.line([at(ends[0]), at(ends[1])], INK, 1.6)
        for ends in figure.dashed:
            self._board.dashes(at(ends[0]), at(ends[1]), INK, 1.2)
        self._round()
        for corner, label in figure.angles.items():
            self._angle(corner, label)
        for corner in figure.right_angles:
            self._right_angle(corner)
        for ends, label in figure.lengths.items():
            self._length(ends, label)
        for name in figure.points:
            if name not in figure.unnamed:
                self._name(name)

    def _at(self, point: Point) -> Point:
        return self._shift[0] + self._scale * point[0], self._shift[1] - self._scale * point[1]

    def _named(self, name: str) -> Point:
        return self._at(self._figure.points[name])

    def _round(self) -> None:
        for circle in self._figure.circles:
            (x, y), radius = self._circle(circle)
            self._board.disc((x, y), radius, None, INK, 1.6)
            self._board.disc((x, y), 2, INK)
        for arc in self._figure.arcs:
            (x, y), radius = self._circle(arc)
            centre, start, end = (self._figure.points[name] for name in arc)
            turn = (-_direction(centre, end), -_direction(centre, start))
            box = (x - radius, y - radius, x + radius, y + radius)
            self._board.arc(box, turn, INK, 1.6)
        for oval in self._figure.ovals:
            (x, y), radius = self._circle(oval)
            box = (x - radius, y - radius * 0.3, x + radius, y + radius * 0.3)
            self._board.oval(box, None, INK, 1.6)

    def _circle(self, names: str) -> tuple[Point, float]:
        """A circle's centre and radius on the board, by its centre and a point on it."""
        centre, edge = self._named(names[0]), self._named(names[1])
        return centre, math.dist(centre, edge)

    def _arms(self, corner: str) -> tuple[Point, float, float]:
        """An angle's vertex, the direction of its first arm, and the turn to its second."""
        points = self._figure.points
        first, second = (-_direction(points[corner[1]], points[end]) for end in corner[::2])
        return self._named(corner[1]), first, (second - first + 180) % 360 - 180

    def _angle(self, corner: str, label: str) -> None:
        (x, y), first, turn = self._arms(corner)
        box = (x - 17, y - 17, x + 17, y + 17)
        self._board.arc(box, (min(first, first + turn), max(first, first + turn)), INK, 1.2)
        distance = 30 if abs(turn) > _NARROW else 42
        self._board.text(towards((x, y), first + turn / 2, distance), label, 14)

    def _right_angle(self, corner: str) -> None:
        vertex, first, turn = self._arms(corner)
        one, other = towards(vertex, first, 11), towards(vertex, first + turn, 11)
        outer = (one[0] + other[0] - vertex[0], one[1] + other[1] - vertex[1])
        self._board.line([one, outer, other], INK, 1.2)

    def _length(self, ends: str, label: str) -> None:
        start, end = self._named(ends[0]), self._named(ends[1])
        middle = between(start, end, 0.5)
        across = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) + 90
        one, other = towards(middle, across, 14), towards(middle, across, -14)
        outer = max(one, other, key=lambda place: math.dist(place, self._middle))
        self._board.text(outer, label, 14)

    def _name(self, name: str) -> None:
        place = self._named(name)
        away = math.degrees(math.atan2(place[1] - self._middle[1], place[0] - self._middle[0]))
        if name in self._figure.below:
            away = 90
        elif math.dist(place, self._middle) < 1:
            away = 60
        self._board.text(towards(place, away, 14), name, 15)


def _extent(figure: Figure) -> tuple[float, float, float, float]:
    reach = [(*point, 0.0) for point in figure.points.values()]
    reach += [(*figure.points[circle[0]], figure.distance(circle)) for circle in figure.circles]
    return (
        min(x - radius for x, _, radius in reach),
        min(y - radius for _, y, radius in reach),
        max(x + radius for x, _, radius in reach),
        max(y + radius for _, y, radius in reach),
    )
