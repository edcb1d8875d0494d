"""The composition root: assembles what the commands start."""

from __future__ import annotations

from contextlib import closing

from armoon.errors import CameraError, NoCameraError
from armoon.settings.preferences import PlayOptions


def play(options: PlayOptions) -> int:
    """Play; return the exit code. Raises ArmoonError."""
    try:
        if options.menu:
            from armoon.view.window import open_window

            with closing(open_window(options.width_px, options.height_px, "armoon")) as window:
                from armoon.app.session import run_session  # slow import (1 s): the window opens first

                return run_session(options, window)
        from armoon.app.playing import play_game

        return play_game(options)
    except NoCameraError as error:
        remedy = f"{error.remedy} Or play without one: --camera demo."
        raise CameraError(error.what, remedy=remedy) from error
