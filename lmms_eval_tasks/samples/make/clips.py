"""The three clips of the WorldQA sample: what happens in them, second by second."""

# ruff: noqa: PLR2004 - the moments of a film are its script, told where they are shown

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from PIL import Image

from lmms_eval_tasks.samples.make import sound
from lmms_eval_tasks.samples.make.drawing import INK, Board, Point, between
from lmms_eval_tasks.samples.make.people import Person
from lmms_eval_tasks.samples.make.video import FRAMES_A_SECOND

_SIZE = (320, 180)
_COOK = Person("#4f7f9c")
_DR_VALE = Person("#7d5ba6", hair="#8b8b90")
_READER = Person("#c8743b")
_HOST = Person("#5b8c5a", hair="#2d2a2a")
_GUEST = Person("#c8453b", hair="#b98a4a")


@dataclass(frozen=True, slots=True)
class Clip:
    """A clip before it is encoded.

    Attributes:
        seconds: How long it is.
        picture: The picture at a time in seconds, mode RGB, 320 by 180 pixels.
        sounds: Each sound with the second it begins at.
    """

    seconds: float
    picture: Callable[[float], Image.Image]
    sounds: tuple[tuple[sound.Wave, float], ...]

    def pictures(self) -> list[Image.Image]:
        """Every picture, in order."""
        count = round(self.seconds * FRAMES_A_SECOND)
        return [self.picture(number / FRAMES_A_SECOND) for number in range(count)]

    def track(self) -> sound.Wave:
        """The sound track."""
        track = sound.silence(self.seconds)
        for wave, second in self.sounds:
            sound.lay(track, wave, second)
        return track


def clips() -> Mapping[str, Clip]:
    """The clips by their ``video_idx``."""
    bell, ring = sound.bell(), sound.telephone()
    return MappingProxyType(
        {
            "kitchen": Clip(5.0, _kitchen, ((bell, 1.0), (bell, 1.6), (bell, 2.2))),
            "library": Clip(5.0, _library, ((ring, 0.8), (ring, 1.8))),
            "kettle": Clip(5.5, _kettle, ((sound.kettle(3.5), 0.5),)),
        }
    )


def _part(time: float, start: float, end: float) -> float:
    """How much of a movement is done at a time: 0 before its start, 1 after its end."""
    return min(max((time - start) / (end - start), 0.0), 1.0)


def _finished(board: Board) -> Image.Image:
    return board.finish().convert("RGB")


def _kitchen(time: float) -> Image.Image:
    """An oven's timer rings; the woman gets up, puts on a mitt and opens the oven."""
    board = Board(*_SIZE, "#f3e9da", oversampling=2)
    board.box((0, 150, 320, 180), "#c9a982")
    board.box((205, 62, 300, 152), "#d8dce0", INK, 1.5, radius=3)
    opened = _part(time, 4.3, 4.7)
    board.box((216, 96, 289, 140), "#ff9d3c", INK, 1.5, radius=2)
    board.oval((238, 112, 268, 134), "#8a5a2b", INK, 1)
    board.box((216, 96 + 40 * opened, 289, 140), None if not opened else "#7b848c", INK, 2)
    seconds = max(0, 3 - int(time / 0.34))
    board.box((236, 68, 270, 84), "#1c2b22", INK, 1)
    board.text((253, 76), f"0:0{seconds}", 12, "#6cf08a")
    for beat in (1.0, 1.6, 2.2):
        if beat <= time < beat + 0.4:
            for reach in (14, 22):
                box = (253 - reach * 1.5, 64 - reach, 253 + reach * 1.5, 64 + reach)
                board.arc(box, (215, 325), "#b5342b", 1.5)
    board.box((20, 108, 88, 114), "#8a5a33", INK, 1)
    for x in (26, 78):
        board.box((x, 114, x + 4, 152), "#8a5a33", INK, 1)
    board.line([(150, 48), (150, 56)], INK, 2)
    _cook(board, time)
    return _finished(board)


def _cook(board: Board, time: float) -> None:
    worn = time >= 3.5
    if not worn:
        _mitt(board, (150, 64))
    if time < 2.6:
        board.box((98, 128, 128, 133), "#6f4a30", INK, 1)
        board.box((120, 133, 124, 152), "#6f4a30", INK, 1)
        _COOK.draw(board, (112, 130), 62, ((84, 106), (90, 106)), seated=True)
        return
    walk = _part(time, 2.6, 3.1)
    x = 112 + 26 * walk + 40 * _part(time, 3.7, 4.2)
    hand: Point = (x + 14, 108)
    if time >= 3.1:
        hand = between(hand, (150, 66), _part(time, 3.1, 3.4))
    if worn:
        reach = _part(time, 3.9, 4.4)
        hand = between((x + 14, 90), (216, 110), reach)
    _COOK.draw(board, (x, 154), 96, ((x - 15, 112), hand))
    if worn:
        _mitt(board, hand)


def _mitt(board: Board, centre: Point) -> None:
    x, y = centre
    board.disc((x + 6, y - 2), 4, "#c8453b", INK, 1)
    board.oval((x - 7, y - 9, x + 7, y + 9), "#c8453b", INK, 1)
    board.box((x - 6, y + 6, x + 6, y + 11), "#f4efe6", INK, 1)


def _library(time: float) -> Image.Image:
    """A telephone rings among the readers; Dr. Vale hushes, its owner carries it outside."""
    board = Board(*_SIZE, "#efe6d2", oversampling=2)
    board.box((0, 152, 320, 180), "#a98d6a")
    for shelf, y in enumerate((20, 56)):
        for book in range(13):
            colour = ("#7d3c32", "#3a6b7c", "#b58a3c", "#5a6b4a")[(book + shelf) % 4]
            board.box((14 + 9 * book, y + book % 3, 22 + 9 * book, y + 28), colour, INK, 0.6)
        board.box((10, y + 28, 136, y + 32), "#6f4a30")
    board.box((276, 52, 314, 152), "#d9f0fb" if time >= 3.6 else "#8a6a45", INK, 2)
    board.text((295, 44), "EXIT", 11, "#2a6b3c")
    board.text((212, 22), "SILENCE, PLEASE", 14, "#7a1f18")
    hushing = _part(time, 2.5, 2.8) if time < 3.9 else 0.0
    finger = between((74, 112), (56, 101), hushing)
    _DR_VALE.draw(board, (52, 150), 72, ((34, 126), finger), seated=True)
    if hushing == 1.0:
        board.oval((76, 70, 112, 96), "white", INK, 1)
        board.text((94, 83), "Sh!", 13)
    board.box((16, 120, 104, 152), "#8a5a33", INK, 1.5)
    board.box((34, 128, 86, 142), "#f4efe6", INK, 1)
    board.text((60, 135), "DR. VALE", 10)
    _reader(board, time)
    board.box((150, 122, 222, 128), "#8a5a33", INK, 1)
    for x in (156, 212):
        board.box((x, 128, x + 4, 154), "#8a5a33", INK, 1)
    if time < 3.2:
        _ringing_phone(board, (166, 118), time)
    return _finished(board)


def _reader(board: Board, time: float) -> None:
    if time < 3.2:
        _READER.draw(board, (196, 150), 72, ((180, 120), (208, 120)), seated=True)
        board.polygon([(180, 122), (194, 118), (208, 122), (194, 125)], "white", INK, 1)
        return
    x = 200 + 92 * _part(time, 3.2, 4.6)
    hand = (x + 15, 100)
    _READER.draw(board, (x, 156), 96, ((x - 14, 112), hand))
    board.box((hand[0] - 4, hand[1] - 9, hand[0] + 4, hand[1] + 6), INK, INK, 1, radius=1)


def _ringing_phone(board: Board, centre: Point, time: float) -> None:
    x, y = centre
    rings = 0.8 <= time < 1.5 or 1.8 <= time < 2.5
    x += (1.5 if int(time * 10) % 2 else -1.5) if rings else 0.0
    board.box((x - 10, y - 4, x + 10, y + 3), INK, INK, 1, radius=2)
    board.box((x - 7, y - 3, x + 7, y + 1), "#6cf08a" if rings else "#56606b")
    if rings:
        for reach in (10, 16):
            board.arc(
                (x - reach, y - 8 - reach, x + reach, y - 8 + reach), (220, 320), "#b5342b", 1.5
            )


def _kettle(time: float) -> Image.Image:
    """A kettle whistles ever higher; the host lifts it and fills the guest's cup first."""
    board = Board(*_SIZE, "#e6eef0", oversampling=2)
    board.box((0, 152, 320, 180), "#b9a58a")
    board.box((214, 110, 306, 152), "#5f6b78", INK, 1.5)
    lifted = time >= 4.0
    board.box((238, 105, 284, 110), INK)
    if not lifted:
        for flame in range(244, 282, 8):
            board.polygon([(flame - 3, 106), (flame, 98), (flame + 3, 106)], "#3f82e0")
    _GUEST.draw(board, (46, 150), 76, ((32, 122), (62, 121)), seated=True)
    x = 186.0 - 54 * _part(time, 4.2, 4.9)
    kettle: Point = (261, 84)
    hand: Point = (x + 18, 110)
    if time >= 3.6:
        hand = between(hand, (240, 78), _part(time, 3.6, 4.0))
    if lifted:
        kettle = between((261, 84), (x - 24, 100), _part(time, 4.0, 4.6))
        hand = (kettle[0], kettle[1] - 16)
    _HOST.draw(board, (x, 156), 100, ((x - 16, 114), hand))
    board.box((24, 122, 104, 128), "#8a5a33", INK, 1)
    for leg in (30, 94):
        board.box((leg, 128, leg + 4, 154), "#8a5a33", INK, 1)
    for cup in (72, 92):
        board.box((cup - 7, 110, cup + 7, 122), "white", INK, 1, radius=2)
    _pot(board, kettle)
    _steam(board, kettle, 0.0 if lifted else _part(time, 0.5, 4.0))
    if time >= 4.9:
        board.line([(kettle[0] - 24, kettle[1] - 9), (kettle[0] - 34, 112)], "#a86a2a", 2)
    return _finished(board)


def _pot(board: Board, centre: Point) -> None:
    x, y = centre
    board.polygon(
        [(x - 14, y + 2), (x - 26, y - 8), (x - 22, y - 11), (x - 10, y - 6)], "#c8453b", INK, 1
    )
    board.arc((x - 13, y - 24, x + 13, y + 4), (180, 360), INK, 3)
    board.oval((x - 20, y - 12, x + 20, y + 16), "#c8453b", INK, 1.5)
    board.box((x - 19, y + 8, x + 19, y + 18), "#c8453b", INK, 1.5, radius=3)


def _steam(board: Board, kettle: Point, strength: float) -> None:
    x, y = kettle
    for puff in range(round(7 * strength)):
        away = 5 + 7.0 * puff
        board.disc(
            (x - 27 - away * 0.6, y - 12 - away),
            3 + 1.2 * puff,
            (255, 255, 255, 235),
            "#b5c3cb",
            0.8,
        )
