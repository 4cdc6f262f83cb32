"""Letters and labels of options."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks_core.options import Options, without_labels


def test_options_are_rendered_one_a_line_with_their_letters():
    assert Options(("a cat", "Dr. Vale")).render() == "A. a cat\nB. Dr. Vale"


@pytest.mark.parametrize("count", [0, 1, 27])
def test_a_question_has_two_to_twenty_six_options(count):
    with pytest.raises(ValueError, match="2 to 26"):
        Options(("x",) * count)


def test_letters_and_positions_are_each_others_inverse():
    options = Options(tuple("wxyz"))
    assert [options.position_of(options.letter_at(k)) for k in range(4)] == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="not in"):
        options.position_of("E")


@pytest.mark.parametrize(
    ("options", "texts"),
    [
        (["A. Dr. Smith left", "B. 3.5 km"], ("Dr. Smith left", "3.5 km")),
        (["A) yes", "B) no"], ("yes", "no")),
        (["(A) yes", "(B) no"], ("yes", "no")),
        (["A: yes", "B: no", "C: maybe"], ("yes", "no", "maybe")),
        (["C. elegans", "D. melanogaster"], ("C. elegans", "D. melanogaster")),
        (["A. afarensis", "an ape"], ("A. afarensis", "an ape")),
        (["  plain ", "texts"], ("plain", "texts")),
    ],
)
def test_labels_come_off_only_where_every_option_has_one_in_order(options, texts):
    assert without_labels(options) == texts


@given(
    st.lists(
        st.text(st.characters(categories=("L", "N", "Zs")), min_size=1).map(str.strip).filter(bool),
        min_size=2,
        max_size=26,
    )
)
def test_labelling_then_unlabelling_gives_the_texts_back(texts):
    assert without_labels(Options(tuple(texts)).render().split("\n")) == tuple(texts)
