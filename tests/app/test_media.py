"""A video of a real hand goes through the whole loop from the camera to the film."""

from __future__ import annotations

from pathlib import Path

import av
import cv2
import pytest
from support.hands_kit import media_folder
from support.log_kit import lines_of
from support.programs import armoon

FRAMES = 60


@pytest.fixture
def take(tmp_path: Path) -> Path:
    source = cv2.VideoCapture(str(media_folder() / "handpose3d" / "cam0_test.mp4"))
    source.set(cv2.CAP_PROP_POS_FRAMES, 60)
    path = tmp_path / "hand.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, (480, 480))
    for _ in range(FRAMES):
        read, picture = source.read()
        assert read
        writer.write(cv2.resize(picture, (480, 480)))
    source.release()
    writer.release()
    return path


@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.media
def test_a_real_video_becomes_a_film_and_a_log_that_replays(take: Path, tmp_path: Path) -> None:
    outputs = ("--record", "film.mp4", "--log", "game.jsonl", "--seed", "1")
    result = armoon("play", "--camera", take.name, "--headless", *outputs, cwd=tmp_path)
    assert result.returncode == 0, result.stderr

    intakes = [r for r in lines_of(tmp_path / "game.jsonl") if r["kind"] == "hands"]
    assert len(intakes) == FRAMES  # in lock step no frame is skipped
    count = sum(bool(r["hands"]["hands"]) for r in intakes)
    assert count >= 0.9 * FRAMES
    assert any(r["kind"] == "intent" and r["phase"] == "hover" for r in lines_of(tmp_path / "game.jsonl"))

    with av.open(str(tmp_path / "film.mp4")) as film:
        pictures = [frame.to_ndarray(format="bgr24") for frame in film.decode(video=0)]
    assert len(pictures) == FRAMES
    capture = cv2.VideoCapture(str(take))
    _, first = capture.read()
    capture.release()
    assert pictures[0].shape == first.shape
    # The film shows the camera's picture with the game drawn over it.
    change = cv2.absdiff(pictures[0], first).max(axis=2)
    assert (change < 40).mean() > 0.4
    assert (change > 60).mean() > 0.05

    assert armoon("replay", "game.jsonl", "--verify", cwd=tmp_path).returncode == 0
