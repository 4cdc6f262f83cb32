"""Sound as WAV, for models that take no arrays: in a URL, or in a file."""

from __future__ import annotations

import base64
import hashlib
import io
import threading
import wave
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from lmms_eval_tasks_core.video import SOUND_RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_lock = threading.Lock()
# Made on first use, and removed with all that is in it when the process ends.
_folders: list[TemporaryDirectory[str]] = []


def wav_bytes(samples: NDArray[np.float32]) -> bytes:
    """A WAV file with 16 bits a sample.

    Args:
        samples: One channel at 16 kHz, from -1 to 1, shape (n,); what lies outside is cut off.
    """
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SOUND_RATE)
        file.writeframes((samples.clip(-1, 1) * 32767).astype("<i2").tobytes())
    return buffer.getvalue()


def wav_url(samples: NDArray[np.float32]) -> str:
    """Samples as a ``data:`` URL of a WAV file."""
    return f"data:audio/wav;base64,{base64.b64encode(wav_bytes(samples)).decode('ascii')}"


def wav_file(video: Path, samples: NDArray[np.float32]) -> Path:
    """The sound of a video as a file, written once and there until the process ends.

    Args:
        video: The video, which the file is named after.
        samples: Its sound.
    """
    name = hashlib.sha256(str(video).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    with _lock:
        if not _folders:
            _folders.append(TemporaryDirectory(prefix="lmms_eval_tasks_"))
        file = Path(_folders[0].name) / f"{name}.wav"
        if not file.exists():
            file.write_bytes(wav_bytes(samples))
        return file
