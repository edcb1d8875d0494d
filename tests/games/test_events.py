"""Events of matches: frozen values without dictionaries, each with a log line and unchanged by the codec."""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from games.drivers import DRIVERS
from support.lake_table_kit import lake_setup
from support.log_kit import header_of
from support.samples import sample_log
from support.toy_kit import register_toy

from armoon.camera.profiles import SEATS
from armoon.codec import convert, encode
from armoon.engine import logbook
from armoon.engine.events import EngineEvent, MatchBegan, MatchEvent, NoticeShown, Output
from armoon.engine.match import Match
from armoon.engine.setup import Intake, make_setup
from armoon.games import game_options
from armoon.games.contract import load_kind
from armoon.games.lake.kind import KIND as LAKE
from armoon.games.library import create_logged_match, read_intakes
from armoon.games.moon.turn import OVERRULINGS, Overrule
from armoon.games.shared import FirstPlayer
from armoon.settings.preferences import PlayOptions
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.poses import Pose
from armoon.world.process import WorldReplaced

EVENTS: dict[str, Any] = {driver.name: driver.events for driver in DRIVERS.values()}
KINDS = [(game, kind) for game, union in EVENTS.items() for kind in get_args(union) or (union,)]
#: Readers of events that contain orders or hands and therefore have log lines of their own.
OWN_LINES: dict[type, Any] = {
    MatchBegan: lambda event: LAKE.create_logged_match(
        header_of(event.game, event.table, event.start)
    ).opening.events_of(MatchBegan)[0],
    Intake: lambda event: logbook.intake_from_record(encode(logbook.encode_intake(event))),
    WorldReplaced: lambda event: logbook.replaced_from_record(encode(logbook.encode_replaced(event))),
}


#: A game's shortest recorded log with every kind of event.
SHORT = {"moon": "moon-short", "lake": "lake"}
#: Maximum number of events of each type that are checked.
MAX_EVENTS = 30


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from register_toy(monkeypatch)


def make_match(game: str) -> Match:
    options = PlayOptions(game=game, players=("Ann", "Ben"), seed=3, game_options=game_options(game)())
    table = make_setup(SEATS["table"](640, 360), "0")
    match: Match = load_kind(game).create_match(table, options, FirstPlayer(), real_time=False)
    return match


@functools.cache
def start_state(game: str) -> Any:
    match = make_match(game)
    match.close()
    return match.state


def play_outputs(game: str, folder: Path) -> Iterator[Output]:
    if game not in SHORT:
        match = make_match(game)
        intakes = [Intake(k / 30.0, 2, None, (Command(Act.CHOOSE, "keys", k % 3),)) for k in range(9)]
    else:
        reader = logbook.LogReader(sample_log(SHORT[game], folder))
        match, intakes = create_logged_match(reader), list(read_intakes(reader))
    yield match.opening
    for intake in intakes:
        yield match.advance(intake)
    yield match.finish()
    match.close()


def check_frozen(value: object) -> None:
    if isinstance(value, tuple):
        for part in value:
            check_frozen(part)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        assert type(value).__dataclass_params__.frozen, type(value)  # type: ignore[attr-defined]
        for field in dataclasses.fields(value):
            check_frozen(getattr(value, field.name))
    else:
        assert value is None or isinstance(value, str | int | float | bool | enum.Enum), type(value)


def make_sample(kind: Any) -> Any:
    origin, parts = get_origin(kind), get_args(kind)
    if kind is MatchBegan:
        return MatchBegan("lake", lake_setup(2).table, lake_setup(2).game)
    if kind is Intake:  # a hand has 21 landmarks
        return Intake(0.5, 1, None, (Command(Act.ROLL, "keys", 2),), (), make_sample(Pose))
    if origin in (types.UnionType, Union):
        return make_sample(parts[0])
    if origin is tuple:
        return tuple(make_sample(part) for part in parts if part is not ...)
    if kind is Overrule:  # few acts are allowed
        return Overrule(OVERRULINGS[0])
    if dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        sample: Any = kind
        return sample(**{field.name: make_sample(hints[field.name]) for field in dataclasses.fields(kind)})
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return next(iter(kind))
    plain: dict[type, Any] = {int: 1, float: 0.5, str: "L05", bool: True, type(None): None}
    return plain[kind]


@pytest.mark.parametrize("game", sorted(EVENTS))
def test_events_and_states_are_frozen_without_dictionaries(game: str, tmp_path: Path) -> None:
    union = EVENTS[game]
    kinds = {union, *get_args(union), *get_args(EngineEvent)}
    state: Any = None
    counts = Counter[type]()
    for output in play_outputs(game, tmp_path):
        for match_event in output.events:
            assert type(match_event.event) in kinds
            counts[type(match_event.event)] += 1
            if counts[type(match_event.event)] > MAX_EVENTS:
                continue
            check_frozen(match_event.event)
            if match_event.state is not state:  # most events don't change it
                state = match_event.state
                check_frozen(dataclasses.replace(state, before=None) if hasattr(state, "before") else state)
        assert not output.events or output.state is state


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda value: getattr(value, "__name__", value))
def test_each_event_of_a_game_has_a_line_and_decodes_unchanged(game: str, kind: type) -> None:
    event, state = make_sample(kind), start_state(game)
    lines = list(load_kind(game).encode_event(MatchEvent(7, event, state, state)))
    assert lines
    assert all(line["tick"] == 7 and encode(line) for line in lines)
    assert convert(kind, encode(event)) == event


@pytest.mark.parametrize("kind", get_args(EngineEvent))
@pytest.mark.parametrize("game", sorted(EVENTS))
def test_each_event_of_the_engine_has_a_line_in_each_game(game: str, kind: type) -> None:
    event, state = make_sample(kind), start_state(game)
    lines = list(load_kind(game).encode_event(MatchEvent(7, event, state, state)))
    assert bool(lines) is (kind is not NoticeShown), "a log contains no sentences"
    assert all(encode(line) for line in lines)
    decoded = OWN_LINES[kind](event) if kind in OWN_LINES else convert(kind, encode(event))
    assert decoded == (dataclasses.replace(event, replaced=()) if kind is Intake else event)
