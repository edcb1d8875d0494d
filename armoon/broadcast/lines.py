"""The feed's lines: numbered events, and the state from which a late reader can start."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import msgspec

from armoon.broadcast import happenings
from armoon.codec import MalformedError, convert, encode_json, other_version, parse
from armoon.values.text import short_repr

#: Version of the feed; raise it when a reader of the last version could misread a line.
VERSION = 1
#: Number of past events that a state repeats.
MAX_VERDICTS, MAX_HEIGHTS = 40, 400


@dataclass(frozen=True)
class Height:
    """The height of the structure after a turn."""

    turn: int
    seat: int
    top_m: float
    ok: bool


@dataclass(frozen=True)
class FeedState:
    """The complete state of a game for onlookers; a late reader needs no earlier lines."""

    began: happenings.FeedBegan
    standing: happenings.Standing
    told: tuple[happenings.FeedVerdict, ...]
    """The last verdicts or moves, newest last."""
    figures: tuple[happenings.FeedFigures, ...]
    heights: tuple[Height, ...]
    result: happenings.FeedResult | None


@dataclass(frozen=True)
class FeedEvent:
    """A line for one event."""

    feed: int
    number: int
    """Increases by one with each event while the program runs."""
    at_s: float
    """On the clock of the loop."""
    kind: str
    happening: happenings.Happening


@dataclass(frozen=True)
class StateLine:
    """A line with the whole state after the event ``number``."""

    feed: int
    number: int
    at_s: float
    state: FeedState | None
    """None if no game is in progress."""


@dataclass(frozen=True)
class LiveLine:
    """A line between events: movement and touches now."""

    feed: int
    number: int
    """Number of the last event."""
    at_s: float
    live: happenings.Standing


FeedLine = FeedEvent | StateLine | LiveLine


def encode_line(line: FeedLine) -> bytes:
    return encode_json(line)


def decode_line(content: bytes | str) -> FeedLine:
    """Read a line that ``encode_line`` wrote. Raises MalformedError, which names the field."""
    plain = parse(content)
    if not isinstance(plain, dict):
        raise MalformedError("no line of the feed")
    if plain.get("feed") != VERSION:
        raise MalformedError(other_version("it", plain.get("feed"), VERSION))
    if "state" in plain:
        state: StateLine = convert(StateLine, plain, exact=True)
        return state
    if "live" in plain:
        live: LiveLine = convert(LiveLine, plain, exact=True)
        return live
    return _decode_event(plain)


def _decode_event(plain: dict[str, Any]) -> FeedEvent:
    word = plain.get("kind")
    kind = happenings.KINDS.get(word) if isinstance(word, str) else None
    if kind is None:
        raise MalformedError(f"`kind`: {short_repr(word)} is not allowed")
    happening = convert(kind, plain.get("happening"), exact=True)
    frame = convert(_EventHeader, {**plain, "happening": None}, exact=True)
    return FeedEvent(frame.feed, frame.number, frame.at_s, frame.kind, happening)


@dataclass(frozen=True)
class _EventHeader:
    """The fields of an event's line other than ``happening``."""

    feed: int
    number: int
    at_s: float
    kind: str
    happening: None = None


class FeedRecorder:
    """Numbers the events and keeps the state; it has no thread and no clock."""

    def __init__(self) -> None:
        self.number = 0
        self._began: happenings.FeedBegan | None = None
        self._standing: happenings.Standing | None = None
        self._verdicts: list[happenings.FeedVerdict] = []
        self._figures: list[happenings.FeedFigures] = []
        self._heights: list[Height] = []
        self._result: happenings.FeedResult | None = None

    def add_event(self, at_s: float, happening: happenings.Happening) -> FeedEvent:
        self.number += 1
        if isinstance(happening, happenings.FeedBegan):
            self._begin(happening)
        elif isinstance(happening, happenings.FeedVerdict):
            self._verdicts = [*self._verdicts, happening][-MAX_VERDICTS:]
            if happening.top_m is not None and happening.ok is not None:
                height = Height(happening.turn, happening.seat, happening.top_m, happening.ok)
                self._heights = [*self._heights, height][-MAX_HEIGHTS:]
        elif isinstance(happening, happenings.FeedFigures):
            self._figures = [*self._figures, happening][-MAX_VERDICTS:]
        elif isinstance(happening, happenings.FeedResult):
            self._result = happening
        return FeedEvent(VERSION, self.number, at_s, happenings.KIND_WORDS[type(happening)], happening)

    def build_live_line(self, at_s: float, standing: happenings.Standing) -> LiveLine | None:
        """Return a line if the state has changed, otherwise None."""
        if standing == self._standing:
            return None
        self._standing = standing
        return LiveLine(VERSION, self.number, at_s, standing)

    def build_state_line(self, at_s: float) -> StateLine:
        if self._began is None or self._standing is None:
            return StateLine(VERSION, self.number, at_s, None)
        state = FeedState(
            self._began,
            self._standing,
            tuple(self._verdicts),
            tuple(self._figures),
            tuple(self._heights),
            self._result,
        )
        return StateLine(VERSION, self.number, at_s, state)

    def _begin(self, began: happenings.FeedBegan) -> None:
        self._began, self._standing, self._result = began, None, None
        self._verdicts, self._figures, self._heights = [], [], []


_HEAD = {"feed": {"const": VERSION}, "number": {"type": "integer"}, "at_s": {"type": "number"}}


def build_schema() -> dict[str, Any]:
    kinds = [StateLine, LiveLine, *happenings.KINDS.values()]
    made, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    del made
    events = [
        {
            "type": "object",
            "properties": {
                **_HEAD,
                "kind": {"const": word},
                "happening": {"$ref": f"#/$defs/{kind.__name__}"},
            },
            "required": ["feed", "number", "at_s", "kind", "happening"],
        }
        for word, kind in happenings.KINDS.items()
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"armoon feed, version {VERSION}",
        "oneOf": [*events, {"$ref": "#/$defs/StateLine"}, {"$ref": "#/$defs/LiveLine"}],
        "$defs": {name: components[name] for name in sorted(components)},
    }


def format_schema() -> str:
    whole = build_schema()
    parts = [f'  "{key}": {json.dumps(whole[key])},' for key in ("$schema", "title")]
    parts += ['  "oneOf": [', ",\n".join(f"    {json.dumps(one)}" for one in whole["oneOf"]), "  ],"]
    defined = (f"    {json.dumps(name)}: {json.dumps(one)}" for name, one in whole["$defs"].items())
    parts += ['  "$defs": {', ",\n".join(defined), "  }"]
    return "\n".join(("{", *parts, "}"))


if __name__ == "__main__":
    print(format_schema())
