"""The form that a party fills in before a game: players, game, edition, options, seat of the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace

from armoon.page import Rgb
from armoon.rules.editions import EDITIONS, Edition, Mode, Options
from armoon.screens.actions import Party, StartGame
from armoon.settings import LONGEST_NAME, MOST_PLAYERS, SEATS

GAMES = ("moon", "lake")
#: The lake is for 2, 3 or 4 (ruling L2).
LAKE_PLAYERS = (2, 4)
#: Told apart with any colour vision, after Okabe and Ito (2008): gold, sky, green, lemon, vermilion, rose.
COLOURS: tuple[Rgb, ...] = (
    (0.95, 0.66, 0.10),
    (0.34, 0.71, 0.91),
    (0.05, 0.66, 0.48),
    (0.96, 0.91, 0.32),
    (0.87, 0.40, 0.06),
    (0.84, 0.50, 0.67),
)
#: Names for players who haven't given any.
SPARE_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")


@dataclass(frozen=True)
class FormPlayer:
    """One player of the form."""

    name: str
    colour: int
    """Index into ``COLOURS``."""


@dataclass(frozen=True)
class Form:
    """What has been filled in so far; ``tidy`` keeps its parts together."""

    game: str = "moon"
    players: tuple[FormPlayer, ...] = (FormPlayer("Ann", 0), FormPlayer("Ben", 1), FormPlayer("Cleo", 2))
    edition: str = "bombyx-2017"
    options: Options = Options()  # noqa: RUF009 - frozen
    slots: str = "facing"
    seat: str = "mirror"

    @property
    def book(self) -> Edition:
        """The chosen edition."""
        return EDITIONS[self.edition]

    @property
    def fewest(self) -> int:
        """The smallest party: one alone plays the co-operative moon game (ruling C5)."""
        return LAKE_PLAYERS[0] if self.game == "lake" else 1

    @property
    def most(self) -> int:
        """The largest party."""
        return LAKE_PLAYERS[1] if self.game == "lake" else MOST_PLAYERS

    @property
    def playable(self) -> bool:
        """The party suits the game."""
        return self.fewest <= len(self.players) <= self.most

    def editions(self) -> tuple[str, ...]:
        """The editions that this many players can choose from."""
        count = len(self.players)
        return tuple(e.name for e in EDITIONS.values() if e.least_players <= count <= e.most_players)

    def modes(self) -> tuple[Mode, ...]:
        """Against each other, together, or both, as edition and number of players allow."""
        if len(self.players) == 1:
            return (Mode.COOPERATIVE,)
        return (Mode.COMPETITIVE,) if self.book.cooperative_tears is None else tuple(Mode)

    def tidy(self) -> Form:
        """The nearest form whose parts go together; after it, ``start`` is always a legal game."""
        form = self
        if form.game == "moon" and form.players and form.edition not in form.editions():
            form = replace(form, edition=form.editions()[0])
        if form.players and form.options.mode not in form.modes():
            form = replace(form, options=replace(form.options, mode=form.modes()[0]))
        return form

    def start(self) -> StartGame:
        """The game that this form describes."""
        party = Party(
            tuple(player.name for player in self.players),
            tuple(COLOURS[player.colour] for player in self.players),
        )
        return StartGame(self.game, party, self.edition, self.options, self.slots, self.seat)

    # Players ------------------------------------------------------------------------------------------------

    def add(self) -> Form:
        """One more player, with a spare name and a free colour."""
        name = next(n for n in SPARE_NAMES + _numbered() if n not in self._names())
        return replace(self, players=(*self.players, FormPlayer(name, self._free_colours()[0]))).tidy()

    def remove(self, seat: int) -> Form:
        """That player leaves."""
        return replace(self, players=self.players[:seat] + self.players[seat + 1 :]).tidy()

    def rename(self, seat: int, name: str) -> Form:
        """That player is called ``name``, if that is a name and nobody else's; else the form stays."""
        name = name.strip()[:LONGEST_NAME].strip()
        if not name or not name.isprintable() or name in self._names(but=seat):
            return self
        return self._with(seat, replace(self.players[seat], name=name))

    def recolour(self, seat: int, step: int = 1) -> Form:
        """That player takes the next colour that nobody has."""
        mine = self.players[seat].colour
        order = [(mine + step * k) % len(COLOURS) for k in range(1, len(COLOURS))]
        free = [colour for colour in order if colour in self._free_colours()]
        return self._with(seat, replace(self.players[seat], colour=free[0])) if free else self

    def _with(self, seat: int, player: FormPlayer) -> Form:
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def _names(self, but: int | None = None) -> set[str]:
        return {player.name for seat, player in enumerate(self.players) if seat != but}

    def _free_colours(self) -> list[int]:
        taken = {player.colour for player in self.players}
        return [colour for colour in range(len(COLOURS)) if colour not in taken]


def form_for(names: tuple[str, ...], edition: str, seat: str) -> Form:
    """The form with the settings' players, edition and seat filled in."""
    players = tuple(FormPlayer(name, k) for k, name in enumerate(names[:MOST_PLAYERS]))
    return Form(players=players, edition=edition, seat=seat if seat in SEATS else "mirror").tidy()


def _numbered() -> tuple[str, ...]:
    """More names than players whose own might take all the spare ones."""
    return tuple(f"{n}" for n in range(1, MOST_PLAYERS + 1))
