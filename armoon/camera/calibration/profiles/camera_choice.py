"""The camera model of a game: the calibrated profile if there is one, or else a typical webcam's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from armoon.camera.calibration.orientation import Orientation
from armoon.camera.calibration.profiles.profiles import camera_name, load_profile
from armoon.camera.seat import webcam_model
from armoon.geometry import CameraModel

#: Where the system tells cameras' names (Linux).
DEVICES = Path("/sys/class/video4linux")


@dataclass(frozen=True)
class CameraChoice:
    """A camera model and where it came from."""

    name: str
    """The camera's, as its profile is kept under."""
    camera: CameraModel
    """Of the upright pictures."""
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
