"""Reviews a logged game: how safe each turn's release was, and how safe the best release would have been.

Safety is the share of simulated drops, with the slips of a steady hand, that honour the die. A review has a sentence
for each turn, one for the turning point, and an SVG picture.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape

import numpy as np

from armoon.engine.setup import Intake
from armoon.games.moon.editions import Die, Verdict
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.turn import LetGo, get_requirement
from armoon.games.moon.verdict_effects import WARNINGS
from armoon.games.news import Review, TurnReview
from armoon.games.shared import SEAT_COLOURS
from armoon.messages import number, text
from armoon.placement.search import PlaceFinder
from armoon.placement.values import Question, add_slip, estimate_safety, get_drop_budget
from armoon.values.pieces import Facts, PieceId
from armoon.values.places import STEADY, LadderPlace
from armoon.values.poses import Pose
from armoon.world.ladders import list_standing


@dataclass(frozen=True)
class PlayedTurn:
    """One turn as it was played."""

    verdict: Verdict
    player: str
    die: Die
    piece: PieceId
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    release: Pose | None
    """Release pose of the ladder; None if it wasn't released."""
    played_safety: float = 0.0
    """Safety of the actual release; 0 before it is measured, and without a release."""
    best: LadderPlace | None = None
    """Safest place found; None if there was none."""

    @property
    def best_safety(self) -> float:
        return max(self.played_safety, 0.0 if self.best is None else self.best.safety)

    @property
    def is_unknown(self) -> bool:
        return self.best_safety == 0.0

    @property
    def lost_safety(self) -> float:
        return self.best_safety - self.played_safety


def replay_turns(match: MoonMatch, intakes: Iterable[Intake]) -> Iterator[PlayedTurn]:
    before: Facts = match.facts
    release: Pose | None = None
    standing: tuple[tuple[PieceId, Pose, bool], ...] = ()
    for intake in intakes:
        output = match.advance(intake)
        if output.events_of(LetGo) and before.held is not None:
            release = before[before.held].pose
        for verdict in output.events_of(Verdict):
            # Verdicts between turns have no die.
            if verdict.reason in WARNINGS or verdict.die is None or verdict.ladder is None:
                continue
            player = match.players[verdict.player]
            yield PlayedTurn(verdict, player, verdict.die, verdict.ladder, standing, release)
            release = None
        before = match.facts
        if match.state.ladder is not None and release is None:
            standing = tuple(list_standing(before))


#: Number of simulated drops for a turn, each with a different slip.
DROPS = 8
#: Maximum difference in safety that may be due to chance: one drop.
CHANCE_LOSS = 1.0 / DROPS


def measure_turn(finder: PlaceFinder, turn: PlayedTurn, think_s: float) -> PlayedTurn:
    """Return the turn with the safety of its release and the best place found in ``think_s`` of processor time."""
    safety = _measure_safety(finder, turn)
    return replace(turn, played_safety=safety, best=_find_best(finder, turn, think_s))


def _measure_safety(finder: PlaceFinder, turn: PlayedTurn) -> float:
    structure = None if turn.release is None else finder.prepare(turn.standing)
    if structure is None or turn.release is None:
        return 0.0
    structure.free.load_ladder(turn.piece)
    structure.frozen.load_ladder(turn.piece)
    requirement, rng = get_requirement(turn.die), np.random.default_rng(turn.verdict.turn)
    successes = 0
    for _ in range(DROPS):
        lowered = structure.frozen.lower(add_slip(turn.release, STEADY, rng))
        if lowered is not None:
            outcome = structure.free.drop(lowered)
            highest = outcome.height_m > outcome.others_height_m
            successes += outcome.held and requirement.is_met_by(len(outcome.touched), highest)
    return successes / DROPS


def _find_best(finder: PlaceFinder, turn: PlayedTurn, think_s: float) -> LadderPlace | None:
    drops = get_drop_budget(turn.standing)
    question = Question(turn.standing, turn.piece, get_requirement(turn.die), STEADY)
    # Limited by processor time rather than elapsed time, so that a busy machine finds the same places. Until a place
    # has been tried, the number of drops is the limit.
    end_s, start_work = time.process_time() + think_s, finder.work
    places: dict[int, LadderPlace] = {}
    for finding in finder.search(question, turn.verdict.turn):
        if finding is not None:
            places[finding.number] = finding.place
        can_stop = any(place.slips for place in places.values()) or finder.work - start_work >= drops
        if can_stop and time.process_time() > end_s:
            break
    return max((place for place in places.values() if place.slips), key=estimate_safety, default=None)


def find_turning_point(turns: list[PlayedTurn]) -> PlayedTurn | None:
    """Return the mistake, or failing that the turn, that lost the most safety; None if all losses may be chance."""
    losses = [turn for turn in turns if turn.lost_safety > CHANCE_LOSS]
    mistakes = [turn for turn in losses if not turn.verdict.ok]
    return max(mistakes or losses, key=lambda turn: (turn.lost_safety, -turn.played_safety), default=None)


WIDTH, HEIGHT = 960, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 30, 70, 70
_PAPER, _INK, _PALE = "#12142e", "#f4efe2", "#8f93b5"


def make_turn_review(turn: PlayedTurn) -> TurnReview:
    safety, best = turn.played_safety, turn.best_safety
    line = text(
        "review.turn" if turn.verdict.ok else "review.mistake",
        turn=turn.verdict.turn,
        player=turn.player,
        die=text(f"die.{turn.die.value.lower()}"),
        done=_format_percent(safety),
        best=text("review.nothing") if turn.is_unknown else text("review.best", best=_format_percent(best)),
    )
    verdict = turn.verdict
    return TurnReview(verdict.turn, verdict.player, safety, best, verdict.ok, line)


def make_review(turns: list[PlayedTurn], title: str) -> Review:
    turning_point = find_turning_point(turns)
    picture = draw_review(turns, title, turning_point)
    if turning_point is None:
        count = sum(turn.is_unknown and not turn.verdict.ok for turn in turns)
        sentence = text("review.even" if turns else "review.empty")
        return Review(text("review.unknown", count=count) if count else sentence, None, picture)
    number, lost = turning_point.verdict.turn, _format_percent(turning_point.lost_safety)
    sentence = text("review.turned", turn=number, player=turning_point.player, lost=lost)
    return Review(sentence, number, picture)


def draw_review(turns: list[PlayedTurn], title: str, turning_point: PlayedTurn | None) -> str:
    """Return an SVG of each turn's safety in the player's colour, with the best possible safety behind it."""
    step_x = (WIDTH - _LEFT - _RIGHT) / max(1, len(turns) - 1)
    height = HEIGHT - _TOP - _BOTTOM

    def format_point(k: int, safety: float) -> str:
        return f"{_LEFT + k * step_x:.1f},{_TOP + (1.0 - safety) * height:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>',
        _draw_text(_LEFT, 34, title, 22, _INK),
    ]
    for share in (0.0, 0.5, 1.0):
        y = _TOP + (1.0 - share) * height
        parts.append(
            f'<path d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}" stroke="{_PALE}" stroke-width="1" opacity="0.35"/>'
        )
        parts.append(_draw_text(12, y + 5, _format_percent(share), 14, _PALE))
    best = " ".join(format_point(k, turn.best_safety) for k, turn in enumerate(turns))
    curve = " ".join(format_point(k, turn.played_safety) for k, turn in enumerate(turns))
    for points, look in ((best, f'stroke="{_PALE}" stroke-dasharray="6 5"'), (curve, f'stroke="{_INK}"')):
        parts.append(f'<polyline points="{points}" fill="none" stroke-width="2" {look}/>')
    for k, turn in enumerate(turns):
        at_x, at_y = format_point(k, turn.played_safety).split(",")
        colour = SEAT_COLOURS[turn.verdict.player % len(SEAT_COLOURS)]
        if turn is turning_point:
            parts.append(
                f'<circle cx="{at_x}" cy="{at_y}" r="14" fill="none" stroke="{_INK}" stroke-width="2"/>'
            )
        if turn.verdict.ok:
            parts.append(f'<circle cx="{at_x}" cy="{at_y}" r="7" fill="{colour}"/>')
        else:  # draw a tear
            parts.append(
                f'<path transform="translate({at_x},{at_y})" d="M0-10Q9 3 0 9Q-9 3 0-10" fill="{colour}"/>'
            )
        label = str(turn.verdict.turn)
        parts.append(_draw_text(float(at_x), HEIGHT - _BOTTOM + 24, label, 13, _PALE, "middle"))
    parts += _draw_legend(turns, turning_point)
    return "\n".join([*parts, "</svg>", ""])


def _draw_legend(turns: list[PlayedTurn], turning_point: PlayedTurn | None) -> list[str]:
    seats = {turn.verdict.player: turn.player for turn in turns}
    parts: list[str] = []
    x = float(_LEFT)
    for seat in sorted(seats):
        colour = SEAT_COLOURS[seat % len(SEAT_COLOURS)]
        parts.append(f'<circle cx="{x:.1f}" cy="{HEIGHT - 22}" r="7" fill="{colour}"/>')
        parts.append(_draw_text(x + 14, HEIGHT - 17, seats[seat], 15, _INK))
        x += 44 + 9 * len(seats[seat])
    marks = [text("review.legend"), *([text("review.legend_turned")] if turning_point is not None else [])]
    parts.append(_draw_text(WIDTH - _RIGHT, HEIGHT - 17, " · ".join(marks), 14, _PALE, "end"))
    return parts


def _draw_text(x: float, y: float, words: str, size: int, colour: str, anchor: str = "start") -> str:
    attributes = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
    return f"<text {attributes}>{escape(words)}</text>"


def _format_percent(share: float) -> str:
    return text("review.percent", share=number(100.0 * share, 0))
