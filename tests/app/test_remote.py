"""Meeting for a game at several tables, and two whole programs that play one."""

from __future__ import annotations

import io
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from support.broker_kit import mosquitto, needs_mosquitto
from support.programs_kit import LINK, Programs, invitation, lines_of, link_of
from support.samples import SAMPLES
from support.waiting import until

from armoon.app import setup
from armoon.app.remote import meeting
from armoon.app.remote.meeting import Meeting, meet
from armoon.camera.profiles import SEATS
from armoon.cli.play import play_options
from armoon.errors import ArmoonError
from armoon.games import game_options
from armoon.messages import text
from armoon.remote.kinds import Seats
from armoon.remote.seal import Link
from armoon.settings.files import load_settings
from armoon.values.choices import SeatName
from armoon.values.text import Address


class Host:
    def __init__(self, stack: ExitStack, **changes: Any) -> None:
        self.said = io.StringIO()
        self._stack = stack
        self.meeting: Meeting | None = None
        self._thread = threading.Thread(target=self._meet, args=(changes,), daemon=True)
        self._thread.start()
        until(lambda: LINK.search(self.said.getvalue()) is not None, "the invitation")
        self.link = link_of(self.said.getvalue())

    def _meet(self, changes: dict[str, Any]) -> None:
        options = play_options(load_settings(), remote=Address("lan"), remote_port=0, **changes)
        self.meeting = meet(options, Console(file=self.said, width=1000), self._stack)

    def met(self) -> Meeting:
        until(lambda: self.meeting is not None, "the guest comes")
        assert self.meeting is not None
        return self.meeting


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ExitStack]:
    monkeypatch.setattr(meeting, "games_folder", lambda: tmp_path)
    with ExitStack() as made:
        yield made


def join(link: str, stack: ExitStack, *players: str, **changes: Any) -> Meeting:
    options = play_options(load_settings(), join=link, players=players, **changes)
    return meet(options, Console(file=io.StringIO()), stack)


@pytest.mark.parametrize(
    ("come", "seated"),
    [
        (("Ann", "Ben", "Cleo"), ("Ann 2", "Ben 2", "Cleo 2")),
        (("\u0410nn", "Dora"), ("\u0410nn 2", "Dora")),
        (("Ann 2", "Ann"), ("Ann 2", "Ann 3")),
    ],
)
def test_names_of_two_tables_are_made_unlike_by_the_host(
    come: tuple[str, ...],
    seated: tuple[str, ...],
    stack: ExitStack,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(meeting, "kept_key", lambda link, hosts: None)
    host = Host(stack, game="moon", game_options=game_options("moon")(), players=("Ann", "Ben", "Cleo"))
    guest: list[Meeting] = []
    threading.Thread(target=lambda: guest.append(join(host.link, stack, *come)), daemon=True).start()
    met = host.met()
    assert met.options.players == ("Ann", "Ben", "Cleo", *seated)
    seat = SEATS[SeatName.MIRROR](640, 360)
    table = setup.set_up(
        met.options, seat, tmp_path, Console(file=io.StringIO()), cropped=False, on_time=False
    )
    try:
        shared = met.begun(table.game.match)
        until(lambda: guest, "the game begins")
        assert len(shared.seats(guest[0].seal.table)) == len(come)
        assert list(table.game.match.players) == list(met.options.players)
    finally:
        table.game.close()


def test_another_version_is_refused_with_one_sentence(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(stack, players=("Ann",))
    host_thread = host._thread
    monkeypatch.setattr(
        meeting, "version", lambda: "one" if threading.current_thread() is host_thread else "another"
    )
    with pytest.raises(ArmoonError, match=re.escape(text("remote.refused.version"))):
        join(host.link, stack, "Ben")


@pytest.mark.parametrize(
    ("link", "way", "sentence"),
    [
        ("ws://somewhere", None, "remote.no_link"),
        (str(Link("ws://127.0.0.1:8741", bytes(32), "0" * 64)), Address("lan"), "remote.not_host"),
    ],
    ids=["no link", "another table's"],
)
def test_no_game_is_joined_or_hosted_by_a_wrong_link(
    stack: ExitStack, link: str, way: Address | None, sentence: str
) -> None:
    with pytest.raises(ArmoonError, match=re.escape(text(sentence))):
        join(link, stack, "Ben", remote=way)


@pytest.mark.parametrize("bots", [["/bin/true"], "nova", [3], ["true"]])
def test_no_bot_of_another_table_is_a_program_to_run(bots: object) -> None:
    header = {"game": "moon", "bots": bots}
    with pytest.raises(ArmoonError, match=re.escape(text("remote.no_game"))):
        meeting.check_bots(Seats(header, ("0" * 64,)))


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    made = Programs(tmp_path)
    yield made
    made.close()


@pytest.mark.slow
@needs_mosquitto
def test_two_programs_play_one_game_over_a_broker_that_goes_away_meanwhile(
    programs: Programs, tmp_path: Path
) -> None:
    """Two bots, one at each table, play two turns; tests/remote/test_kills.py has them in one network."""
    with mosquitto(tmp_path) as broker:
        host = programs.start(
            *("host", "play", "--remote", broker.address, "--bots", "pip"),
            *("--turns", "2", "--seed", "5", "--log", "log.jsonl"),
        )
        programs.start("guest", "join", invitation(programs, "host"), "--bots", "nova", "--log", "log.jsonl")
        programs.until_said("guest", "Pip rolls")
        broker.kill()
        programs.until_said("guest", text("remote.line_gone"))
        broker.start()
        until(lambda: host.poll() is not None, "the end of the game")
        assert host.returncode == 0, programs.said("host")
    until(lambda: "2 turns were played" in programs.said("guest"), "the guest's end")
    host_lines, guest_lines = (lines_of(tmp_path / home / "log.jsonl") for home in ("host", "guest"))
    assert host_lines == guest_lines
    assert sum(line["kind"] == "verdict" for line in host_lines) == 2


def test_a_saved_game_goes_on_at_two_tables_and_guests_sit_where_they_sat(
    stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shutil.copy(SAMPLES / "moon.armoon", tmp_path)
    for module in (setup, meeting):
        monkeypatch.setattr(module, "games_folder", lambda: tmp_path)
    monkeypatch.setattr(meeting, "kept_key", lambda link, hosts: None)  # each guest is another table
    own = play_options(load_settings(), game="moon", resume=str(path))
    ann, *others = setup.saved_players(own)
    host = Host(stack, game="moon", resume=str(path))
    with pytest.raises(ArmoonError, match=re.escape(text("remote.refused.unknown"))):
        join(host.link, stack, "Nobody")
    guest: list[Meeting] = []
    threading.Thread(target=lambda: guest.append(join(host.link, stack, others[0])), daemon=True).start()
    met = host.met()
    console = Console(file=io.StringIO())
    seat = SEATS[SeatName.MIRROR](640, 360)
    table = setup.set_up(met.options, seat, tmp_path, console, cropped=False, on_time=False)
    shared = met.begun(table.game.match)
    until(lambda: guest, "the game begins")
    try:
        there = guest[0].seal.table
        assert list(table.game.match.players) == [ann, *others]
        assert shared.seats(there) == (1,)
        assert 1 not in shared.seats(met.seal.table)
        joined = guest[0].set_up_table(console)
        assert joined.game.match.state == table.game.match.state
        joined.game.close()
    finally:
        table.game.close()
