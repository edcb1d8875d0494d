"""Plays the lake in the tests of every game."""

from __future__ import annotations

from games.drivers.driver import Driver
from support.table_kit import AnyTable, IdealTable

from armoon.games.lake.layout import LakeScene, find_floor_middle, locate_stack_top
from armoon.games.lake.match import LakeEvent
from armoon.games.lake.rules import Carry, LakePhase, LakeState, find_landing, legal_moves
from armoon.values.poses import Vec3


class LakeDriver(Driver):
    """Highlights a legal move with arrow keys and plays it with Enter; a hand carries one floor to a legal landing."""

    name = "lake"
    players = "Ann,Ben"
    wrong_players = ("Ann", "A,B,C,D,E")
    short: tuple[str, ...] = ()
    demo = ("--rate", "15")
    bots: str = "weak,weak"
    lacks_keys = ("space", "g", "t", "h")
    lacks_options = (
        ("--together",),
        ("--young",),
        ("--no-hints",),
        ("--tears", "3"),
        ("--turn-limit", "30"),
        ("--edition", "kosmos-2022"),
        ("--slots", "cross"),
        ("--one-hand", "off"),
    )
    events = LakeEvent

    def prepare_turn(self, table: AnyTable) -> None:
        while self._state(table).phase is not LakePhase.CARRY:
            table.press("right", "enter")
        table.until(lambda: table.game.match.at_rest, "domes at rest")

    def grab_point(self, table: IdealTable) -> Vec3:
        move = self._carry(table)
        return table.home_point(
            find_floor_middle(
                locate_stack_top(move.star, len(self._state(table).stars[move.star]) - move.floors)
            )
        )

    def held_point(self, table: IdealTable) -> Vec3:
        board = table.scene.board
        assert isinstance(board, LakeScene)
        return find_floor_middle(
            min((dome.foot for dome in board.moving if dome.look == "held"), key=lambda f: f[2])
        )

    def carry_points(self, table: IdealTable) -> tuple[Vec3, ...]:
        move, stars = self._carry(table), self._state(table).stars
        target = find_landing(stars, move.star, move.direction)
        assert target is not None  # the carry is legal
        return (table.home_point(find_floor_middle(locate_stack_top(target, len(stars[target])))),)

    def play_turn(self, table: AnyTable) -> None:
        self._play(table, 1)
        table.until(lambda: table.game.match.at_rest, "domes at rest")

    def finish_game(self, table: AnyTable) -> None:
        move = 0
        while not table.game.match.over:
            move += 1
            self._play(table, 1 + move * 7 % 5)

    @staticmethod
    def _play(table: AnyTable, number: int) -> None:
        table.press(*["right"] * number, "enter")

    @staticmethod
    def _state(table: AnyTable) -> LakeState:
        state: LakeState = table.game.match.state
        return state

    def _carry(self, table: IdealTable) -> Carry:
        return next(m for m in legal_moves(self._state(table)) if isinstance(m, Carry) and m.floors == 1)


DRIVER = LakeDriver()
