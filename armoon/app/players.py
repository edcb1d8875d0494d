"""Maps the screens' players to the profiles on disk, and gives a match the facts about its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from armoon.games.options import Adapts
from armoon.games.shared.seating import SEAT_COLOURS, Beginner, FirstBy, beginner
from armoon.saves.profiles import Profile, Profiles, change_profile, seats_of
from armoon.screens.player import COLOURS, FormPlayer, seated
from armoon.settings.options import PlayOptions
from armoon.values.handicap import LEVEL
from armoon.values.look import rgb
from armoon.values.movement import AS_USUAL, Movement
from armoon.values.poses import Vec3


def known_players(profiles: Profiles) -> tuple[FormPlayer, ...]:
    """Return the players who have a profile, as the screens know them."""
    return tuple(
        FormPlayer(
            one.name,
            _nearest(rgb(one.colour)),
            one.hand,
            one.born,
            one.full_moon,
            one.handicap,
            movement=one.movement,
            habits=one.habits,
        )
        for one in profiles.profiles
    )


def keep_player(folder: Path, player: FormPlayer) -> None:
    """Keep what a player has said; the measured palm stays. Raises SaveError."""

    def changed(before: Profile) -> Profile:
        # A colour that isn't one of the screens' six was chosen by hand: it stays until another one is taken.
        kept = _nearest(rgb(before.colour)) == player.colour
        return replace(
            before,
            colour=before.colour if kept else SEAT_COLOURS[player.colour],
            hand=player.hand,
            born=player.born,
            full_moon=player.full_moon,
            handicap=player.handicap,
            movement=player.movement,
            habits=player.habits,
        )

    change_profile(folder, player.name, changed)


def begins(options: PlayOptions, table: tuple[Profile, ...]) -> Beginner:
    """Return who begins, and why: the chosen player, else the one that the chosen or the usual way finds."""
    first = options.first
    if isinstance(first, Beginner):
        return first if first.seat < len(table) else Beginner()
    if first is None:
        first = options.game_options.traits.usual_first
        if first is FirstBy.CHOSEN:
            return Beginner()  # nothing was chosen: the first in the list begins
    return beginner(seats_of(table), first, options.seed)


def colours_of(options: PlayOptions, table: tuple[Profile, ...]) -> tuple[Vec3, ...]:
    """Return each seat's colour, as chosen or from the profiles; of two equal ones the second gets a free one."""
    known = known_players(Profiles(table))
    seats = seated([profile.name for profile in table], known)
    return options.colours or tuple(
        rgb(profile.colour) if liked.colour == seat.colour else COLOURS[seat.colour]
        for profile, liked, seat in zip(table, known, seats, strict=True)
    )


def unlike(wished: Sequence[Vec3 | None]) -> tuple[Vec3, ...]:
    """Return everybody's wished colour; a player without a wish, or whose wish is taken, gets a free one.

    Empty if no player has a wish: then the profiles decide.
    """
    if not any(wished):
        return ()
    chosen: list[Vec3 | None] = [one if one not in wished[:seat] else None for seat, one in enumerate(wished)]
    free = (one for one in COLOURS if one not in chosen)
    return tuple(next(free) if one is None else one for one in chosen)


def handicapped(options: PlayOptions, table: tuple[Profile, ...]) -> PlayOptions:
    """Return these options with the profiles' handicaps where none are given."""
    own = options.game_options
    bots = (*own.played_by, *(None for _ in table))
    handicaps = [LEVEL if bot else profile.handicap for profile, bot in zip(table, bots, strict=False)]
    return replace(options, game_options=own.handicapped(handicaps) if isinstance(own, Adapts) else own)


def movements_of(table: tuple[Profile, ...]) -> tuple[Movement, ...]:
    """How each seat's hand is followed, where that differs from the usual."""
    movements = tuple(profile.movement for profile in table)
    return movements if any(movement != AS_USUAL for movement in movements) else ()


def _nearest(colour: Vec3) -> int:
    """Return the screens' colour that is most like this one."""

    def unlike(k: int) -> float:
        return sum((a - b) ** 2 for a, b in zip(COLOURS[k], colour, strict=True))

    return min(range(len(COLOURS)), key=unlike)
