"""Two programs meet on their pages: one invites, the other pastes the invitation, and both play one game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.session_kit import AppSession, by_keys, moon, session_in, start
from support.waiting import until

from armoon.app.remote import meeting
from armoon.app.remote.pages import RemoteTables
from armoon.games.moon.editions import Mode
from armoon.games.moon.options import MoonOptions
from armoon.messages import text
from armoon.screens import events
from armoon.screens.machine import press_key, show_remote_tables, start_remote_game
from armoon.screens.state import Key, PageName, Screens
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.poses import Vec3


class Clipboard:
    clipboard_text = ""

    def copy_text(self, words: str) -> None:
        self.clipboard_text = words.replace("//" + words.split("//")[1].split(":")[0], "//127.0.0.1")


class Table:
    def __init__(self, session: AppSession, clipboard: Any) -> None:
        self.session = session
        host = self.session.host
        self.front = host._front
        self.remote = RemoteTables(
            lambda game: host.build_game_options(game).with_values({"remote_port": 0}),
            host.begin_remote,
            lambda status: self.front.apply(show_remote_tables, status),
            clipboard,
        )

    @property
    def status(self) -> events.RemoteTablesStatus:
        return self.front.screens.remote_tables

    @property
    def screens(self) -> Screens:
        return self.front.screens

    def close(self) -> None:
        self.session.host.close_table()
        self.remote.close()


def party(*names: str, colour: Vec3 = (1.0, 0.0, 0.0)) -> events.StartGame:
    return replace(start("moon"), party=events.SeatedPlayers(names, (colour,) * len(names)))


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Table, Table]]:
    monkeypatch.setattr(meeting, "games_folder", lambda: tmp_path)
    clipboard = Clipboard()
    host, guest = (Table(session_in(tmp_path, monkeypatch), clipboard) for _ in range(2))
    yield host, guest
    for table in (host, guest):
        table.close()


def pump_tables(*tables: Table) -> None:
    for table in tables:
        table.remote.poll()


def meet(host: Table, guest: Table) -> None:
    alone = replace(party("Ann"), options=MoonOptions().fit_players(1))
    host.remote.carry_out(events.InviteTables(alone, broker=False))
    host.remote.carry_out(events.Request.COPY_LINK)
    pump_tables(host)
    assert host.status.invitation
    assert host.status.is_copied
    for _ in range(2):  # also a second time, when nothing changes
        guest.front.apply(lambda screens: by_keys(screens.go_to(PageName.FAR), "paste"))
        assert guest.front.drain_actions() == (events.Request.PASTE_LINK,)
        guest.remote.carry_out(events.Request.PASTE_LINK)
        pump_tables(guest)
        assert guest.status.is_invitation_pasted
        assert guest.status.pasted == "127.0.0.1"
        guest.front.apply(lambda screens: press_key(screens, Key.ENTER))
        assert isinstance(guest.front.drain_actions()[-1], events.JoinTable)
    guest.remote.carry_out(events.JoinTable(party("Ben", colour=(0.0, 0.5, 1.0))))
    until(lambda: host.status.tables == (("Ben",),), "the guest", lambda: pump_tables(host, guest))
    assert guest.status.asked_host == "127.0.0.1"
    host.remote.carry_out(events.Request.BEGIN_TABLES)
    until(lambda: guest.screens.page is PageName.TABLE, "the game", lambda: pump_tables(host, guest))


def test_two_tables_meet_on_their_pages_and_play_one_game(tables: tuple[Table, Table]) -> None:
    host, guest = tables
    meet(host, guest)
    assert {moon(table.session).match.setup.options.mode for table in tables} == {Mode.COMPETITIVE}
    for table in tables:
        assert table.screens.page is PageName.TABLE
        assert table.screens.in_game
        assert table.screens.party == ("Ann", "Ben")
        assert table.status == events.RemoteTablesStatus()
        assert tuple(moon(table.session).match.players) == ("Ann", "Ben")
        assert moon(table.session).match.table.colours == ((1.0, 0.0, 0.0), (0.0, 0.5, 1.0))

    def play_turns() -> None:
        for table in tables:
            table.session.run_ticks(1)

    until(lambda: moon(host.session).match.tick > 60, "the host plays", play_turns)
    assert host.session.host.table is not None
    assert guest.session.host.table is not None
    message = text("remote.plays_there", player="Ann")
    assert guest.session.host.table.compose_scene("").hud.hint == message
    assert host.session.host.table.compose_scene("").hud.hint not in ("", message)
    host.session.host.table.controls.add_command(Command(Act.ROLL))
    until(
        lambda: moon(guest.session).match.state == moon(host.session).match.state,
        "the same position",
        play_turns,
    )
    rolled = moon(host.session).match.state
    assert rolled.turn is not None
    before = guest.session.host.table
    guest.session.host.change_seat()
    assert guest.session.host.table is before


@pytest.mark.parametrize("let_in", [True, False])
def test_a_table_in_the_same_network_is_found_by_name_and_joined_if_the_host_agrees(
    tables: tuple[Table, Table], let_in: bool
) -> None:
    host, guest = tables
    host.remote.carry_out(events.InviteTables(party("Ann", "Zoé"), broker=False))
    guest.remote.carry_out(events.Request.FIND_TABLES)
    until(lambda: guest.status.found_tables == ("Ann, Zoé",), "the name", lambda: pump_tables(host, guest))
    guest.remote.carry_out(events.JoinTable(party("Ben"), 0))
    until(
        lambda: host.status.join_request and guest.status.note, "the digits", lambda: pump_tables(host, guest)
    )
    assert host.status.join_request is not None
    names, code = host.status.join_request
    assert names == "Ben"
    assert guest.status.note == text("screens.far.compare", code=code)
    assert host.status.tables == ()
    host.remote.carry_out(events.Request.ADMIT_TABLE if let_in else events.Request.DECLINE_TABLE)
    if let_in:
        until(lambda: host.status.tables == (("Ben",),), "the guest", lambda: pump_tables(host, guest))
    else:
        until(lambda: guest.status.error, "the answer", lambda: pump_tables(host, guest))
        assert text("remote.declined", host="Ann, Zoé") in guest.status.error
    assert host.status.join_request is None


def test_public_brokers_are_named_and_nothing_is_sent_before_an_invitation(
    tables: tuple[Table, Table],
) -> None:
    host, _ = tables
    names = set[str]()
    for _ in range(3):
        host.remote.carry_out(events.Request.NEXT_BROKER)
        pump_tables(host)
        assert host.status.is_public_broker
        assert not host.status.is_invitation_pasted
        names.add(host.status.pasted)
    assert names == {"broker.hivemq.com", "broker.emqx.io", "test.mosquitto.org"}
    assert not host.status.invitation


@pytest.mark.parametrize("words", ["", "hello", "http://a.example/b", "mqtt://", "ws://a:1#AAAA"])
def test_a_pasted_text_that_is_neither_invitation_nor_broker_is_reported(
    tables: tuple[Table, Table], words: str
) -> None:
    _, guest = tables
    guest.remote._window = clipboard = Clipboard()  # type: ignore[assignment]
    clipboard.clipboard_text = words
    guest.remote.carry_out(events.Request.PASTE_LINK)
    pump_tables(guest)
    assert guest.status.pasted == ""
    assert text("remote.not_pasted") in guest.status.error


def test_no_key_or_password_reaches_the_page(tables: tuple[Table, Table]) -> None:
    host, _ = tables
    host.remote._window = clipboard = Clipboard()  # type: ignore[assignment]
    clipboard.clipboard_text = "mqtt://ann:secret@broker.example/armoon"
    host.remote.carry_out(events.Request.PASTE_LINK)
    pump_tables(host)
    assert host.status.pasted == "broker.example"
    assert "secret" not in repr(host.screens.remote_tables)


def test_local_players_stay_in_the_form_after_others_joined(tables: tuple[Table, Table]) -> None:
    host, _ = tables
    before = host.screens.form.players
    host.front.apply(start_remote_game, "lake", ("Ann", "Ben"), host.screens.form.options)
    assert host.screens.form.players == before
    assert host.screens.form.game == "lake"
