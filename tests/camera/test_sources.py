"""Webcams, files and streams report their picture format, or a clear error if they can't be read."""

from __future__ import annotations

import http.server
import os
import re
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from armoon.camera.sources import (
    CameraRequest,
    Frame,
    Image,
    VideoFile,
    list_webcams,
    make_webcam_fault,
    open_source,
)
from armoon.clock import ManualClock
from armoon.errors import CameraError, NoCameraError

WIDTH, HEIGHT, RATE = 160, 96, 10


def read_all(path: Path) -> list[Frame]:
    with closing(VideoFile(path)) as source:
        return list(iter(source.read, None))


def write_film(path: Path, codec: str, stamps: list[int], sound_s: float = 0.0) -> Path:
    """Write a film whose pictures have a bright left half and a bright top row; stamps are in 1/10 s."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image[:, : WIDTH // 2] = 120
    image[: HEIGHT // 4] += 100
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream(codec, rate=RATE)
        stream.width, stream.height = WIDTH, HEIGHT
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        sound: Any = container.add_stream("libopus", rate=48000) if sound_s else None
        for stamp in stamps:
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts, frame.time_base = stamp, Fraction(1, RATE)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
        for number in range(round(sound_s * 50)):
            silence = av.AudioFrame.from_ndarray(np.zeros((1, 960), np.int16), format="s16", layout="mono")
            silence.sample_rate, silence.pts, silence.time_base = 48000, number * 960, Fraction(1, 48000)
            container.mux(sound.encode(silence))
        if sound is not None:
            container.mux(sound.encode())
    return path


@pytest.mark.parametrize("name", ["film.mkv", "film.webm", "film.mp4"])
@pytest.mark.parametrize(
    ("stamps", "sound_s"),
    [
        pytest.param(list(range(30)), 9.0, id="longer sound"),
        pytest.param([n for n in range(60) if n < 3 or n % 3 == 0], 0.0, id="uneven rate"),
        pytest.param([0, 1, 2, *range(40, 60)], 3.0, id="a gap and shorter sound"),
    ],
)
def test_a_film_is_read_completely_despite_a_wrong_length_in_its_container(
    name: str, stamps: list[int], sound_s: float, tmp_path: Path
) -> None:
    codec = "libvpx" if name.endswith("webm") else "libx264"
    frames = read_all(write_film(tmp_path / name, codec, stamps, sound_s))
    assert [frame.time_s for frame in frames] == pytest.approx([stamp / RATE for stamp in stamps], abs=2e-3)


@pytest.mark.parametrize("name", ["film.mkv", "film.webm", "film.mp4"])
def test_a_truncated_film_is_played_up_to_its_break_and_then_reported(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write_video(tmp_path / name, [90] * 60)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    source, read = VideoFile(path), 0
    with pytest.raises(CameraError, match=r"breaks off after [123](\.\d)? of 6(\.\d)? seconds"):  # noqa: PT012
        while source.read() is not None:
            read += 1
    assert 10 <= read <= 40
    assert capfd.readouterr().err == "", "FFmpeg prints nothing"


def test_damaged_pictures_in_a_film_are_skipped(tmp_path: Path) -> None:
    path = write_film(tmp_path / "film.avi", "mjpeg", list(range(30)))
    data = bytearray(path.read_bytes())
    starts = [match.start() for match in re.finditer(b"\xff\xd8\xff", bytes(data))]
    assert len(starts) == 30
    for start in starts[5::10]:
        data[start : start + 600] = bytes(600)
    path.write_bytes(data)
    assert len(read_all(path)) == 27


#: A display matrix (a, b, c, d), and how its pictures are shown.
MATRICES: dict[str, tuple[tuple[int, int, int, int], Callable[[Image], Image]]] = {
    "as stored": ((1, 0, 0, 1), lambda image: image),
    "clockwise": ((0, 1, -1, 0), lambda image: np.rot90(image, -1)),
    "upside down": ((-1, 0, 0, -1), lambda image: np.rot90(image, 2)),
    "counter-clockwise": ((0, -1, 1, 0), lambda image: np.rot90(image)),
}


#: Display matrix, file, and whether the film is streamed over HTTP.
PICTURE_CASES = [
    *((way, "film.mp4", streamed) for way in MATRICES for streamed in (False, True)),
    *(("as stored", f"film.{ending}", True) for ending in ("ts", "flv", "mkv")),
]


@pytest.fixture(scope="module")
def server_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    folder = tmp_path_factory.mktemp("served")
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize(("way", "name", "streamed"), PICTURE_CASES)
def test_films_and_streams_are_read_in_their_stated_orientation(
    way: str, name: str, streamed: bool, tmp_path: Path, server_folder: tuple[Path, str]
) -> None:
    path = write_film((server_folder[0] if streamed else tmp_path) / name, "libx264", list(range(12)))
    stored = read_all(write_film(tmp_path / "plain.mp4", "libx264", [0, 1, 2]))[0].image
    (a, b, c, d), shown = MATRICES[way]
    if name.endswith("mp4"):
        data = bytearray(path.read_bytes())
        pos = data.index(b"tkhd") + 44
        unit = 1 << 16
        data[pos : pos + 36] = struct.pack(">9i", a * unit, b * unit, 0, c * unit, d * unit, 0, 0, 0, 1 << 30)
        path.write_bytes(data)
    expected = shown(stored)
    source = open_source(f"{server_folder[1]}/{name}" if streamed else str(path), CameraRequest())
    assert (source.height, source.width) == expected.shape[:2]
    for _ in range(3):
        frame = source.read()
        assert frame is not None
        assert frame.image.shape == expected.shape
        assert float(np.abs(frame.image.astype(float) - expected).mean()) < 3.0
    source.close()


@pytest.mark.skipif(sys.platform != "linux", reason="device files exist only on Linux")
@pytest.mark.parametrize("links", [1, 2])
def test_a_link_to_a_device_is_a_webcam(links: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", FakeCapture)
    target = Path("/dev/video4")
    for number in range(links):
        link = tmp_path / f"usb-Brio-{number}-video-index0"
        link.symlink_to(target)
        target = link
    assert open_source(str(target), CameraRequest()).description.startswith("webcam 4:")


def test_a_live_camera_survives_single_undecodable_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    class DamagedCapture(FakeCapture):
        reads = 0

        def read(self) -> tuple[bool, Any]:
            self.reads += 1
            if self.reads > 40:
                return False, None
            if self.reads % 10 == 5:  # as OpenCV reports a truncated picture
                return True, np.zeros((1, 1, 3), np.uint8)
            return (False, None) if self.reads % 10 == 0 else (True, np.zeros((480, 640, 3), np.uint8))

    monkeypatch.setattr(cv2, "VideoCapture", DamagedCapture)
    source = open_source("0", CameraRequest())
    shapes = [frame.image.shape for _ in range(31) if (frame := source.read()) is not None]
    assert shapes == [(480, 640, 3)] * 31
    with pytest.raises(CameraError):
        source.read()


def write_video(path: Path, levels: list[int]) -> Path:
    """Write a film with one frame for each grey level; an MP4 gets its index at the front."""
    codec = "libvpx" if path.suffix == ".webm" else "libx264"
    options = {"movflags": "faststart"} if path.suffix == ".mp4" else {}
    with av.open(str(path), "w", options=options) as container:
        stream: Any = container.add_stream(codec, rate=RATE, options={"crf": "10", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        noise = np.random.default_rng(1)
        for number, level in enumerate(levels):
            # Noise gives every frame some size, so that half of the file contains half of the frames.
            image = np.clip(noise.normal(level, 12, (HEIGHT, WIDTH, 3)), 0, 255).astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, RATE)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def test_a_video_gives_every_frame_once_in_order(tmp_path: Path) -> None:
    levels = [40, 80, 120, 160, 200]
    source = open_source(str(write_video(tmp_path / "five.mp4", levels)), CameraRequest())
    frames = list(iter(source.read, None))
    assert [frame.index for frame in frames] == [0, 1, 2, 3, 4]
    assert [frame.time_s for frame in frames] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4], abs=1e-6)
    assert [float(frame.image.mean()) for frame in frames] == pytest.approx(levels, abs=4.0)
    assert all(f.image.shape == (HEIGHT, WIDTH, 3) and f.image.flags.c_contiguous for f in frames)
    assert source.description == "video five.mp4: 160×96 at 10 Hz"
    assert not source.live
    assert source.read() is None
    source.close()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "not there"),
        (lambda path: path.mkdir(), "a folder"),
        (lambda path: path.write_text("no video"), "can't be read"),
        (lambda path: path.write_bytes(b""), "can't be read"),
        (lambda path: path.write_bytes(write_video(path, [90] * 10).read_bytes()[:300]), "can't be read"),
    ],
)
def test_an_invalid_video_is_reported(tmp_path: Path, make: Any, says: str) -> None:
    path = tmp_path / "film.mp4"
    make(path)
    with pytest.raises(CameraError, match=says) as caught:
        open_source(str(path), CameraRequest())
    assert str(path) in caught.value.what
    assert caught.value.remedy


def test_a_video_of_one_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="only one picture"):
        VideoFile(write_video(tmp_path / "one.mp4", [50]))
    assert VideoFile(write_video(tmp_path / "two.mp4", [50, 60])).read() is not None


@pytest.mark.skipif(sys.platform != "linux", reason="webcam names exist only on Linux")
def test_webcams_are_known_by_number_and_name(tmp_path: Path) -> None:
    nodes = (("video0", "0", "BRIO"), ("video1", "1", "BRIO"), ("video10", "0", ""), ("x", "", ""))
    for node, index, name in nodes:
        (tmp_path / node).mkdir()
        (tmp_path / node / "index").write_text(index + "\n")
        (tmp_path / node / "name").write_text(name + "\n")
    assert list_webcams(tmp_path) == ((0, "BRIO"), (10, ""))
    assert list_webcams(tmp_path / "none") == ()


def test_an_unreachable_stream_is_reported_without_its_password() -> None:
    with pytest.raises(CameraError, match="No picture comes from the stream") as caught:
        open_source("http://me:secret@127.0.0.1:9/video", CameraRequest())
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["none.mp4", "/dev/none"])
def test_a_camera_that_does_not_exist_is_reported_as_missing(name: str) -> None:
    with pytest.raises(NoCameraError, match=name):
        open_source(name, CameraRequest())


@pytest.mark.skipif(sys.platform != "linux", reason="device files exist only on Linux")
def test_the_error_of_a_webcam_names_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = make_webcam_fault(0, tmp_path)
    assert isinstance(missing, NoCameraError)
    assert "video file" in missing.remedy
    assert "demo" not in missing.remedy
    (tmp_path / "video2").touch()
    other = make_webcam_fault(0, tmp_path)
    assert "no webcam 0" in other.what
    assert "Try one of 2" in other.remedy
    assert "Close other programs" in make_webcam_fault(2, tmp_path).remedy
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "usermod -aG video" in make_webcam_fault(2, tmp_path).remedy


class FakeCapture:
    """Replaces cv2.VideoCapture: a camera with one picture size that delivers ``pictures`` pictures."""

    pictures = 3

    def __init__(self, number: int, backend: int) -> None:
        self.backend = backend
        self.properties: dict[int, float] = {}
        self.reads_left = self.pictures
        self.released = False

    def set(self, prop: int, value: float) -> bool:
        self.properties[prop] = value
        return True

    def get(self, prop: int) -> float:
        return 30.0 if prop == cv2.CAP_PROP_FPS else 0.0

    def isOpened(self) -> bool:  # noqa: N802  OpenCV's name
        return True

    def read(self) -> tuple[bool, Any]:
        self.reads_left -= 1
        return (True, np.zeros((480, 640, 3), np.uint8)) if self.reads_left >= 0 else (False, None)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def captures(monkeypatch: pytest.MonkeyPatch) -> list[FakeCapture]:
    """The fake captures opened by the test, in order."""
    opened: list[FakeCapture] = []

    def open_fake(number: int, backend: int) -> FakeCapture:
        opened.append(FakeCapture(number, backend))
        return opened[-1]

    monkeypatch.setattr(cv2, "VideoCapture", open_fake)
    return opened


def test_a_webcam_receives_settings_and_reports_its_actual_ones(captures: list[FakeCapture]) -> None:
    clock = ManualClock(5.0)
    source = open_source("/dev/video4", CameraRequest(1280, 720, 60.0), clock)
    settings = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FPS)
    assert [captures[0].properties[setting] for setting in settings] == [1280, 720, 60.0]
    assert source.description == "webcam 4: 640×480 at 30 Hz (asked for 1280×720 at 60 Hz)"
    assert source.live
    first, second = source.read(), source.read()
    assert first is not None
    assert second is not None
    assert first.time_s == 5.0
    assert second.time_s > first.time_s  # although the clock stood still
    with pytest.raises(CameraError):
        source.read()


def test_a_webcam_that_opens_without_pictures_is_an_error(
    captures: list[FakeCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeCapture, "pictures", 0)
    with pytest.raises(CameraError):
        open_source("0", CameraRequest())
    assert captures[0].released


def test_on_windows_a_webcam_unknown_to_the_older_back_end_is_opened_by_the_newer(
    captures: list[FakeCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(
        FakeCapture, "read", lambda fake: (fake.backend != cv2.CAP_DSHOW, np.zeros((480, 640, 3), np.uint8))
    )
    source = open_source("1", CameraRequest(640, 480, 30.0))
    assert [capture.backend for capture in captures] == [cv2.CAP_DSHOW, cv2.CAP_MSMF]
    assert captures[0].released
    assert source.description == "webcam 1: 640×480 at 30 Hz"
