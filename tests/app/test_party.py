"""What host and votes ask of the table comes in as commands, and stands in the log."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sink_kit import Played, falling_game

from armoon.app.party import OBS_FILE, Party
from armoon.engine.logbook import LogReader
from armoon.games import game_options
from armoon.games.contract.library import verify
from armoon.party.link import ServerAddress
from armoon.party.memory import FILE, of_port
from armoon.party.server.lines import PartyRequest
from armoon.screens.events import Party as Players
from armoon.screens.events import StartGame
from armoon.values.acts import Act
from armoon.values.choices import SeatName


@pytest.mark.slow
def test_wishes_stand_in_the_log_and_replay_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    party = Party(ServerAddress(0), tmp_path, said.append)
    try:
        log = tmp_path / "game.jsonl"
        played = Played(log, party.sink, party.games, game=falling_game)
        asked = [PartyRequest(Act.ADD_TEAR, 1), PartyRequest(Act.ANOTHER, 2), PartyRequest(Act.UNDO, 1)]
        monkeypatch.setattr(party.server, "take_wishes", lambda: tuple(asked.pop(0) for _ in asked[:1]))
        for _ in range(6):
            party.ask(played.table)
            played.frames(20)
        played.close()
    finally:
        party.close()
    commands = [tuple(one) for record in LogReader(log).records for one in record.get("commands", ())]
    assert ("add_tear", "party", 1) in commands
    assert ("ladder", "party", 2) in commands
    assert ("put_turn_back", "party", 1) in commands
    assert verify(log).same
    assert party.server.address("overlay") in (tmp_path / of_port(OBS_FILE, 0)).read_text()
    assert any("overlay" in sentence for sentence in said)
    (summary,) = tmp_path.glob("armoon-summary-*.html")
    assert all(name in summary.read_text() for name in ("Ann", "Ben"))
    assert any(str(summary) in sentence for sentence in said)


@pytest.mark.slow
def test_a_pause_holds_and_the_vote_says_who_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    party = Party(ServerAddress(0), tmp_path, lambda words: None)
    key = party.server.keys.view
    try:
        played = Played(tmp_path / "game.jsonl", party.sink)
        asked = [PartyRequest(Act.PAUSE), PartyRequest(Act.BEGIN, 1)]
        monkeypatch.setattr(party.server, "take_wishes", lambda: tuple(asked.pop(0) for _ in asked[:1]))
        party.ask(played.table)
        assert played.table.controls.paused
        party.ask(played.table)
        played.close()
    finally:
        party.close()
    players = Players(("Ann", "Ben"), ((1.0, 0.5, 0.0), (0.0, 0.5, 1.0)))
    begin = StartGame("lake", players, game_options("lake")(), SeatName.TABLE)
    assert party.begun(begin).begins.seat == 1
    assert party.begun(begin) == begin, "a vote counts for one game"
    assert key in (tmp_path / of_port(FILE, 0)).read_text(), "OBS finds the overlay again"
