"""What was settled reaches camera and set-up, option by option."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from armoon.app import lay_moon, webcam
from armoon.app.lay_moon import match_setup
from armoon.app.webcam import open_upright
from armoon.camera.frame import CameraRequest, Frame
from armoon.camera.seat import SEATS
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules.editions import EditionName, Mode, OneHand, Options
from armoon.settings.table import PlayOptions
from armoon.values.choices import DepthHelp, GripKind, RotatedDeg, SeatName, Slots

WIDTH, HEIGHT = 4, 2


class Film:
    """A source of one picture whose pixels all differ."""

    width, height, rate_hz, live, description = WIDTH, HEIGHT, 30.0, False, "film"

    def __init__(self, request: CameraRequest) -> None:
        self.request = request

    def read(self) -> Frame | None:
        """Rows of rising numbers."""
        image = np.arange(WIDTH * HEIGHT * 3, dtype=np.uint8).reshape(HEIGHT, WIDTH, 3)
        return Frame(0, 0.0, image)

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("turned", RotatedDeg)
@pytest.mark.parametrize("flipped", [False, True])
def test_rotation_and_mirroring_reach_the_picture(
    turned: RotatedDeg, flipped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webcam, "open_source", lambda camera, request: Film(request))
    options = PlayOptions(camera="film", size=(640, 480), rate_hz=60.0, turned_deg=turned, flipped=flipped)
    frame = open_upright(options).read()
    assert frame is not None
    sent = Film(CameraRequest(1, 1, 1.0)).read()
    assert sent is not None
    image = sent.image[:, ::-1] if flipped else sent.image
    assert np.array_equal(frame.image, np.rot90(image, -(turned.value // 90)))


def test_the_cameras_request_is_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[CameraRequest] = []

    def open_film(camera: str, request: CameraRequest) -> Film:
        asked.append(request)
        return Film(request)

    monkeypatch.setattr(webcam, "open_source", open_film)
    open_upright(PlayOptions(camera="film", size=(640, 480), rate_hz=60.0))
    assert asked == [CameraRequest(640, 480, 60.0)]


def test_everything_about_hand_and_game_reaches_the_set_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lay_moon, "games_folder", lambda: tmp_path)
    house = Options(mode=Mode.COOPERATIVE, one_hand=OneHand.MISTAKE, turn_limit_s=45.0, tears=3)
    options = PlayOptions(
        camera="0",
        players=("Ann",),
        seed=7,
        grip=GripKind.DWELL,
        depth_help=DepthHelp.LOCK,
        fine_gain=0.5,
        grace_s=None,
        palm_length_m=0.08,
        game_options=MoonOptions(EditionName.KOSMOS_2022, Slots.CORNER, house),
    )
    setup = match_setup(options, SEATS[SeatName.MIRROR](640, 360))
    assert (setup.grip, setup.depth_help, setup.fine_gain) == (GripKind.DWELL, DepthHelp.LOCK, 0.5)
    assert (setup.grace_s, setup.palm_length_m, setup.palms_m) == (None, 0.08, (0.08,))
    assert (setup.edition, setup.slots, setup.options) == ("kosmos-2022", "corner", house)
    assert (setup.seat, setup.seed, setup.players) == ("mirror", 7, ("Ann",))
