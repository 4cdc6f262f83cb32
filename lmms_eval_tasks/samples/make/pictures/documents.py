"""Documents and screens: a spreadsheet, a receipt, a bar chart, a time line."""

from __future__ import annotations

from PIL import Image

from lmms_eval_tasks.samples.make.drawing import INK, Board

_GRID = "#c5ccd3"
_RAIN = (("Jan", 40), ("Feb", 65), ("Mar", 30), ("Apr", 80), ("May", 55), ("Jun", 70))
_EVENTS = (
    (1812, "Mill built"),
    (1853, "Bridge opened"),
    (1867, "Market hall"),
    (1891, "Great flood"),
    (1924, "First tram"),
    (1958, "New harbour"),
)


def spreadsheet() -> Image.Image:
    """A spreadsheet in which D5 is being given the formula =SUM(D2:D3)*B4."""
    board = Board(500, 260, "white")
    board.box((0, 0, 500, 30), "#1d6f42")
    board.text((12, 15), "orders - Sheet 1", 15, "white", "lm")
    board.box((0, 30, 500, 62), "#f1f3f4", _GRID, 1)
    board.text((36, 46), "D5", 15)
    board.text((86, 46), "fx", 15, "#7a7f85")
    board.box((104, 35, 490, 57), "white", _GRID, 1)
    board.text((112, 46), "=SUM(D2:D3)*B4", 15, INK, "lm")
    table = [("Item", "Number", "Price", "Total"), ("Pens", "6", "2", "12")]
    table += [("Pads", "3", "3", "9"), ("Lamps", "4", "5", "20"), ("", "", "", "=SUM(D2:D3)*B4")]
    for column, letter in enumerate("ABCD"):
        board.text((94 + 112 * column, 76), letter, 14, "#5b6167")
    for row, cells in enumerate(table):
        y = 90 + 32 * row
        board.text((19, y + 16), str(row + 1), 14, "#5b6167")
        for column, cell in enumerate(cells):
            x = 38 + 112 * column
            board.box((x, y, x + 112, y + 32), "#eef5f0" if row == 0 else "white", _GRID, 1)
            size = 12 if cell.startswith("=") else 15
            board.text((x + 8, y + 16), cell, size, INK, "lm")
    board.box((374, 218, 486, 250), None, "#1d6f42", 3)
    return board.finish()


def receipt() -> Image.Image:
    """A till receipt: 4.20 + 3.70 + 9.50 paid with 20.00; the change is blotted out."""
    board = Board(300, 420, "white")
    board.text((150, 36), "CORNER SHOP", 26)
    board.text((150, 64), "14 Mill Lane", 16)
    board.dashes((20, 88), (280, 88))
    lines = [("Green tea", "4.20"), ("Rye bread", "3.70"), ("Hard cheese", "9.50")]
    for row, (item, price) in enumerate(lines):
        board.text((26, 116 + 34 * row), item, 19, INK, "lm")
        board.text((274, 116 + 34 * row), price, 19, INK, "rm")
    board.dashes((20, 212), (280, 212))
    for row, (item, amount) in enumerate([("TOTAL", "17.40"), ("CASH", "20.00"), ("CHANGE", "")]):
        board.text((26, 240 + 38 * row), item, 22, INK, "lm")
        board.text((274, 240 + 38 * row), amount, 22, INK, "rm")
    board.box((196, 302, 276, 330), INK)
    board.text((150, 372), "Thank you, come again!", 17)
    board.dashes((20, 400), (280, 400))
    return board.finish()


def bar_chart() -> Image.Image:
    """Rain in six months; in four of them more than 50 mm."""
    board = Board(500, 330, "white")
    board.text((260, 22), "Rain in the valley, January to June", 18)
    base, tall = 285.0, 2.6
    for level in range(0, 100, 10):
        y = base - tall * level
        board.line([(60, y), (485, y)], "#d5dade" if level else INK, 1.2)
        if level % 20 == 0:
            board.text((52, y), str(level), 14, INK, "rm")
    for place, (month, rain) in enumerate(_RAIN):
        x = 78 + 68 * place
        board.box((x, base - tall * rain, x + 42, base), "#3a7ca5", "#24536f", 1.5)
        board.text((x + 21, base + 17), month, 15)
    board.line([(60, base), (60, 44)], INK, 1.5)
    board.text((20, 38), "mm", 14, INK, "lm")
    return board.finish()


def time_line() -> Image.Image:
    """The years 1800 to 2000 on a strip 8,200 pixels wide, with six events of a made-up town."""
    board = Board(8200, 200, "white", oversampling=1)
    start, year_width, axis = 100, 40, 130
    board.line([(start, axis), (start + 200 * year_width, axis)], INK, 5)
    for year in range(1800, 2001):
        x = start + (year - 1800) * year_width
        tall = 26 if year % 10 == 0 else 10
        board.line([(x, axis), (x, axis + tall)], INK, 3)
        if year % 10 == 0:
            board.text((x, axis + 48), str(year), 30)
    for year, event in _EVENTS:
        x = start + (year - 1800) * year_width
        board.line([(x, axis), (x, 70)], "#b5342b", 4)
        board.disc((x, axis), 11, "#b5342b")
        board.text((x, 44), f"{event}, {year}", 34, "#7a1f18")
    board.text((8180, 20), "A TOWN IN TWO CENTURIES", 24, INK, "rm")
    return board.finish()
