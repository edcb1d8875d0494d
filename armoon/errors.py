"""Errors for users, each with a sentence about the problem and a remedy."""

from __future__ import annotations

import errno

from armoon.messages import brief, has_text, text


class ArmoonError(Exception):
    """A missing device, file or permission: the command line prints ``str(error)`` and exits with code 2.

    ``CameraError("camera.forbidden", number=3, node=path)`` names the text of the sentence; the key of its remedy is
    the same with "_remedy" appended, unless ``remedy`` is given. The texts are looked up only when the error is shown,
    possibly in another process. A complete sentence can be passed instead of a key, for example one from a library.
    """

    exit_code = 2

    def __init__(self, what: str, /, *, remedy: str | None = None, **fields: object) -> None:
        """``fields``: values for the texts' placeholders: numbers, texts, or the exceptions that are the reason."""
        super().__init__(what)
        self._texts = what, f"{what}_remedy" if remedy is None else remedy
        self._fields = {name: _to_picklable(value) for name, value in fields.items()}

    @property
    def what(self) -> str:
        return self._format(self._texts[0])

    @property
    def remedy(self) -> str:
        return self._format(self._texts[1])

    def _format(self, key: str) -> str:
        return (
            text(key, **{name: _to_text_field(v) for name, v in self._fields.items()})
            if has_text(key)
            else key
        )

    def __str__(self) -> str:
        return f"{self.what} {self.remedy}"


def describe_reason(error: Exception) -> str:
    """Return an exception's reason, in the player's language if it is one of the system's usual errors."""
    return str(_to_text_field(_to_picklable(error)))


class _Key(str):
    """The message key of a reason, as opposed to an external text that looks like a key."""

    __slots__ = ()


def _to_picklable(value: object) -> int | float | str:
    """Return a value that another process can receive."""
    if isinstance(value, Exception) and (reason := getattr(value, "strerror", None)):
        key = f"fault.os.{errno.errorcode.get(getattr(value, 'errno', 0) or 0, '').lower()}"
        return _Key(key) if has_text(key) else str(reason)
    return value if isinstance(value, int | float) else str(value)


def _to_text_field(value: int | float | str) -> int | str:
    if isinstance(value, float):
        return brief(value)
    return text(value) if isinstance(value, _Key) else value


class CameraError(ArmoonError):
    """A camera, video file or stream can't be opened or read."""


class NoCameraError(CameraError):
    """The named camera or film doesn't exist; callers that need no camera can say so in the remedy."""


class TrackerError(ArmoonError):
    """The hand tracker or its model can't be used."""


class DisplayError(ArmoonError):
    """OpenGL or a display is missing, or a shader can't be compiled."""


class WorldError(ArmoonError):
    """The physics world has rejected its input, or its process has ended."""


class SettingsError(ArmoonError):
    """A file of settings or profiles can't be read."""


class LogError(ArmoonError):
    """A game log can't be written, read or replayed."""
