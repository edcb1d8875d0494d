"""The microphone as a switch during an evening: opened on request, and reported to the screens."""

from __future__ import annotations

from collections.abc import Callable

from armoon.app.front import Front
from armoon.errors import ArmoonError
from armoon.inputs.switch import LoudSwitch
from armoon.sound.microphone import RATE_HZ, Microphone, level_db, open_microphone


class LoudSound:
    """Open while it is played with switches and a loud sound is one."""

    def __init__(
        self, front: Front, say: Callable[[str], None], opening: Callable[[], Microphone] = open_microphone
    ) -> None:
        """``say`` tells why there is no microphone, once for each try."""
        self._front, self._say, self._opening = front, say, opening
        self._microphone: Microphone | None = None
        self._switch = LoudSwitch()
        self._wanted = False

    def pump(self) -> None:
        """Hand on what was heard since the last frame."""
        wishes = self._front.screens.preferences
        wanted = wishes.loud_switch and wishes.scans
        if wanted is not self._wanted:
            self._wanted = wanted
            self.close()
            if wanted:
                self._open()
        if self._microphone is None:
            return
        for block in self._microphone.take():
            self._switch.hear(level_db(block), len(block) / RATE_HZ)
        for down in self._switch.take():
            self._front.loud_sound(down)

    def close(self) -> None:
        """Let go of the microphone; may be called twice."""
        if self._microphone is not None:
            self._microphone.close()
            self._microphone = None

    def _open(self) -> None:
        self._switch = LoudSwitch()
        try:
            self._microphone = self._opening()
        except ArmoonError as error:
            self._say(str(error))
