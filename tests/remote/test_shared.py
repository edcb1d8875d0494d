"""Several tables play one game: equal frames, verdicts and rest poses at all of them, on any connection."""

from __future__ import annotations

from collections.abc import Iterator

import pybullet
import pytest
from support.remote_kit import VERSION, Air, Company, Hands, Weather, header_of

from armoon.engine.events import Output
from armoon.engine.setup import Record
from armoon.messages import text
from armoon.remote.kinds import Asked, Hello, Refuse, Why
from armoon.remote.seal import Seal, new_key
from armoon.values.acts import Act
from armoon.world.physics import describe_build


@pytest.fixture
def company(request: pytest.FixtureRequest) -> Iterator[Company]:
    made = Company(Air(getattr(request, "param", Weather())))
    yield made
    made.close()


def check_equal(company: Company, verdicts: int) -> None:
    """All tables have the same lines, bit for bit, as far as each has got; no message was refused."""
    shortest = min(len(table.lines) for table in company.tables)
    first, *others = company.tables
    for other in others:
        assert first.lines[:shortest] == other.lines[:shortest]
        assert first.rests[:verdicts] == other.rests[:verdicts]
    for table in company.tables:
        assert len(table.verdicts) >= verdicts
        assert table.shared.refused == set()


@pytest.mark.parametrize(
    "company",
    [Weather(), Weather(delay_s=0.2, jitter_s=0.2, lost=0.2, doubled=0.1)],
    indirect=True,
    ids=["good connection", "late, lossy, doubled and out of order"],
)
def test_all_tables_have_the_same_lines(company: Company) -> None:
    company.until_turn(3)
    check_equal(company, 2)


def test_a_guest_killed_in_its_turn_continues_it(company: Company) -> None:
    """It knows only its key and the game's start; the host's copy supplies the rest."""
    company.until_turn(2)
    company.pass_time(60)
    tick = company.tables[0].match.tick
    guest = company.again(1)
    company.pass_time(60)
    assert guest.shared.plays
    assert company.tables[0].match.tick >= tick + 60
    check_equal(company, 1)


@pytest.mark.parametrize("killed", [True, False], ids=["killed", "its connection was cut"])
def test_guests_wait_for_a_lost_host_and_continue_when_it_is_back(company: Company, killed: bool) -> None:
    company.pass_time(30)  # the ladder isn't in the hand yet, so the turn can begin once more
    company.air.cut = {0}
    company.pass_time(150)
    guest = company.tables[1]
    assert guest.shared.note == text("remote.host_gone")
    assert not guest.shared.mine
    tick = guest.match.tick
    company.pass_time(60)
    assert guest.match.tick == tick
    company.air.cut = set()
    if killed:  # a new program gets the game from its guests
        company.again(0)
    company.until_turn(2)
    assert guest.match.tick > tick
    assert guest.shared.note != text("remote.host_gone")
    check_equal(company, 1)


def test_repeated_messages_and_those_of_another_game_change_nothing(company: Company) -> None:
    stranger = company.air.end()
    company.pass_time(100)
    for packet in company.air.sent[:200]:
        stranger.send(packet)
    stranger.send(Seal(new_key()).seal_message(Asked(Act.PAUSE)))
    stranger.send(b"nonsense")
    stranger.send(Seal(company.key).seal_message(Asked(Act.PAUSE)))
    company.until_turn(2)
    for table in company.tables:
        assert len(table.verdicts) >= 1
        assert table.shared.refused == {Why.NONSENSE}
        assert not table.shared.differs
    assert company.tables[0].rests[0] == company.tables[1].rests[0]


def test_anybody_may_pause_but_not_move(company: Company) -> None:
    company.pass_time(30)
    stranger, guest = company.air.end(), company.seals[1]
    stranger.send(guest.seal_message(Asked(Act.GIVE_UP)))
    company.pass_time(5)
    assert not company.tables[0].match.paused
    stranger.send(guest.seal_message(Asked(Act.PAUSE)))
    company.pass_time(30)
    assert all(table.match.paused for table in company.tables)
    stranger.send(guest.seal_message(Asked(Act.RESUME)))
    company.pass_time(30)
    assert not any(table.match.paused for table in company.tables)
    check_equal(company, 0)


def test_a_false_verdict_ends_the_game_with_one_sentence(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = company.tables
    judged = host.shared._judged_in

    def falsify(output: Output) -> tuple[Record, ...]:
        return tuple({**line, "ok": True, "tears": 9} for line in judged(output))

    monkeypatch.setattr(host.shared, "_judged_in", falsify)
    for _ in range(900):
        company.pass_time()
        if guest.shared.differs:
            break
    assert guest.shared.refused == {Why.VERDICT}
    tick = guest.match.tick
    company.pass_time(10)
    assert guest.match.tick == tick


@pytest.fixture
def duel() -> Iterator[Hands]:
    made = Hands(Air(Weather(delay_s=0.05)), header=header_of("moon", ("Ann", "Ben")))
    yield made
    made.close()


def test_a_guests_false_verdict_is_reported_and_its_turn_undone(
    duel: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = duel.tables
    duel.until_turn(2)
    judged = guest.shared._judged_in
    monkeypatch.setattr(
        guest.shared, "_judged_in", lambda out: tuple({**line, "tears": 9} for line in judged(out))
    )
    for _ in range(300):
        duel.pass_time()
        if guest.shared.differs:
            break
    notices = host.shared.drain_notices()
    assert text("remote.put_back", players="Ben") in notices
    assert guest.shared.refused == {Why.VERDICT}
    assert not host.shared.differs
    duel.again(1)
    duel.pass_time(20)
    assert host.match.on_turn == (2, 1), "it is undone"
    duel.until_turn(4)
    shortest = min(len(table.lines) for table in duel.tables)
    assert duel.tables[1].lines[:shortest] == host.lines[:shortest]


@pytest.mark.parametrize(("version", "let_in"), [(VERSION, True), ("an old one", False)])
def test_a_returning_table_of_another_version_is_notified(
    company: Company, version: str, let_in: bool
) -> None:
    company.pass_time(30)
    stranger, guest = company.air.end(), company.seals[1]
    stranger.send(guest.seal_message(Hello(version, (("Ben", None),))))
    company.pass_time(2)
    messages = [guest.unseal(packet).message for packet in stranger.drain_packets()]
    refusals = [one for one in messages if isinstance(one, Refuse)]
    assert refusals == ([] if let_in else [Refuse(guest.table, Why.VERSION)])


@pytest.fixture
def apart(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Company]:
    """A guest with weaker gravity, so that falls differ from the host's; and its build as the host knows it."""
    made = Company(Air(Weather(delay_s=0.05)), log="moon-mirror", guest_build=request.param)
    world = made.tables[1].match._world._world
    client = world._engine._client
    reset = world._engine.reset

    def weaker() -> None:
        reset()
        pybullet.setGravity(0.0, 0.0, -9.0, physicsClientId=client)

    monkeypatch.setattr(world._engine, "reset", weaker)
    world.rebuild(())
    yield made
    made.close()


@pytest.mark.parametrize("apart", ["another build"], indirect=True)
def test_tables_with_different_physics_play_one_game(apart: Company) -> None:
    apart.until_turn(4)
    apart.pass_time(60)
    check_equal(apart, 3)
    notices = [table.shared.drain_notices() for table in apart.tables]
    assert notices == [(), ()], "a ladder shown at one table stands at the other"


@pytest.mark.parametrize("apart", [describe_build()], indirect=True)
def test_a_guest_of_the_hosts_build_is_recomputed_and_accepted_only_bit_for_bit(apart: Company) -> None:
    host, guest = apart.tables
    for _ in range(4000):
        apart.pass_time()
        if guest.shared.differs:
            break
    assert guest.shared.refused == {Why.VERDICT}
    assert not host.shared.differs
