"""Whole runs of the program with the rendered demo or a video of a real hand, and replays of their logs."""

from __future__ import annotations

from pathlib import Path

import av
import cv2
import pytest
from support.hands_kit import media_folder
from support.log_kit import lines_of
from support.programs import armoon


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize(
    ("seed", "turns"), [(3, 2), *(pytest.param(seed, 6, marks=pytest.mark.long) for seed in (3, 8))]
)
def test_the_demo_plays_its_first_turns_and_its_log_replays(tmp_path: Path, seed: int, turns: int) -> None:
    # Fewer and smaller frames are enough for two turns.
    few = ("--size", "480x270", "--rate", "10") if turns == 2 else ("--size", "640x360", "--rate", "30")
    small = ("--headless", *few)
    arguments = (*small, "--seed", str(seed), "--turns", str(turns), "--log", "game.jsonl")
    result = armoon("play", "--camera", "demo", *arguments, cwd=tmp_path, timeout_s=1500.0)
    assert result.returncode == 0, result.stderr
    records = lines_of(tmp_path / "game.jsonl")
    assert records[0]["kind"] == "header"
    assert records[0]["seed"] == seed
    assert records[-1]["kind"] == "end"
    verdicts = [r for r in records if r["kind"] == "verdict"]
    assert {v["turn"] for v in verdicts} >= set(range(1, turns + 1))
    assert all(v["ok"] for v in verdicts if v["turn"] <= 2)
    assert {v["player"] for v in verdicts} == set(range(3)[:turns])
    verified = armoon("replay", "game.jsonl", "--verify", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize("game", ["moon", pytest.param("lake", marks=pytest.mark.long)])
def test_the_demo_plays_with_a_paper_ladder(tmp_path: Path, game: str) -> None:
    """Every grip comes from the paper although the tracker also finds the hand, and the log reproduces the game."""
    # At this rate, the lake's demo takes more than ten minutes on a busy machine.
    small = ("--size", "640x360", "--rate", "10") if game == "moon" else ()
    arguments = ("--game", game, "--way", "card", "--headless", "--seed", "3", "--turns", "1", *small)
    result = armoon(
        "play", "--camera", "demo", *arguments, "--log", "game.jsonl", cwd=tmp_path, timeout_s=900.0
    )
    assert result.returncode == 0, result.stderr
    records = lines_of(tmp_path / "game.jsonl")
    grips = [r for r in records if r["kind"] == "intent" and r["phase"] in ("grab", "release")]
    assert {r["source"] for r in grips} == {"card"}
    if game == "moon":
        assert [v["ok"] for v in records if v["kind"] == "verdict"] == [True]
    verified = armoon("replay", "game.jsonl", "--verify", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr


FRAMES = 60


@pytest.fixture
def hand_video(tmp_path: Path) -> Path:
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
def test_a_real_video_becomes_a_film_and_a_log_that_replays(hand_video: Path, tmp_path: Path) -> None:
    outputs = ("--record", "film.mp4", "--log", "game.jsonl", "--seed", "1")
    result = armoon("play", "--camera", hand_video.name, "--headless", *outputs, cwd=tmp_path)
    assert result.returncode == 0, result.stderr

    intakes = [r for r in lines_of(tmp_path / "game.jsonl") if r["kind"] == "hands"]
    assert len(intakes) == FRAMES  # in lock step no frame is skipped
    count = sum(bool(r["hands"]["hands"]) for r in intakes)
    assert count >= 0.9 * FRAMES
    assert any(r["kind"] == "intent" and r["phase"] == "hover" for r in lines_of(tmp_path / "game.jsonl"))

    with av.open(str(tmp_path / "film.mp4")) as film:
        pictures = [frame.to_ndarray(format="bgr24") for frame in film.decode(video=0)]
    assert len(pictures) == FRAMES
    capture = cv2.VideoCapture(str(hand_video))
    _, first = capture.read()
    capture.release()
    assert pictures[0].shape == first.shape
    # The film shows the camera's picture with the game drawn over it.
    change = cv2.absdiff(pictures[0], first).max(axis=2)
    assert (change < 40).mean() > 0.4
    assert (change > 60).mean() > 0.05

    assert armoon("replay", "game.jsonl", "--verify", cwd=tmp_path).returncode == 0
