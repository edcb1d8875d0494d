"""The settings of the camera and of automatic rolls have an effect."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from support.log_kit import header_of

from armoon.app import camera as webcam
from armoon.app.camera import open_upright
from armoon.camera.profiles import SEATS
from armoon.camera.sources import CameraRequest, Frame
from armoon.engine.setup import make_setup
from armoon.games.contract import load_kind
from armoon.games.moon.editions import EditionName, Mode, Options
from armoon.games.moon.options import MoonOptions
from armoon.games.shared import FirstPlayer
from armoon.settings.preferences import PlayOptions
from armoon.values.choices import PictureRotation, SeatName

WIDTH, HEIGHT = 4, 2


class Film:
    width, height, rate_hz, live, description = WIDTH, HEIGHT, 30.0, False, "film"

    def __init__(self, request: CameraRequest) -> None:
        self.request = request

    def read(self) -> Frame | None:
        image = np.arange(WIDTH * HEIGHT * 3, dtype=np.uint8).reshape(HEIGHT, WIDTH, 3)
        return Frame(0, 0.0, image)

    def close(self) -> None: ...


@pytest.mark.parametrize("turned", PictureRotation)
@pytest.mark.parametrize("flipped", [False, True])
def test_size_rate_rotation_and_mirroring_reach_the_picture(
    turned: PictureRotation, flipped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[CameraRequest] = []

    def open_film(camera: str, request: CameraRequest) -> Film:
        requests.append(request)
        return Film(request)

    monkeypatch.setattr(webcam, "open_source", open_film)
    options = PlayOptions(camera="film", size=(640, 480), rate_hz=60.0, turned_deg=turned, flipped=flipped)
    frame = open_upright(options).read()
    assert requests == [CameraRequest(640, 480, 60.0)]
    assert frame is not None
    sent = Film(CameraRequest(1, 1, 1.0)).read()
    assert sent is not None
    image = sent.image[:, ::-1] if flipped else sent.image
    assert np.array_equal(frame.image, np.rot90(image, -(turned.value // 90)))


@pytest.mark.parametrize(
    ("camera", "mode", "asked_s", "rolls_after_s"),
    [
        ("0", Mode.COMPETITIVE, None, None),
        ("0", Mode.COMPETITIVE, 4.0, 4.0),
        ("0", Mode.COOPERATIVE, 4.0, None),
        ("demo", Mode.COMPETITIVE, None, 1.5),
        ("demo", Mode.COOPERATIVE, None, 1.5),
    ],
)
def test_the_die_rolls_automatically_if_set(
    camera: str, mode: Mode, asked_s: float | None, rolls_after_s: float | None
) -> None:
    """A team must roll by hand, because it may score first (C2). In the demo the die always rolls automatically."""
    rules = Options(mode=mode, auto_roll_s=asked_s)
    options = PlayOptions(
        camera=camera,
        game="moon",
        players=("Ann", "Ben"),
        game_options=MoonOptions(EditionName.KOSMOS_2022, house=rules),
    )
    table = make_setup(SEATS[SeatName.TABLE](640, 360), "0")
    with closing(load_kind("moon").create_match(table, options, FirstPlayer(), real_time=False)) as match:
        assert header_of(match.game, match.table, match.setup)["auto_roll_s"] == rolls_after_s
