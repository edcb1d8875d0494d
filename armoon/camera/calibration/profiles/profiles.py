"""The calibrated cameras of one user: an atomically written JSON file per camera and picture size.

A camera that was never calibrated passes for a typical webcam.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from armoon.camera.calibration.orientation import Orientation
from armoon.camera.calibration.profiles.intrinsics import Calibration
from armoon.camera.seat import check_camera, profile_from_text, webcam_model
from armoon.codec import MalformedError, decode_json, encode, encode_json
from armoon.codec.files import read_bytes
from armoon.codec.whole import write_whole
from armoon.codec.wording import quoted
from armoon.errors import CameraError
from armoon.geometry import CameraModel
from armoon.processes.system import replace

_REMEDY = "Calibrate it: armoon calibrate"


@dataclass(frozen=True)
class _Label:
    """The camera that a profile belongs to."""

    camera: str = ""


def camera_name(source: str, devices: Path = Path("/sys/class/video4linux")) -> str:
    """Return a camera's name in profiles: its maker's where the system tells it (Linux), else ``source``."""
    match = re.fullmatch(r"(?:/dev/video)?([0-9]{1,3})", source.strip())
    if match is None:
        return re.sub(r"(?<=://)[^/@]*@", "", source)
    try:
        return (devices / f"video{match[1]}" / "name").read_text(encoding="utf-8").strip()
    except OSError:
        return f"webcam {match[1]}"


def profile_path(folder: Path, camera: str, width: int, height: int) -> Path:
    """Where the profile of ``camera`` at this picture size is kept."""
    return folder / f"{slug(camera)}-{width}x{height}.json"


def save_profile(folder: Path, camera: str, calibration: Calibration) -> Path:
    """Keep a calibration; the profile that was there becomes the previous one. Returns its path.

    Raises CameraError, and leaves everything as it was, for numbers that no camera can have and where the
    folder can't be written.
    """
    model = calibration.camera
    path = profile_path(folder, camera, model.width, model.height)
    check_camera(model, path.name)
    data = {
        "name": f"{camera} at {model.width}x{model.height}",
        "camera": camera,
        **encode(model),
        "error_px": calibration.error_px,
        "held_out_px": calibration.held_out_px,
        "views": calibration.views,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.is_file() and _is_good(path):
            write_whole(_previous(path), read_bytes(path))
        write_whole(path, encode_json(data, indent=2) + b"\n")
    except OSError as error:
        raise _unwritable(path, error) from error
    return path


def load_profile(folder: Path, camera: str, width: int, height: int) -> CameraModel | None:
    """Return the calibrated camera, or None where it was never calibrated.

    Raises CameraError for a profile that is cut, impossible, of another camera, or of another picture size.
    """
    path = profile_path(folder, camera, width, height)
    if not path.is_file():
        others = sorted(folder.glob(f"{slug(camera)}-*x*.json")) if folder.is_dir() else []
        sizes = [m[1] for p in others for m in [re.search(r"-(\d+x\d+)\.json$", p.name)] if m]
        if sizes:
            raise CameraError(
                f"{camera} was calibrated at {', '.join(sizes)}, and gives {width}x{height} now.",
                remedy=f"Play with --size {sizes[0]}, or calibrate again: "
                f"armoon calibrate --size {width}x{height}",
            )
        return None
    return _read(path, camera, width, height)


def restore_profile(folder: Path, camera: str, width: int, height: int) -> CameraModel:
    """Put the last good profile back. Raises CameraError if there is none, or the folder can't be written."""
    path = profile_path(folder, camera, width, height)
    previous = _previous(path)
    if not previous.is_file():
        raise CameraError(f"There is no earlier profile of {camera} at {width}x{height}.", remedy=_REMEDY)
    model = _read(previous, camera, width, height)
    try:
        replace(previous, path)
    except OSError as error:
        raise _unwritable(path, error) from error
    return model


def _unwritable(path: Path, error: OSError) -> CameraError:
    return CameraError(
        f"The camera profile {path} can't be written ({error.strerror}).",
        remedy="Make room on the disk, or give yourself the right to write there.",
    )


def _read(path: Path, camera: str, width: int, height: int) -> CameraModel:
    try:
        text = read_bytes(path)
    except (OSError, MalformedError) as error:
        raise CameraError(f"The camera profile {path} can't be read.", remedy=_REMEDY) from error
    try:
        model = profile_from_text(text, str(path))
    except CameraError as error:
        if _previous(path).is_file():
            raise CameraError(
                error.what, remedy="Go back to the last good one: armoon calibrate --restore"
            ) from error
        raise
    if (model.width, model.height) != (width, height):
        raise CameraError(
            f"The camera profile {path} is for {model.width}x{model.height}; "
            f"the camera gives {width}x{height}.",
            remedy=f"Play with --size {model.width}x{model.height}, or calibrate again: armoon calibrate",
        )
    written = decode_json(
        _Label, text, f"The camera profile {path} is broken", _REMEDY, error=CameraError
    ).camera
    if written != camera:
        raise CameraError(
            f"The camera profile {path} is of {quoted(written) or 'an unnamed camera'}, not of {camera}.",
            remedy=_REMEDY,
        )
    return model


def _is_good(path: Path) -> bool:
    try:
        profile_from_text(read_bytes(path), path.name)
    except (OSError, MalformedError, CameraError):
        return False
    return True


def _previous(path: Path) -> Path:
    return path.with_suffix(".previous")


def slug(camera: str) -> str:
    """Return a camera's name as part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", camera.lower()).strip("-")[:60] or "camera"


#: Where the system tells cameras' names (Linux).
DEVICES = Path("/sys/class/video4linux")


@dataclass(frozen=True)
class CameraChoice:
    """A camera model and where it came from."""

    name: str
    """The camera's, as its profile is kept under."""
    camera: CameraModel
    """Camera model of the upright pictures."""
    calibrated: bool
    """Whether it was measured; otherwise board or sheet may correct its focal length."""

    @property
    def origin_key(self) -> str:
        """The message that tells where the model came from; its field is ``camera``."""
        return "camera.profile" if self.calibrated else "camera.common"


def camera_for(
    source: str,
    width: int,
    height: int,
    profiles: Path,
    orientation: Orientation | None = None,
    devices: Path = DEVICES,
) -> CameraChoice:
    """Return the model for pictures of ``width`` by ``height``, as the camera sends them, of ``source``.

    ``source`` is what ``open_source`` takes. Raises CameraError, naming the remedy, for a profile that is cut,
    impossible, of another camera or of another picture size; no file is touched.
    """
    name = camera_name(source, devices)
    measured = load_profile(profiles, name, width, height)
    turned = orientation or Orientation()
    model = measured or webcam_model(width, height)
    return CameraChoice(name, turned.upright_camera(model), measured is not None)
