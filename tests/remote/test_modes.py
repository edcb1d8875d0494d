"""Both games in every mode, at two tables: the same lines, positions and rest poses at both, bit for bit."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from support.remote_kit import CommandGame, Conditions, Network, SimulatedTable, build_header

from armoon.engine.setup import Intake, Record
from armoon.games.lake.options import LakeOptions
from armoon.games.lake.rules import Strength
from armoon.games.moon.editions import EditionName, Mode, Options
from armoon.games.moon.options import MoonOptions
from armoon.games.options import GameOptions
from armoon.messages import text
from armoon.remote import shared
from armoon.values.acts import Act
from armoon.values.pieces import Command


@dataclass(frozen=True)
class PlayedMode:
    game: str
    options: GameOptions
    players: tuple[str, ...] = ("Ann", "Ben")
    frames: int = 300
    kinds: frozenset[str] = field(default_factory=lambda: frozenset({"verdict"}))
    """Lines that such a game's log has."""

    def header(self) -> Record:
        return build_header(self.game, self.players, self.options)


TOGETHER = Options(mode=Mode.COOPERATIVE)
MODES = {
    "competitive": PlayedMode("moon", MoonOptions()),
    "bots": PlayedMode("moon", MoonOptions(bots=("pip", "pip")), frames=600),
    # The third player pays with the last tear and is out; the two others are level.
    "final": PlayedMode("moon", MoonOptions(house=Options(tears=3)), ("Ann", "Ben", "Cleo"), 600),
    "six": PlayedMode("moon", MoonOptions(), ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")),
    "co-operative": PlayedMode("moon", MoonOptions(edition=EditionName.KOSMOS_2022, house=TOGETHER)),
    "lake": PlayedMode("lake", LakeOptions(bots=(Strength.WEAK, Strength.WEAK)), kinds=frozenset({"move"})),
}


def make_game(mode: PlayedMode, conditions: Conditions | None = None) -> CommandGame:
    return CommandGame(Network(conditions), header=mode.header())


@pytest.fixture(name="game")
def shared_game() -> Iterator[CommandGame]:
    game = make_game(MODES["competitive"])
    yield game
    game.close()


def check_equal(tables: list[SimulatedTable]) -> int:
    """Compare the lines of all tables up to the shortest; return the number of compared lines."""
    shortest = min(len(table.lines) for table in tables)
    first, *others = tables
    for other in others:
        assert other.lines[:shortest] == first.lines[:shortest]
        assert other.shared.refused == first.shared.refused == set()
    return shortest


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_has_the_same_outcome_at_all_tables(mode: str) -> None:
    played_mode = MODES[mode]
    game = make_game(played_mode, Conditions(delay_s=0.05, jitter_s=0.05, lost_share=0.05))
    try:
        if mode == "bots":
            check_same_sight(game, played_mode.frames)
        else:
            game.pass_time(played_mode.frames)
        lines = game.tables[0].lines[: check_equal(game.tables)]
        kinds = {line["kind"] for line in lines}
        assert kinds >= played_mode.kinds, kinds
        assert game.tables[0].match.on_turn[0] > 2
        assert mode != "final" or game.tables[0].match.state.final
    finally:
        game.close()


def check_same_sight(game: CommandGame, frames: int) -> None:
    """Check that ladders, hands and the player on turn look the same at the other table."""
    drawn: list[dict[int, Any]] = [{}, {}]
    for _ in range(frames):
        game.pass_time()
        for scenes, table in zip(drawn, game.tables, strict=True):
            scene = table.game.build_turned_scene(1.0, "")
            hud = scene.hud
            on_table = {
                piece.piece for piece in table.match.facts.pieces
            }  # a fallen ladder keeps falling only in the picture
            pieces = [piece for piece in scene.pieces if piece.piece in on_table]
            scenes[table.match.tick] = (pieces, scene.hands, hud.title, hud.players, hud.die)
    ticks = drawn[0].keys() & drawn[1].keys()
    assert len(ticks) > 100, "only some pictures show the same tick at both tables"
    for tick in ticks:
        assert drawn[0][tick] == drawn[1][tick]


def wait_for_seat(game: CommandGame, seat: int) -> None:
    for _ in range(2000):
        turns = {table.match.on_turn for table in game.tables}
        if len(turns) == 1 and (turn := turns.pop())[1] == seat and turn[0] > 1:
            return
        game.pass_time()
    raise AssertionError([table.match.on_turn for table in game.tables])


@pytest.mark.parametrize(
    ("asker", "on_turn", "allowed"),
    [(0, 1, True), (1, 0, False), (0, 0, True), (1, 1, True)],
    ids=["the host in a guest's turn", "a guest in the host's", "the host in its own", "a guest in its own"],
)
@pytest.mark.parametrize("act", [Act.UNDO, Act.GIVE_TEAR_BACK], ids=str)
def test_the_host_and_the_player_on_turn_undo_and_overrule_turns(
    game: CommandGame, act: Act, asker: int, on_turn: int, allowed: bool
) -> None:
    wait_for_seat(game, on_turn)
    before = game.tables[0].match.on_turn[0], game.tables[0].match.state.tears
    game.commands_for[asker] = (Command(act, "screen"),)
    game.pass_time(12)  # too short for the next roll
    for table in game.tables:
        assert ((table.match.on_turn[0], table.match.state.tears) != before) is allowed
    check_equal(game.tables)


def test_a_late_picture_is_reported_once_and_again_only_after_a_while_without_delay(
    game: CommandGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "RECOVERED_S", 12.0)
    monkeypatch.setattr(
        game, "_frame_of_turn", lambda at, match: Intake(0.0, 2, None)
    )  # the turn doesn't end
    counts = []
    good, bad = Conditions(delay_s=0.03), Conditions(delay_s=0.2, jitter_s=0.6, lost_share=0.3)
    for seconds, game.network.conditions in ((8, good), (16, bad), (2, good), (8, bad), (24, good), (8, bad)):
        table, notices, shown = game.tables[1], list[str](), list[str]()
        for _ in range(30 * seconds):
            game.pass_time()
            notices += table.shared.drain_notices()
            shown.append(table.shared.delay_note)
        late = text("remote.late", player="Ann")
        starts = sum(a != late and b == late for a, b in itertools.pairwise(shown))
        counts.append((notices.count(late), starts))
    assert [reported for reported, _ in counts] == [0, 1, 0, 0, 0, 1]
    assert [shown for _, shown in counts] == [0, 1, 0, 1, 0, 1]
