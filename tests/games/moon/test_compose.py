"""Composing a scene from a match: looks, texts in both languages, the tower's name, and poses between two ticks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from games.drivers.moon import MoonDriver
from support.app_kit import IdealDemo, setup_for
from support.kill_table import speed_up_games
from support.table_kit import Seats

from armoon import messages
from armoon.engine.setup import Intake
from armoon.games.moon import scene
from armoon.games.moon.demo_player import Activity
from armoon.games.moon.editions import Options, Verdict
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.presenters import make_result
from armoon.games.moon.verdict_effects import LastVerdict
from armoon.geometry import quat_angle
from armoon.messages import LANGUAGES, speaking, text
from armoon.values.pieces import BOT_SOURCE, GripIntent, GripPhase, PieceStatus
from armoon.values.poses import Pose
from armoon.values.scene import DieFace, ScenePiece


class DemoStills:
    def __init__(self) -> None:
        self.match = setup_for().match()
        self.demo = IdealDemo(self.match)
        self.verdict: Verdict | None = None

    def play_until(self, condition: Callable[[], bool]) -> None:
        for _ in range(2500):
            output = self.demo.step()
            for verdict in output.events_of(Verdict):
                self.verdict = verdict
            if condition():
                return
        raise AssertionError("the demo didn't get there in time")

    def play_until_activity(self, activity: Activity) -> None:
        self.play_until(lambda: self.demo.player.activity is activity)


@pytest.fixture
def stills(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoStills]:
    speed_up_games(monkeypatch.setattr)
    stills = DemoStills()
    yield stills
    stills.demo.close()
    stills.match.close()


def find_look(pieces: tuple[ScenePiece, ...], name: str) -> str:
    return next(p.look for p in pieces if p.piece == name)


def test_a_moth_appears_only_while_a_ladder_can_be_carried(stills: DemoStills) -> None:
    def count_moths() -> int:
        flying = GripIntent(0.0, BOT_SOURCE, GripPhase.HOVER, Pose((0.1, 0.0, 0.3)), (0.0, 0.0, -1.0))
        now_s = stills.match.tick / 60.0 + 0.02
        stills.match.advance(Intake(now_s, 1, None, grips=(flying,)))
        return len(scene.compose_scene(stills.match, 1.0, None).moths)

    assert count_moths() == 0
    stills.play_until_activity(Activity.REACHING)
    assert count_moths() == 1


def test_a_turn_from_roll_to_verdict(stills: DemoStills, monkeypatch: pytest.MonkeyPatch) -> None:
    match = stills.match
    opening = scene.compose_scene(match, 1.0, None)
    assert opening.hud.hint == messages.text("hint.roll", player="Ann")
    assert opening.hud.die is None
    assert opening.hud.die_text == opening.hud.contact_text == opening.hud.verdict_text == ""
    players = [(p.name, p.tears, p.on_turn) for p in opening.hud.players]
    assert players == [("Ann", 0, True), ("Ben", 0, False)]
    assert {p.look for p in opening.pieces} == {"plain"}
    assert len(opening.pieces) == 2

    stills.play_until_activity(Activity.REACHING)
    offered = next(p.piece for p in match.facts.pieces if p.status is PieceStatus.OFFERED)
    reaching = scene.compose_scene(match, 1.0, None)
    assert find_look(reaching.pieces, offered) == "offered"
    die = match.state.die
    assert die is not None
    faces = {"ONE": DieFace.LADDER, "TWO": DieFace.TWO_LADDERS, "MOON": DieFace.CRESCENT}
    assert reaching.hud.die is faces[die.value]
    assert reaching.hud.die_text == messages.text(f"die.{die.value.lower()}")
    assert reaching.hud.hint == "Ann, pinch the ladder in the lid"
    assert len(reaching.hands) == 1
    assert len(reaching.hands[0].points_px) == len(reaching.hands[0].depths_m) == 21
    assert reaching.drop_line is None

    stills.play_until_activity(Activity.CARRYING)
    carrying = scene.compose_scene(match, 1.0, None, banner="Stop!")
    assert find_look(carrying.pieces, offered) == "held"
    assert carrying.hud.contact_text == "", "no contact text while the ladder is carried"
    assert carrying.hud.contact_good is None
    assert carrying.hud.banner == "Stop!"
    assert carrying.drop_line is not None
    (x, y, top), low = carrying.drop_line
    assert low == (x, y, 0.0)
    assert top == pytest.approx(match.facts[offered].lowest_m)
    check_held_pose_is_interpolated(match)

    monkeypatch.setattr(messages, "_language", "fr")
    french = scene.compose_scene(match, 1.0, None)
    assert french.hud.hint != carrying.hud.hint
    assert french.hud.die_text != carrying.hud.die_text
    assert replace(french, hud=carrying.hud) == carrying  # only words differ
    monkeypatch.setattr(messages, "_language", "en")

    stills.play_until(lambda: stills.verdict is not None)
    assert stills.verdict is not None
    last = LastVerdict(stills.verdict, match.facts.tick)
    judged = scene.compose_scene(match, 1.0, last)
    assert judged.hud.verdict_text
    assert judged.hud.verdict_good is stills.verdict.ok
    if offered in (p.piece for p in judged.pieces) and stills.verdict.height_m is not None:
        line = judged.height_lines[0]
        assert line.through[2] == stills.verdict.height_m
        assert line.text == f"{100.0 * stills.verdict.height_m:.1f} cm"
    if offered not in stills.verdict.removed:
        assert find_look(judged.pieces, offered) == ("honoured" if stills.verdict.ok else "fault")
    judged_contacts = {c.point for c in match.facts.contacts if offered in (c.a, c.b)}
    assert set(judged.contact_points) == judged_contacts
    assert bool(judged_contacts) == (offered not in stills.verdict.removed)
    if stills.verdict.ok:
        assert {p.piece for p in judged.pieces if p.look == "touched"} == set(stills.verdict.touched)
    expired_verdict = LastVerdict(stills.verdict, match.facts.tick - scene.VERDICT_TICKS - 1)
    later = scene.compose_scene(match, 1.0, expired_verdict).hud
    assert later.verdict_text == ""
    assert judged.hud.last_text == ""
    player, words = match.players[stills.verdict.player], scene.describe_verdict(match, expired_verdict)
    assert later.last_text == text("hud.last", player=player, verdict=words), "repeated as the last turn's"


def check_held_pose_is_interpolated(match: MoonMatch) -> None:
    held = match.facts.held
    assert held is not None
    before, now = match.previous[held].pose, match.facts[held].pose
    assert before != now

    def find_piece_at(fraction: float) -> ScenePiece:
        return next(p for p in scene.compose_scene(match, fraction, None).pieces if p.piece == held)

    assert math.dist(find_piece_at(0.0).pose.position, before.position) < 1e-12
    assert math.dist(find_piece_at(1.0).pose.position, now.position) < 1e-12
    quarter = find_piece_at(0.25).pose
    distance = math.dist(before.position, now.position)
    assert math.dist(before.position, quarter.position) == pytest.approx(0.25 * distance)
    turn = quat_angle(before.rotation, now.rotation)
    assert quat_angle(before.rotation, quarter.rotation) == pytest.approx(0.25 * turn, abs=1e-6)


MOON = MoonDriver()


def make_fake_match(*ladders: tuple[float, float], seed: int = 1, practice: bool = False) -> Any:
    pieces = [
        SimpleNamespace(piece=f"L{k}", pose=Pose((aside_m, 0.0, 0.1)), highest_m=high_m)
        for k, (aside_m, high_m) in enumerate(ladders)
    ]
    state = SimpleNamespace(placed=[p.piece for p in pieces], options=SimpleNamespace(practice=practice))
    facts, setup = SimpleNamespace(pieces=pieces), SimpleNamespace(seed=seed)
    return SimpleNamespace(facts=facts, state=state, players=("Ann", "Ben"), setup=setup)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("look", "ladders"),
    [
        ("high", [(0.0, 0.21)]),
        ("many", [(0.0, 0.15)] * 12),
        ("leaning", [(0.0, 0.13), (0.06, 0.16)]),
        ("wide", [(0.0, 0.16), (0.11, 0.14)]),
        ("small", [(0.0, 0.14), (0.03, 0.13)]),
    ],
)
def test_a_tower_is_named_by_its_look(
    look: str, ladders: Sequence[tuple[float, float]], language: str
) -> None:
    with speaking(language):
        names, endings = text(f"tower.{look}").split(" | "), text("tower.endings").split(" | ")
        found = {scene.name_tower(make_fake_match(*ladders, seed=seed)) for seed in range(300)}
        assert found <= {f"{name} {ending}" for name in names for ending in endings}
        assert len(found) > 0.9 * len(names) * len(endings)
        assert scene.name_tower(make_fake_match(*ladders)) == scene.name_tower(make_fake_match(*ladders))


def test_an_empty_table_and_practice_have_no_tower_name() -> None:
    assert scene.name_tower(make_fake_match()) == ""
    assert scene.name_tower(make_fake_match((0.0, 0.2), practice=True)) == ""


def test_the_tower_name_is_in_the_result_and_the_last_picture(
    seat: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seat("moon", "--players", "Ann,Ben", game_options=MoonOptions(house=Options(supply_size=1)))
    MOON.await_rest(table)
    for module in ("presenters", "scene"):
        monkeypatch.setattr(f"armoon.games.moon.{module}.name_tower", lambda match: "The Heron")
    match = table.game.match
    assert scene.compose_scene(match, 1.0, None).hud.title == text("hud.turn", turn=1), "not before the end"
    MOON.play_turn(table)
    table.rest(3.0)
    assert match.over
    assert make_result(match).more[-1] == text("tower.called", name="The Heron")
    assert scene.compose_scene(match, 1.0, None).hud.title == "The Heron"
