"""The composition root: assembles the rooms for playing and for replaying a logged game."""

from __future__ import annotations

from pathlib import Path

from armoon.errors import CameraError, NoCameraError
from armoon.settings.preferences import PlayOptions


def play(options: PlayOptions) -> int:
    """Play one game; 0 when it ended in order. Raises ArmoonError for what a user can mend."""
    try:
        if options.menu:
            from armoon.app.evening import run_evening

            return run_evening(options)
        from armoon.app.playing import play_game

        return play_game(options)
    except NoCameraError as error:
        remedy = f"{error.remedy} Or play without one: --camera demo."
        raise CameraError(error.what, remedy=remedy) from error


def replay(log: Path, options: PlayOptions) -> int:
    """Show a logged game again. Raises ArmoonError for what a user can mend."""
    from armoon.app.log_replay import replay_game

    return replay_game(log, options)


def measure(options: PlayOptions, player: str, *, card: bool) -> int:
    """Measure a player's hand. Raises ArmoonError for what a user can mend."""
    from armoon.app.measuring import measure_hand

    return measure_hand(options, player, card=card)
