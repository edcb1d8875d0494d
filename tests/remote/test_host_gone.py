"""The host is gone for good: another table takes over its seats and the order, and nobody can do so without need."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.remote_kit import Air, Company, FarTable, Hands, header_of
from support.waiting import until

from armoon.engine.setup import Intake
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.remote.company import TAKEN_S
from armoon.remote.journal import Journal, Past
from armoon.remote.kinds import Here, Seats, Takes, Why
from armoon.remote.lan import LanGuest, LanHost
from armoon.remote.seal import Seal, new_key
from armoon.remote.wire import Wire
from armoon.values.acts import Act
from armoon.values.pieces import Command

#: Frames of the loop, 30 a second, until a silent host may be taken over from.
LONG = int(30 * TAKEN_S) + 120


@pytest.fixture
def three() -> Iterator[Company]:
    made = Hands(Air(), count=3, seats=3, header=header_of("moon", ("Ann", "Ben", "Cleo")))
    yield made
    made.close()


def without_the_host(company: Company, past: Past | None = None) -> None:
    """The host's table is cut off in its own turn; the second is started again to take over."""
    company.pass_time(40)
    company.air.cut = {0}
    company.pass_time(30)
    company.again(1, past, takes=True)


def are_one(company: Company, *numbers: int) -> None:
    first, *others = (company.tables[number] for number in numbers)
    shortest = min(len(table.lines) for table in (first, *others))
    for other in others:
        assert other.lines[:shortest] == first.lines[:shortest]
        assert not other.shared.differs


def test_another_table_takes_over_and_the_game_goes_on_to_the_next_verdicts(three: Company) -> None:
    without_the_host(three)
    three.pass_time(LONG)
    _, taker, third = three.tables
    assert taker.shared.seating.host == third.shared.seating.host == three.seals[1].table
    assert taker.shared.seating.seats(three.seals[1].table, taker.shared.played) == (0, 1)
    told = text("remote.taken_over", players=third.match.players[0])
    assert told in third.shared.take_told()
    for _ in range(1500):
        if taker.match.on_turn[0] > 2:
            break
        three.pass_time()
    three.pass_time(30)
    assert len(third.verdicts) >= 2
    are_one(three, 1, 2)
    taker.end.send(three.seals[1].close(Takes(0, three.host)))
    three.pass_time(5)
    are_one(three, 1, 2)


def test_the_host_that_comes_back_looks_on_and_a_third_that_comes_late_goes_on(three: Company) -> None:
    three.pass_time(40)
    three.air.cut = {0, 2}
    three.pass_time(30)
    three.again(1, takes=True)
    three.pass_time(LONG + 200)
    assert three.tables[1].shared.seating.host == three.seals[1].table
    three.air.cut = {0}
    three.again(2)
    three.pass_time(120)
    assert three.tables[2].shared.seating.host == three.seals[1].table
    three.air.cut = set()
    host = three.again(0)
    three.pass_time(200)
    assert host.shared.note == text("remote.looks_on")
    assert not host.shared.mine
    assert host.match.tick > 200
    are_one(three, 0, 1, 2)


def test_what_the_host_alone_has_played_is_taken_away_there_with_one_sentence(
    three: Company, tmp_path: Path
) -> None:
    host = three.again(0, Past(journal := Journal(tmp_path / "host")))
    journal.keep(b"version")
    journal.keep(three._begins)
    three.pass_time(40)
    three.air.cut = {0}
    three.pass_time(40)
    three.again(1, takes=True)
    three.pass_time(LONG)
    ahead = len(Journal(tmp_path / "host").packets)
    three.air.cut = set()
    three.pass_time(60)
    assert host.shared.refused == [Why.TAKEN]
    with pytest.raises(ArmoonError, match="this was taken away here"):
        host.shared.check()
    packets = Journal(tmp_path / "host").packets
    assert packets[:2] == (b"version", three._begins)
    assert len(packets) < ahead
    again = three.again(0, Past(Journal(tmp_path / "host"), packets[2:]))
    three.pass_time(300)
    assert not again.shared.differs
    assert again.shared.note == text("remote.looks_on")
    are_one(three, 0, 1, 2)


def test_nobody_takes_over_from_a_host_that_is_there(three: Company) -> None:
    three.pass_time(120)
    taker = three.again(1, takes=True)
    for _ in range(LONG):
        three.pass_time()
        if taker.shared.differs:
            break
    assert taker.shared.refused == [Why.THERE]
    taker.end.send(three.seals[1].close(Takes(taker.shared.played, three.host)))
    three.pass_time(10)
    for number in (0, 2):
        assert three.tables[number].shared.seating.host == three.host
        assert not three.tables[number].shared.differs


def test_nobody_takes_over_while_the_game_begins(three: Company) -> None:
    taken = three.seals[1].close(Takes(0, three.host))
    for number in (0, 2):
        three.tables[number].end.put(0.0, taken)
    three.pass_time(60)
    assert [three.tables[number].shared.seating.host for number in (0, 2)] == [three.host] * 2
    are_one(three, 0, 1, 2)


def test_a_table_takes_over_while_it_runs_when_its_player_asks_for_it(three: Company) -> None:
    three.pass_time(40)
    _, taker, third = three.tables
    assert not taker.shared.may_take_over
    taker.shared.take_over()
    three.air.cut = {0}
    three.pass_time(LONG)
    assert taker.shared.seating.host == three.host, "nobody has asked for it"
    assert taker.shared.may_take_over
    taker.shared.take_over()
    three.pass_time(2)
    assert (taker.hosts, taker.shared.may_take_over) == (1, False)
    assert text("remote.took_over") in taker.shared.take_told()
    assert taker.shared.seating.host == third.shared.seating.host == three.seals[1].table
    tick = third.match.tick
    three.pass_time(120)
    assert third.match.tick > tick + 60
    are_one(three, 1, 2)


def test_a_host_that_comes_back_in_time_is_left_in_its_place(three: Company) -> None:
    three.pass_time(40)
    three.air.cut = {0}
    three.pass_time(150)
    taker = three.tables[1]
    assert taker.shared.may_take_over
    taker.shared.take_over()
    assert taker.shared.note == text("remote.takes_soon")
    three.air.cut = set()
    three.pass_time(LONG)
    assert taker.hosts == 0
    assert taker.shared.seating.host == three.host
    are_one(three, 0, 1, 2)


def test_who_has_taken_over_has_the_hosts_rights(three: Company) -> None:
    without_the_host(three)
    three.pass_time(LONG)
    taker, third = three.tables[1], three.tables[2]
    for _ in range(1500):
        three.pass_time()
        if third.shared.plays and third.match.on_turn[0] > 2:
            break
    turn = third.match.on_turn[0]
    assert not taker.shared.mine
    three.asks = {1: (Command(Act.UNDO, "screen"),)}
    three.pass_time(10)
    assert taker.match.on_turn[0] < turn
    are_one(three, 1, 2)


def test_a_table_that_took_over_and_was_killed_goes_on_as_the_host(three: Company, tmp_path: Path) -> None:
    past = Past(Journal(tmp_path / "taker"))
    without_the_host(three, past)
    three.pass_time(LONG + 100)
    packets = Journal(tmp_path / "taker").packets
    taker = three.again(1, Past(Journal(tmp_path / "taker"), packets), takes=True)
    tick = three.tables[2].match.tick
    three.pass_time(120)
    assert taker.shared.seating.host == three.seals[1].table
    assert taker.shared.refused == []
    assert three.tables[2].match.tick > tick + 60
    are_one(three, 1, 2)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


@pytest.mark.parametrize("asked", [(1, 2), (2, 1)], ids=["first seat first", "last seat first"])
def test_two_guests_in_one_network_that_both_take_over_come_to_one_game(asked: tuple[int, int]) -> None:
    """There is no way from one guest to the other but over the host that is gone."""
    air, header = Air(), header_of("moon", ("Ann", "Ben", "Cleo"))
    seals = [Seal(key) for key in [new_key()] for _ in range(3)]
    seats = Seats(header, tuple(seal.table for seal in seals))
    host_end = LanHost("127.0.0.1", 0)
    ends: list[Wire] = [host_end, *(LanGuest(f"ws://127.0.0.1:{host_end.port}") for _ in range(2))]
    begins = seals[0].close(seats)
    tables = [
        FarTable(
            *(air, seats, seal, seals[0].table),
            begins=begins,
            fresh=True,
            end=end,
            at=f"ws://127.0.0.1:{free_port()}" if number else "",
        )
        for number, (seal, end) in enumerate(zip(seals, ends, strict=True))
    ]
    there = list(tables)

    def pass_s(seconds: float, enough: Callable[[], bool] = lambda: False) -> None:
        """The game's clock goes five times as fast as the network's."""
        for _ in range(round(30 * seconds)):
            air.now_s += 1 / 30
            for number, table in enumerate(tables):
                if table in there:
                    table.play(Intake(1000.0 * number + air.now_s, 2, None))
            time.sleep(1 / 150)
            if enough():
                return

    try:
        until(lambda: all(end.up for end in ends), "all are in")
        pass_s(4.0)
        there.remove(tables[0])
        host_end.close()
        pass_s(4.0)
        for number in asked:
            tables[number].shared.take_over()
            pass_s(0.2)
        first, second = tables[1:]
        pass_s(60.0, lambda: second.shared.seating.host == first.shared.seating.host == seals[1].table)
        assert [first.hosts, second.hosts] == [1, 0]
        assert second.shared.seating.host == first.shared.seating.host == seals[1].table
        assert text("remote.taken_over", players=first.match.players[0]) in second.shared.take_told()
        tick = second.match.tick
        pass_s(20.0, lambda: second.match.tick > tick + 60)
        assert second.match.tick > tick + 60
        shortest = min(len(first.lines), len(second.lines))
        assert first.lines[:shortest] == second.lines[:shortest]
    finally:
        for table in tables:
            table.game.close()
            table.end.close()


@pytest.mark.parametrize(
    "at",
    [
        "ws://8.8.8.8:80",
        "ws://224.0.0.1:80",
        "ws://192.168.1.5:0",
        "ws://192.168.1.5:99999",
        "ws://192.168.1.555:80",
        "ws://192.168.1:80",
        "ws://192.168.1.5:80/x",
        "wss://192.168.1.5:80",
        "ws://tables.example:80",
    ],
)
def test_no_guest_has_others_dial_out_of_their_network(at: str) -> None:
    assert Here(0, at="ws://192.168.1.5:8741").at
    with pytest.raises(ValueError, match="at:"):
        Here(0, at=at)
