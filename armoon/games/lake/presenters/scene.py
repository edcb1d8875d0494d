"""A lake match at one moment as an immutable picture: domes, marks and words."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.engine.events import MatchEvent
from armoon.engine.picture import first_player_text, hand_hint, scene_card, scene_hands
from armoon.engine.setup import TableSetup
from armoon.games.lake.rules.game import landing, outcome, points
from armoon.games.lake.rules.lines import hint_line, move_lines, outcome_lines, refusal_line
from armoon.games.lake.rules.values import Carry, LakePhase, LakeRefusal, LakeState, Move
from armoon.games.lake.table import layout
from armoon.games.lake.table.match import (
    LakeMatch,
    Pointed,
    carried_foot,
    moving_domes,
    pointed_at,
    standing_domes,
)
from armoon.games.lake.table.setup import FlewHome, Happening, LakeRefused, spoken
from armoon.messages import text
from armoon.values.poses import Vec3
from armoon.values.scene import FramedArea, PointsFlight, Scene, SceneHud, ScenePlayer

#: Ticks of 1/60 s for which the points travel, after the domes have come down.
LEAVE_TICKS, WAY_TICKS = layout.FLIGHT_TICKS + 4, 48


@dataclass(frozen=True)
class Scored:
    """The points that a move won or lost for one player."""

    seat: int
    by: int
    place: Vec3
    tick: int

    def along(self, tick: int) -> float:
        return min(1.0, max(0.0, (tick - self.tick - LEAVE_TICKS) / WAY_TICKS))


@dataclass(frozen=True)
class Scoring:
    """The points of the last moves, until one is undone."""

    after: LakeState | None = None
    scored: tuple[Scored, ...] = ()

    def of(self, played: MatchEvent[Move], tick: int) -> Scoring:
        after: LakeState = played.state
        place = _place(played)
        changes = zip(points(played.before), points(after), strict=True)
        new = [Scored(seat, b - a, place, tick) for seat, (a, b) in enumerate(changes) if a != b]
        under_way = [one for one in self.scored if one.along(tick) < 1.0]
        return Scoring(after, (*under_way, *new))

    def counters(self, state: LakeState, tick: int) -> tuple[PointsFlight, ...]:
        if state != self.after:
            return ()
        moving = ((one, one.along(tick)) for one in self.scored)
        return tuple(
            # What is lost goes the other way: from the player's line to where it was lost.
            PointsFlight(one.seat, f"+{one.by}", one.place, part)
            if one.by > 0
            else PointsFlight(one.seat, f"−{-one.by}", one.place, 1.0 - part, won=False)
            for one, part in moving
            if 0.0 < part < 1.0
        )

    def shown(self, state: LakeState, tick: int) -> tuple[int, ...]:
        counts = list(points(state))
        for one in self.scored if state == self.after else ():
            if one.by > 0 and one.along(tick) < 1.0:
                counts[one.seat] -= one.by
        return tuple(counts)


#: No move was made.
NOTHING = Scoring()


def _place(played: MatchEvent[Move]) -> Vec3:
    move, before, after = played.event, played.before, played.state
    if isinstance(move, Carry):
        star = landing(before.stars, move.star, move.direction)
        if star is not None and after.stars[star]:
            return layout.stack_top(star, len(after.stars[star]))
        return layout.TOWER_FOOT
    return (
        layout.TOWER_FOOT if before.phase is LakePhase.SPLIT else (layout.CENTRE_X_M, layout.CENTRE_Y_M, 0.02)
    )


#: How long a refusal's sentence is shown, in ticks of 1/60 s.
NOTICE_TICKS = 150
SIGN_M = 0.024
SHORE = layout.shore()
#: Beside the water this much is to be seen; where the table's buttons stand more, on the other side less by as much.
BESIDE_M, FOR_BUTTONS_M = 0.020, 0.016
#: Ticks for which the beginner's name is shown.
BEGIN_TICKS = 300


def compose(
    match: LakeMatch,
    fraction: float,
    notice: str,
    banner: str = "",
    keyed: Move | None = None,
    scoring: Scoring = NOTHING,
) -> Scene:
    """Return the picture of a match; ``keyed`` is the move at which the keys point."""
    held = _drop_line(match, fraction)
    return Scene(
        tick=match.tick,
        pieces=(),
        hands=scene_hands(match),
        card=scene_card(match, lambda grip: None if held is None else held[0]),
        hud=_hud(match, notice, banner, keyed, scoring.shown(match.state, match.tick)),
        drop_line=held,
        board=lake_scene(match, fraction, keyed),
        framed=framed(match.table),
        counters=scoring.counters(match.state, match.tick),
    )


def framed(table: TableSetup) -> FramedArea:
    """Return the water, a hand's height above its far shore, and what players hold behind it, clear of the buttons."""
    # Buttons are at the left edge as seen, or at the right one for left-handed players.
    buttons = -1.0 if table.mirrored == table.left_handed else 1.0
    middle_x = layout.CENTRE_X_M + buttons * FOR_BUTTONS_M
    half_m = layout.HALF_WIDTH_M + BESIDE_M
    return FramedArea(
        (middle_x, layout.CENTRE_Y_M, 0.0),
        tuple(
            (middle_x + side * half_m, layout.CENTRE_Y_M + away, z)
            for side in (-1.0, 1.0)
            for away, z in ((-layout.HALF_DEPTH_M - BESIDE_M, 0.0), (0.0, 0.0), (layout.HALF_DEPTH_M, 0.09))
        ),
    )


def lake_scene(match: LakeMatch, fraction: float = 1.0, keyed: Move | None = None) -> layout.LakeScene:
    heirs = match.heirs
    pointed = pointed_at(match, keyed)
    return layout.LakeScene(
        shore=SHORE,
        stars=layout.STAR_PLACES,
        domes=standing_domes(match, pointed),
        moving=moving_domes(match, fraction, pointed),
        marks=_marks(match, pointed),
        signs=tuple((seat, layout.sign_place(number, len(heirs))) for number, seat in enumerate(heirs)),
    )


def notice_of_move(played: MatchEvent[Move]) -> str:
    move, before, after = played.event, played.before, played.state
    result = outcome(after)
    if result is not None:
        return " · ".join(map(spoken, outcome_lines(after, result)))
    if isinstance(move, Carry):
        target = landing(before.stars, move.star, move.direction)
        if target is None or after.stars[target]:
            return ""
        return text("lake.table.tower", player=before.players[before.player])
    return " · ".join(map(spoken, move_lines(before, move)[:2]))


def notice_of(happening: Happening, state: LakeState) -> str:
    if isinstance(happening, LakeRefused):
        return spoken(refusal_line(state, happening.refusal, happening.star))
    if not isinstance(happening, FlewHome):
        return ""
    if happening.lost:
        return text("lake.table.lost")
    if happening.star is None:
        own = happening.refusal is not None
        return text("lake.table.own_sign" if own else "lake.table.no_sign")
    if happening.refusal is None:
        return text("lake.table.nowhere")
    if happening.refusal is LakeRefusal.LEFT_HERE:
        return ""  # the player who puts something back knows it
    return spoken(refusal_line(state, happening.refusal, happening.star))


def _marks(match: LakeMatch, pointed: Pointed) -> tuple[layout.SceneMark, ...]:
    marks = list(layout.STAR_MARKS)
    for found in pointed.landings:
        marks += layout.way_marks(found)
    heirs = match.heirs
    marks += [
        layout.SceneMark("sign", layout.sign_place(number, len(heirs)), SIGN_M)
        for number in range(len(heirs))
    ]
    return tuple(marks)


def _drop_line(match: LakeMatch, fraction: float) -> tuple[Vec3, Vec3] | None:
    carried = match.carried
    if carried is None:
        return None
    x, y, z = carried_foot(match, fraction)
    if match.aimed is None or carried.star is None:
        return ((x, y, z), (x, y, 0.0))
    a, b, _ = layout.STAR_PLACES[match.aimed]
    return ((x, y, z), (a, b, len(match.state.stars[match.aimed]) * layout.FLOOR_M))


def _hud(match: LakeMatch, notice: str, banner: str, keyed: Move | None, score: tuple[int, ...]) -> SceneHud:
    state = match.state
    players = tuple(
        ScenePlayer(
            _player_text(state, seat, score[seat]),
            0,
            seat == state.player and not state.over,
            swatches=tuple(layout.SWATCHES[colour.value] for colour in state.colours[seat]),
        )
        for seat in range(len(state.players))
    )
    neutral = state.neutral
    end = outcome(state)
    return SceneHud(
        title=text("lake.table.title"),
        players=players,
        hint=_hint(match, keyed),
        score_texts=() if state.over else (text("lake.table.goal"), text("lake.table.counted")),
        height_text="" if neutral is None else text("lake.table.neutral", colour=_colour(neutral.value)),
        # The verdict's card lies over the near shore, the banner above the far one.
        verdict_text=notice if state.over else "",
        feast="" if end is None else spoken(outcome_lines(state, end)[-1]),
        banner=banner or ("" if state.over else notice or _begins(match)),
    )


def _begins(match: LakeMatch) -> str:
    why, first = match.table.first_why, match.setup.first
    if not why or match.tick > BEGIN_TICKS or match.state is not first:
        return ""
    return first_player_text(first.players[first.player], why)


def _player_text(state: LakeState, seat: int, score: int) -> str:
    own = state.colours[seat]
    if not own:
        return state.players[seat]
    colours = ", ".join(_colour(colour.value) for colour in own)
    return text("lake.table.player", player=state.players[seat], colours=colours, count=score)


def _colour(name: str) -> str:
    return text(f"lake.colour.{name}")


def _hint(match: LakeMatch, keyed: Move | None) -> str:
    state = match.state
    who = state.players[state.player]
    if match.bot is not None:
        return text("lake.table.thinks", player=who)
    in_the_way = hand_hint(match)
    if in_the_way:
        return in_the_way
    if match.carried is not None and match.is_parked:
        return text("lake.table.parked")
    if match.carried is not None:
        if match.carried.star is None:
            return text("lake.table.carry_half")
        somewhere = bool(match.landing_stars())
        return text("lake.table.carry" if somewhere else "lake.table.stuck")
    if keyed is not None:
        return spoken(hint_line(state))  # the strip below it says which keys
    if state.phase is LakePhase.SPLIT:
        return text("lake.table.split", player=who)
    if state.phase is LakePhase.CHOOSE:
        second = bool(state.colours[state.player])
        return text("lake.table.choose_second" if second else "lake.table.choose", player=who)
    return spoken(hint_line(state))
