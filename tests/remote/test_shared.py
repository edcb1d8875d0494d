"""Several tables play one game: equal frames, verdicts and rest poses at all of them, on any connection."""

from __future__ import annotations

from collections.abc import Iterator

import pybullet
import pytest
from support.remote_kit import VERSION, CommandGame, Conditions, LoggedGame, Network, build_header

from armoon.engine.events import Output
from armoon.engine.setup import Record
from armoon.messages import text
from armoon.remote.kinds import Hello, Refusal, RefusalReason, TableCommand
from armoon.remote.seal import Seal, new_key
from armoon.values.acts import Act
from armoon.world.physics import describe_build


@pytest.fixture(name="game")
def shared_game(request: pytest.FixtureRequest) -> Iterator[LoggedGame]:
    logged_game = LoggedGame(Network(getattr(request, "param", Conditions())))
    yield logged_game
    logged_game.close()


def check_equal(game: LoggedGame, verdicts: int) -> None:
    """Assert that all tables have the same lines, up to the shortest, and that no message was refused."""
    shortest = min(len(table.lines) for table in game.tables)
    first, *others = game.tables
    for other in others:
        assert first.lines[:shortest] == other.lines[:shortest]
        assert first.rest_records[:verdicts] == other.rest_records[:verdicts]
    for table in game.tables:
        assert len(table.verdicts) >= verdicts
        assert table.shared.refused == set()


@pytest.mark.parametrize(
    "game",
    [Conditions(), Conditions(delay_s=0.2, jitter_s=0.2, lost_share=0.2, duplicated_share=0.1)],
    indirect=True,
    ids=["good connection", "late, lossy, doubled and out of order"],
)
def test_all_tables_have_the_same_lines(game: LoggedGame) -> None:
    game.play_until_turn(3)
    check_equal(game, 2)


def test_a_guest_killed_in_its_turn_continues_it(game: LoggedGame) -> None:
    """It has only its key and the game's start; the host's copy supplies the rest."""
    game.play_until_turn(2)
    game.pass_time(60)
    tick = game.tables[0].match.tick
    guest = game.restart(1)
    game.pass_time(60)
    assert guest.shared.is_playing
    assert game.tables[0].match.tick >= tick + 60
    check_equal(game, 1)


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
    check_equal(game, 1)


def test_repeated_messages_and_those_of_another_game_change_nothing(game: LoggedGame) -> None:
    stranger = game.network.add_endpoint()
    game.pass_time(100)
    for packet in game.network.sent[:200]:
        stranger.send(packet)
    stranger.send(Seal(new_key()).seal_message(TableCommand(Act.PAUSE)))
    stranger.send(b"nonsense")
    stranger.send(Seal(game.key).seal_message(TableCommand(Act.PAUSE)))
    game.play_until_turn(2)
    for table in game.tables:
        assert len(table.verdicts) >= 1
        assert table.shared.refused == {RefusalReason.NONSENSE}
        assert not table.shared.stopped
    assert game.tables[0].rest_records[0] == game.tables[1].rest_records[0]


def test_anybody_may_pause_but_not_move(game: LoggedGame) -> None:
    game.pass_time(30)
    stranger, guest = game.network.add_endpoint(), game.seals[1]
    stranger.send(guest.seal_message(TableCommand(Act.GIVE_UP)))
    game.pass_time(5)
    assert not game.tables[0].match.paused
    stranger.send(guest.seal_message(TableCommand(Act.PAUSE)))
    game.pass_time(30)
    assert all(table.match.paused for table in game.tables)
    stranger.send(guest.seal_message(TableCommand(Act.RESUME)))
    game.pass_time(30)
    assert not any(table.match.paused for table in game.tables)
    check_equal(game, 0)


def test_a_false_verdict_ends_the_game_with_one_sentence(
    game: LoggedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = game.tables
    judged = host.shared._verdict_lines

    def falsify(output: Output) -> tuple[Record, ...]:
        return tuple({**line, "ok": True, "tears": 9} for line in judged(output))

    monkeypatch.setattr(host.shared, "_verdict_lines", falsify)
    for _ in range(900):
        game.pass_time()
        if guest.shared.stopped:
            break
    assert guest.shared.refused == {RefusalReason.VERDICT}
    tick = guest.match.tick
    game.pass_time(10)
    assert guest.match.tick == tick


@pytest.fixture
def two_player_game() -> Iterator[CommandGame]:
    command_game = CommandGame(Network(Conditions(delay_s=0.05)), header=build_header("moon", ("Ann", "Ben")))
    yield command_game
    command_game.close()


def test_a_guests_false_verdict_is_reported_and_its_turn_undone(
    two_player_game: CommandGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = two_player_game.tables
    two_player_game.play_until_turn(2)
    judged = guest.shared._verdict_lines
    monkeypatch.setattr(
        guest.shared, "_verdict_lines", lambda output: tuple({**line, "tears": 9} for line in judged(output))
    )
    for _ in range(300):
        two_player_game.pass_time()
        if guest.shared.stopped:
            break
    notices = host.shared.drain_notices()
    assert text("remote.put_back", players="Ben") in notices
    assert guest.shared.refused == {RefusalReason.VERDICT}
    assert not host.shared.stopped
    two_player_game.restart(1)
    two_player_game.pass_time(20)
    assert host.match.on_turn == (2, 1), "it is undone"
    two_player_game.play_until_turn(4)
    shortest = min(len(table.lines) for table in two_player_game.tables)
    assert two_player_game.tables[1].lines[:shortest] == host.lines[:shortest]


@pytest.mark.parametrize(("version", "is_admitted"), [(VERSION, True), ("an old one", False)])
def test_a_returning_table_of_another_version_is_notified(
    game: LoggedGame, version: str, is_admitted: bool
) -> None:
    game.pass_time(30)
    stranger, guest = game.network.add_endpoint(), game.seals[1]
    stranger.send(guest.seal_message(Hello(version, (("Ben", None),))))
    game.pass_time(2)
    messages = [guest.unseal(packet)[2] for packet in stranger.drain_packets()]
    refusals = [message for message in messages if isinstance(message, Refusal)]
    assert refusals == ([] if is_admitted else [Refusal(guest.table, RefusalReason.VERSION)])


@pytest.fixture
def apart(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoggedGame]:
    """Return a game whose guest has weaker gravity, so that falls differ from the host's."""
    logged_game = LoggedGame(Network(Conditions(delay_s=0.05)), log="moon-mirror", guest_build=request.param)
    world = logged_game.tables[1].match._world._world
    client = world._engine._client
    reset = world._engine.reset

    def weaker() -> None:
        reset()
        pybullet.setGravity(0.0, 0.0, -9.0, physicsClientId=client)

    monkeypatch.setattr(world._engine, "reset", weaker)
    world.rebuild(())
    yield logged_game
    logged_game.close()


@pytest.mark.parametrize("apart", ["another build"], indirect=True)
def test_tables_with_different_physics_play_one_game(apart: LoggedGame) -> None:
    apart.play_until_turn(4)
    apart.pass_time(60)
    check_equal(apart, 3)
    notices = [table.shared.drain_notices() for table in apart.tables]
    assert notices == [(), ()], "a ladder shown at one table stands at the other"


@pytest.mark.parametrize("apart", [describe_build()], indirect=True)
def test_a_guest_of_the_hosts_build_is_recomputed_and_accepted_only_bit_for_bit(
    apart: LoggedGame,
) -> None:
    host, guest = apart.tables
    for _ in range(4000):
        apart.pass_time()
        if guest.shared.stopped:
            break
    assert guest.shared.refused == {RefusalReason.VERDICT}
    assert not host.shared.stopped
