"""A match as a picture: looks, words in both languages, and what lies between two ticks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from support.app_kit import IdealDemo, setup_for

from armoon import messages
from armoon.games.moon.drama import LastVerdict
from armoon.games.moon.figures.shape import Figure, FigureKind
from armoon.games.moon.player.ways import Activity
from armoon.games.moon.presenters.scene import VERDICT_TICKS, compose, figure_names, verdict_words
from armoon.games.moon.rules.values import Reason, Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.geometry import quat_angle
from armoon.messages import text
from armoon.values.pieces import PieceStatus
from armoon.values.scene import DieFace, ScenePiece


class Stills:
    """Moments of one turn, each as it was composed."""

    def __init__(self) -> None:
        self.match = setup_for().match()
        self.demo = IdealDemo(self.match)
        self.verdict: Verdict | None = None

    def until(self, doing: Activity | None) -> None:
        """Play until the hand does this, or until the verdict."""
        for _ in range(2500):
            out = self.demo.step()
            for verdict in out.of(Verdict):
                self.verdict = verdict
            if self.verdict is not None if doing is None else self.demo.player.doing is doing:
                return
        raise AssertionError(f"it never came to {doing}")


@pytest.fixture
def stills() -> Iterator[Stills]:
    stills = Stills()
    yield stills
    stills.demo.close()
    stills.match.close()


def look_of(pieces: tuple[ScenePiece, ...], name: str) -> str:
    return next(p.look for p in pieces if p.piece == name)


def test_a_turn_from_roll_to_verdict(stills: Stills, monkeypatch: pytest.MonkeyPatch) -> None:
    match = stills.match
    opening = compose(match, 1.0, None)
    assert opening.hud.hint == messages.text("hint.roll", player="Ann")
    assert opening.hud.die is None
    assert opening.hud.die_text == opening.hud.contact_text == opening.hud.verdict_text == ""
    assert [(p.name, p.tears, p.on_turn) for p in opening.hud.players] == [
        ("Ann", 0, True),
        ("Ben", 0, False),
    ]
    assert {p.look for p in opening.pieces} == {"plain"}
    assert len(opening.pieces) == 2

    stills.until(Activity.REACHING)
    offered = next(p.piece for p in match.facts.pieces if p.status is PieceStatus.OFFERED)
    reaching = compose(match, 1.0, None)
    assert look_of(reaching.pieces, offered) == "offered"
    die = match.state.die
    assert die is not None
    assert (
        reaching.hud.die
        is {"ONE": DieFace.LADDER, "TWO": DieFace.TWO_LADDERS, "MOON": DieFace.CRESCENT}[die.value]
    )
    assert reaching.hud.die_text == messages.text(f"die.{die.value.lower()}")
    assert reaching.hud.hint == "Ann, pinch the ladder in the lid"
    assert len(reaching.hands) == 1
    assert len(reaching.hands[0].points_px) == len(reaching.hands[0].depths_m) == 21
    assert reaching.drop_line is None

    stills.until(Activity.CARRYING)
    carrying = compose(match, 1.0, None, banner="Stop!")
    assert look_of(carrying.pieces, offered) == "held"
    assert carrying.hud.contact_text == "", "it may be over a place where it touches two"
    assert carrying.hud.contact_good is None
    assert carrying.hud.banner == "Stop!"
    assert carrying.drop_line is not None
    (x, y, top), low = carrying.drop_line
    assert low == (x, y, 0.0)
    assert top == pytest.approx(match.facts[offered].lowest_m)
    check_pieces_lie_between_the_last_two_ticks(match)

    monkeypatch.setattr(messages, "_language", "fr")
    french = compose(match, 1.0, None)
    assert french.hud.hint != carrying.hud.hint
    assert french.hud.die_text != carrying.hud.die_text
    assert replace(french, hud=carrying.hud) == carrying  # only words differ
    monkeypatch.setattr(messages, "_language", "en")

    stills.until(None)
    assert stills.verdict is not None
    last = LastVerdict(stills.verdict, match.facts.tick)
    judged = compose(match, 1.0, last)
    assert judged.hud.verdict_text
    assert judged.hud.verdict_good is stills.verdict.ok
    if offered in (p.piece for p in judged.pieces) and stills.verdict.height_m is not None:
        line = judged.height_lines[0]
        assert line.through[2] == stills.verdict.height_m
        assert line.text == f"{100.0 * stills.verdict.height_m:.1f} cm"
    if offered not in stills.verdict.removed:
        assert look_of(judged.pieces, offered) == ("honoured" if stills.verdict.ok else "fault")
    of_the_judged = {c.point for c in match.facts.contacts if offered in (c.a, c.b)}
    assert set(judged.contact_points) == of_the_judged
    assert bool(of_the_judged) == (offered not in stills.verdict.removed)
    if stills.verdict.ok:
        assert {p.piece for p in judged.pieces if p.look == "touched"} == set(stills.verdict.touched)
    card_is_old = LastVerdict(stills.verdict, match.facts.tick - VERDICT_TICKS - 1)
    later = compose(match, 1.0, card_is_old).hud
    assert later.verdict_text == ""
    assert judged.hud.last_text == ""
    told = text(
        "hud.last", player=match.players[stills.verdict.player], verdict=verdict_words(match, card_is_old)
    )
    assert later.last_text == told, "the strip says it again"


def made_in_turn(turn: int) -> tuple[Figure, ...]:
    kinds = {4: FigureKind.CANDLE, 5: FigureKind.SWING}
    return (Figure(kinds[turn], "L05", ("L01",)),) if turn in kinds else ()


class Placed:
    """As much of a match as the card's figures are told from: L04 and L05 stand, and turns 4 and 5 made figures."""

    state = SimpleNamespace(placed=("L04", "L05"), turn=7)
    figures = SimpleNamespace(of_turn=made_in_turn)


@pytest.mark.parametrize(
    ("turn", "ladder", "said"),
    [(5, "L05", "figure.swing.name"), (4, "L04", "figure.candle.name"), (7, "L05", ""), (5, "L09", "")],
)
def test_the_card_names_the_figures_of_the_judged_turn(turn: int, ladder: str, said: str) -> None:
    verdict = Verdict(turn, 0, True, Reason.HONOURED, ("T4",), ladder=ladder)
    assert figure_names(Placed(), verdict) == (messages.text(said) if said else "")  # type: ignore[arg-type]


def check_pieces_lie_between_the_last_two_ticks(match: MoonMatch) -> None:
    """While a ladder is carried."""
    held = match.facts.held
    assert held is not None
    before, now = match.previous[held].pose, match.facts[held].pose
    assert before != now

    def pose_at(fraction: float) -> ScenePiece:
        return next(p for p in compose(match, fraction, None).pieces if p.piece == held)

    assert math.dist(pose_at(0.0).pose.position, before.position) < 1e-12
    assert math.dist(pose_at(1.0).pose.position, now.position) < 1e-12
    quarter = pose_at(0.25).pose
    way = math.dist(before.position, now.position)
    assert math.dist(before.position, quarter.position) == pytest.approx(0.25 * way)
    turn = quat_angle(before.rotation, now.rotation)
    assert quat_angle(before.rotation, quarter.rotation) == pytest.approx(0.25 * turn, abs=1e-6)
