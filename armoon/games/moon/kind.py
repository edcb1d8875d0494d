"""Catch the Moon as a game kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from armoon.camera.profiles import CameraSeat
from armoon.engine.logbook import SavedGameWriter
from armoon.engine.setup import Intake, Record, TableSetup
from armoon.games.contract import BotDuel, Game, GameKind, RenderSetup, SaveFactory
from armoon.games.moon import editions, records, rulebook
from armoon.games.moon.demo_player import TRAILER, TRAILER_SEED, USUAL
from armoon.games.moon.figures import load_pages
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import BOTS, DEFAULT_BOTS, TYPED, MoonOptions
from armoon.games.moon.saving import MOVES, MoonSetup, Snapshot, make_zero_counts, reopen_game, resume_setup
from armoon.games.moon.trials import TrialKind
from armoon.games.news import Review, TurnReview
from armoon.games.options import GameOptions
from armoon.games.shared import Animation, FirstPlayer, RuleBook, shuffled
from armoon.messages import text
from armoon.options.option import read, read_record
from armoon.players.hand import PlayerFactory
from armoon.saves.game_file import SavedGame, raising_save_error
from armoon.settings.preferences import PlayOptions
from armoon.values.choices import Way
from armoon.values.page import Drawing
from armoon.world.base import find_initial_rotation
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.process import ProcessWorld

if TYPE_CHECKING:
    from armoon.view.scene.board import Backdrop
    from armoon.view.scene.scenery import Scenery

#: Seconds at rest before the demo's die rolls automatically: long enough to read a verdict.
DEMO_AUTO_ROLL_S = 1.5


class MoonKind(GameKind[MoonMatch]):
    """Catch the Moon in both editions."""

    moves = MOVES
    counted_kind = "verdict"
    encode_event = staticmethod(records.encode_event)
    check_records = staticmethod(records.check_log)
    create_stability_check = staticmethod(records.create_stability_check)
    _write = staticmethod(records.create_writer)
    summarise = staticmethod(records.summarise)
    describe = staticmethod(records.describe_game)
    list_score_rows = staticmethod(records.list_score_rows)

    def encode_start(self, match: MoonMatch) -> Record:
        bots = [None if word == TYPED else word for word in match.table.bots]
        return {**match.table.to_record(), **match.setup.to_record(), "bots": bots}

    def resume_writer(self, match: MoonMatch, saved: SavedGame) -> SavedGameWriter:
        return self._write(match, reopen_game(saved))

    def draw_saved_game(self, saved: SavedGame) -> Drawing:
        setup = resume_setup(saved)
        drawn_ladders = (
            (ladder, pose, rulebook.DARK_WOOD if ladder.piece in setup.state.starting else rulebook.WOOD)
            for ladder, pose in records.list_standing_at(setup)
        )
        return rulebook.draw_structure(tuple(drawn_ladders))

    def create_match(
        self, table: TableSetup, options: PlayOptions, first: FirstPlayer, *, real_time: bool
    ) -> MoonMatch:
        moon = _get_options(options)
        house = moon.house
        if options.camera == "demo":  # the demo can't throw a real die
            house = replace(house, die=editions.DieSource.SEEDED)
        setup = MoonSetup(
            seed=options.seed,
            edition=moon.edition,
            players=options.players,
            auto_roll_s=_choose_auto_roll_s(options),
            slots=moon.slots,
            options=house,
            first_player=first.seat,
        )
        setup = build_practice_setup(setup, moon.figure) if moon.figure else setup
        if options.camera in ("none", "demo"):
            # A real camera fixes the view of the table; a rendered table is shown from its better side.
            table = replace(table, turned_rad=find_initial_rotation(moon.slots))
        return _create_match(replace(table, bots=moon.bots), setup, real_time=real_time)

    def resume_match(
        self, table: TableSetup, options: PlayOptions, saved: SavedGame, *, real_time: bool
    ) -> MoonMatch:
        setup = replace(resume_setup(saved), auto_roll_s=_choose_auto_roll_s(options))
        with raising_save_error(saved, ValueError):
            saved_table = _read_table(saved.header)
        table = replace(
            table,
            colours=saved_table.colours or table.colours,
            bots=saved_table.bots,
            first_why=saved_table.first_why,
            one_hand=setup.options.one_hand,
        )
        return _create_match(table, setup, real_time=real_time)

    def create_logged_match(self, header: Record) -> MoonMatch:
        return MoonMatch(_read_table(header), MoonSetup.from_record(header))

    def create_game(self, match: MoonMatch, *, real_time: bool = False) -> Game[Any]:
        from armoon.games.moon.bots import MoonBots
        from armoon.games.moon.play import MoonGame

        bots = MoonBots(match, real_time=real_time) if any(match.table.bots) else None
        return MoonGame(match, bots, real_time=real_time)

    def build_render_setup(self, match: MoonMatch) -> RenderSetup:
        return replace(
            RenderSetup.empty(match.table),
            ladders=match.ladders,
            base=match.base,
            backdrop=create_rising_moon,
            line_m=match.height_line_m,
            socle=match.state.edition.has_socle,
            scenery=partial(_build_scenery, match.state.edition),
        )

    def build_empty_render_setup(self, seat: CameraSeat, options: PlayOptions) -> RenderSetup:
        moon = _get_options(options)
        ladders, base = rulebook.make_bare_table(moon.slots, left_handed=options.left_handed)
        setup, socle = RenderSetup.empty(seat), editions.EDITIONS[moon.edition].has_socle
        return replace(setup, ladders=ladders, base=base, backdrop=create_rising_moon, socle=socle)

    @property
    def figures(self) -> tuple[str, ...]:
        return tuple(page.figure for page in load_pages())

    build_picture_book_page = staticmethod(rulebook.make_picture_book_page)

    def create_player_factory(self, match: MoonMatch, options: PlayOptions) -> PlayerFactory:
        from armoon.games.moon.demo_player import DemoPlayer

        style = TRAILER if options.seed == TRAILER_SEED else USUAL
        if options.way is Way.CARD:
            style = replace(style, turns_table_from=0)  # a hand with paper can't turn the table
        return partial(DemoPlayer, match.ladders, match.base, seed=options.seed, style=style)

    def choose_demo_seed(self) -> int:
        return TRAILER_SEED

    def create_bot_duel(self, bots: tuple[str, str]) -> BotDuel:
        options = MoonOptions(bots=read(BOTS, list(bots)))
        options.check_players(options.list_default_players(()))

        def play(seed: int, first: int) -> tuple[float, tuple[str, ...]]:
            from armoon.games.moon.play import play_bots

            winners, faults = play_bots(options, options.list_default_players(()), seed, first=first)
            return (1.0 / len(winners) if 0 in winners else 0.0), faults

        return play

    def play_headless(
        self,
        options: MoonOptions,
        names: Sequence[str] | None,
        seed: int,
        say: Callable[[str], None],
        create_save: SaveFactory,
    ) -> None:
        from armoon.games.moon.play import play_bots

        options = options if options.bots else options.with_values(bots=DEFAULT_BOTS)
        players = names or options.list_default_players((text("practice.player"),))
        options.check_players(players)
        read_line = input if None in options.bots else None
        play_bots(options, players, seed, say, read=read_line, create_save=create_save)

    def review_match(
        self,
        match: MoonMatch,
        intakes: Iterable[Intake],
        report: Callable[[TurnReview], object],
        think_s: float,
    ) -> Review:
        from armoon.games.moon.review import make_review, make_turn_review, measure_turn, replay_turns
        from armoon.placement.search import PlaceFinder

        turns = []
        with closing(PlaceFinder(match.ladders, match.base)) as finder:
            for turn in replay_turns(match, intakes):
                turns.append(measure_turn(finder, turn, think_s))
                report(make_turn_review(turns[-1]))
        return make_review(turns, text("review.title", players=", ".join(match.players)))

    def build_practice_options(self, options: PlayOptions, figure: str = "") -> PlayOptions:
        moon = options.game_options
        edition = moon.edition if isinstance(moon, MoonOptions) else editions.EditionName.BOMBYX_2017
        moon = MoonOptions(edition, house=editions.Options(practice=True), figure=figure)
        return replace(options, players=(text("practice.player"),), game_options=moon)

    list_trials = staticmethod(records.list_trials)

    def build_trial_options(self, name: str, options: GameOptions) -> GameOptions:
        assert isinstance(options, MoonOptions)
        return options.with_trial(TrialKind().read(name))

    def build_rule_book(self, options: GameOptions, players: int | None = None) -> RuleBook:
        assert isinstance(options, MoonOptions)
        return rulebook.build_rule_book(options)

    def list_rule_variants(self, options: GameOptions) -> tuple[GameOptions, ...]:
        variants = [(name, editions.Mode.COMPETITIVE) for name in editions.EditionName]
        variants.append((editions.EditionName.KOSMOS_2022, editions.Mode.COOPERATIVE))
        return tuple(options.with_values(edition=name, mode=mode) for name, mode in variants)

    def find_step_animation(self, step: str) -> Animation | None:
        return rulebook.load_pictures(MoonOptions()).pictures.get(step)

    def list_ranks(self) -> tuple[tuple[int, str], ...]:
        return tuple((least, text(key)) for least, key in editions.CHART)

    def describe_rank(self, score: int) -> str:
        return text(editions.find_rank_key(score))

    describe_variant = staticmethod(records.format_variant)

    def describe_edition(self, name: str) -> str:
        return text(f"option.edition.word.{name}") if name in set(editions.EditionName) else name


def _create_match(table: TableSetup, setup: MoonSetup, *, real_time: bool) -> MoonMatch:
    return MoonMatch(table, setup, world=ProcessWorld if real_time else LocalWorld)


def _get_options(options: PlayOptions) -> MoonOptions:
    moon = options.game_options
    assert isinstance(moon, MoonOptions)
    return moon


def _read_table(record: Record) -> TableSetup:
    return replace(TableSetup.from_record(record), **read_record((BOTS,), record))


def create_rising_moon() -> Backdrop:
    from armoon.games.moon.sky import RisingMoon

    return RisingMoon()


def _build_scenery(edition: editions.Edition) -> Scenery:
    from armoon.view.scene.scenery import load_cloud_scenery, load_room_scenery

    return load_room_scenery() if edition.has_socle else load_cloud_scenery()


def _choose_auto_roll_s(options: PlayOptions) -> float | None:
    """Return how long everything must be at rest before the die rolls automatically; None: it rolls on request."""
    if options.camera == "demo":
        return DEMO_AUTO_ROLL_S
    moon = _get_options(options)
    return None if moon.together else moon.house.auto_roll_s


def build_practice_setup(setup: MoonSetup, figure: str) -> MoonSetup:
    """Return the setup with a figure on the table, except its last ladder. Raises KeyError for an unknown figure."""
    page = rulebook.find_page(figure)
    ladders = make_ladder_set(page.ladder_seed)
    last, fixed, placed = page.makers[-1], page.fixed, tuple(made.piece for made in page.placed)
    rest = tuple(ladder.piece for ladder in ladders.ladders if ladder.piece not in {*fixed, *placed, last})
    order = shuffled(setup.seed, (last, *rest, *placed))
    start = Snapshot(
        turn=1,
        at_rest=True,
        places={name: pose.row for name, pose in page.poses.items() if name in placed},
        figures=page.placed,
        counts=make_zero_counts(setup.players),
    )
    return replace(
        setup,
        ladder_seed=page.ladder_seed,
        slots=page.slots,
        starting=fixed,
        supply=(last, *(name for name in order if name in rest)),
        placed=placed,
        snapshots=(start,),
    )


KIND = MoonKind()
