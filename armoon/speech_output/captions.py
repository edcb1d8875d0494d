"""Every sound in plain words, with its side; and the captions on the screen now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from armoon.messages import text
from armoon.messages.numbers import centimetres
from armoon.sound.cues import CueKind, SoundCue

#: Nearer to the middle than this a sound comes from no side.
MIDDLE = 0.2
#: Maximum number of captions below each other; seconds of each, and more by its letters.
MOST, SHORTEST_S, LETTER_S = 3, 1.8, 0.06
#: What says more when it is heard again; anything else that is still there isn't written a second time.
_SPEAKING = (CueKind.STOP, CueKind.CLATTER)
#: What a page's own change shows anyway.
_SEEN = (CueKind.FOCUS, CueKind.PRESS)


def caption_of(cue: SoundCue) -> str:
    """Return what is heard and from where: "Wood on wood, left"."""
    side = "left" if cue.across < -MIDDLE else "right" if cue.across > MIDDLE else ""
    fields: dict[str, object] = {}
    if cue.kind is CueKind.CLATTER:
        fields["count"] = cue.count
    if cue.kind is CueKind.STOP:
        fields["height"] = centimetres(cue.height_m, 0)
    said = text(f"caption.{cue.kind.value}", **fields)
    return text(f"caption.at_{side}", sound=said) if side else said


@dataclass(frozen=True)
class _Shown:
    words: str
    kind: CueKind
    until_s: float


class Captions:
    """The captions on the screen, the newest last."""

    def __init__(self) -> None:
        self._shown: tuple[_Shown, ...] = ()

    def hear(self, cues: Iterable[SoundCue], now_s: float) -> None:
        """Start these sounds' captions."""
        for cue in cues:
            if cue.kind in _SEEN:
                continue
            words = caption_of(cue)
            same = [one for one in self._shown if one.words == words]
            if cue.kind in _SPEAKING:
                same = [one for one in self._shown if one.kind is cue.kind]
            kept = tuple(one for one in self._shown if one not in same)
            until_s = now_s + SHORTEST_S + LETTER_S * len(words)
            self._shown = (*kept, _Shown(words, cue.kind, until_s))[-MOST:]

    def lines(self, now_s: float) -> tuple[str, ...]:
        """Those that are to be read now."""
        self._shown = tuple(one for one in self._shown if one.until_s > now_s)
        return tuple(one.words for one in self._shown)
