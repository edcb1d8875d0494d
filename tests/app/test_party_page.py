"""Beginning and ending a party on its page; filming the player is a separate choice."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.party_kit import Client
from support.real_program import is_running
from support.waiting import PATIENCE_S, until

from armoon.app import party as on_air
from armoon.app.party import OPEN_FILE, PartyHost
from armoon.options.parts import default_parts, with_values
from armoon.screens.events import BeginParty, OpenPage, PartyState, RecordPeople, Request
from armoon.settings.preferences import PlayOptions
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Leaving, Moment

pytestmark = pytest.mark.slow
SIZE = (64, 48)


class DrawnPictures:
    def __init__(self) -> None:
        self.size = SIZE
        self.kept = False

    def picture(self) -> Any:
        return np.zeros((SIZE[1], SIZE[0], 3), np.uint8)


class Page:
    def __init__(self, stack: ExitStack, **options: Any) -> None:
        self.said: list[str] = []
        self.opened: list[str] = []
        self.heard: list[PartyState] = []
        self.sinks = Sinks()
        stack.callback(self.sinks.close)
        self.drawn: Any = DrawnPictures()
        self.party = PartyHost(
            PlayOptions(parts=with_values(default_parts(), {"party_port": 0, **options})),
            self.said.append,
            self.sinks,
            self.heard.append,
            browse=self.opened.append,
        )
        stack.callback(self.party.close)
        self.state = self.news() or PartyState()

    def news(self) -> PartyState | None:
        self.party.poll()
        news, self.heard[:] = list(self.heard), []
        assert len(news) < 2
        return news[0] if news else None

    def request(self, *actions: Any) -> PartyState:
        for action in actions:
            self.party.carry_out(action, self.drawn)
        self.state = self.news() or self.state
        assert self.news() is None, "nothing is reported twice"
        return self.state


def is_refused(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), PATIENCE_S).close()
    except ConnectionRefusedError:
        return True
    return False


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(on_air, "games_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def page(folder: Path) -> Iterator[Callable[..., Page]]:
    with ExitStack() as stack:
        yield lambda **options: Page(stack, **options)


def test_no_port_is_open_unless_somebody_asks(page: Callable[..., Page]) -> None:
    at = page()
    assert at.party.party is None
    assert at.said == []
    assert at.sinks.leaving == ()


def test_a_party_begins_ends_and_begins_again(page: Callable[..., Page], folder: Path) -> None:
    at = page()
    assert at.request(BeginParty(lan=False)) == PartyState(True, False, at.state.join_at)
    assert at.state.join_at.startswith("http://127.0.0.1:")
    assert at.state.code == (), "a code that no phone can use isn't shown"
    party = at.party.party
    assert party is not None
    server = party.server
    Client(server, server.keys.join).join("Luna")
    until(lambda: (at.news() or PartyState()).guests == 1)
    at.request(OpenPage("host"))
    until(lambda: bool(at.opened))
    (opened,) = at.opened
    assert server.keys.host not in opened, "no key in a list of processes"
    assert server.address("host") in (folder / OPEN_FILE).read_text()
    assert (folder / OPEN_FILE).stat().st_mode & 0o077 == 0
    process = server.process_id
    assert process is not None
    os.kill(process, signal.SIGSTOP)
    assert at.request(Request.END_PARTY) == PartyState()
    assert is_running(process), "the game doesn't wait for the process"
    os.kill(process, signal.SIGCONT)
    assert at.request(BeginParty(lan=False)).on
    until(lambda: is_refused(server.port), "the end of the first server")


def test_a_party_on_the_network_shows_a_code(page: Callable[..., Page]) -> None:
    state = page().request(BeginParty(lan=True))
    assert state.lan
    assert len(state.code) == len(state.code[0]) >= 25
    assert state.code[0].startswith("1111111"), "the corner that a phone looks for"


def test_an_occupied_port_is_reported_on_the_page(page: Callable[..., Page]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        at = page()
        at.party._options = PlayOptions().with_values({"party_port": taken.getsockname()[1]})
        state = at.request(BeginParty(lan=False))
        assert not state.on
        assert "--party-port" in state.trouble
        assert at.request(Request.END_PARTY).trouble == ""


def test_people_are_recorded_only_if_chosen(page: Callable[..., Page], folder: Path) -> None:
    at = page()
    at.request(BeginParty(lan=False))
    assert not at.sinks.leaving, "a party records nothing"
    assert at.request(RecordPeople(True)).film
    assert at.sinks.leaving == (Leaving.FILM,)
    for frame in range(10):
        at.sinks.distribute(Moment(frame / 30.0))
    assert not at.request(RecordPeople(False)).film
    assert not at.sinks.leaving
    assert not at.drawn.kept
    (film,) = folder.glob("armoon-*.mp4")
    assert film.stat().st_size > 500
    assert any(str(film) in sentence for sentence in at.said)


def test_the_page_shows_what_the_command_line_records(page: Callable[..., Page], folder: Path) -> None:
    at = page(record=folder / "evening.mp4")
    assert at.state.film
    assert at.state.filmed_anyway
    assert at.request(RecordPeople(False)).film
