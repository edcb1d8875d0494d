"""Two programs of one host, with guests on phones: killing and restarting one of them loses no guest."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from support.broker_kit import free_port
from support.feed_kit import feed_of
from support.party_kit import Client, Stream, end_of, first_carry_line
from support.waiting import until

from armoon.codec import convert, parse
from armoon.party.link import Server
from armoon.party.memory import FILE, PartyFile, SavedParty, name_party_file

RESTARTS, PHONES = 2, 6


class Program:
    def __init__(self, folder: Path, port: int) -> None:
        self.memory = PartyFile(folder, port)
        self.file = folder / name_party_file(FILE, port)
        self.server = Server(self.memory.keys, lambda words: None, self.memory, port=port)

    def bet(self, phones: list[Client], lines: list[bytes]) -> None:
        taken = first_carry_line(lines)
        for line in (*lines[: end_of(lines, "began")], *lines[taken : taken + 3]):
            self.server.write(line)
        number = Stream(self.server, self.server.keys.join, "room").until(
            lambda event, data: event == "room" and data["ballot"] and data["ballot"]["open"]
        )["ballot"]["number"]
        for phone in phones:
            assert phone.ask("vote", {"ballot": number, "choice": 0}).status == 200
        for line in lines[taken + 3 : end_of(lines, "judged")]:
            self.server.write(line)

    def has_saved(self, points: int) -> bool:
        party = convert(SavedParty, parse(self.file.read_bytes()))
        guests = () if party.kept is None else party.kept.guests.values()
        return len(guests) == PHONES and {guest.points for guest in guests} == {points}

    def end(self, *, killed: bool) -> None:
        """End the program; ``killed``: kill all its processes before they can write anything."""
        if killed:
            assert self.server.process_id is not None
            self.server._is_closing = True
            os.kill(self.server.process_id, signal.SIGKILL)
        self.server.close()
        if not killed:
            self.memory.close(ended=False)


@pytest.mark.slow
def test_guests_of_two_programs_survive_restarts_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armoon.party.memory.WRITE_INTERVAL_S", 0.0)
    lines = feed_of("moon")
    port = free_port()
    first, second = Program(tmp_path, port), Program(tmp_path, free_port())
    assert not set(vars(first.server.keys).values()) & set(vars(second.server.keys).values())
    phones = [Client(first.server, first.server.keys.join) for _ in range(PHONES)]
    others = [Client(second.server, second.server.keys.join) for _ in range(PHONES)]
    for number, (phone, other) in enumerate(zip(phones, others, strict=True)):
        assert phone.join(f"Here {number}").status == other.join(f"There {number}").status == 200
    listening = Stream(second.server, second.server.keys.join, "room")
    second.bet(others, lines)
    until(lambda: second.has_saved(1))
    for restart in range(RESTARTS):
        first.bet(phones, lines)
        until(lambda: first.has_saved(restart + 1))  # noqa: B023 - called at once
        first.end(killed=restart % 2 == 0)
        first = Program(tmp_path, port)
        for number, phone in enumerate(phones):
            phone.server = first.server
            assert phone.ask("me").plain["name"] == f"Here {number}"
            assert phone.ask("me").plain["points"] == restart + 1
    assert first.has_saved(RESTARTS)
    second.bet(others, lines)
    until(lambda: second.has_saved(2))
    listening.until(lambda event, data: event == "room" and data["ballot"] and data["ballot"]["number"] == 2)
    assert second.server.crashes == 0
    assert {other.ask("me").plain["points"] for other in others} == {2}
    for program in (first, second):
        program.end(killed=False)
    assert PartyFile(tmp_path, port).state.kept == first.memory.state.kept
