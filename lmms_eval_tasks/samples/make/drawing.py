"""A drawing surface with smooth edges, and the one font the samples use."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
Colour: TypeAlias = str | tuple[int, int, int] | tuple[int, int, int, int]

INK = "#20242c"
CLEAR = (0, 0, 0, 0)
_OVERSAMPLING = 3


class Board:
    """A picture in the making; every coordinate and size is in pixels of the finished picture.

    Attributes:
        width: Width of the finished picture in pixels.
        height: Height of the finished picture in pixels.
    """

    def __init__(
        self,
        width: int,
        height: int,
        background: Colour = "white",
        *,
        oversampling: int = _OVERSAMPLING,
    ) -> None:
        self.width, self.height = width, height
        self._times = oversampling
        size = (width * oversampling, height * oversampling)
        self._image = Image.new("RGBA", size, background)
        self._draw = ImageDraw.Draw(self._image)

    def finish(self) -> Image.Image:
        """The picture in mode RGBA, edges smoothed by reduction."""
        if self._times == 1:
            return self._image
        return self._image.resize((self.width, self.height), Image.Resampling.LANCZOS)

    def line(self, points: Iterable[Point], colour: Colour = INK, width: float = 2) -> None:
        """Draw an open line through the points, with round joints and ends."""
        path = [self._at(point) for point in points]
        self._draw.line(path, fill=colour, width=self._length(width), joint="curve")
        for x, y in path:
            reach = self._length(width) / 2 - 0.5
            self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)

    def dashes(self, start: Point, end: Point, colour: Colour = INK, width: float = 1.5) -> None:
        """Draw a dashed straight line."""
        dash, length = 5.0, math.dist(start, end)
        for near in [step * 2 * dash for step in range(int(length / (2 * dash)) + 1)]:
            far = min(near + dash, length)
            ends = [between(start, end, part / length) for part in (near, far)]
            self.line(ends, colour, width)

    def polygon(
        self, points: Sequence[Point], fill: Colour, outline: Colour = INK, width: float = 0
    ) -> None:
        """Fill a polygon; a width above 0 draws its outline too."""
        self._draw.polygon([self._at(point) for point in points], fill=fill)
        if width:
            self.line([*points, points[0]], outline, width)

    def box(
        self,
        box: Box,
        fill: Colour | None,
        outline: Colour = INK,
        width: float = 0,
        radius: float = 0,
    ) -> None:
        """Draw an upright rectangle, its corners rounded by a radius."""
        self._draw.rounded_rectangle(
            self._box(box),
            radius=radius * self._times,
            fill=fill,
            outline=outline if width else None,
            width=self._length(width) if width else 0,
        )

    def oval(self, box: Box, fill: Colour | None, outline: Colour = INK, width: float = 0) -> None:
        """Draw the ellipse that a box encloses."""
        self._draw.ellipse(
            self._box(box),
            fill=fill,
            outline=outline if width else None,
            width=self._length(width) if width else 0,
        )

    def disc(
        self,
        centre: Point,
        radius: float,
        fill: Colour | None,
        outline: Colour = INK,
        width: float = 0,
    ) -> None:
        """Draw a circle."""
        x, y = centre
        self.oval((x - radius, y - radius, x + radius, y + radius), fill, outline, width)

    def arc(
        self, box: Box, degrees: tuple[float, float], colour: Colour = INK, width: float = 2
    ) -> None:
        """Draw a part of an ellipse, clockwise from the first angle (0 is to the right)."""
        self._draw.arc(self._box(box), *degrees, fill=colour, width=self._length(width))

    def text(
        self,
        place: Point,
        text: str,
        size: float = 14,
        colour: Colour = INK,
        anchor: str = "mm",
    ) -> None:
        """Write one line of text; the anchor is Pillow's (``mm``: centred, ``ls``: left, …)."""
        font = _font(size * self._times)
        self._draw.text(self._at(place), text, fill=colour, font=font, anchor=anchor)

    def _at(self, point: Point) -> Point:
        return point[0] * self._times, point[1] * self._times

    def _box(self, box: Box) -> Box:
        return (*self._at(box[:2]), *self._at(box[2:]))

    def _length(self, length: float) -> int:
        return max(1, round(length * self._times))


def between(start: Point, end: Point, part: float) -> Point:
    """The point that lies a part (0 to 1) of the way from the start to the end."""
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def towards(start: Point, degrees: float, distance: float) -> Point:
    """The point at a distance in a direction (0 is to the right, 90 down the picture)."""
    angle = math.radians(degrees)
    return start[0] + distance * math.cos(angle), start[1] + distance * math.sin(angle)


@cache
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
