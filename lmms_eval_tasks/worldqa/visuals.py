"""What a request shows beside its text: lmms-eval's ``doc_to_visual`` in each setting."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lmms_eval_tasks_core.errors import SettingError
from lmms_eval_tasks_core.video import SOUND_RATE, frames, sound
from lmms_eval_tasks_core.wav import wav_file, wav_url

if TYPE_CHECKING:
    from PIL.Image import Image

Row = Mapping[str, object]
Kwargs = Mapping[str, object]
AUDIO_FORM = "audio_form"
_FORMS = ("array", "url", "file")


def video(doc: Row) -> list[str]:
    """The path of the video, so that frames are the model's own setting."""
    return [str(doc["video"])]


def nothing(_: Row) -> list[object]:
    """Nothing: the text is all there is."""
    return []


def eight_frames(doc: Row) -> list[Image]:
    """Eight frames of the video, sampled by time as `lmms_eval_tasks_core.video` says."""
    return frames(Path(str(doc["video"])))


def video_and_sound(doc: Row, kwargs: Kwargs | None = None) -> list[object]:
    """The path of the video, and its sound track at 16 kHz mono beside it, if it has one.

    Args:
        doc: The row.
        kwargs: The task's ``lmms_eval_specific_kwargs`` for the model. Under ``audio_form``,
            "array" (where nothing is said) asks for what `datasets` decodes audio to, {"array",
            "sampling_rate"}; "url" for a ``data:`` URL of a WAV file, as chat servers take it; and
            "file" for the path of one.

    Raises:
        SettingError: The form is none of these.
    """
    video_file = Path(str(doc["video"]))
    form = str((kwargs or {}).get(AUDIO_FORM) or "array")
    if form not in _FORMS:
        raise SettingError(AUDIO_FORM, f"there is no form {form!r}", f"Use {', '.join(_FORMS)}.")
    samples = sound(video_file) if doc.get("has_sound") else None
    if samples is None:
        return [str(video_file)]
    # "type" is what lmms-eval's chat models go by; its simple models look for the array.
    if form == "url":
        return [str(video_file), {"type": "audio", "url": wav_url(samples)}]
    if form == "file":
        return [str(video_file), {"type": "audio", "url": str(wav_file(video_file, samples))}]
    return [str(video_file), {"type": "audio", "array": samples, "sampling_rate": SOUND_RATE}]
