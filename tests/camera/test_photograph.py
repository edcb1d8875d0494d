"""Complete photographs are read unchanged; all other files are refused."""

from __future__ import annotations

from pathlib import Path

import av
import cv2
import numpy as np
import numpy.typing as npt
import pytest

from armoon.camera.capture_guide import read_photograph
from armoon.errors import CameraError


def make_picture() -> npt.NDArray[np.uint8]:
    y, x = np.mgrid[0:96, 0:160]
    stacked: npt.NDArray[np.uint8] = np.stack([x, y * 2, 255 - x], axis=-1).astype(np.uint8)
    return stacked


def test_a_png_is_read_bit_for_bit(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), make_picture())
    assert np.array_equal(read_photograph(tmp_path / "a.png"), make_picture())


@pytest.mark.parametrize("name", ["a.jpg", "photograph without a suffix"])
def test_a_jpeg_keeps_its_colours(tmp_path: Path, name: str) -> None:
    _, encoded = cv2.imencode(".jpg", make_picture(), [cv2.IMWRITE_JPEG_QUALITY, 98])
    (tmp_path / name).write_bytes(encoded.tobytes())
    read = read_photograph(tmp_path / name).astype(int)
    assert read.shape == (96, 160, 3)
    assert np.abs(read - make_picture()).mean() < 2.0


def test_grey_photographs_have_three_channels(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.jpg"), make_picture()[..., 0])
    assert read_photograph(tmp_path / "grey.jpg").shape == (96, 160, 3)


def test_an_orientation_tag_is_ignored(tmp_path: Path) -> None:
    _, encoded = cv2.imencode(".jpg", make_picture())
    # Exif, big-endian, one entry: orientation (0x0112) 6, a quarter turn.
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    tag = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    (tmp_path / "turned.jpg").write_bytes(b"\xff\xd8" + tag + encoded.tobytes()[2:])
    assert cv2.imread(str(tmp_path / "turned.jpg")).shape == (160, 96, 3)  # the tag is valid
    assert read_photograph(tmp_path / "turned.jpg").shape == (96, 160, 3)


def test_no_other_file_is_read_under_any_name(tmp_path: Path) -> None:
    others = {
        "playlist.jpg": b"#EXTM3U\n#EXTINF:1,\nother.ts\n",
        "jpeg2000.jpg": cv2.imencode(".jp2", make_picture())[1].tobytes(),
        "bmp.jpg": cv2.imencode(".bmp", make_picture())[1].tobytes(),
        "empty.png": b"",
        "start.jpg": b"\xff\xd8\xff",
        "head.png": cv2.imencode(".png", make_picture())[1].tobytes()[:30],
    }
    for name, content in others.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(CameraError, match="is not a picture"):
            read_photograph(tmp_path / name)
    for path in (tmp_path, tmp_path / "nothing.jpg"):
        with pytest.raises(CameraError, match="is not a picture"):
            read_photograph(path)


def test_a_film_is_refused(tmp_path: Path) -> None:
    with av.open(str(tmp_path / "film.mp4"), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        container.mux(stream.encode(av.VideoFrame.from_ndarray(make_picture(), format="bgr24")))
        container.mux(stream.encode())
    with pytest.raises(CameraError, match="is not a picture"):
        read_photograph(tmp_path / "film.mp4")
