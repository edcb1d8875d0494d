"""Requests of the host and of votes become commands, which are logged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.app_kit import setup_for
from support.chat_kit import ChatServer
from support.party_kit import Client, Stream
from support.sink_kit import LoopGame, falling_game

from armoon.app.party import OBS_FILE, PartyServer
from armoon.engine.logbook import LogReader
from armoon.games import game_options
from armoon.games.contract import Game
from armoon.games.library import verify_log
from armoon.games.moon.editions import DieSource, OnTimeout, Options
from armoon.games.moon.play import MoonGame
from armoon.party.memory import FILE, name_party_file
from armoon.party.part import PartyPart
from armoon.party.server.lines import PartyRequest
from armoon.screens.events import SeatedPlayers, StartGame
from armoon.values.acts import Act
from armoon.values.choices import SeatName
from armoon.values.pieces import Command


@pytest.mark.slow
def test_requests_are_logged_and_replay_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    with closing(PartyServer(PartyPart(party_port=0), tmp_path, messages.append)) as party:
        log = tmp_path / "game.jsonl"
        loop_game = LoopGame(log, party.sink, party.games, game=falling_game)
        queue = [PartyRequest(Act.ADD_TEAR, 1), PartyRequest(Act.ANOTHER, 2), PartyRequest(Act.UNDO, 1)]
        monkeypatch.setattr(party.server, "drain_requests", lambda: tuple(queue.pop(0) for _ in queue[:1]))
        for _ in range(6):
            party.forward_requests(loop_game.table)
            loop_game.frames(20)
        loop_game.close()
    commands = [tuple(command) for record in LogReader(log).records for command in record.get("commands", ())]
    assert ("add_tear", "party", 1) in commands
    assert ("ladder", "party", 2) in commands
    assert ("put_turn_back", "party", 1) in commands
    assert verify_log(log).same
    assert party.server.address("overlay") in (tmp_path / name_party_file(OBS_FILE, 0)).read_text()
    assert any("overlay" in sentence for sentence in messages)
    (summary,) = tmp_path.glob("armoon-summary-*.html")
    assert all(name in summary.read_text() for name in ("Ann", "Ben"))
    assert any(str(summary) in sentence for sentence in messages)


@pytest.mark.slow
def test_a_pause_lasts_and_the_vote_chooses_who_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = PartyServer(PartyPart(party_port=0), tmp_path, lambda words: None)
    key = party.server.keys.view
    try:
        loop_game = LoopGame(tmp_path / "game.jsonl", party.sink)
        queue = [PartyRequest(Act.PAUSE), PartyRequest(Act.BEGIN, 1)]
        monkeypatch.setattr(party.server, "drain_requests", lambda: tuple(queue.pop(0) for _ in queue[:1]))
        party.forward_requests(loop_game.table)
        assert loop_game.table.controls.paused
        party.forward_requests(loop_game.table)
        loop_game.close()
    finally:
        party.close()
    players = SeatedPlayers(("Ann", "Ben"), ((1.0, 0.5, 0.0), (0.0, 0.5, 1.0)))
    begin = StartGame("lake", players, game_options("lake")(), SeatName.TABLE)
    assert party.with_voted_first_player(begin).begins.seat == 1
    assert party.with_voted_first_player(begin) == begin, "the vote counts for another game"
    assert key in (tmp_path / name_party_file(FILE, 0)).read_text(), (
        "the overlay's address isn't kept for OBS"
    )


#: The die's face by the text that the table shows after a roll.
FACES = {"rolls one": 1, "rolls two": 2, "rolls the moon": 3}
#: House rules under which each turn times out, because nobody takes a ladder.
REAL_DIE_RULES = Options(die=DieSource.REAL, turn_limit_s=5.0, on_timeout=OnTimeout.MISTAKE)


def game_with_real_die() -> Game[Any]:
    return MoonGame(setup_for(options=REAL_DIE_RULES).match())


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    chat = ChatServer()
    yield chat
    chat.close()


class FaceVote:
    def __init__(self, folder: Path, chat: str | None = None) -> None:
        self.log = folder / "game.jsonl"
        options = PartyPart(party_port=0, chat=chat, chat_delay_s=0.0)
        self.party = PartyServer(options, folder, lambda words: None)
        server = self.party.server
        self.host = Client(server, server.keys.host)
        for forbidden in ("holds", "begins"):
            self.host.ask("do", {"what": "forbid", "name": forbidden})
        assert self.host.ask("do", {"what": "allow", "name": "face"}).status == 200
        self.room = Stream(server, server.keys.join, "room")
        self.loop_game = LoopGame(self.log, self.party.sink, game=game_with_real_die)
        self.ballot = self.wait_for(lambda room: room["ballot"] is not None)["ballot"]
        assert self.ballot["question"] == "face"
        # The server offers all faces but the second in the first turn.
        self.faces = (1, 3)

    def wait_for(self, condition: Any) -> Any:
        return self.room.until(lambda event, data: event == "room" and condition(data))

    def wait_for_tally(self, tally: list[int]) -> None:
        self.wait_for(lambda room: room["ballot"] is not None and room["ballot"]["tally"] == tally)

    def close_vote(self) -> None:
        assert self.host.ask("do", {"what": "close"}).status == 200

    def play_until(self, faces: list[int]) -> None:
        def has_rolled() -> bool:
            self.party.forward_requests(self.loop_game.table)
            return self.rolled_faces == faces

        self.loop_game.until(has_rolled)

    @property
    def rolled_faces(self) -> list[int]:
        sentences = self.loop_game.listener.sentences
        return [FACES[words] for sentence in sentences for words in FACES if words in sentence]

    def close(self) -> None:
        self.room.close()
        self.loop_game.close()
        self.party.close()

    def commands(self) -> list[tuple[Any, ...]]:
        records = LogReader(self.log).records
        return [tuple(command) for record in records for command in record.get("commands", ())]


@pytest.mark.slow
def test_phones_choose_the_face_of_a_real_die_and_the_log_replays_it(tmp_path: Path) -> None:
    vote = FaceVote(tmp_path)
    server = vote.party.server
    phones = [Client(server, server.keys.join) for _ in range(3)]
    for number, phone in enumerate(phones):
        assert phone.join(f"Guest {number}").status == 200
    first = vote.ballot["number"]
    answer = phones[0].ask("vote", {"ballot": first, "choice": 0})
    assert answer.plain == {"refused": "late"}, "a guest who joined during the vote can vote"
    assert vote.host.ask("do", {"what": "ask", "name": "face"}).plain == {"done": True}
    vote.ballot = vote.wait_for(lambda room: room["ballot"] and room["ballot"]["number"] > first)["ballot"]
    # Two votes for the moon and one for one ladder; one vote is sent twice and counts once.
    for phone, choice in ((phones[0], 0), (phones[1], 1), (phones[2], 0), (phones[2], 1), (phones[2], 1)):
        assert phone.ask("vote", {"ballot": vote.ballot["number"], "choice": choice}).status == 200
    vote.wait_for_tally([1, 2])
    vote.loop_game.frames(30)
    assert not vote.rolled_faces, "the die doesn't wait for the guests"
    vote.close_vote()
    answer = phones[0].ask("vote", {"ballot": vote.ballot["number"], "choice": 0})
    assert answer.plain == {"refused": "closed"}
    vote.play_until([3])
    vote.close()
    assert ("roll", "party", 3) in vote.commands()
    assert verify_log(vote.log).same


@pytest.mark.slow
def test_a_chat_chooses_the_face_for_the_next_turn(tmp_path: Path, chat: ChatServer) -> None:
    vote = FaceVote(tmp_path, chat.address)
    chat.wait_for_client()
    for name, words in (("Ann", "!1"), ("Ben", "!2"), ("Cleo", "2"), ("Dora", "!2")):
        chat.chat(name, words)
    vote.wait_for_tally([1, 3])
    vote.close_vote()
    vote.loop_game.table.controls.add_command(Command(Act.ROLL, "screen", 1))
    vote.play_until([1])
    vote.play_until([1, 3])
    vote.close()
    assert ("roll", "screen", 1) in vote.commands()
    assert ("roll", "party", 3) in vote.commands()
    assert verify_log(vote.log).same
