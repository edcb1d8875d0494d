"""The composition root: assembles everything that a command needs to run."""

from __future__ import annotations

from contextlib import ExitStack

from armoon.errors import CameraError, NoCameraError
from armoon.messages import text
from armoon.settings.preferences import PlayOptions


def play(options: PlayOptions) -> int:
    """Run the game or the menus, and return the exit code. Raises ArmoonError."""
    try:
        if options.menu:
            from armoon.view.window import open_window

            with ExitStack() as stack:
                window = open_window(options.width_px, options.height_px, "armoon")
                stack.callback(window.close)
                from armoon.app.session import Session  # slow import (1 s): the window opens first

                Session(options, stack, window).run()
            return 0
        from armoon.app.playing import play_game

        return play_game(options)
    except NoCameraError as error:
        remedy = text("fault.camera.or_demo", remedy=error.remedy)
        raise CameraError(error.what, remedy=remedy) from error
