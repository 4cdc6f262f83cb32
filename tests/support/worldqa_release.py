"""A synthetic release of WorldQA: its schema and its mix, our own questions, real small videos.

In the multiple-choice rows the rotations of a question stand apart and each has a ``question_idx``
of its own; a few are missing. Two videos are not there: one is missing, one cannot be opened.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.clips import steady, write_clip

QUESTIONS, QUESTIONS_A_VIDEO, THREE_OPTIONS_EVERY = 200, 5, 50
# The question and the rotations of it that the release lacks.
MISSING = {7: {3}, 20: {0}, 49: {1}, 100: {1, 2}}
NO_VIDEO, BROKEN_VIDEO = 38, 39
NOUNS = ("lantern", "umbrella", "suitcase", "trumpet", "blanket", "ladder", "basket", "candle")
Json = dict[str, object]


@dataclass(frozen=True)
class Asked:
    """One pass that a run asks.

    Attributes:
        id: Its id in our tasks.
        question: The number of the question.
        number: Which pass it is, from 0.
        passes: How many passes the question needs.
        texts: The options as shown.
        right: The position of the right one.
        video: The video's name.
    """

    id: str
    question: int
    number: int
    passes: int
    texts: tuple[str, ...]
    right: int
    video: str

    def letter(self, moved: int = 0) -> str:
        """The letter of the right option, or of one that stands so much further."""
        return "ABCD"[(self.right + moved) % self.passes]


def option_texts(question: int) -> tuple[str, ...]:
    count = 3 if question % THREE_OPTIONS_EVERY == THREE_OPTIONS_EVERY - 1 else 4
    return tuple(f"They carried the {NOUNS[(question + k) % len(NOUNS)]}" for k in range(count))


def video_of(question: int) -> int:
    return question // QUESTIONS_A_VIDEO


def write_videos(folder: Path) -> Path:
    """One video for five questions, every third without sound, some in capitals."""
    folder.mkdir()
    kinds = [
        write_clip(folder / f"kind{k}.mp4", steady(1, 4), sound_s=0.0 if k == 2 else 1.0)
        for k in range(3)
    ]
    for number in range(QUESTIONS // QUESTIONS_A_VIDEO):
        if number != NO_VIDEO:
            suffix = "MP4" if number % 10 == 9 else "mp4"
            shutil.copy(kinds[number % 3], folder / f"v{number:03}.{suffix}")
    (folder / f"v{BROKEN_VIDEO:03}.MP4").write_bytes(b"not a video")
    for kind in kinds:
        kind.unlink()
    return folder


def multiple_choice_rows() -> Iterator[Json]:
    """The rows of the config MC: all first rotations, then all second ones, and so on."""
    number = 0
    for shift in range(4):
        for question in range(QUESTIONS):
            texts = option_texts(question)
            if shift >= len(texts) or shift in MISSING.get(question, ()):
                continue
            shown = texts[shift:] + texts[:shift]
            labelled = [f"{'ABCD'[k]}. {text}" for k, text in enumerate(shown)]
            yield {
                "question_idx": str(number),
                "question": f"What did they carry in scene {question}?",
                "answer": labelled[shown.index(texts[right_option(question)])],
                "video_idx": f"v{video_of(question):03}",
                "object_description": f"Scene {question}: people carry things.",
                "option": labelled,
            }
            number += 1


def right_option(question: int) -> int:
    return (question * 7 + 3) % len(option_texts(question))


def asked() -> list[Asked]:
    """The passes that a run asks, in its order: by question, those without a video left out."""
    index = {
        (str(row["question"]), tuple(row["option"])): str(row["question_idx"])  # type: ignore[arg-type]
        for row in multiple_choice_rows()
    }
    # Questions come in the order of their first rows.
    order = sorted(range(QUESTIONS), key=lambda q: (min(_shifts(q)), q))
    return [one for question in order for one in _passes(question, index)]


def _shifts(question: int) -> list[int]:
    lacking = MISSING.get(question, set())
    return [k for k in range(len(option_texts(question))) if k not in lacking]


def _passes(question: int, index: Mapping[tuple[str, tuple[str, ...]], str]) -> Iterator[Asked]:
    if video_of(question) in (NO_VIDEO, BROKEN_VIDEO):
        return
    texts, shifts = option_texts(question), _shifts(question)

    def labelled(shift: int) -> tuple[str, ...]:
        shown = texts[shift:] + texts[:shift]
        return tuple(f"{'ABCD'[k]}. {text}" for k, text in enumerate(shown))

    video = f"v{video_of(question):03}"
    first = index[f"What did they carry in scene {question}?", labelled(shifts[0])]
    for shift in shifts:
        number = shift - shifts[0]
        yield Asked(
            id=f"{video}/{first}#{number}",
            question=question,
            number=number,
            passes=len(texts),
            texts=texts[shift:] + texts[:shift],
            right=(right_option(question) - shift) % len(texts),
            video=video,
        )


def open_ended_rows() -> Iterator[Json]:
    """The rows of the config Generation."""
    for question in range(QUESTIONS):
        texts = option_texts(question)
        yield {
            "question_idx": str(question),
            "question": f"What did they carry in scene {question}?",
            "answer": texts[right_option(question)],
            "video_idx": f"v{video_of(question):03}",
            "object_description": f"Scene {question}: people carry things.",
            "rationale": "It is seen.",
        }


def write_jsonl(path: Path, rows: Iterator[Json] | list[Json]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_task(folder: Path, name: str, included: Path, rows: Path) -> None:
    """A user's own task of five lines on rows of the release."""
    (folder / f"{name}.yaml").write_text(
        f"include: {included}\ntask: {name}\ndataset_path: json\ndataset_name: null\n"
        f"dataset_kwargs: {{data_files: {{test: {rows}}}}}\n"
    )


def saved(task: str, responses: Callable[[Asked], str]) -> list[Json]:
    """The saved responses of one model to every pass."""
    return [{"task": task, "id": one.id, "response": responses(one)} for one in asked()]
