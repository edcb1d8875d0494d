"""The form for starting a game: players, game and options, first player, and seat of the camera."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from armoon.games import game_names, game_options
from armoon.games.options import GameOptions
from armoon.games.shared import FirstBy, FirstPlayer, choose_first_player
from armoon.options.kinds import MAX_PLAYERS
from armoon.screens.events import COLOURS, SPARE_NAMES, FormPlayer, SeatedPlayers, StartGame, seat_players
from armoon.values import names
from armoon.values.choices import SeatName


@dataclass(frozen=True)
class Form:
    """The form's values; ``tidy`` makes them consistent with each other."""

    game: str = field(default_factory=lambda: game_names()[0])
    players: tuple[FormPlayer, ...] = seat_players(SPARE_NAMES[:3])
    options_by_game: Mapping[str, GameOptions] = field(default_factory=dict, hash=False)
    seat: SeatName = SeatName.MIRROR
    first_rule: FirstBy | None = None
    chosen_first: int = 0
    known_players: tuple[FormPlayer, ...] = ()

    @property
    def options(self) -> GameOptions:
        return self.options_by_game.get(self.game) or game_options(self.game)()

    def with_options(self, options: GameOptions, game: str = "") -> Form:
        return replace(self, options_by_game={**self.options_by_game, game or self.game: options})

    @property
    def is_playable(self) -> bool:
        return self.options.min_players <= len(self.players) <= self.options.max_players

    @property
    def first_by(self) -> FirstBy:
        return self.first_rule or self.options.default_first_by

    def first_player(self, seed: int) -> FirstPlayer:
        dates = [(player.full_moon, player.born) for player in self.players]
        return choose_first_player(dates, self.first_by, seed, self.chosen_first)

    def tidy(self) -> Form:
        form = self._with_known_bots()
        form = form.with_options(form.options.fit_players(len(form.players)))
        if form.chosen_first >= len(form.players):
            form = replace(form, chosen_first=0)
        return form

    def start_game(self, seed: int = 0) -> StartGame:
        """Return the request to start this game; ``seed``: of a random first player."""
        party = SeatedPlayers(
            tuple(player.name for player in self.players),
            tuple(COLOURS[player.colour] for player in self.players),
            tuple(player.hand for player in self.players),
        )
        options = self.options.with_bots([player.bot or None for player in self.players])
        return StartGame(self.game, party, options, self.seat, self.first_player(seed))

    def add_player(self) -> Form:
        """Return the form with one more player: a known one, or one with a spare name and a free colour."""
        known_names = tuple(player.name for player in self.known_players)
        candidates = known_names + SPARE_NAMES + tuple(map(str, range(1, MAX_PLAYERS + 1)))
        name = next(n for n in candidates if names.are_distinct((n, *self._list_names())))
        return replace(self, players=(*self.players, self._make_newcomer(name))).tidy()

    def add_bot(self) -> Form:
        words = self.options.bot_kinds().words
        bots = {player.bot for player in self.players}
        word = next((word for word in words if word not in bots), words[0])
        form = self.add_player()
        return form.with_bot(len(form.players) - 1, word)

    def with_bot(self, seat: int, word: str) -> Form:
        before = self.players[seat]
        used = self._list_names(except_seat=seat)
        known_names = tuple(player.name for player in self.known_players)
        wanted = (self.options.bot_kinds().get_name(word),) if word else known_names + SPARE_NAMES
        name = next(
            (name for name in wanted if names.are_distinct((name, *used))),
            names.make_unique_name(wanted[0], used),
        )
        newcomer = FormPlayer(name, before.colour, bot=word)
        if not word:
            newcomer = replace(self._make_newcomer(name), colour=before.colour)
        return self._with_player(seat, newcomer)

    def with_bots(self, words: Sequence[str | None]) -> Form:
        bots = (*words, *(None for _ in self.players))
        players = (replace(player, bot=word or "") for player, word in zip(self.players, bots, strict=False))
        return replace(self, players=tuple(players))

    def remove_player(self, seat: int) -> Form:
        return replace(self, players=self.players[:seat] + self.players[seat + 1 :]).tidy()

    def rename_player(self, seat: int, name: str) -> Form:
        """Seat the player with this name and their known settings; ignore an invalid name."""
        name = names.tidy_name(name)
        if (
            not name
            or not names.are_distinct((name, *self._list_names(except_seat=seat)))
            or name == self.players[seat].name
        ):
            return self
        others = {player.colour for k, player in enumerate(self.players) if k != seat}
        before = self.players[seat].colour
        newcomer = next(
            (player for player in self.known_players if player.name == name), FormPlayer(name, before)
        )
        colour = before if newcomer.colour in others else newcomer.colour
        return self._with_player(seat, replace(newcomer, colour=colour))

    def recolour_player(self, seat: int, step: int = 1) -> Form:
        current = self.players[seat].colour
        order = [(current + step * k) % len(COLOURS) for k in range(1, len(COLOURS))]
        free = [colour for colour in order if colour in self._list_free_colours()]
        return self._with_player(seat, replace(self.players[seat], colour=free[0])) if free else self

    def move_player(self, seat: int, step: int) -> Form:
        """Move a player by ``step`` seats without changing who begins."""
        target = (seat + step) % len(self.players)
        players = list(self.players)
        players.insert(target, players.pop(seat))
        first = self.players[self.chosen_first].name
        chosen = next(k for k, player in enumerate(players) if player.name == first)
        return replace(self, players=tuple(players), chosen_first=chosen)

    def with_player_changes(self, seat: int, **changes: Any) -> Form:
        return self._with_player(seat, replace(self.players[seat], **changes))

    def with_known(self, seat: int) -> Form:
        player = self.players[seat]
        others = tuple(known for known in self.known_players if known.name != player.name)
        return replace(self, known_players=(*others, player))

    def _with_known_bots(self) -> Form:
        """Replace other games' bots with this game's bots, or with people if it has none; keep bot programs."""
        form, words = self, self.options.bot_kinds().words
        for seat, player in enumerate(self.players):
            is_program = player.bot.endswith(".py") or "/" in player.bot
            if player.bot and player.bot not in words and not is_program:
                form = form.with_bot(seat, words[len(words) // 2] if words else "")
        return form

    def _make_newcomer(self, name: str) -> FormPlayer:
        newcomer = seat_players((name,), self.known_players)[0]
        free = self._list_free_colours()
        return newcomer if newcomer.colour in free else replace(newcomer, colour=free[0])

    def _with_player(self, seat: int, player: FormPlayer) -> Form:
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def _list_names(self, except_seat: int | None = None) -> set[str]:
        return {player.name for seat, player in enumerate(self.players) if seat != except_seat}

    def _list_free_colours(self) -> list[int]:
        used = {player.colour for player in self.players}
        return [colour for colour in range(len(COLOURS)) if colour not in used]


def make_form(
    players: tuple[str, ...],
    game: str,
    options_by_game: Mapping[str, GameOptions],
    seat: SeatName,
    known: tuple[FormPlayer, ...] = (),
) -> Form:
    form = Form(game, seat_players(players[:MAX_PLAYERS], known), options_by_game, seat, known_players=known)
    return form.with_bots(form.options.bots_by_seat).tidy()
