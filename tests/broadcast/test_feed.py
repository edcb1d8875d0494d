"""The feed: numbered, complete, the same in a replay, with a state for late readers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.checkout import CHECKOUT
from support.feed_kit import events_of, feed_from_log, feed_of, states_of
from support.samples import sample_log

from armoon import broadcast
from armoon.codec import MalformedError
from armoon.engine.logbook import LogReader

GAMES = ("moon", "lake")


@pytest.fixture(scope="module", params=GAMES)
def logged_feed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[bytes]]:
    log = sample_log(request.param, tmp_path_factory.mktemp("fed"))
    return log, feed_of(request.param)


def test_numbers_are_consecutive_and_lines_decode(logged_feed: tuple[Path, list[bytes]]) -> None:
    _, lines = logged_feed
    events = events_of(lines)
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert isinstance(events[0].happening, broadcast.FeedBegan)
    assert isinstance(events[-1].happening, broadcast.FeedClosed)
    assert [broadcast.encode_line(broadcast.decode_line(line)) for line in lines] == lines
    assert any("live" in json.loads(line) for line in lines)


def test_the_feed_contains_every_verdict(logged_feed: tuple[Path, list[bytes]]) -> None:
    log, lines = logged_feed
    records = list(LogReader(log).records)
    reported = [
        event.happening for event in events_of(lines) if isinstance(event.happening, broadcast.FeedVerdict)
    ]
    verdicts = [record for record in records if record["kind"] == "verdict"]
    moves = [record for record in records if record["kind"] == "move"]
    if verdicts:
        assert [(verdict.turn, verdict.ok, verdict.ruling, verdict.tears) for verdict in reported] == [
            (record["turn"], record["ok"], record["rulings"][0], record["tears"]) for record in verdicts
        ]
        placed = [list(verdict.touched) for verdict in reported]
        assert placed == [record["touched"] for record in verdicts]
        figures = [event for event in events_of(lines) if isinstance(event.happening, broadcast.FeedFigures)]
        assert len(figures) == len([r for r in records if r["kind"] == "figures" and r["figures"]])
    else:
        assert len(reported) == len(moves) > 0
    assert all(v.words.en and v.words.fr and v.words.en != v.words.fr for v in reported)


def test_the_last_state_is_complete_for_a_late_reader(logged_feed: tuple[Path, list[bytes]]) -> None:
    _, lines = logged_feed
    states, events = states_of(lines), events_of(lines)
    last = states[-1].state
    assert last is not None
    assert [event.happening for event in events if isinstance(event.happening, broadcast.FeedVerdict)][
        -40:
    ] == list(last.told)
    assert last.began == events[0].happening
    assert {piece.shape for piece in last.standing.pieces} <= {shape.name for shape in last.began.shapes}
    assert len(last.standing.pieces) > 3
    numbers = {state.number for state in states}
    assert {event.number for event in events} >= numbers, "a state belongs to an event"


@pytest.mark.parametrize("name", ["moon-mirror", "lake"])
def test_a_replay_makes_the_same_feed(name: str, tmp_path: Path) -> None:
    assert feed_from_log(sample_log(name, tmp_path)) == feed_of(name)


def test_the_feed_contains_no_hand_and_no_picture(logged_feed: tuple[Path, list[bytes]]) -> None:
    log, lines = logged_feed
    hands = [r for r in LogReader(log).records if r["kind"] == "hands" and r["hands"] and r["hands"]["hands"]]
    assert hands, "hands were seen"
    numbers = {
        number
        for record in hands[:200]
        for number in re.findall(r"\d+\.\d{6,}", json.dumps(record["hands"]["hands"]))
    }
    feed = b"\n".join(lines).decode()
    assert numbers
    assert not numbers & set(re.findall(r"\d+\.\d{6,}", feed))
    names = {
        name for schema in broadcast.build_schema()["$defs"].values() for name in schema.get("properties", {})
    }
    assert not names & {"hands", "points_px", "landmarks", "image", "picture", "frame", "camera"}
    assert max(map(len, lines)) < 100_000


def test_the_docs_contain_the_schema_of_the_types() -> None:
    text = (CHECKOUT / "docs" / "feed.md").read_text(encoding="utf-8")
    assert f"```json\n{broadcast.format_schema()}\n```" in text, "python -m armoon.broadcast"
    assert json.loads(broadcast.format_schema()) == json.loads(json.dumps(broadcast.build_schema()))


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "not JSON"),
        (b"[]", "not a line"),
        (b'{"feed": 2, "number": 1, "at_s": 0, "kind": "turn", "happening": {}}', "version"),
        (b'{"feed": 1, "number": 1, "at_s": 0.0, "kind": "nonsense", "happening": {}}', "kind"),
        (b'{"feed": 1, "number": 1, "at_s": 0.0, "kind": ["turn"], "happening": {}}', "kind"),
        (b'{"feed": 1, "number": 1, "at_s": 0.0, "kind": "turn", "happening": {"turn": 1}}', "seat"),
        (
            b'{"feed": 1, "number": "1", "at_s": 0.0, "kind": "pause", "happening": {"paused": true}}',
            "number",
        ),
        (b'{"feed": 1, "number": 1, "at_s": 0.0, "state": {"began": {}}}', "game"),
    ],
)
def test_an_invalid_line_is_refused_with_its_field(content: bytes, word: str) -> None:
    with pytest.raises(MalformedError, match=word):
        broadcast.decode_line(content)
