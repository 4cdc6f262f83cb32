"""Where videos lie, and what has to be downloaded. Pictures: tests/worldbench."""

from __future__ import annotations

import pytest

from lmms_eval_tasks_core.media import data_to_download, find_videos

RELEASE = {"video": True, "cache_dir": "multi-hop-reasoning", "token": True}


@pytest.fixture(autouse=True)
def _no_folder(monkeypatch):
    monkeypatch.delenv("LMMS_EVAL_TASKS_VIDEOS", raising=False)


def test_videos_are_found_under_both_spellings_and_empty_ones_are_not(tmp_path):
    for name in ("a.mp4", "b.MP4", "c.avi"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "empty.mp4").touch()
    found = find_videos(tmp_path, ["a", "b", "c", "empty", "gone"])
    assert found == {"a": tmp_path / "a.mp4", "b": tmp_path / "b.MP4"}
    assert find_videos(tmp_path / "nowhere", ["a"]) == {}


def test_no_video_is_downloaded_where_users_keep_them_elsewhere(monkeypatch):
    assert data_to_download(RELEASE) == RELEASE
    monkeypatch.setenv("LMMS_EVAL_TASKS_VIDEOS", "/somewhere")
    assert data_to_download(RELEASE) == {"token": True}
    assert data_to_download({"cache_dir": "mine"}) == {"cache_dir": "mine"}
    assert data_to_download(None) is None
