"""Both games in every mode, at two tables: the same lines, positions and rest poses at both, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from support.remote_kit import CommandGame, Conditions, Network, SimulatedTable, build_header

from armoon.games.lake.options import LakeOptions
from armoon.games.lake.rules import Strength
from armoon.games.moon.editions import EditionName, Mode, Options
from armoon.games.moon.options import MoonOptions
from armoon.games.options import GameOptions
from armoon.values.acts import Act
from armoon.values.pieces import Command

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")
TOGETHER = Options(mode=Mode.COOPERATIVE)
#: Game, options, and numbers of players and of frames.
MODES: dict[str, tuple[str, GameOptions, int, int]] = {
    "competitive": ("moon", MoonOptions(), 2, 300),
    "bots": ("moon", MoonOptions(bots=("pip", "pip")), 2, 600),
    # The third player pays with the last tear and is out; the two others are level.
    "final": ("moon", MoonOptions(house=Options(tears=3)), 3, 600),
    "six": ("moon", MoonOptions(), 6, 300),
    "co-operative": ("moon", MoonOptions(edition=EditionName.KOSMOS_2022, house=TOGETHER), 2, 300),
    "lake": ("lake", LakeOptions(bots=(Strength.WEAK, Strength.WEAK)), 2, 300),
}


@pytest.fixture(name="game")
def shared_game() -> Iterator[CommandGame]:
    with closing(CommandGame(Network(), header=build_header("moon", NAMES[:2]))) as game:
        yield game


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_has_the_same_outcome_at_all_tables(mode: str) -> None:
    kind, options, players, frames = MODES[mode]
    network = Network(Conditions(delay_s=0.05, jitter_s=0.05, lost_share=0.05))
    header = build_header(kind, NAMES[:players], options)
    with closing(CommandGame(network, min(3, players), header=header)) as game:
        if mode == "bots":
            check_same_sight(game, frames)
        else:
            game.pass_time(frames)
        kinds = {line["kind"] for line in game.tables[0].lines[: game.check_equal()]}
        assert ("move" if kind == "lake" else "verdict") in kinds
        assert game.tables[0].match.on_turn[0] > 2
        assert mode != "final" or game.tables[0].match.state.is_final


def check_same_sight(game: CommandGame, frames: int) -> None:
    """Check that ladders, hands and the current player look the same at the other table."""
    drawn: list[dict[int, Any]] = [{}, {}]
    for _ in range(frames):
        game.pass_time()
        for scenes, table in zip(drawn, game.tables, strict=True):
            scene, match = table.game.build_turned_scene(1.0, ""), table.match
            # A fallen ladder keeps falling only in the picture.
            on_table = {piece.piece for piece in match.facts.pieces}
            pieces = [piece for piece in scene.pieces if piece.piece in on_table]
            scenes[match.tick] = pieces, scene.hands, scene.hud.title, scene.hud.players, scene.hud.die
    ticks = drawn[0].keys() & drawn[1].keys()
    assert len(ticks) > 100, "only some pictures show the same tick at both tables"
    assert [drawn[0][tick] for tick in ticks] == [drawn[1][tick] for tick in ticks]


@pytest.mark.parametrize("act", [Act.UNDO, Act.GIVE_TEAR_BACK, Act.PAUSE], ids=str)
@pytest.mark.parametrize(
    ("asker", "on_turn"),
    [(0, 1), (1, 0), (0, 0), (1, 1)],
    ids=["the host in a guest's turn", "a guest in the host's", "the host in its own", "a guest in its own"],
)
def test_all_may_pause_and_only_the_host_and_the_player_on_turn_correct_a_turn(
    game: CommandGame, act: Act, asker: int, on_turn: int
) -> None:
    game.pass_until(lambda: all(table.match.on_turn in ((2, on_turn), (3, on_turn)) for table in game.tables))

    def observed(table: SimulatedTable) -> tuple[object, ...]:
        return table.match.on_turn[0], table.match.state.tears, table.match.paused

    before = observed(game.tables[0])
    game.commands_for[asker] = (Command(act, "screen"),)
    game.pass_time(12)  # too short for the next roll
    is_allowed = asker in (0, on_turn) or act is Act.PAUSE
    assert [observed(table) != before for table in game.tables] == [is_allowed] * 2
    game.check_equal()
