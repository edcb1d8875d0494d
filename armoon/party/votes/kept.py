"""The votes' state that outlives a killed server: guests and points, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.party.votes.ballots import MOST_GUESTS, MOST_OTHERS, Ballots, Guest


@dataclass(frozen=True)
class Kept:
    """Guests by their keys, and what the host has settled."""

    guests: dict[str, Guest]
    names_shown: bool
    allowed: tuple[str, ...]
    number: int = 0

    def __post_init__(self) -> None:
        if len(self.guests) > MOST_GUESTS + MOST_OTHERS:
            raise ValueError(f"{len(self.guests)} guests")


def kept(ballots: Ballots, allowed: tuple[str, ...]) -> Kept:
    """Return the value to keep."""
    return Kept(dict(ballots.guests), ballots.names_shown, allowed, ballots.number)


def restored(kept: Kept) -> Ballots:
    """Return the guests again; a vote that was under way is gone."""
    ballots = Ballots()
    ballots.guests = dict(kept.guests)
    ballots.names_shown, ballots.number = kept.names_shown, kept.number
    return ballots
