"""Beads: a third game, which needs only its own code, its texts and a line in the registry.

Players take turns putting a bead into one of three bowls; the first with three beads in a bowl wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from armoon.codec import Variants, convert
from armoon.engine.events import NoticeShown, Output
from armoon.engine.match import Match
from armoon.engine.picture import find_hand_hint, find_prop, list_hands
from armoon.engine.setup import Record, TableSetup
from armoon.engine.turntable import measure_sight_distance_m
from armoon.games.contract import Game, GameKind, SaveSummary, TerminalTable
from armoon.games.news import News, ResultNews, ScoreLine
from armoon.games.options import GameOptions
from armoon.games.shared import FirstPlayer, RuleBook, RuleScreen, RuleStep
from armoon.messages import text
from armoon.saves.files import SaveError
from armoon.saves.game_file import SavedGame
from armoon.saves.profiles import Result
from armoon.settings.preferences import PlayOptions
from armoon.values.acts import Act, Feature
from armoon.values.page import Drawing, Mark, Sign
from armoon.values.pieces import Command, GripIntent, GripPhase
from armoon.values.poses import Vec3
from armoon.values.scene import HeightLine, Scene, SceneHud, ScenePlayer

BEAD: Vec3 = (0.17, 0.0, 0.06)
BOWLS: tuple[Vec3, ...] = ((-0.12, 0.0, 0.02), (-0.04, 0.0, 0.02), (0.04, 0.0, 0.02))
REACH_M, WINS = 0.03, 3
FACES = (Act.ONE, Act.TWO, Act.THREE)


@dataclass(frozen=True)
class Beads:
    """The position: the bowl of each played bead."""

    players: tuple[str, ...]
    first: int = 0
    lying: tuple[int, ...] = ()

    def play(self, moves: Sequence[int]) -> Beads:
        now = self
        for move in moves:
            if not -1 <= move < len(BOWLS) or (move < 0 and not now.lying):
                raise ValueError(f"the bowl {move}")
            now = replace(now, lying=now.lying[:-1] if move < 0 else (*now.lying, move))
        return now

    def find_seat(self, number: int) -> int:
        return (self.first + number) % len(self.players)

    def to_record(self) -> Record:
        return {"beads": asdict(self)}

    @property
    def turn(self) -> int:
        return len(self.lying) + 1

    @property
    def player(self) -> int:
        return self.find_seat(len(self.lying))

    @property
    def over(self) -> bool:
        return self.winner is not None

    @property
    def winner(self) -> int | None:
        owned = Counter((bowl, self.find_seat(number)) for number, bowl in enumerate(self.lying))
        return next((seat for (_, seat), count in owned.items() if count == WINS), None)


@dataclass(frozen=True)
class OwnOptions(GameOptions):
    min_players: ClassVar[int] = 2
    max_players: ClassVar[int] = 3
    has: ClassVar[frozenset[Feature]] = frozenset({Feature.PUT_BACK, Feature.UNDO, Feature.CHOOSE})
    texts: ClassVar = Path(__file__).parent / "toy_texts"


@dataclass(frozen=True)
class Put:
    bowl: int


class ToyMatch(Match):
    game: ClassVar[str] = "toy"
    setup: Beads
    state: Beads

    def __init__(self, table: TableSetup, start: Beads) -> None:
        super().__init__(table)
        self.setup = self.state = start
        self.bead: Vec3 | None = None
        """Position of the held bead."""
        self.start_match()

    @property
    def at_rest(self) -> bool:
        return not self.holding

    @property
    def holding(self) -> bool:
        return self.bead is not None

    @property
    def offered(self) -> Vec3 | None:
        if self.over or self.holding:
            return self.bead if self.is_parked else None
        return BEAD

    def is_over_nothing(self, grip: GripIntent) -> bool:
        return not any(is_near(grip, place) for place in BOWLS)

    def handle_commands(self, commands: tuple[Command, ...]) -> None:
        for command in commands:
            if command.kind is Act.PUT_BACK:
                self.put_back()
            elif command.kind is Act.CHOOSE and not self.over:
                self._play(command.value)
            elif command.kind is Act.UNDO and self.state.lying:
                self._play(-1)

    def step(self, grip: GripIntent | None) -> None:
        if grip is None or self.frozen:
            return
        if grip.phase is GripPhase.GRAB and self.offered is not None and is_near(grip, BEAD):
            self.bead = grip.pose.position
        elif self.holding and grip.phase is GripPhase.RELEASE:
            self.bead = None
            near = [bowl for bowl, place in enumerate(BOWLS) if is_near(grip, place)]
            if near:
                self._play(near[0])
        elif self.holding:
            self.bead = grip.pose.position

    def put_back(self) -> None:
        if self.holding:
            self.bead = None
            self.end_grip()

    def _play(self, move: int) -> None:
        self.put_back()
        self.state = self.state.play((move,))
        self.emit(Put(move))


class ToyGame(Game[ToyMatch]):
    def handle_act(self, act: Act) -> tuple[Command, ...]:
        return (Command(Act.CHOOSE, "keys", FACES.index(act)),) if act in FACES else ()

    def list_sentences(self, output: Output) -> list[str]:
        bowls = [put.bowl for put in output.events_of(Put)]
        moves = [text("toy.back") if bowl < 0 else text("toy.put", bowl=bowl + 1) for bowl in bowls]
        return [text(noticed.key) for noticed in output.events_of(NoticeShown)] + moves

    def list_news(self, output: Output, *, over: bool) -> list[News]:
        lines = tuple(
            ScoreLine(n, 0, winner=s == self.match.state.winner) for s, n in enumerate(self.match.players)
        )
        return [ResultNews(self._hint(), lines)] if over else []

    def build_scene(self, fraction: float, banner: str) -> Scene:
        match, on_turn = self.match, None if self.match.over else self.match.on_turn[1]
        hud = SceneHud(
            title=text("screens.game.toy"),
            players=tuple(ScenePlayer(name, 0, seat == on_turn) for seat, name in enumerate(match.players)),
            hint=self._hint(),
            banner=self.resolve_banner(banner),
        )
        bead = () if match.over else (match.bead or BEAD,)
        lying = match.state.lying
        bowls = tuple(HeightLine(place, str(lying.count(bowl))) for bowl, place in enumerate(BOWLS))
        prop = find_prop(match, lambda grip: match.bead)
        return Scene(
            match.tick, (), list_hands(match), hud, prop=prop, contact_points=bead, height_lines=bowls
        )

    def _hint(self) -> str:
        match = self.match
        if match.state.winner is not None:
            return text("toy.won", player=match.players[match.state.winner])
        key = "toy.put_down" if match.holding else "toy.take"
        return find_hand_hint(match) or text(key, player=match.players[match.on_turn[1]])


def draw_bowls(time: float) -> Drawing:
    bowls = tuple(Mark(Sign.DISC, (0.3 + 0.35 * k, 0.8), (0.1, 0.1), (0.6, 0.7, 1.0, 1.0)) for k in range(3))
    return Drawing((*bowls, Mark(Sign.DISC, (0.65, 0.2 + 0.6 * time), (0.04, 0.04), (1.0, 0.8, 0.4, 1.0))))


def make_result(match: ToyMatch, game: str, date: str) -> Result | None:
    won, players = match.state.winner, match.players
    return None if won is None else Result(game, date, "", "", players, (players[won],), None, kind="toy")


def summarise_save(saved: SavedGame) -> SaveSummary:
    state = load_state(saved)
    return SaveSummary(state.players, state.turn, state.over, OwnOptions())


def describe_save(saved: SavedGame) -> tuple[str | TerminalTable, ...]:
    state = load_state(saved)
    won = () if state.winner is None else (text("toy.won", player=state.players[state.winner]),)
    return (TerminalTable(("player",), tuple((name,) for name in state.players)), *won)


def list_score_rows(saved: SavedGame) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    state = load_state(saved)
    rows = [(state.players[state.find_seat(number)], bowl + 1) for number, bowl in enumerate(state.lying)]
    return ("player", "bowl"), [*rows]


class ToyKind(GameKind[ToyMatch]):
    moves = Variants[Put]("move", {"put": Put})
    build_result = staticmethod(make_result)
    summarise = staticmethod(summarise_save)
    describe = staticmethod(describe_save)
    list_score_rows = staticmethod(list_score_rows)

    def build_rule_book(self, options: GameOptions, players: int | None = None) -> RuleBook:
        step = RuleStep("aim", text("toy.rules.aim", wins=WINS), draw_bowls)
        return RuleBook("", (RuleScreen("beads", text("toy.rules.heading"), (step,)),))

    def create_match(
        self, table: TableSetup, options: PlayOptions, first: FirstPlayer, *, real_time: bool
    ) -> ToyMatch:
        return ToyMatch(table, Beads(options.players, first.seat))

    def resume_match(
        self, table: TableSetup, options: PlayOptions, saved: SavedGame, *, real_time: bool
    ) -> ToyMatch:
        return ToyMatch(table, load_state(saved))

    def create_logged_match(self, header: Record) -> ToyMatch:
        return ToyMatch(TableSetup.from_record(header), convert(Beads, header["beads"]).play(()))

    def create_game(self, match: ToyMatch, *, real_time: bool = False) -> Game[Any]:
        return ToyGame(match)


def load_state(saved: SavedGame) -> Beads:
    try:
        return convert(Beads, saved.header["beads"]).play([convert(int, m["bowl"]) for m in saved.moves])
    except (KeyError, ValueError) as error:
        raise SaveError(f"{saved.path} holds no beads ({error}).", remedy="Choose another.") from error


def is_near(grip: GripIntent, point: Vec3) -> bool:
    return measure_sight_distance_m(grip, point) < REACH_M


KIND = ToyKind()
