"""Simple people for the pictures and the clips."""

from __future__ import annotations

from dataclasses import dataclass

from lmms_eval_tasks.samples.make.drawing import INK, Board, Colour, Point

_SKIN = "#f0c9a4"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone with a head, a body, two legs and two arms.

    Attributes:
        clothes: Colour of the clothes.
        hair: Colour of the hair.
    """

    clothes: Colour
    hair: Colour = "#4a3426"

    def draw(
        self,
        board: Board,
        feet: Point,
        height: float,
        hands: tuple[Point, Point] | None = None,
        *,
        seated: bool = False,
    ) -> None:
        """Draw the person.

        Args:
            board: Where to draw.
            feet: Where the person stands, or the middle of the seat.
            height: From the feet (or seat) to the top of the head, in pixels.
            hands: Where the hands are; None lets the arms hang.
            seated: Leaves the legs out.
        """
        x, ground = feet
        head = height * (0.2 if seated else 0.13)
        waist = ground if seated else ground - height * 0.42
        neck = ground - height + 2 * head
        wide = head * 1.15
        if not seated:
            for side in (-1, 1):
                board.line(
                    [(x + side * wide * 0.4, waist), (x + side * wide * 0.5, ground)],
                    INK,
                    wide * 0.55,
                )
        shoulders = (x - wide, neck + 2, x + wide, waist)
        board.box(shoulders, self.clothes, INK, 1, radius=wide * 0.5)
        middle = (x, neck - head)
        board.disc((middle[0], middle[1] - head * 0.15), head * 1.06, self.hair)
        board.disc((middle[0], middle[1] + head * 0.12), head * 0.9, _SKIN, INK, 0.8)
        for side in (-1, 1):
            board.disc((middle[0] + side * head * 0.32, middle[1]), max(head * 0.1, 0.8), INK)
        hanging = ((x - wide * 1.3, waist), (x + wide * 1.3, waist))
        for side, hand in zip((-1, 1), hands or hanging, strict=True):
            board.line(
                [(x + side * wide * 0.85, neck + wide * 0.6), hand], self.clothes, wide * 0.5
            )
            board.disc(hand, wide * 0.34, _SKIN, INK, 0.8)
