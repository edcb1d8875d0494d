"""Composes the immutable scenes of a moon match, including the rolling die."""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from armoon.engine.picture import explain_first_player, find_hand_hint, find_prop, list_hands, zone_radius_m
from armoon.games.moon import editions
from armoon.games.moon import verdict_effects as effects
from armoon.games.moon.choosing import find_fall_key
from armoon.games.moon.editions import Die, DieSource, Medal, Outcome, Phase, Reason, Task, Verdict
from armoon.games.moon.events import format_hint, format_outcome, format_verdict
from armoon.games.moon.ladder_forecast import LadderForecast
from armoon.games.moon.match import UPRIGHT, MoonMatch
from armoon.games.moon.referee import TableStatus
from armoon.games.moon.trials import format_score
from armoon.games.moon.turn import State, find_outcome, get_contact_limits
from armoon.geometry import mat_from_quat, pose_apply, pose_between, quat_from_matrix
from armoon.messages import centimetres, describe_handicap, text
from armoon.saves.profiles import Result
from armoon.values import pieces, scene
from armoon.values.pieces import BASE, KEYS_SOURCE, TABLE, Facts, GripIntent, PieceFacts, PieceStatus
from armoon.values.places import LadderPlace
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import DieFace, Ghost, SceneDie
from armoon.world.base import LID_HALF_DEPTH_M, LID_HALF_WIDTH_M, LID_HEIGHT_M, LID_X_M
from armoon.world.grip import find_aim

#: Recorded rolls: paths (n, ticks, 7) relative to where they end, and impacts (n, m, 2: seconds, strength).
ROLLS_FILE = Path(__file__).parent / "art" / "rolls.npz"
#: Edge of the drawn die, metres: larger than that of a wooden one, to be readable from two metres away.
EDGE_M = 0.040
#: Position at which the die comes to rest, metres, for teams (True) and others: opposite the lid, and mirrored with it.
REST_SPOTS: dict[bool, Vec2] = {False: (-0.156, 0.028), True: (-0.134, -0.072)}
#: Minimum and maximum duration of a recorded roll, in ticks.
MIN_ROLL_TICKS, MAX_ROLL_TICKS = 62, 88
#: Picture on each face.
FACES = {Die.ONE: DieFace.LADDER, Die.TWO: DieFace.TWO_LADDERS, Die.MOON: DieFace.CRESCENT}
#: Pictures on the faces along the die's x, y and z axes.
_FACES_BY_AXIS = tuple(FACES.values())

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class DieRoll:
    """One roll of the die in a game."""

    die: Die
    number: int
    """Index of the recorded roll."""
    side: float = 1.0
    """-1 if the lid is left of the base."""
    is_team: bool = False

    @classmethod
    def for_turn(cls, state: State, lid_x_m: float) -> DieRoll | None:
        """Return this turn's roll, the same on every call; None if no die is drawn."""
        if state.die is None or state.is_final or state.options.die is DieSource.REAL:
            return None
        number = int(random.Random(f"{state.seed}:roll:{state.turn}").random() * len(_load_rolls()[0]))
        return cls(state.die, number, math.copysign(1.0, lid_x_m), state.is_team_game)

    def get_pose(self, ticks: float) -> SceneDie:
        path = _load_path(self)
        last_tick = len(path) - 1
        tick = min(max(ticks, 0.0), float(last_tick))
        k = min(int(tick), last_tick - 1)
        is_at_rest = path[k] == path[last_tick] or tick == last_tick
        pose = path[last_tick] if is_at_rest else pose_between(path[k], path[k + 1], tick - k)
        return SceneDie(pose, path[last_tick], EDGE_M)

    @property
    def impacts(self) -> tuple[tuple[float, float], ...]:
        recorded = _load_rolls()[1][self.number].tolist()
        return tuple((time_s, force) for time_s, force in recorded if force > 0.0)


@lru_cache(maxsize=1)
def _load_rolls() -> tuple[Array, Array]:
    with np.load(ROLLS_FILE) as file:
        return file["paths"].astype(np.float64), file["blows"].astype(np.float64)


@lru_cache(maxsize=4)
def _load_path(roll: DieRoll) -> tuple[Pose, ...]:
    path = _load_rolls()[0][roll.number].copy()
    path[:, :2] += REST_SPOTS[roll.is_team]
    if roll.side < 0.0:
        path[:, [0, 4, 5]] *= -1.0
    end = mat_from_quat(path[-1, 3:])
    before = _find_rotation_before(end, _FACES_BY_AXIS.index(FACES[roll.die]))
    return tuple(
        Pose((x, y, z), quat_from_matrix(mat_from_quat(tuple(rotation)) @ before))
        for x, y, z, *rotation in path.tolist()
    )


def _find_rotation_before(end: Array, axis: int) -> Array:
    """Return the die's rotation (3, 3) before a throw that ends with this axis up; ``end``: the throw's rotation."""
    up, away = (_find_nearest_axis(end.T @ np.array(vector)) for vector in ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)))
    die_axes = np.eye(3)[:, [axis, (axis + 1) % 3, (axis + 2) % 3]]
    return np.asarray(np.column_stack([up, away, np.cross(up, away)]) @ die_axes.T)


def _find_nearest_axis(vector: Array) -> Array:
    largest = int(np.argmax(np.abs(vector)))
    return np.asarray(np.eye(3)[largest] * np.sign(vector[largest]))


def describe_trial(state: State, task: Task) -> tuple[str, ...]:
    if state.over:
        return ()
    score = state.trial_score
    if task.measure is editions.TrialMeasure.DROPS:
        goal = centimetres(task.goal_m or 0.0)
        height = centimetres(state.top_m) if state.top_m else text("trials.none_yet")
        standing = text("trials.now_goal", height=height, goal=goal)
        score = state.turn  # the score if this turn's ladder reached the goal
    else:
        standing = text("trials.now", score=format_score(task, score))
    medal = task.find_medal(score)
    next_goal = _format_goal(task, medal) if task.is_fewer_better else _format_next(task, medal)
    return (standing,) if next_goal is None else (standing, next_goal)


def describe_medal(task: Task, score: int | None) -> list[str]:
    won = task.find_medal(score)
    medal, above = text(f"trials.medal.{won.value if won else 'none'}"), _format_next(task, won)
    return [medal] if above is None else [medal, above]


def _format_next(task: Task, won: Medal | None) -> str | None:
    medals = [None, *Medal]
    ahead = medals[medals.index(won) + 1 :]
    return _format_goal(task, ahead[0] if ahead else None)


def compare_with_bests(task: Task, score: int | None, player: str, bests: Sequence[Result]) -> list[str]:
    """Compare a trial's score with earlier ``bests`` (the best first) in one line; return no line without a score."""
    if not score:
        return []
    scores = {best.players[0]: best.reached or 0 for best in bests}
    own_best, (leader, top_score) = scores.get(player), next(iter(scores.items()), ("", None))
    is_record = own_best is None or task.is_better(score, own_best)
    lines = [text("trials.own_new") if is_record else text("trials.own", score=format_score(task, own_best))]
    if top_score is None or task.is_better(score, top_score):
        lines.append(text("trials.table_new"))
    elif leader != player:
        lines.append(text("trials.table", score=format_score(task, top_score), player=leader))
    return [" ".join(lines)]


def make_best_ghost(match: MoonMatch, bests: list[Result], places: dict[str, Pose]) -> tuple[Ghost, ...]:
    """Return a ghost of the ladder where it stood in a trial's best run. ``places``: the ladders' poses in that run."""
    state = match.state
    pose = places.get(state.ladder or "")
    if pose is None or state.ladder is None or state.phase not in (Phase.DRAW, Phase.HOLD):
        return ()
    return (Ghost(state.ladder, pose, label=text("trials.ghost", player=bests[0].players[0])),)


def _format_goal(task: Task, medal: Medal | None) -> str | None:
    if medal is None:
        return None
    return text(f"trials.ask.{medal.value}", score=format_score(task, task.medals[list(Medal).index(medal)]))


#: Minimum height of a high tower, metres; minimum number of placed ladders of a big one.
HIGH_M, MANY_LADDERS = 0.19, 12
#: Minimum horizontal offset of the top of a leaning tower, and of any ladder of a wide one, from the base's middle;
#: metres.
LEANING_M, WIDE_M = 0.04, 0.09


def name_tower(match: MoonMatch) -> str:
    placed = [piece for piece in match.facts.pieces if piece.piece in match.state.placed]
    if not placed or match.state.options.practice:
        return ""
    top = max(placed, key=lambda piece: piece.highest_m)
    offsets_m = [math.hypot(*piece.pose.position[:2]) for piece in placed]
    if top.highest_m >= HIGH_M:
        shape = "high"
    elif len(placed) >= MANY_LADDERS:
        shape = "many"
    elif math.hypot(*top.pose.position[:2]) >= LEANING_M:
        shape = "leaning"
    else:
        shape = "wide" if max(offsets_m) >= WIDE_M else "small"
    seed = (*match.players, match.setup.seed, *(piece.piece for piece in placed))
    checksum = zlib.crc32(" ".join(map(str, seed)).encode())
    names, endings = (text(key).split(" | ") for key in (f"tower.{shape}", "tower.endings"))
    return f"{names[checksum % len(names)]} {endings[checksum // len(names) % len(endings)]}"


#: Maximum ticks for which a verdict's card is shown; it also disappears when the next ladder is taken.
VERDICT_TICKS = 360
#: Looks that don't fade while the verdict is shown.
_LASTING_LOOKS = frozenset({"offered", "held", "waiting", "fault"})

#: Half-width of the cloud, room above a high structure for a carried ladder and its hand, and minimum height of the
#: framed area, metres.
BASE_HALF_M, HAND_ROOM_M, MIN_FRAME_M = 0.085, 0.085, 0.26
#: Room beside the lid, and height, for the hand or moth that takes a ladder, metres; a moth needs more than a hand.
TAKE_ROOM_M, TAKE_HEIGHT_M = 0.035, 0.16
#: Distance from the base's middle, towards and away from the camera, at which a ladder may be carried, metres; a
#: ladder nearer to the camera appears larger and higher.
CARRY_DEPTH_M = 0.025


def compose_scene(
    match: MoonMatch,
    fraction: float,
    last: effects.LastVerdict | None,
    banner: str = "",
    bots: tuple[str, scene.Ghost | None] = ("", None),
    forecast: LadderForecast | None = None,
    *,
    place: LadderPlace | None = None,
    ghosts: tuple[scene.Ghost, ...] = (),
    die: scene.SceneDie | None = None,
    heap: tuple[scene.ScenePiece, ...] = (),
    slow_fall: scene.SlowFall | None = None,
) -> scene.Scene:
    """Return the scene of a match at a ``fraction`` of the time between the last two ticks.

    ``bots``: the current bot's words and the ghost of its plan; ``forecast``: that of the held ladder, if known;
    ``place``: a better place for it; ``ghosts``: further ghosts; ``heap``: fallen ladders.
    """
    state, status, facts = match.state, match.status, match.facts
    card = last if last is not None and facts.tick - last.tick <= VERDICT_TICKS else None
    if card is not None and facts.held is not None and state.turn > card.verdict.turn:
        card = None
    if card is not None and (state.turn > card.verdict.turn + 1 or state.die is not None):
        # The next turn has begun, because the game never waits for an animation.
        card = replace(card, is_skipped=True)
    held, outcome = facts.held, find_outcome(state)
    judged_ladder = state.ladder if card is None else card.verdict.ladder
    is_won = outcome is not None and bool(outcome.winners or outcome.score)
    return scene.Scene(
        tick=facts.tick,
        pieces=(
            *_list_pieces(match.previous, facts, fraction, status, card),
            *(() if card is None or card.is_skipped else heap),
        ),
        hands=list_hands(match),
        prop=find_prop(match, partial(_find_held_point, match)),
        hud=_build_hud(match, status, outcome, last, card, banner, bots[0], forecast),
        ghosts=(
            *(make_landing_ghost(match, status, forecast) if bots[1] is None else (bots[1],)),
            *(() if place is None else (make_place_ghost(match, place),)),
            *ghosts,
        ),
        die=die,
        slow_fall=slow_fall,
        moths=_list_moths(match),
        lid_height_m=match.height_line_m,
        structure_top_m=status.structure_top_m,
        contact_points=tuple(c.point for c in facts.contacts if judged_ladder in (c.a, c.b)),
        drop_line=None if held is None else _make_drop_line(facts[held]),
        place_line=None
        if held is None or place is None
        else (facts[held].pose.position, place.release.position),
        height_lines=() if card is None else _list_height_lines(match, card.verdict),
        zone_radius_m=zone_radius_m(match),
        rings=()
        if card is None
        else (*effects.build_rings(card, facts), *effects.build_dust(card, facts.tick)),
        mood=effects.choose_mood(card, facts.tick, state.tears_left, won=is_won, ended=outcome is not None),
        visual_aids=state.options.get_handicap(state.player).helps,
        framed=find_frame(max(status.structure_top_m, match.height_line_m), match.base.lid_x_m),
    )


@lru_cache(maxsize=8)
def find_frame(top_m: float, lid_x_m: float = LID_X_M) -> scene.FramedArea:
    """Return the area around base, lid and structure, with room above for a ladder and its hand."""
    points = [(x, y, 0.0) for x in (-BASE_HALF_M, BASE_HALF_M) for y in (-BASE_HALF_M, BASE_HALF_M)]
    lid_m = math.copysign(abs(lid_x_m) + LID_HALF_WIDTH_M, lid_x_m)
    # Two corners, because the camera may be on either side.
    lid = [(lid_m, y, 0.0) for y in (-LID_HALF_DEPTH_M, LID_HALF_DEPTH_M)]
    carried = [(0.0, y, max(top_m + HAND_ROOM_M, MIN_FRAME_M)) for y in (-CARRY_DEPTH_M, CARRY_DEPTH_M)]
    die_m = math.copysign(1.0, lid_x_m) * (REST_SPOTS[False][0] - EDGE_M)
    reach = (lid_m + math.copysign(TAKE_ROOM_M, lid_x_m), 0.0, TAKE_HEIGHT_M)
    return scene.FramedArea(
        (0.0, 0.0, 0.0), (*points, *lid, (lid_m, 0.0, LID_HEIGHT_M), reach, *carried, (die_m, 0.0, 0.0))
    )


def _find_held_point(match: MoonMatch, grip: GripIntent) -> Vec3 | None:
    held = match.facts.held
    if held is None or match.facts.held_is_parked:
        return None
    return find_aim(match.ladders[held], match.facts[held].pose, grip)[0]


def _list_moths(match: MoonMatch) -> tuple[scene.SceneMoth, ...]:
    """Return the moth that carries a ladder for a bot or a player at the keyboard; none between turns."""
    grip, (_, seat) = match.grip, match.on_turn
    if grip is None or grip.source not in pieces.SIMULATED or match.state.phase in (Phase.ROLL, Phase.OVER):
        return ()
    colours = match.table.colours
    return (scene.SceneMoth(grip.pose.position, colours[seat] if seat < len(colours) else None),)


def _list_pieces(
    before: Facts, now: Facts, fraction: float, status: TableStatus, card: effects.LastVerdict | None
) -> tuple[scene.ScenePiece, ...]:
    earlier = {p.piece: p for p in before.pieces}
    return tuple(
        scene.ScenePiece(
            p.piece,
            p.pose
            if (earlier_piece := earlier.get(p.piece, p)) is p or earlier_piece.pose == p.pose
            else pose_between(earlier_piece.pose, p.pose, fraction),
            look := find_look(p, now, status, card),
            1.0 if card is None or look in _LASTING_LOOKS else effects.compute_glow(card, now.tick),
        )
        for p in now.pieces
    )


def find_look(
    piece: PieceFacts, facts: Facts, status: TableStatus, card: effects.LastVerdict | None = None
) -> str:
    """Return the look of a piece, as ``ScenePiece`` names it. ``card``: the verdict whose card is shown."""
    if piece.status is PieceStatus.OFFERED:
        return "offered"
    if piece.status is PieceStatus.HELD:
        return "waiting" if facts.held_is_parked else "held"
    if card is not None:
        verdict = card.verdict
        if piece.piece in (p for p, _ in verdict.fallen):
            return "fault"
        if piece.piece == verdict.ladder:
            return "honoured" if verdict.ok else "fault"
        if piece.piece in verdict.touched:
            return "touched"
    elif piece.piece in status.touching:
        return "touched"
    return "plain"


def _list_height_lines(match: MoonMatch, verdict: Verdict) -> tuple[scene.HeightLine, ...]:
    is_moon = verdict.die is Die.MOON
    judged = [(verdict.ladder, verdict.height_m, verdict.ok if is_moon else None)]
    if is_moon:
        judged.append((verdict.rival, verdict.rival_m, None))
    poses = {piece.piece: piece.pose for piece in match.facts.pieces}
    lines = []
    for piece, height_m, good in judged:
        if piece is not None and height_m is not None and piece in poses:
            ends = (pose_apply(poses[piece], point) for rail in match.ladders[piece].rails for point in rail)
            x, y, _ = max(ends, key=lambda end: end[2])
            lines.append(scene.HeightLine((x, y, height_m), centimetres(height_m), good))
    return tuple(lines)


def _make_drop_line(held: PieceFacts) -> tuple[Vec3, Vec3]:
    x, y, _ = held.pose.position
    return ((x, y, held.lowest_m), (x, y, 0.0))


def _build_hud(
    match: MoonMatch,
    status: TableStatus,
    outcome: Outcome | None,
    last: effects.LastVerdict | None,
    card: effects.LastVerdict | None,
    banner: str,
    bot_words: str,
    forecast: LadderForecast | None,
) -> scene.SceneHud:
    state, tick = match.state, match.facts.tick
    on_turn = None if state.over else state.player
    colours = match.table.colours
    players = tuple(
        scene.ScenePlayer(
            name,
            state.tears[seat],
            seat == on_turn,
            state.out[seat] is not None,
            colours[seat : seat + 1],
            _describe_aids(match, seat),
        )
        for seat, name in enumerate(state.players)
    )
    is_delayed = card is not None and card.get_age(tick) < effects.NEXT_TURN_TICK and not state.over
    if card is not None and not state.over:
        players = effects.delay_changes(players, card, tick)
    verdict_text = _describe_first_player(match) if card is None else describe_verdict(match, card)
    if card is not None and (names := name_figures(match, card.verdict)):
        verdict_text += f" · {names}"
    if outcome is not None:
        verdict_text = " · ".join(format_outcome(state, outcome))
    if forecast is not None and forecast.fate is None and not forecast.touch_counts:
        forecast = None  # it only asks the player to hold still
    contact = _describe_contacts(state, status, forecast)
    # Without a forecast, contacts may show that a ladder would fail, but never that it would hold.
    contact_good = forecast.is_good if forecast else False if status.would_honour is False else None
    return scene.SceneHud(
        title=(name_tower(match) if state.over else "") or text("hud.turn", turn=state.turn),
        players=players,
        tears_left=0 if state.options.practice else effects.count_tears_on_moon(card, tick, state.tears_left),
        tear=None if card is None else effects.find_tear_flight(card, tick),
        die=None if state.die is None else FACES[state.die],
        die_text="" if state.die is None else text(f"die.{state.die.value.lower()}"),
        hint=bot_words or ("" if is_delayed else _choose_hint(match, status)),
        hint_swatch=None if is_delayed or on_turn is None or on_turn >= len(colours) else colours[on_turn],
        contact_text=contact,
        contact_good=contact_good if contact else None,
        ladders_left_text=text("hud.ladders_left", count=len(state.supply)),
        height_text=centimetres(status.structure_top_m),
        score_texts=_describe_scores(match),
        winner_text=""
        if outcome is None or not (outcome.winners or outcome.score)
        else format_outcome(state, outcome)[1],
        verdict_text=verdict_text,
        verdict_good=None if card is None or outcome is not None else card.is_good,
        banner=banner,
        last_text=_describe_last(match, last) if last is not None and not (card or outcome) else "",
    )


def describe_verdict(match: MoonMatch, last: effects.LastVerdict) -> str:
    sentence, cause = format_verdict(match.state, last.verdict), ""
    if last.verdict.reason is Reason.PLACED_FELL and last.support is not None:
        cause = text(f"why.{find_fall_key(match, last.support)}")
    elif last.push:
        cause = text(f"why.others.{last.push}")
    return text("why.because", verdict=sentence, why=cause) if cause else sentence


#: Reasons for verdicts between turns: the host's overrulings and the team's scoring.
_BETWEEN_TURNS = (Reason.TEAR_GIVEN_BACK, Reason.TEAR_ADDED, Reason.TURN_PUT_BACK, Reason.SCORED)


def _describe_last(match: MoonMatch, last: effects.LastVerdict) -> str:
    verdict = describe_verdict(match, last)
    if last.verdict.reason in _BETWEEN_TURNS:
        return verdict
    return text("hud.last", player=match.players[last.verdict.player], verdict=verdict)


def _describe_aids(match: MoonMatch, seat: int) -> str:
    state, chosen = match.state, match.places_chosen[seat]
    handicap, spared = state.options.get_handicap(seat), state.spared[seat]
    handicap_text = describe_handicap(handicap, spared, match.hints[seat], brief=True)
    carried = text("choose.beside", count=chosen) if chosen else ""
    card_count = match.by_card[seat]
    by_card = text("card.beside", count=card_count) if card_count else ""
    return " · ".join(words for words in (handicap_text, carried, by_card) if words)


def _describe_scores(match: MoonMatch) -> tuple[str, ...]:
    state = match.state
    if state.options.trial is not None:
        return describe_trial(state, state.options.trial)
    if not state.is_team_game or state.over:
        return ()
    line = centimetres(match.height_line_m, 0)
    above = match.running_score
    words = [text("hud.above_line", count=above, line=line)]
    if state.scorings:
        scorings = ", ".join(map(str, state.scorings))
        words.append(text("hud.scored", count=state.best_scoring, scorings=scorings))
    return tuple(words)


def _choose_hint(match: MoonMatch, status: TableStatus) -> str:
    state = match.state
    if match.bot is not None and not state.over:
        return text("bots.plays", player=match.players[state.player])
    key = status.hint
    if key == "hint.take" and match.prop is not None:
        key = "hint.take_with_card"
    elif key == "hint.take" and not match.watched_by_camera:
        key = "hint.take_without_camera"
    hint = format_hint(state, key, status.score)
    if status.hint == "hint.take" and match.lid.side != UPRIGHT:
        hint = f"{hint} · {text(f'side.{match.lid.side}')}"
    return hint if state.over else find_hand_hint(match) or hint


def _describe_first_player(match: MoonMatch) -> str:
    """Return the sentence about the first player before the first roll; empty for a resumed game."""
    state = match.state
    first_roll = state.turn == 1 and state.phase is Phase.ROLL and state.overrulings == 0
    return explain_first_player(match, match.setup.first_player) if first_roll else ""


def name_figures(match: MoonMatch, verdict: Verdict) -> str:
    if verdict.ladder is None or verdict.ladder not in match.state.placed:
        return ""
    return ", ".join(text(figure.kind.name_key) for figure in match.figures.list_figures(verdict.turn))


def _format_range(least: int, most: int) -> str:
    return str(least) if least == most else text("foretold.either", least=least, most=most)


def _describe_contacts(state: State, status: TableStatus, forecast: LadderForecast | None) -> str:
    """Return a text with the number of ladders that the ladder will touch or, without a forecast, touches now.

    Without a forecast it is empty for a held ladder that touches none, because it may touch some when lowered.
    """
    if state.die is None or state.phase not in (Phase.HOLD, Phase.SETTLE):
        return ""
    wanted = _format_range(*get_contact_limits(state.die))
    if forecast is not None:
        if not forecast.touch_counts:
            return text("foretold.fallen")
        count = _format_range(forecast.touch_counts[0], forecast.touch_counts[-1])
        return text("foretold.touches", count=count, wanted=wanted)
    if state.phase is Phase.HOLD and not status.touching:
        return ""
    return text("hud.touching", count=len(status.touching), wanted=wanted)


def make_place_ghost(match: MoonMatch, place: LadderPlace) -> scene.Ghost:
    uses_keys = match.grip is not None and match.grip.source == KEYS_SOURCE
    words = text("foretold.set_down") if uses_keys and match.requested_place == place.release else ""
    return scene.Ghost(match.facts.held or "", place.rest, (), (), scene.Fate.HOLDS, words, is_landing=True)


#: Height above the ground below which no ghost is needed, metres: the ladder itself shows where it will land.
SHOWN_ABOVE_M = 0.002


def make_landing_ghost(
    match: MoonMatch, status: TableStatus, forecast: LadderForecast | None = None
) -> tuple[scene.Ghost, ...]:
    """Return a ghost of the held ladder at its forecast pose or, without a forecast, where it would first land."""
    facts = match.facts
    if facts.held is None or match.state.die is None or status.rival_m is None:
        return ()
    held = facts[facts.held]
    if match.is_over_lid(held):
        return ()
    if forecast is not None and forecast.rest is not None:
        rest, points = forecast.rest, forecast.points
        return (scene.Ghost(held.piece, rest, (), points, forecast.fate, forecast.words, is_landing=True),)
    landing = match.get_ground().find_landing_cached(match.ladders[held.piece], held.pose)
    fate, words = (None, "") if forecast is None else (forecast.fate, forecast.words)
    if landing.fall_m < SHOWN_ABOVE_M and not words:
        return ()
    x, y, z = held.pose.position
    below = Pose((x, y, z - landing.fall_m), held.pose.rotation)
    others = tuple(name for name in landing.touched if name not in (BASE, TABLE))
    return (scene.Ghost(held.piece, below, others, landing.points, fate, words, is_landing=True),)
