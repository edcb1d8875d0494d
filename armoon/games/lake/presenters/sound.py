"""The sounds of the lake: stone on stone."""

from __future__ import annotations

from armoon.engine.events import Output
from armoon.games.contract.kind import Game
from armoon.games.lake.rules.moves import MOVE_KINDS
from armoon.games.lake.table.events import FlewHome, Lifted
from armoon.games.lake.table.match import LakeMatch
from armoon.sound.cues import CueKind, SoundCue


def cues(game: Game[LakeMatch], out: Output) -> tuple[SoundCue, ...]:
    """Return the sounds of domes lifted, flying home and landing."""
    found = [SoundCue(CueKind.GRAB, 0.6) for _ in out.of(Lifted)]
    found += [SoundCue(CueKind.WARNING, 0.4) for _ in out.of(FlewHome)]
    found += [SoundCue(CueKind.KNOCK, 0.7, 0.02) for _ in out.of(*MOVE_KINDS)]
    return tuple(found)
