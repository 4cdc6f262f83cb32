"""The WorldQA sample: three clips with picture and sound, six questions in both forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase

from lmms_eval_tasks.samples.make.clips import clips
from lmms_eval_tasks.samples.make.tables import table, write_jsonl
from lmms_eval_tasks.samples.make.video import write_clip

OPEN_ENDED = Path("worldqa", "open_ended.jsonl")
MULTIPLE_CHOICE = Path("worldqa", "multiple_choice.jsonl")
VIDEOS = Path("worldqa", "videos")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the sample, in what both forms share.

    Attributes:
        question_idx: Its number within its clip, from 0.
        video_idx: The clip.
        text: The question itself.
        description: What happens in the clip, in words.
        options: The option texts, in the order of the unshifted row.
        gold: The right option's position, counted from 0.
        rationale: How one gets to the answer.
    """

    question_idx: str
    video_idx: str
    text: str
    description: str
    options: tuple[str, ...]
    gold: int
    rationale: str

    @property
    def id(self) -> str:
        """The clip and the number of the question in it."""
        return f"{self.video_idx}/{self.question_idx}"

    @property
    def answer(self) -> str:
        """The right option's text."""
        return self.options[self.gold]

    def columns(self, answer: str) -> dict[str, str]:
        """The columns that both forms have, in the order of the release."""
        return {
            "question_idx": self.question_idx,
            "question": self.text,
            "answer": answer,
            "video_idx": self.video_idx,
            "object_description": self.description,
        }


def questions() -> Iterator[Question]:
    """The questions, clip by clip."""
    for clip in table("worldqa"):
        for number, entry in enumerate(clip["questions"]):
            options = list(entry["distractors"])
            options.insert(entry["position"], entry["answer"])
            yield Question(
                question_idx=str(number),
                video_idx=clip["video_idx"],
                text=entry["question"],
                description=clip["description"],
                options=tuple(options),
                gold=entry["position"],
                rationale=entry["rationale"],
            )


def open_ended_rows() -> Iterator[dict[str, str]]:
    """The rows in the columns of the release's open-ended form."""
    for question in questions():
        yield {**question.columns(question.answer), "rationale": question.rationale}


def multiple_choice_rows() -> Iterator[dict[str, object]]:
    """The rows in the columns of the release's multiple choice, one per question, not rotated."""
    for question in questions():
        options = [
            f"{letter}. {text}"
            for letter, text in zip(ascii_uppercase, question.options, strict=False)
        ]
        yield {**question.columns(options[question.gold]), "option": options}


def write(folder: Path) -> None:
    """Write the sample's clips and rows below a folder."""
    write_jsonl(open_ended_rows(), folder / OPEN_ENDED)
    write_jsonl(multiple_choice_rows(), folder / MULTIPLE_CHOICE)
    for video_idx, clip in clips().items():
        write_clip(folder / VIDEOS / f"{video_idx}.mp4", clip.pictures(), clip.track())
