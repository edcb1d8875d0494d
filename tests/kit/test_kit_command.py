"""The files, saved measurement and errors of ``armoon kit``."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import platformdirs
import pytest
from support.command_line import run
from support.printed_kit import find_tags, rasterise, read_pdf_pages, read_svg_page

from armoon.kit import draw_screen_picture
from armoon.saves.profiles import load_profiles
from armoon.settings.files import games_folder, load_preferences
from armoon.values.paper import LEFT_LADDER, RIGHT_LADDER, PaperLadder


@pytest.fixture(autouse=True)
def _use_own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    profile_habits = tmp_path_factory.mktemp("home")
    monkeypatch.setattr(platformdirs, "user_config_dir", lambda *_, **__: str(profile_habits / "config"))
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(profile_habits / "data"))


def run_kit(*words: str | Path) -> tuple[int, str]:
    result = run("kit", *map(str, words))
    assert result.exception is None
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("language", "word"), [("en", b"Right hand"), ("fr", b"Main droite")])
def test_the_pdf_contains_the_kit_and_the_board(
    tmp_path: Path, paper: str, language: str, word: bytes
) -> None:
    out = tmp_path / "my kit.pdf"
    code, output = run_kit("--out", out, "--paper", paper, "--language", language)
    assert code == 0
    assert "my kit.pdf" in output
    pages = read_pdf_pages(out.read_bytes())
    assert len(pages) == 2
    assert len(find_tags(rasterise(*pages[0]))) == 21
    board = rasterise(*pages[1])
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    assert len(detector.detectMarkers(board)[0]) == 17
    assert word in out.read_bytes()


def test_the_svg_has_a_file_for_each_page(tmp_path: Path) -> None:
    assert run_kit("--out", tmp_path / "kit.svg")[0] == 0
    assert len(find_tags(rasterise(*read_svg_page((tmp_path / "kit.svg").read_text(encoding="utf-8"))))) == 21
    assert read_svg_page((tmp_path / "kit-board.svg").read_text(encoding="utf-8"))[:2] == (210.0, 297.0)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--language", "de"), "de"),
        (("--hand", "left"), "--hand has no effect on a printed page"),
        (("--pixels", "1080x2400"), "--pixels has no effect"),
        (("--player", "Ann"), "--player has no effect on a printed page"),
        (("--screen", "6.1", "--hand", "third"), "third"),
        (("--screen", "nan"), "a number from 0 up"),
        (("--screen", "3", "--pixels", "480x480"), "larger screen"),
        (("--screen", "6.1", "--pixels", "wide"), "1080x2400"),
        (("--screen", "6.1", "--pixels", "99999x99999"), "1080x2400"),
        (("--measured", "nan"), "a number from 0 up"),
        (("--bank-card", "0"), "nan"),
        (("--measured", "98", "--screen", "6"), "--screen has no effect on --measured"),
        (("--measured", "98", "--out", "mine.pdf"), "--out has no effect on --measured"),
    ],
)
def test_wrong_options_of_the_kit_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, output = run_kit(*words)
    assert code == 2
    assert expected in output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ladder", [RIGHT_LADDER, LEFT_LADDER], ids=lambda ladder: ladder.hand)
@pytest.mark.parametrize(
    ("pixels", "inches", "fits"), [((1080, 2340), 5.4, False), ((1668, 2388), 11.0, True)]
)
def test_a_screen_shows_the_front_in_the_stated_size(
    ladder: PaperLadder, pixels: tuple[int, int], inches: float, fits: bool
) -> None:
    picture, scale = draw_screen_picture(ladder, pixels, inches)
    assert picture.shape == pixels[::-1]
    assert (scale == 1.0) is fits
    tags = find_tags(picture)
    assert set(tags) == {tag.number for tag in (*ladder.tags, ladder.thumb) if tag.front}
    pixel_m = inches * 0.0254 / np.hypot(*pixels)
    for tag in (*ladder.scale_by(scale).tags[:3], ladder.scale_by(scale).thumb):
        side_m = np.ptp(tags[tag.number], axis=0) * pixel_m
        assert side_m == pytest.approx([tag.side_m] * 2, abs=2.0 * pixel_m)
    first, last = (tags[ladder.tags[k].number].mean(axis=0) for k in (0, 2))
    # The far end is at the top, and the tags' distance has the scale.
    assert (first - last) * pixel_m == pytest.approx([0.0, 0.08 * scale], abs=pixel_m)


def test_the_command_writes_the_screen_and_prints_its_size(tmp_path: Path) -> None:
    code, output = run_kit(
        "--out", tmp_path / "left.pdf", "--screen", "5.4", "--pixels", "1080x2340", "--hand", "left"
    )
    assert code == 0
    picture = cv2.imread(str(tmp_path / "left.png"), cv2.IMREAD_GRAYSCALE)
    assert LEFT_LADDER.thumb.number in find_tags(np.asarray(picture, dtype=np.uint8))
    _, scale = draw_screen_picture(LEFT_LADDER, (1080, 2340), 5.4)
    assert f"--measured {100 * scale:.1f}" in output


def test_the_measurement_is_saved_for_all_players_or_for_one() -> None:
    assert load_preferences().kit_mm == 100.0
    assert run_kit("--measured", "97")[0] == 0
    assert load_preferences().kit_mm == 97.0
    code, output = run_kit("--bank-card", "87.35", "--player", "Ann")
    assert code == 0
    assert "98.0 mm" in output
    profile_habits = load_profiles(games_folder()).find_profile("Ann").habits
    assert profile_habits.kit_mm == pytest.approx(98.0, abs=0.01)
    assert load_preferences().for_player(profile_habits).kit_mm == profile_habits.kit_mm
    assert load_preferences().kit_mm == 97.0
