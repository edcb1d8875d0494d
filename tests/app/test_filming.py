"""Films and clips of a logged game: length, size and sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import av
import numpy as np
import pytest
from rich.progress import Progress, TaskID
from support.samples import sample_log

from armoon.app import replay
from armoon.app.replay import FILM_HZ, ClipPlan, LoggedGame, _make_clip_hud, film_clips, film_log
from armoon.errors import LogError
from armoon.sound.cues import CueKind
from armoon.sound.player import render_stereo
from armoon.values.scene import SceneHud

pytestmark = [pytest.mark.slow, pytest.mark.gl]
#: Number of lines of the moon log up to the end of the first turn.
FIRST_TURN = 640
#: Frame rate of the films in these tests, in hertz.
FEW_HZ = 10.0


@pytest.fixture
def limit_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Film at a third of the usual frame rate; sounds keep their times."""
    monkeypatch.setattr(replay, "FILM_HZ", FEW_HZ)


def read_streams(path: Path) -> tuple[Any, Any, tuple[int, int]]:
    with av.open(str(path)) as film:
        picture, sound = film.streams.video[0], film.streams.audio[0]
        return (
            float(picture.duration * picture.time_base),
            float(sound.duration * sound.time_base),
            (picture.width, picture.height),
        )


@pytest.mark.usefixtures("limit_pictures")
@pytest.mark.parametrize("game", [pytest.param("moon", marks=pytest.mark.long), "lake"])
def test_a_whole_game_is_filmed_at_another_size_and_speed(tmp_path: Path, game: str) -> None:
    log, out = sample_log(game, tmp_path), tmp_path / "film.mp4"
    logged = LoggedGame(log)
    logged.close()
    film_log(log, out, (180, 320), "plain", 8.0)
    picture_s, sound_s, size = read_streams(out)
    assert picture_s == pytest.approx(logged.length_s / 8.0, abs=2.0 / FEW_HZ)
    assert sound_s == pytest.approx(picture_s, abs=2.0 / FEW_HZ)
    assert size == (180, 320)


class RecordedProgress(Progress):
    """Records which tenths of the last task are shown."""

    tenths: ClassVar[set[int]] = set()

    def advance(self, task_id: TaskID, advance: float = 1.0) -> None:
        super().advance(task_id, advance)
        self.tenths.add(int(self.tasks[-1].percentage // 10))


@pytest.mark.usefixtures("limit_pictures")
def test_clips_show_falls_and_figures_with_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armoon.app.replay.Progress", RecordedProgress)
    log = sample_log("moon", tmp_path)
    clips = [path for _, path in film_clips(log, tmp_path, ((160, 90),), "plain", print)]
    # Cleo's ladder falls; Ann and Ben have made figures before that.
    assert [path.stem.split("-")[2] for path in clips] == ["fall", "figure", "figure"]
    assert set(range(11)) <= RecordedProgress.tenths, "the progress bar doesn't move while clips are drawn"
    for path in clips:
        picture_s, sound_s, size = read_streams(path)
        assert size == (160, 90)
        assert 6.0 < picture_s < 12.0
        assert sound_s == pytest.approx(picture_s, abs=2.0 / FILM_HZ)


@pytest.mark.usefixtures("limit_pictures")
def test_the_sounds_of_a_film_match_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "armoon.app.replay.NightTrack.extend", lambda *_: None
    )  # otherwise the ambience would always be audible
    log, out = sample_log("moon", tmp_path), tmp_path / "film.mp4"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join(lines[:FIRST_TURN]), encoding="utf-8")
    with pytest.raises(LogError, match="not complete"):
        film_log(log, out, (160, 90), "plain", 1.0)
    logged = LoggedGame(log)
    cues = [(frame.time_s, cue) for frame in logged.play_frames() for cue in frame.cues]
    logged.close()
    first_s = next(iter(LoggedGame(log).play_frames())).time_s
    with av.open(str(out)) as film:
        frames: list[Any] = list(film.decode(audio=0))
    rate = frames[0].sample_rate
    levels = np.concatenate([frame.to_ndarray().T for frame in frames]).max(axis=1)
    checked = 0
    last_end_s = -1.0
    for time_s, cue in cues:
        at_s = time_s - first_s
        samples = np.abs(render_stereo(cue)).max(axis=1)
        if at_s > last_end_s + 0.25 and cue.kind is not CueKind.CLICK and samples.max() > 0.1:
            together = [np.abs(render_stereo(cue)).max(axis=1) for when_s, cue in cues if when_s == time_s]
            begins_s = min(float(np.argmax(sound > 0.05)) for sound in together if sound.max() > 0.05) / rate
            window = levels[round((at_s - 0.2) * rate) : round((at_s + 0.4) * rate)]
            found_s = float(np.argmax(np.abs(window) > 0.04)) / rate - 0.2
            assert abs(found_s - begins_s) <= 0.005, (time_s, cue)
            checked += 1
        last_end_s = max(last_end_s, at_s + len(samples) / rate)
    assert checked >= 3


def test_a_result_is_not_shown_before_it_is_final() -> None:
    result = ClipPlan("result", 20.0, 3.6, "Ben wins", "The last tear was taken", is_good=None)
    fall = ClipPlan("fall", 20.0, 3.0, "Ann", "Ann pays", is_good=False)
    for clip, before, name in ((result, "", "winner_text"), (fall, "Ann", "title")):
        assert _make_clip_hud(clip, clip.moment_film_s - 0.1) == SceneHud(title=before)
        after = _make_clip_hud(clip, clip.moment_film_s + 0.1)
        assert (getattr(after, name), after.verdict_text) == (clip.title, clip.words)
