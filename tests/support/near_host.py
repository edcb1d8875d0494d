"""The host of an evening as the app has it, but that the ladders are stepped in this process."""

from __future__ import annotations

import pytest

from armoon.app.host import Host
from armoon.app.remote.meeting import Meeting
from armoon.camera.profiles import Seat
from armoon.settings.preferences import PlayOptions
from armoon.world.local import LocalWorld


class NearHost(Host):
    """Has the same bits (``tests/world/test_process.py``), without a start and two switches of process a tick."""

    def _begin(self, options: PlayOptions, seat: Seat, meeting: Meeting | None = None) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("armoon.games.moon.kind.ProcessWorld", LocalWorld)
            super()._begin(options, seat, meeting)
