"""The lake's feed: moves, each player's holdings, and the place of every pawn."""

from __future__ import annotations

import math
from collections.abc import Iterable

from armoon.broadcast import happenings
from armoon.engine import events as engine
from armoon.engine.events import Output
from armoon.games import title_of
from armoon.games.contract.kind import Game
from armoon.games.contract.presenting import ring, told_pose
from armoon.games.lake.presenters.scene import lake_scene
from armoon.games.lake.rules.game import outcome, points
from armoon.games.lake.rules.lines import hint_line, move_lines, outcome_lines, score_lines
from armoon.games.lake.rules.values import MOVE_KINDS, STRENGTHS, LakeState, Move, TakeBack
from armoon.games.lake.table.layout import DOME_RADIUS_M, STAR_PLACES, SWATCHES, SceneDome, shore
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.setup import FlewHome, Lifted, spoken
from armoon.messages import text
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3

#: Corners for each lobe of a pawn's strength, seen from above.
_CORNERS = 24
#: How deep its lobes are, in parts of its radius.
_LOBE = 0.16


def happened(game: Game[LakeMatch], output: engine.Output) -> tuple[happenings.Happening, ...]:
    begins, hands = output.events_of(engine.MatchBegan), output.events_of(Lifted, FlewHome)
    moves = output.match_events(*MOVE_KINDS)
    if not (begins or hands or moves):
        return ()
    state = game.match.state
    found: list[happenings.Happening] = [_began(game.match)] if begins else []
    for happening in hands:
        if isinstance(happening, Lifted):
            found.append(happenings.FeedHand(state.player, _star(happening.star), "taken"))
        elif isinstance(happening, FlewHome):
            where = "tower" if happening.star is None else _star(happening.star)
            found.append(happenings.FeedHand(state.player, where, "back"))
    for played in moves:
        found += _of_move(played)
    result = outcome(state)
    if result is not None and (moves or begins):
        lines = outcome_lines(state, result)
        more = happenings.words(lambda: " · ".join(map(spoken, lines[1:])))
        scores = tuple(points(state))
        found.append(
            happenings.FeedResult(result.winners, happenings.words(lambda: spoken(lines[0])), more, scores)
        )
    return tuple(found)


def _star(star: int) -> str:
    return f"star {star + 1}"


def _of_move(played: engine.MatchEvent[Move]) -> Iterable[happenings.Happening]:
    before, move, after = played.before, played.event, played.state
    said = happenings.words(lambda: " · ".join(map(spoken, move_lines(before, move))))
    yield happenings.FeedVerdict(
        before.turn, before.player, None, said, "taken back" if isinstance(move, TakeBack) else ""
    )
    if not after.over and (after.turn, after.player) != (before.turn, before.player):
        yield happenings.FeedTurn(after.turn, after.player)


def _began(match: LakeMatch) -> happenings.FeedBegan:
    water = (*shore(), shore()[0])
    stars = tuple(ring(0.003, place, 8) for place in STAR_PLACES)
    pawns = tuple(
        happenings.FeedShape(f"{colour} {strength}", (_lobed(strength),), happenings.hexed(swatch))
        for colour, swatch in SWATCHES.items()
        for strength in STRENGTHS
    )
    title, counts = (
        happenings.words(lambda: title_of(match.game)),
        happenings.words(lambda: text("air.points")),
    )
    lake = happenings.FeedShape("base", (water, *stars), "#7fa8d8")
    return happenings.FeedBegan(match.game, title, counts, "above", _seats(match.state), (*pawns, lake))


def _lobed(strength: int) -> tuple[Vec3, ...]:
    outline = []
    for corner in range(_CORNERS + 1):
        angle = 2.0 * math.pi * corner / _CORNERS
        radius_m = DOME_RADIUS_M * (1.0 + (_LOBE * math.cos(strength * angle) if strength > 1 else 0.0))
        outline.append((round(radius_m * math.cos(angle), 5), round(radius_m * math.sin(angle), 5), 0.0))
    return tuple(outline)


def _seats(state: LakeState) -> tuple[happenings.Seat, ...]:
    score = points(state)
    return tuple(
        happenings.Seat(
            name,
            happenings.hexed(SWATCHES[state.colours[seat][0].value]) if state.colours[seat] else "",
            score[seat],
            out=False,
            note=happenings.words(lambda seat=seat: _note(state, seat)),  # type: ignore[misc]
        )
        for seat, name in enumerate(state.players)
    )


def _note(state: LakeState, seat: int) -> str:
    if not any(state.held):
        return ", ".join(text(f"lake.colour.{colour.value}") for colour in state.colours[seat])
    return spoken(score_lines(state)[seat]).partition(": ")[2]


def standing(game: Game[LakeMatch]) -> happenings.Standing:
    match, state, scene = game.match, game.match.state, lake_scene(game.match)
    pieces = [happenings.FeedPiece("base", "base", IDENTITY_POSE.row, "plain")]
    pieces += [_piece(number, dome) for number, dome in enumerate((*scene.domes, *scene.moving))]
    carried = match.carried
    turn, seat = match.on_turn
    return happenings.Standing(
        _seats(state),
        turn,
        None if state.over else seat,
        happenings.SILENT if state.over else happenings.words(lambda: spoken(hint_line(state))),
        held="" if carried is None else "tower" if carried.star is None else _star(carried.star),
        paused=match.paused,
        over=state.over,
        pieces=tuple(pieces),
    )


def _piece(number: int, dome: SceneDome) -> happenings.FeedPiece:
    return happenings.FeedPiece(
        f"pawn {number}", f"{dome.colour} {dome.strength}", told_pose(Pose(dome.foot)), dome.look
    )


def cues(game: Game[LakeMatch], output: Output) -> tuple[SoundCue, ...]:
    found = [SoundCue(CueKind.GRAB, 0.6) for _ in output.events_of(Lifted)]
    found += [SoundCue(CueKind.WARNING, 0.4) for _ in output.events_of(FlewHome)]
    found += [SoundCue(CueKind.KNOCK, 0.7, 0.02) for _ in output.events_of(*MOVE_KINDS)]
    return tuple(found)
