"""Errors for users, each with a sentence about what happened and where, and a remedy."""

from __future__ import annotations


class ArmoonError(Exception):
    """A missing device, file or permission: the command line prints ``str(error)`` and exits with code 2."""

    exit_code = 2

    def __init__(self, what: str, *, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what} {self.remedy}"


class CameraError(ArmoonError):
    """A camera, video file or stream that can't be opened or read."""


class NoCameraError(CameraError):
    """The named camera or film doesn't exist; callers that need no camera may mention that in the remedy."""


class TrackerError(ArmoonError):
    """The hand tracker or its model can't be used."""


class DisplayError(ArmoonError):
    """No OpenGL, no display, or a shader that doesn't compile."""


class WorldError(ArmoonError):
    """The physics world rejects its input, or its process has ended."""


class SettingsError(ArmoonError):
    """A settings or profile file that can't be read."""


class LogError(ArmoonError):
    """A game log that can't be read or replayed."""
