"""A party begins and ends on its page; filming people is a separate choice."""

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

from armoon.app import party as app_party
from armoon.app.party import OPEN_FILE, PartyHost
from armoon.options.parts import make_default_parts, with_values
from armoon.screens.events import Ask, PartyState, Request
from armoon.settings.preferences import PlayOptions
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Moment, OutputChannel

pytestmark = pytest.mark.slow
SIZE = (64, 48)


class DrawnPictures:
    def __init__(self) -> None:
        self.size = SIZE
        self.should_read_back = False

    def picture(self) -> Any:
        return np.zeros((SIZE[1], SIZE[0], 3), np.uint8)


class PartyPage:
    def __init__(self, stack: ExitStack, **options: Any) -> None:
        self.messages: list[str] = []
        self.opened: list[str] = []
        self.sinks = Sinks()
        stack.callback(self.sinks.close)
        self.drawn: Any = DrawnPictures()
        self.party = PartyHost(
            PlayOptions(parts=with_values(make_default_parts(), {"party_port": 0, **options})),
            self.messages.append,
            self.sinks,
            browse=self.opened.append,
        )
        stack.callback(self.party.close)

    @property
    def state(self) -> PartyState:
        self.party.poll()
        return self.party.state

    def request(self, *actions: Any) -> PartyState:
        for action in actions:
            self.party.carry_out(action, self.drawn)
        return self.state


def is_refused(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), PATIENCE_S).close()
    except ConnectionRefusedError:
        return True
    return False


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(app_party, "games_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def open_page(folder: Path) -> Iterator[Callable[..., PartyPage]]:
    with ExitStack() as stack:
        yield lambda **options: PartyPage(stack, **options)


def test_no_port_is_open_until_a_party_begins(open_page: Callable[..., PartyPage]) -> None:
    page = open_page()
    assert page.party.party is None
    assert page.messages == []
    assert page.sinks.output_channels == ()


def test_a_party_begins_ends_and_begins_again(open_page: Callable[..., PartyPage], folder: Path) -> None:
    page = open_page()
    assert page.request(Ask(Request.BEGIN_PARTY, False)) == PartyState(True, False, page.state.join_address)
    assert page.state.join_address.startswith("http://127.0.0.1:")
    assert page.state.qr_code == (), "a code is shown that no phone can use"
    party = page.party.party
    assert party is not None
    server = party.server
    Client(server, server.keys.join).join("Luna")
    until(lambda: page.state.guest_count == 1)
    page.request(Ask(Request.OPEN_PAGE, "host"))
    until(lambda: bool(page.opened))
    (opened,) = page.opened
    assert server.keys.host not in opened, "the list of processes shows the key"
    assert server.address("host") in (folder / OPEN_FILE).read_text()
    assert (folder / OPEN_FILE).stat().st_mode & 0o077 == 0
    process = server.process_id
    assert process is not None
    os.kill(process, signal.SIGSTOP)
    assert page.request(Request.END_PARTY) == PartyState()
    assert is_running(process), "the game waits for the process"
    os.kill(process, signal.SIGCONT)
    assert page.request(Ask(Request.BEGIN_PARTY, False)).is_on
    until(lambda: is_refused(server.port), "the end of the first server")


def test_a_party_on_the_network_shows_a_code(open_page: Callable[..., PartyPage]) -> None:
    state = open_page().request(Ask(Request.BEGIN_PARTY, True))
    assert state.is_on_lan
    assert len(state.qr_code) == len(state.qr_code[0]) >= 25
    assert state.qr_code[0].startswith("1111111"), "the code has no finder pattern"


def test_an_occupied_port_is_reported_on_the_page(open_page: Callable[..., PartyPage]) -> None:
    with socket.socket() as blocker:
        blocker.bind(("127.0.0.1", 0))
        blocker.listen()
        page = open_page()
        page.party._options = PlayOptions().with_values({"party_port": blocker.getsockname()[1]})
        state = page.request(Ask(Request.BEGIN_PARTY, False))
        assert not state.is_on
        assert "--party-port" in state.error
        assert page.request(Request.END_PARTY).error == ""


def test_people_are_recorded_only_on_request(open_page: Callable[..., PartyPage], folder: Path) -> None:
    page = open_page()
    page.request(Ask(Request.BEGIN_PARTY, False))
    assert not page.sinks.output_channels, "the party records people"
    assert page.request(Ask(Request.RECORD_PEOPLE, True)).is_recording_people
    assert page.sinks.output_channels == (OutputChannel.FILM,)
    for frame in range(10):
        page.sinks.distribute(Moment(frame / 30.0))
    assert not page.request(Ask(Request.RECORD_PEOPLE, False)).is_recording_people
    assert not page.sinks.output_channels
    assert not page.drawn.should_read_back
    (film,) = folder.glob("armoon-*.mp4")
    assert film.stat().st_size > 500
    assert any(str(film) in sentence for sentence in page.messages)


def test_the_page_shows_what_the_command_line_records(
    open_page: Callable[..., PartyPage], folder: Path
) -> None:
    page = open_page(record=folder / "evening.mp4")
    assert page.state.is_recording_people
    assert page.state.always_records_people
    assert page.request(Ask(Request.RECORD_PEOPLE, False)).is_recording_people
