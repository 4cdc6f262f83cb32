"""What cannot be seen is made visible, and what is very long is cut."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.report.texts import cut, visible


@given(st.text(), st.integers(2, 200))
def test_a_cut_text_keeps_its_beginning_and_its_end_and_counts_the_rest(text, most):
    found = cut(text, most)
    if len(text) <= most:
        assert found == text
        return
    head, lost, tail = found
    assert text.startswith(head)
    assert text.endswith(tail)
    assert head
    assert tail
    assert len(head) + len(tail) == most
    assert len(head) + lost + len(tail) == len(text)


@given(st.text(st.characters()))
def test_no_control_character_is_left_but_tab_and_line_break(text):
    kinds = {unicodedata.category(sign) for sign in visible(text) if sign not in "\t\n"}
    assert not kinds & {"Cc", "Cs"}


@given(st.text("aä你\n\t .<>&"))
def test_ordinary_text_stays_as_it_is(text):
    assert visible(text) == text


def test_marks_of_direction_are_named():
    assert visible("a\u202eb\x00\r\nc") == "a⟨U+202E⟩b⟨U+0000⟩\nc"
