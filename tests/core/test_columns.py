"""Taking values out of rows."""

from __future__ import annotations

import pytest

from lmms_eval_tasks_core.columns import distinct, present, text
from lmms_eval_tasks_core.errors import RowError


def test_a_missing_column_says_which_ones_are_there_and_to_rename_not_to_drop_the_row():
    with pytest.raises(
        RowError, match=r"'answer': the column is missing .*question, reply"
    ) as caught:
        present({"question": "?", "reply": "!"}, "answer", "7")
    assert "README" in caught.value.remedy
    assert caught.value.row == "7"


@pytest.mark.parametrize("value", [None, "", " \n", 3, ["a"]])
def test_what_is_no_text_is_named_with_its_row(value):
    with pytest.raises(RowError, match="missing or not a text") as caught:
        text({"answer": value}, "answer", "7")
    assert "leave it out" in caught.value.remedy


def test_a_text_comes_without_surrounding_white_space():
    assert text({"answer": " yes\n"}, "answer", "7") == "yes"


def test_rows_of_one_name_get_names_of_their_own_that_nobody_has():
    assert distinct(["a", "b", "a", "a", "a~2"]) == ["a", "b", "a~3", "a~4", "a~2"]
