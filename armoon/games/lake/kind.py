"""Jinns of the Lake as a game kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from armoon.engine.setup import Record, TableSetup, make_setup
from armoon.games.contract import BotDuel, Game, GameKind, RenderSetup, SaveFactory
from armoon.games.lake import presenters
from armoon.games.lake.match import MOVES, LakeMatch, LakeSetup
from armoon.games.lake.options import DEFAULT_BOTS, LakeOptions
from armoon.games.lake.rules import Strength, find_outcome
from armoon.games.options import GameOptions
from armoon.games.shared import FirstPlayer, RuleBook
from armoon.messages import join_names, text
from armoon.options.option import read, read_record
from armoon.players.hand import PlayerFactory
from armoon.saves.game_file import SavedGame
from armoon.settings.preferences import PlayOptions
from armoon.values.page import Drawing

if TYPE_CHECKING:
    from armoon.view.scene.board import GameBodies
    from armoon.view.scene.scenery import Scenery

#: Strength of the demo hand in a game without bots.
DEMO_STRENGTH = "weak"


class LakeKind(GameKind[LakeMatch]):
    """Creates, restores and describes lake games."""

    moves = MOVES
    build_result = staticmethod(presenters.build_result)
    summarise = staticmethod(presenters.summarise)
    describe = staticmethod(presenters.describe_game)
    list_score_rows = staticmethod(presenters.list_score_rows)

    def encode_start(self, match: LakeMatch) -> Record:
        return {**match.setup.to_record(), "bots": list(match.table.bots)}

    def draw_saved_game(self, saved: SavedGame) -> Drawing:
        from armoon.games.lake.rulebook import LakeSketcher

        stars = presenters.decode_saved_setup(saved).state.stars
        standing = "|".join("".join(map(str, stack)) for stack in stars)
        return Drawing(LakeSketcher(0.0).lake(standing, stars=len(stars)))

    def create_match(
        self, table: TableSetup, options: PlayOptions, first: FirstPlayer, *, real_time: bool
    ) -> LakeMatch:
        lake_options = options.game_options
        assert isinstance(lake_options, LakeOptions)
        setup = LakeSetup(options.players, options.seed, first.seat)
        return LakeMatch(replace(table, bots=lake_options.bots), setup)

    def resume_match(
        self, table: TableSetup, options: PlayOptions, saved: SavedGame, *, real_time: bool
    ) -> LakeMatch:
        resumed = replace(table, bots=presenters.decode_saved_bots(saved), first_why="")
        return LakeMatch(resumed, presenters.decode_saved_setup(saved))

    def create_logged_match(self, header: Record) -> LakeMatch:
        table = replace(TableSetup.from_record(header), **read_record(LakeOptions.options(), header))
        return LakeMatch(table, LakeSetup.from_record(header))

    def create_game(self, match: LakeMatch, *, real_time: bool = False) -> Game[Any]:
        from armoon.games.lake.play import LakeBots, LakeGame

        return LakeGame(match, LakeBots(background=real_time))

    def build_render_setup(self, match: LakeMatch) -> RenderSetup:
        return replace(RenderSetup.empty(match.table), bodies=_create_bodies, scenery=_load_shore)

    def create_player_factory(self, match: LakeMatch, options: PlayOptions) -> PlayerFactory:
        from armoon.games.lake.play import LakePlayer

        strengths = [bot or DEMO_STRENGTH for bot in match.table.bots] or [DEMO_STRENGTH]
        return partial(LakePlayer, strengths=tuple(map(Strength, strengths)))

    def create_bot_duel(self, bots: tuple[str, str]) -> BotDuel:
        bots_option = next(candidate for candidate in LakeOptions.options() if candidate.name == "bots")
        strengths = read(bots_option, list(bots))

        def play(seed: int, first: int) -> tuple[float, tuple[str, ...]]:
            from armoon.games.lake.bot import play_bots

            result = find_outcome(play_bots(strengths, seed, first=first))
            winners = () if result is None else result.winners
            return (1.0 / len(winners) if 0 in winners else 0.0), ()

        return play

    def play_headless(
        self,
        options: LakeOptions,
        names: Sequence[str] | None,
        seed: int,
        say: Callable[[str], None],
        create_save: SaveFactory,
    ) -> None:
        from armoon import __version__
        from armoon.camera.profiles import SEATS
        from armoon.games.lake.bot import name_bots
        from armoon.games.lake.play import LakeBots, LakeGame
        from armoon.games.library import play_to_end

        bots = tuple(bot for bot in options.bots or DEFAULT_BOTS if bot is not None)
        if len(bots) < max(options.min_players, len(options.bots)):
            raise ValueError(text("lake.hands_alone", words=join_names(options.bot_kinds().words)))
        table = make_setup(SEATS["table"](1280, 720), __version__, bots=bots)
        match = LakeMatch(table, LakeSetup(tuple(names or name_bots(bots)), seed, 0))
        play_to_end(LakeGame(match, LakeBots(pause_ticks=0)), say, create_save)

    def build_rule_book(self, options: GameOptions, players: int | None = None) -> RuleBook:
        from armoon.games.lake.rulebook import build_rule_book

        return build_rule_book(players)


def _create_bodies() -> GameBodies:
    from armoon.games.lake.board import LakeBoard

    return LakeBoard()


def _load_shore() -> Scenery:
    from armoon.games.lake.board import load_shore

    return load_shore()


KIND = LakeKind()
