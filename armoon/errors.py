"""Errors for users, each with a sentence about what happened and where, and a remedy."""

from __future__ import annotations

import errno

from armoon.messages import brief, has_text, text


class ArmoonError(Exception):
    """A missing device, file or permission: the command line prints ``str(error)`` and exits with code 2.

    The sentence and the remedy are keys of texts, which are looked up where the error is shown, so that another
    process may raise it: ``CameraError("camera.forbidden", number=3, node=path)``. Usually the remedy's key is that of
    the sentence with "_remedy". Instead of a key, an error may have a whole sentence, for developers or if it is
    composed elsewhere.
    """

    exit_code = 2

    def __init__(self, what: str, /, *, remedy: str | None = None, **fields: object) -> None:
        """``fields``: numbers, texts, or exceptions as the reason."""
        super().__init__(what)
        self._texts = what, f"{what}_remedy" if remedy is None else remedy
        self._fields = {name: _plain(value) for name, value in fields.items()}

    @property
    def what(self) -> str:
        return self._show(self._texts[0])

    @property
    def remedy(self) -> str:
        return self._show(self._texts[1])

    def _show(self, key: str) -> str:
        return text(key, **{name: _worded(v) for name, v in self._fields.items()}) if has_text(key) else key

    def __str__(self) -> str:
        return f"{self.what} {self.remedy}"


def describe_reason(error: Exception) -> str:
    """Return the reason in an exception, in the player's language if it is one of the usual ones of the system."""
    return str(_worded(_plain(error)))


class _Key(str):
    """The key of a reason, in contrast to a text from outside that looks like one."""

    __slots__ = ()


def _plain(value: object) -> int | float | str:
    """Return a value that can be sent to another process."""
    if isinstance(value, Exception) and (reason := getattr(value, "strerror", None)):
        key = f"fault.os.{errno.errorcode.get(getattr(value, 'errno', 0) or 0, '').lower()}"
        return _Key(key) if has_text(key) else str(reason)
    return value if isinstance(value, int | float) else str(value)


def _worded(value: int | float | str) -> int | str:
    if isinstance(value, float):
        return brief(value)
    return text(value) if isinstance(value, _Key) else value


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
