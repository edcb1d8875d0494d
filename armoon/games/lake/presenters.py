"""Turns a lake match into a scene, sentences, sounds, feed and results, and describes saved games."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from armoon import broadcast
from armoon.engine import events as engine
from armoon.engine.events import MatchBegan, MatchEvent, NoticeShown, Output
from armoon.engine.picture import explain_first_player, find_hand_hint, find_prop, list_hands
from armoon.engine.setup import TableSetup
from armoon.games import title_of
from armoon.games.contract import Game, SaveSummary, TerminalTable, draw_circle, round_pose
from armoon.games.lake import layout, rules
from armoon.games.lake.layout import DOME_RADIUS_M, STAR_PLACES, SWATCHES, SceneDome
from armoon.games.lake.match import (
    GAME,
    MOVES,
    Highlight,
    LakeMatch,
    LakeMoveRefused,
    LakeSetup,
    StackLifted,
    StackReturned,
    TableEvent,
    find_highlight,
    interpolate_carried_foot,
    list_moving_domes,
    list_standing_domes,
)
from armoon.games.lake.options import LakeOptions
from armoon.games.news import News, ResultNews, ScoreLine
from armoon.messages import join_names, ordinal, text
from armoon.options.option import InvalidValueError, read_record
from armoon.saves.game_file import SavedGame, raising_save_error
from armoon.saves.profiles import Result
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.values.scene import FramedArea, PointsFlight, Scene, SceneHud, ScenePlayer

#: Ticks between a move and the start of its points' flight (after the domes land), and ticks of that flight.
SCORE_DELAY_TICKS, SCORE_FLIGHT_TICKS = layout.FLIGHT_TICKS + 4, 48


@dataclass(frozen=True)
class ScoreChange:
    """Points won or lost by one player in a move."""

    seat: int
    change: int
    place: Vec3
    tick: int

    def measure_progress(self, tick: int) -> float:
        return min(1.0, max(0.0, (tick - self.tick - SCORE_DELAY_TICKS) / SCORE_FLIGHT_TICKS))


@dataclass(frozen=True)
class Scoring:
    """Animated score changes of the last moves; none of them is shown after an undo."""

    state: rules.LakeState | None = None
    changes: tuple[ScoreChange, ...] = ()

    def add_move(self, move_event: MatchEvent[rules.Move], tick: int) -> Scoring:
        after: rules.LakeState = move_event.state
        place = _find_score_place(move_event)
        count_pairs = zip(rules.count_points(move_event.before), rules.count_points(after), strict=True)
        new = [ScoreChange(seat, b - a, place, tick) for seat, (a, b) in enumerate(count_pairs) if a != b]
        flying = [change for change in self.changes if change.measure_progress(tick) < 1.0]
        return Scoring(after, (*flying, *new))

    def list_points_flights(self, state: rules.LakeState, tick: int) -> tuple[PointsFlight, ...]:
        if state != self.state:
            return ()
        moving = ((score, score.measure_progress(tick)) for score in self.changes)
        return tuple(
            # Lost points fly from the player's line to the place where they were lost.
            PointsFlight(score.seat, f"+{score.change}", score.place, progress)
            if score.change > 0
            else PointsFlight(score.seat, f"−{-score.change}", score.place, 1.0 - progress, won=False)
            for score, progress in moving
            if 0.0 < progress < 1.0
        )

    def count_displayed_points(self, state: rules.LakeState, tick: int) -> tuple[int, ...]:
        counts = list(rules.count_points(state))
        for score in self.changes if state == self.state else ():
            if score.change > 0 and score.measure_progress(tick) < 1.0:
                counts[score.seat] -= score.change
        return tuple(counts)


NO_SCORING = Scoring()


def _find_score_place(move_event: MatchEvent[rules.Move]) -> Vec3:
    move, before, after = move_event.event, move_event.before, move_event.state
    if isinstance(move, rules.Carry):
        star = rules.find_landing(before.stars, move.star, move.direction)
        if star is not None and after.stars[star]:
            return layout.locate_stack_top(star, len(after.stars[star]))
        return layout.TOWER_FOOT
    is_split = before.phase is rules.LakePhase.SPLIT
    return layout.TOWER_FOOT if is_split else (layout.CENTRE_X_M, layout.CENTRE_Y_M, 0.02)


#: Ticks of 1/60 s for which a notice is shown, and half-width of the mark of a sign, metres.
NOTICE_TICKS, SIGN_M = 150, 0.024
SHORE = layout.build_shore()
#: Visible margin around the water, and shift of the view towards the table's buttons, metres.
MARGIN_M, BUTTON_SHIFT_M = 0.020, 0.016
#: Ticks for which the first player's name is shown.
BEGIN_TICKS = 300


def compose_scene(
    match: LakeMatch,
    fraction: float,
    notice: str,
    banner: str = "",
    selected_move: rules.Move | None = None,
    scoring: Scoring = NO_SCORING,
) -> Scene:
    """Return the scene of a match. ``selected_move``: the legal move selected with the keys."""
    drop_line = _build_drop_line(match, fraction)
    return Scene(
        tick=match.tick,
        pieces=(),
        hands=list_hands(match),
        prop=find_prop(match, lambda grip: None if drop_line is None else drop_line[0]),
        hud=_build_hud(
            match, notice, banner, selected_move, scoring.count_displayed_points(match.state, match.tick)
        ),
        drop_line=drop_line,
        board=build_lake_scene(match, fraction, selected_move),
        framed=frame_lake(match.table),
        points_flights=scoring.list_points_flights(match.state, match.tick),
    )


def frame_lake(table: TableSetup) -> FramedArea:
    """Return the area to keep visible beside the buttons: the water, and 9 cm above the far shore."""
    # The buttons are at the left edge of the picture or, for left-handed players, at the right edge.
    buttons = -1.0 if table.mirrored == table.left_handed else 1.0
    middle_x = layout.CENTRE_X_M + buttons * BUTTON_SHIFT_M
    half_m = layout.HALF_WIDTH_M + MARGIN_M
    return FramedArea(
        (middle_x, layout.CENTRE_Y_M, 0.0),
        tuple(
            (middle_x + side * half_m, layout.CENTRE_Y_M + away, z)
            for side in (-1.0, 1.0)
            for away, z in ((-layout.HALF_DEPTH_M - MARGIN_M, 0.0), (0.0, 0.0), (layout.HALF_DEPTH_M, 0.09))
        ),
    )


def build_lake_scene(
    match: LakeMatch, fraction: float = 1.0, selected_move: rules.Move | None = None
) -> layout.LakeScene:
    heirs = match.heirs
    highlight = find_highlight(match, selected_move)
    return layout.LakeScene(
        shore=SHORE,
        stars=layout.STAR_PLACES,
        domes=list_standing_domes(match, highlight),
        moving=list_moving_domes(match, fraction, highlight),
        marks=_list_marks(match, highlight),
        signs=tuple((seat, layout.locate_sign(number, len(heirs))) for number, seat in enumerate(heirs)),
    )


def describe_move(move_event: MatchEvent[rules.Move]) -> str:
    move, before, after = move_event.event, move_event.before, move_event.state
    outcome = rules.find_outcome(after)
    if outcome is not None:
        return " · ".join(describe_outcome(after, outcome))
    if isinstance(move, rules.Carry):
        target = rules.find_landing(before.stars, move.star, move.direction)
        if target is None or after.stars[target]:
            return ""
        return text("lake.table.tower", player=before.players[before.player])
    return " · ".join(list_move_sentences(before, move)[:2])


def describe_event(event: TableEvent, state: rules.LakeState) -> str:
    if isinstance(event, LakeMoveRefused):
        return describe_refusal(state, event.refusal, event.star)
    if not isinstance(event, StackReturned):
        return ""
    if event.lost:
        return text("lake.table.lost")
    if event.star is None:
        is_own_sign = event.refusal is not None
        return text("lake.table.own_sign" if is_own_sign else "lake.table.no_sign")
    if event.refusal is None:
        return text("lake.table.nowhere")
    if event.refusal is rules.LakeRefusal.LEFT_HERE:
        return ""  # the player put it back on purpose
    return describe_refusal(state, event.refusal, event.star)


def _list_marks(match: LakeMatch, highlight: Highlight) -> tuple[layout.SceneMark, ...]:
    marks = list(layout.STAR_MARKS)
    for carry, counted in highlight.landings.items():
        marks += layout.mark_path(carry, counted)
    count = len(match.heirs)
    signs = (layout.SceneMark("sign", layout.locate_sign(number, count), SIGN_M) for number in range(count))
    return (*marks, *signs)


def _build_drop_line(match: LakeMatch, fraction: float) -> tuple[Vec3, Vec3] | None:
    carried = match.carried
    if carried is None:
        return None
    x, y, z = interpolate_carried_foot(match, fraction)
    if match.aimed_star is None or carried.star is None:
        return ((x, y, z), (x, y, 0.0))
    a, b, _ = layout.STAR_PLACES[match.aimed_star]
    return ((x, y, z), (a, b, len(match.state.stars[match.aimed_star]) * layout.FLOOR_M))


def _build_hud(
    match: LakeMatch, notice: str, banner: str, selected_move: rules.Move | None, score: tuple[int, ...]
) -> SceneHud:
    state = match.state
    players = tuple(
        ScenePlayer(
            _describe_player(state, seat, score[seat]),
            0,
            seat == state.player and not state.over,
            swatches=tuple(layout.SWATCHES[colour.value] for colour in state.colours[seat]),
        )
        for seat in range(len(state.players))
    )
    neutral = state.neutral
    outcome = rules.find_outcome(state)
    return SceneHud(
        title=text("lake.table.title"),
        players=players,
        hint=_describe_hint(match, selected_move),
        score_texts=() if state.over else (text("lake.table.goal"), text("lake.table.counted")),
        height_text="" if neutral is None else text("lake.table.neutral", colour=_name_colour(neutral.value)),
        # The verdict card covers the near shore, so it shows only the final result.
        verdict_text=notice if state.over else "",
        winner_text="" if outcome is None else describe_outcome(state, outcome)[-1],
        banner=banner or ("" if state.over else notice or _build_first_player_banner(match)),
    )


def _build_first_player_banner(match: LakeMatch) -> str:
    is_beginning = match.tick <= BEGIN_TICKS and match.state is match.setup.first_state
    return explain_first_player(match, match.setup.first_chooser) if is_beginning else ""


def _describe_player(state: rules.LakeState, seat: int, score: int) -> str:
    if not state.colours[seat]:
        return state.players[seat]
    colours = ", ".join(_name_colour(colour.value) for colour in state.colours[seat])
    return text("lake.table.player", player=state.players[seat], colours=colours, count=score)


def _name_colour(name: str) -> str:
    return text(f"lake.colour.{name}")


def _capitalise(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _describe_pawn(pawn: rules.Pawn) -> str:
    return text("lake.pawn", colour=_name_colour(pawn.colour.value), strength=pawn.strength)


def _describe_stack(stack: rules.Stack) -> str:
    return ", ".join(map(_describe_pawn, reversed(stack)))


def describe_next_step(state: rules.LakeState) -> str:
    is_second = state.phase is rules.LakePhase.CHOOSE and bool(state.colours[state.player])
    key = "over" if state.over else "choose_second" if is_second else state.phase.value
    return _capitalise(text(f"lake.hint.{key}", player=state.players[state.player]))


def describe_refusal(state: rules.LakeState, refusal: rules.LakeRefusal, star: int | None = None) -> str:
    stack = state.stars[star] if star is not None and 0 <= star < rules.STARS else ()
    pawn, count = (_describe_pawn(stack[-1]), stack[-1].strength) if stack else ("", 0)
    fields = {"player": state.players[state.player], "pawn": pawn, "count": count, "nth": ordinal(count)}
    return _capitalise(text(f"lake.refusal.{refusal.value}", **fields))


def list_move_sentences(state: rules.LakeState, move: rules.Move) -> list[str]:
    after, player = rules.apply_move(state, move), state.players[state.player]
    if isinstance(move, rules.Choose):
        texts = [text("lake.move.choose", player=player, colour=_name_colour(move.colour.value))]
        if after.phase is not rules.LakePhase.CHOOSE:
            texts += _list_colour_sentences(state, after, move)
    elif isinstance(move, rules.Carry):
        texts = _list_carry_sentences(state, move, player)
    elif isinstance(move, rules.Split):
        kept, given = (_describe_stack(half.cut(state.tower)) for half in (move.keep, move.keep.other))
        heir = state.players[move.heir]
        texts = [text("lake.move.split", player=player, kept=kept, given=given, heir=heir)]
    else:
        texts = [text("lake.move.take_back", count=move.turns)]
    return [*map(_capitalise, texts)]


def _list_colour_sentences(
    state: rules.LakeState, after: rules.LakeState, move: rules.Choose
) -> Iterable[str]:
    for seat, colours in enumerate(after.colours):
        known_count = len(state.colours[seat]) + (seat == state.player)
        for colour in colours[known_count:]:
            yield text("lake.move.get", player=after.players[seat], colour=_name_colour(colour.value))
    if after.neutral is not None:
        yield text("lake.move.neutral", colour=_name_colour(after.neutral.value))


def _list_carry_sentences(state: rules.LakeState, move: rules.Carry, player: str) -> list[str]:
    target = rules.find_landing(state.stars, move.star, move.direction)
    assert target is not None  # the move is legal
    lifted = state.stars[move.star][-move.floors :]
    built = state.stars[target] + lifted
    fields = {"pawns": _describe_stack(lifted), "star": move.star + 1, "target": target + 1}
    texts = [text(f"lake.move.carry.{move.direction.value}", player=player, **fields)]
    if len(built) == rules.TOWER_FLOORS:
        texts.append(text("lake.move.tower", player=player, pawns=_describe_stack(built)))
    return texts


def list_score_sentences(state: rules.LakeState) -> list[str]:
    return [
        _capitalise(text("lake.score", player=name, count=held + board, held=held, board=board))
        for name, (held, board) in zip(state.players, state.tally, strict=True)
    ]


def describe_outcome(state: rules.LakeState, outcome: rules.LakeOutcome) -> tuple[str, str]:
    ending = text(f"lake.ending.{outcome.ending.value}", player=state.players[state.player])
    winners = [state.players[seat] for seat in outcome.winners]
    key = "lake.outcome.won" if len(winners) == 1 else "lake.outcome.shared"
    result = text(key, winners=join_names(winners), count=max(outcome.points))
    return _capitalise(ending), _capitalise(result)


def _describe_hint(match: LakeMatch, selected_move: rules.Move | None) -> str:
    state = match.state
    player = state.players[state.player]
    if match.bot is not None:
        return text("lake.table.thinks", player=player)
    hand_problem = find_hand_hint(match)
    if hand_problem:
        return hand_problem
    if match.carried is not None and match.is_parked:
        return text("lake.table.parked")
    if match.carried is not None:
        if match.carried.star is None:
            return text("lake.table.carry_half")
        can_land = bool(match.list_landing_stars())
        return text("lake.table.carry" if can_land else "lake.table.stuck")
    if selected_move is not None:
        return describe_next_step(state)  # the keys are listed below the hint
    if state.phase is rules.LakePhase.SPLIT:
        return text("lake.table.split", player=player)
    if state.phase is rules.LakePhase.CHOOSE:
        is_second = bool(state.colours[state.player])
        return text("lake.table.choose_second" if is_second else "lake.table.choose", player=player)
    return describe_next_step(state)


def list_news(game: Game[LakeMatch], output: Output, *, over: bool) -> list[News]:
    if not over:
        return []
    state = game.match.state
    outcome = rules.find_outcome(state)
    winners = () if outcome is None else outcome.winners
    sentences = [] if outcome is None else describe_outcome(state, outcome)
    counts = rules.count_points(state)
    scores = list_score_sentences(state)
    result = ResultNews(
        sentences[1] if sentences else text("screens.result.broken_off"),
        tuple(
            ScoreLine(
                name,
                0,
                colours=tuple(SWATCHES[colour.value] for colour in state.colours[seat]),
                winner=seat in winners,
                place=1 + sum(other > counts[seat] for other in counts),
                note=scores[seat].partition(": ")[2] or scores[seat],
            )
            for seat, name in enumerate(state.players)
        ),
        " · ".join(sentences[:1]),
    )
    return [result]


def list_sentences(game: Game[LakeMatch], output: Output) -> list[str]:
    sentences = [text(notice.key) for notice in output.events_of(NoticeShown)]
    if output.events_of(MatchBegan):
        sentences += filter(None, [explain_first_player(game.match, game.match.setup.first_chooser)])
    for move_event in output.match_events(*rules.MOVE_KINDS):
        state = move_event.state
        sentences += list_move_sentences(move_event.before, move_event.event)
        outcome = rules.find_outcome(state)
        if outcome is not None:
            sentences += (*list_score_sentences(state), *describe_outcome(state, outcome))
    return sentences


#: Corners of a pawn's outline in the feed, seen from above.
_CORNERS = 24
#: Depth of the outline's lobes, relative to the radius.
_LOBE_DEPTH = 0.16


def list_feed_events(game: Game[LakeMatch], output: engine.Output) -> tuple[broadcast.Happening, ...]:
    match_starts = output.events_of(engine.MatchBegan)
    hand_events = output.events_of(StackLifted, StackReturned)
    moves = output.match_events(*rules.MOVE_KINDS)
    if not (match_starts or hand_events or moves):
        return ()
    state = game.match.state
    events: list[broadcast.Happening] = [_build_began_event(game.match)] if match_starts else []
    for event in hand_events:
        if isinstance(event, StackLifted):
            events.append(broadcast.FeedHand(state.player, _encode_star(event.star), "taken"))
        elif isinstance(event, StackReturned):
            where = "tower" if event.star is None else _encode_star(event.star)
            events.append(broadcast.FeedHand(state.player, where, "back"))
    for move_event in moves:
        events += _list_move_events(move_event)
    outcome = rules.find_outcome(state)
    if outcome is not None and (moves or match_starts):
        ending = broadcast.translate(lambda: describe_outcome(state, outcome)[0])
        result = broadcast.translate(lambda: describe_outcome(state, outcome)[1])
        scores = tuple(rules.count_points(state))
        events.append(broadcast.FeedResult(outcome.winners, ending, result, scores))
    return tuple(events)


def _encode_star(star: int) -> str:
    return f"star {star + 1}"


def _list_move_events(move_event: engine.MatchEvent[rules.Move]) -> Iterable[broadcast.Happening]:
    before, move, after = move_event.before, move_event.event, move_event.state
    sentence = broadcast.translate(lambda: " · ".join(list_move_sentences(before, move)))
    yield broadcast.FeedVerdict(
        before.turn, before.player, None, sentence, "taken back" if isinstance(move, rules.TakeBack) else ""
    )
    if not after.over and (after.turn, after.player) != (before.turn, before.player):
        yield broadcast.FeedTurn(after.turn, after.player)


def _build_began_event(match: LakeMatch) -> broadcast.FeedBegan:
    water = (*SHORE, SHORE[0])
    stars = tuple(draw_circle(0.003, place, 8) for place in STAR_PLACES)
    pawns = tuple(
        broadcast.FeedShape(f"{colour} {strength}", (_draw_lobes(strength),), broadcast.to_hex(swatch))
        for colour, swatch in SWATCHES.items()
        for strength in rules.STRENGTHS
    )
    title = broadcast.translate(lambda: title_of(match.game))
    unit = broadcast.translate(lambda: text("air.points"))
    lake = broadcast.FeedShape("base", (water, *stars), "#7fa8d8")
    return broadcast.FeedBegan(match.game, title, unit, "above", _list_seats(match.state), (*pawns, lake))


def _draw_lobes(strength: int) -> tuple[Vec3, ...]:
    outline = []
    for corner in range(_CORNERS + 1):
        angle = 2.0 * math.pi * corner / _CORNERS
        radius_m = DOME_RADIUS_M * (1.0 + (_LOBE_DEPTH * math.cos(strength * angle) if strength > 1 else 0.0))
        outline.append((round(radius_m * math.cos(angle), 5), round(radius_m * math.sin(angle), 5), 0.0))
    return tuple(outline)


def _list_seats(state: rules.LakeState) -> tuple[broadcast.Seat, ...]:
    score = rules.count_points(state)
    return tuple(
        broadcast.Seat(
            name,
            broadcast.to_hex(SWATCHES[state.colours[seat][0].value]) if state.colours[seat] else "",
            score[seat],
            out=False,
            note=broadcast.translate(lambda seat=seat: _describe_score(state, seat)),  # type: ignore[misc]
        )
        for seat, name in enumerate(state.players)
    )


def _describe_score(state: rules.LakeState, seat: int) -> str:
    if not any(state.held):
        return ", ".join(text(f"lake.colour.{colour.value}") for colour in state.colours[seat])
    return list_score_sentences(state)[seat].partition(": ")[2]


def build_standing(game: Game[LakeMatch]) -> broadcast.Standing:
    match, state, scene = game.match, game.match.state, build_lake_scene(game.match)
    pieces = [broadcast.FeedPiece("base", "base", IDENTITY_POSE.row, "plain")]
    pieces += [_build_piece(number, dome) for number, dome in enumerate((*scene.domes, *scene.moving))]
    carried = match.carried
    turn, seat = match.on_turn
    return broadcast.Standing(
        _list_seats(state),
        turn,
        None if state.over else seat,
        broadcast.NO_WORDS if state.over else broadcast.translate(lambda: describe_next_step(state)),
        held="" if carried is None else "tower" if carried.star is None else _encode_star(carried.star),
        paused=match.paused,
        over=state.over,
        pieces=tuple(pieces),
    )


def _build_piece(number: int, dome: SceneDome) -> broadcast.FeedPiece:
    return broadcast.FeedPiece(
        f"pawn {number}", f"{dome.colour} {dome.strength}", round_pose(Pose(dome.foot)), dome.look
    )


def list_sound_cues(game: Game[LakeMatch], output: Output) -> tuple[SoundCue, ...]:
    cues = [SoundCue(CueKind.GRAB, 0.6) for _ in output.events_of(StackLifted)]
    cues += [SoundCue(CueKind.WARNING, 0.4) for _ in output.events_of(StackReturned)]
    cues += [SoundCue(CueKind.KNOCK, 0.7, 0.02) for _ in output.events_of(*rules.MOVE_KINDS)]
    return tuple(cues)


def build_result(match: LakeMatch, game: str, date: str) -> Result | None:
    state = match.state
    outcome = rules.find_outcome(state)
    if outcome is None:
        return None
    return Result(
        game=game,
        date=date,
        edition="",
        variant="",
        players=state.players,
        winners=tuple(state.players[seat] for seat in outcome.winners),
        score=None,
        kind=GAME,
        points=dict(zip(state.players, rules.count_points(state), strict=True)),
    )


#: Maximum number of moves in the description of a saved game.
LAST_MOVES = 6


def decode_saved_setup(saved: SavedGame) -> LakeSetup:
    """Return the match's setup with its moves so far. Raises SaveError if this version can't read them."""
    with raising_save_error(saved, ValueError):
        return LakeSetup.from_record(saved.header, saved.moves)


def decode_saved_bots(saved: SavedGame) -> tuple[rules.Strength | None, ...]:
    with raising_save_error(saved, InvalidValueError):
        return LakeOptions.from_values(read_record(LakeOptions.options(), saved.header)).bots


def summarise(saved: SavedGame) -> SaveSummary:
    state = decode_saved_setup(saved).state
    options = LakeOptions(decode_saved_bots(saved))
    return SaveSummary(state.players, max(1, state.turn - state.over), state.over, options)


def describe_game(saved: SavedGame) -> tuple[str | TerminalTable, ...]:
    setup = decode_saved_setup(saved)
    state = setup.first_state
    sentences: list[str] = []
    for move in map(MOVES.convert, setup.moves):
        sentences += list_move_sentences(state, move)
        state = rules.apply_move(state, move)
    score = tuple(
        (name, str(count)) for name, count in zip(state.players, rules.count_points(state), strict=True)
    )
    parts: list[str | TerminalTable] = [TerminalTable(("player", "points"), score)]
    outcome = rules.find_outcome(state)
    if outcome is not None:
        parts += [*list_score_sentences(state), *describe_outcome(state, outcome)]
    return (*parts, *sentences[-LAST_MOVES:])


def list_score_rows(saved: SavedGame) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    setup = decode_saved_setup(saved)
    state = setup.first_state
    rows: list[tuple[object, ...]] = []
    for number, move in enumerate(map(MOVES.convert, setup.moves), start=1):
        player, turn = state.players[state.player], state.turn
        sentence = " · ".join(list_move_sentences(state, move))
        state = rules.apply_move(state, move)
        rows.append((number, turn, player, sentence, *rules.count_points(state)))
    return ("move", "turn", "player", "what", *(f"points {name}" for name in state.players)), rows
