"""The samples of a player's own phrases: how many there are, and which one is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from armoon.values.acts import BY_PHRASE, CALL, SAMPLES

#: Phrases that samples are asked of, in this order.
ASKED = (*BY_PHRASE, CALL)


@dataclass(frozen=True)
class OwnPhrases:
    """The samples so far, and the phrase asked for."""

    kept: tuple[tuple[str, int], ...] = ()
    """Numbers of samples by phrase."""
    asked: str = ASKED[0]
    forget: bool = False
    """All of them are to be deleted."""

    @property
    def done(self) -> int:
        """Number of samples of the phrase asked for."""
        return dict(self.kept).get(self.asked, 0)

    def after(self, counts: Mapping[str, int]) -> OwnPhrases:
        """Return the next phrase to ask for: the same one until it has enough samples."""
        now = replace(self, kept=tuple(counts.items()), forget=False)
        return now if now.done < SAMPLES else now.next()

    def next(self) -> OwnPhrases:
        """Return the next phrase that lacks samples, or where none does the next one."""
        counts, at = dict(self.kept), ASKED.index(self.asked) + 1
        after = (*ASKED[at:], *ASKED[:at])
        lacking = (phrase for phrase in after if counts.get(phrase, 0) < SAMPLES)
        return replace(self, asked=next(lacking, after[0]))
