"""Several tables play one game: equal frames, verdicts and rest poses at all of them, on any connection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import pybullet
import pytest
from support.remote_kit import Conditions, LoggedGame, Network

from armoon.engine.setup import Intake
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.remote.protocol import Hello, Refusal, RefusalReason, TablePlayer, program_version
from armoon.world.physics import describe_build


@pytest.fixture(name="game")
def shared_game(request: pytest.FixtureRequest) -> Iterator[LoggedGame]:
    with closing(LoggedGame(Network(getattr(request, "param", Conditions())))) as logged_game:
        yield logged_game


@pytest.mark.parametrize(
    "game",
    [Conditions(), Conditions(delay_s=0.2, jitter_s=0.2, lost_share=0.2, duplicated_share=0.1)],
    indirect=True,
    ids=["good connection", "late, lossy, doubled and out of order"],
)
def test_all_tables_have_the_same_lines(game: LoggedGame) -> None:
    game.play_until_turn(3)
    game.check_equal(2)


def test_a_guest_killed_in_its_turn_continues_it(game: LoggedGame) -> None:
    """It has only its key and the game's start; the host's copy supplies the rest."""
    game.play_until_turn(2)
    game.pass_time(60)
    tick = game.tables[0].match.tick
    guest = game.restart(1)
    game.pass_time(60)
    assert guest.shared.is_playing
    assert game.tables[0].match.tick >= tick + 60
    game.check_equal(1)


@pytest.mark.parametrize("killed", [True, False], ids=["killed", "its connection was cut"])
def test_guests_wait_for_a_lost_host_and_continue_when_it_is_back(game: LoggedGame, killed: bool) -> None:
    game.pass_time(30)  # the ladder isn't in the hand yet, so the turn can begin once more
    game.network.cut = {0}
    game.pass_time(150)
    guest = game.tables[1]
    assert guest.shared.note == text("remote.host_gone")
    assert not guest.shared.has_turn
    tick = guest.match.tick
    game.pass_time(60)
    assert guest.match.tick == tick
    game.network.cut = set()
    if killed:  # a new program gets the game from its guests
        game.restart(0)
    game.play_until_turn(2)
    assert guest.match.tick > tick
    assert guest.shared.note != text("remote.host_gone")
    game.check_equal(1)


@pytest.mark.parametrize("liar", [0, 1], ids=["the host", "a guest"])
def test_a_false_verdict_stops_the_game_at_both_tables(
    game: LoggedGame, liar: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The saved games have everything before it."""
    game.play_until_turn(1 + liar)
    shared = game.tables[liar].shared
    judge = shared._verdict_lines
    monkeypatch.setattr(
        shared, "_verdict_lines", lambda output: tuple({**line, "tears": 9} for line in judge(output))
    )
    game.pass_until(lambda: game.tables[1].shared.stopped)
    honest = game.tables[1 - liar]
    assert honest.shared.stopped is RefusalReason.VERDICT
    with pytest.raises(ArmoonError, match=re.escape(text("remote.refused.verdict"))):
        game.tables[1].shared.play(Intake(0.0, 0, None), game.tables[1].advance)
    tick = honest.match.tick
    game.pass_time(10)
    assert honest.match.tick == tick


@pytest.mark.parametrize(("version", "is_admitted"), [(program_version(), True), ("an old one", False)])
def test_a_returning_table_of_another_version_is_notified(
    game: LoggedGame, version: str, is_admitted: bool
) -> None:
    game.pass_time(30)
    guest = game.seals[1]
    stranger = game.network.add_endpoint(guest)
    stranger.send(guest.seal_message(Hello(version, (TablePlayer("Ben"),))))
    game.pass_time(2)
    refusals = [message for _, _, message, _ in stranger.receive() if isinstance(message, Refusal)]
    assert refusals == ([] if is_admitted else [Refusal(guest.table, RefusalReason.VERSION)])


@pytest.fixture
def apart(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoggedGame]:
    """Return a game whose guest has weaker gravity, so that falls differ from the host's."""
    logged_game = LoggedGame(Network(Conditions(delay_s=0.05)), log="moon-mirror", guest_build=request.param)
    world = logged_game.tables[1].match._world._world
    reset = world._engine.reset

    def weaker() -> None:
        reset()
        pybullet.setGravity(0.0, 0.0, -9.0, physicsClientId=world._engine._client)

    monkeypatch.setattr(world._engine, "reset", weaker)
    world.rebuild(())
    yield logged_game
    logged_game.close()


@pytest.mark.parametrize("apart", ["another build"], indirect=True)
def test_tables_with_different_physics_play_one_game(apart: LoggedGame) -> None:
    apart.play_until_turn(4)
    apart.pass_time(60)
    apart.check_equal(3)
    notices = [table.shared.drain_notices() for table in apart.tables]
    assert notices == [(), ()], "a ladder shown at one table stands at the other"


@pytest.mark.parametrize("apart", [describe_build()], indirect=True)
def test_a_guest_of_the_hosts_build_is_recomputed_and_accepted_only_bit_for_bit(apart: LoggedGame) -> None:
    apart.pass_until(lambda: apart.tables[1].shared.stopped)
    assert [table.shared.stopped for table in apart.tables] == [RefusalReason.VERDICT] * 2
