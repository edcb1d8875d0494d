"""The composition root: assembles what the commands start."""

from __future__ import annotations

from armoon.errors import CameraError, NoCameraError
from armoon.settings.preferences import PlayOptions


def play(options: PlayOptions) -> int:
    """Play; return the exit code. Raises ArmoonError."""
    try:
        if options.menu:
            from armoon.app.session import run_session

            return run_session(options)
        from armoon.app.playing import play_game

        return play_game(options)
    except NoCameraError as error:
        remedy = f"{error.remedy} Or play without one: --camera demo."
        raise CameraError(error.what, remedy=remedy) from error
