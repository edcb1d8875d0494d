"""Presenters of a moon match: news for the pages, the feed, and sounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from armoon import broadcast
from armoon.broadcast import NO_WORDS, to_hex, translate, translate_text
from armoon.engine import events as engine
from armoon.engine.events import Output
from armoon.games import news, title_of
from armoon.games.contract import Game, draw_circle, find_seat_colour, round_length, round_pose
from armoon.games.moon import editions as rules
from armoon.games.moon import events, scene, turn
from armoon.games.moon.editions import DieSource, DrawFrom, Ending, Outcome, Phase, Reason, Verdict
from armoon.games.moon.events import FinalBegan, format_hint, format_outcome, format_verdict
from armoon.games.moon.figures import FigureKind, count_figures
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.scene import name_figures, name_tower
from armoon.games.moon.verdict_effects import WARNINGS, LastVerdict
from armoon.games.news import GuideFacts, News, ScoreLine
from armoon.messages import centimetres, describe_handicap, format_lengths, join_names, text
from armoon.saves.profiles import Result
from armoon.sound.cues import CueKind, SoundCue, build_impact_cue, measure_side, select_loudest
from armoon.values.pieces import BASE, TABLE, Facts, LadderSet, PieceStatus
from armoon.values.poses import IDENTITY_POSE, Vec3

#: Maximum distance from the base's middle at which a held ladder is over the structure.
OVER_BASE_M = 0.10
#: Minimum rotation since the start of the game at which the table counts as turned.
TURNED_RAD = math.radians(3.0)


def list_news(match: MoonMatch, output: Output, bests: Sequence[Result] = (), *, over: bool) -> list[News]:
    """Return a frame's news, with the result if the game is ``over``. ``bests``: earlier results of a trial."""
    state = match.state
    items: list[News] = [
        _make_verdict_news(state, verdict, name_figures(match, verdict))
        for verdict in output.events_of(Verdict)
    ]
    items += [
        news.FinalNews(tuple(state.players[seat] for seat in event.players), state.can_share)
        for event in output.events_of(FinalBegan)
    ]
    return [*items, make_result(match, bests)] if over else items


def make_result(match: MoonMatch, bests: Sequence[Result] = ()) -> news.ResultNews:
    state, colours = match.state, match.table.colours
    tally = count_figures(match.figures.records, len(state.players))
    figures = [
        text("figure.tally", figure=text(kind.name_key), count=count)
        for kind in FigureKind
        if (count := sum(counts[kind] for counts in tally))
    ]
    result = turn.find_outcome(state)
    lines = () if result is None else format_outcome(state, result)
    winners = () if result is None else result.winners
    ranks = (0,) * len(state.players) if result is None else turn.rank_seats(state, result)
    score = None if result is None else result.score
    tie = _describe_tie(state, result)
    # After a final, the tie says why the game ended.
    reasons, tie = ([tie], "") if result and result.ending is Ending.LAST_STANDING else (list(lines[:1]), tie)
    if score is not None:
        key = "result.rank_alone" if len(state.players) == 1 else "result.rank"
        reasons.append(text(key, rank=text(rules.find_rank_key(score))))
    trial = state.options.trial
    highest = "" if trial is not None else _describe_highest(match)
    tower = text("tower.called", name=name) if (name := name_tower(match)) else ""
    if trial is not None and lines:
        reasons += scene.describe_medal(trial, state.trial_score)
        figures = scene.compare_with_bests(trial, state.trial_score, state.players[0], bests)
    return news.ResultNews(
        sentence=lines[1] if lines else text("screens.result.broken_off"),
        lines=tuple(
            ScoreLine(
                name,
                state.tears[seat],
                colours=colours[seat : seat + 1],
                winner=seat in winners,
                place=ranks[seat],
                out=state.out[seat] is not None,
                note=_describe_seat(match, seat, tally[seat].total()),
            )
            for seat, name in enumerate(state.players)
        ),
        why=" · ".join(reasons),
        more=tuple(
            words
            for words in (tie, highest, *(figures if trial is not None else (", ".join(figures),)), tower)
            if words
        ),
        score=score,
    )


def _describe_tie(state: turn.State, result: Outcome | None) -> str:
    if result is None or not result.winners or result.score is not None:
        return ""
    if result.ending is Ending.LAST_STANDING:
        tied = (seat for seat, why in enumerate(result.out) if why in (None, rules.Elimination.FINAL_MISTAKE))
        return text("result.final", players=join_names([state.players[seat] for seat in tied]))
    fewest = min(result.tears[seat] for seat in result.winners)
    last_tear_seats = (seat for seat, why in enumerate(result.out) if why is rules.Elimination.LAST_TEAR)
    losers = [state.players[seat] for seat in last_tear_seats if result.tears[seat] <= fewest]
    return text("result.last_tear", player=losers[0]) if losers else ""


def _describe_seat(match: MoonMatch, seat: int, figures: int) -> str:
    hints, spared = match.hints[seat], match.state.spared[seat]
    spared_notes = [text("result.spared", count=spared)] if spared else []
    notes = [text("places.count", count=hints)] if hints else []
    chosen = match.places_chosen[seat]
    notes += [text("choose.beside", count=chosen)] if chosen else []
    by_card = match.by_card[seat]
    notes += [text("card.count", count=by_card)] if by_card else []
    handicap = describe_handicap(match.state.options.get_handicap(seat), spared, hints)
    handicap_notes = [f"({handicap})"] if handicap else []
    return ", ".join([*spared_notes, text("figure.count", count=figures), *notes, *handicap_notes])


def _describe_highest(match: MoonMatch) -> str:
    standing = [piece for piece in match.facts.pieces if piece.piece in match.state.placed]
    if not standing:
        return ""
    top = max(standing, key=lambda piece: piece.highest_m)
    height = centimetres(top.highest_m)
    # In practice, ladders that stand from the start belong to turn 0.
    seats = [entry.player for entry in match.figures.records if entry.piece == top.piece and entry.turn > 0]
    if not seats:
        return text("result.highest", height=height)
    return text("result.highest_of", height=height, player=match.players[seats[0]])


def make_guide_facts(
    match: MoonMatch, last: LastVerdict | None, *, hinted: bool, good: bool | None
) -> GuideFacts:
    facts, state = match.facts, match.state
    judged = state.phase is Phase.ROLL and state.turn > 1
    held = None if facts.held is None else facts[facts.held]
    return GuideFacts(
        hand_seen=bool(match.hand_views) or match.grip is not None,
        pinching=any(view.is_closed for view in match.hand_views),
        offered=any(piece.status is PieceStatus.OFFERED for piece in facts.pieces),
        held=held is not None,
        over_base=held is not None and math.hypot(*held.pose.position[:2]) < OVER_BASE_M,
        touching=len(match.status.touching),
        waits=facts.held_is_parked,
        turned=abs(math.remainder(match.turned_rad - match.table.turned_rad, 2.0 * math.pi)) > TURNED_RAD,
        settling=state.phase is Phase.SETTLE,
        judged=judged,
        stands=judged and last is not None and last.verdict.ok,
        hinted=hinted,
        good=good,
    )


def _make_verdict_news(state: turn.State, verdict: Verdict, figure: str) -> news.VerdictNews:
    evidence = [text("evidence.rule", rule=text(f"ruling.{verdict.ruling.lower()}"))]
    if verdict.die is not None:
        evidence.insert(0, text(f"die.{verdict.die.value.lower()}"))
    if verdict.touched:
        evidence.append(text("evidence.touched", count=len(verdict.touched)))
    if verdict.height_m is not None and verdict.rival_m is not None:
        height, rival = format_lengths(verdict.height_m, verdict.rival_m)
        evidence.append(text("evidence.heights", height=height, rival_height=rival))
    return news.VerdictNews(format_verdict(state, verdict), tuple(evidence), figure, verdict.ok)


#: Outline of the cloud in the feed: radius in metres, and number of corners of the circle.
CLOUD_M, CORNERS = 0.072, 24
_HAND_STATES: dict[type, str] = {
    turn.Draw: "offered",
    turn.Take: "taken",
    turn.LetGo: "released",
    turn.PutBack: "back",
}
#: Display colours of the darkest and the lightest ladder.
_DARKEST: Vec3 = (0.45, 0.29, 0.16)
_LIGHTEST: Vec3 = (0.87, 0.70, 0.47)


@events.with_edition_terms
def list_feed_events(game: Game[MoonMatch], output: engine.Output) -> tuple[broadcast.Happening, ...]:
    match_starts, verdicts = output.events_of(engine.MatchBegan), output.events_of(rules.Verdict)
    moves = output.match_events(turn.Move, events.LadderParked)
    if not (match_starts or moves or verdicts):
        return ()
    match, outcome = game.match, turn.find_outcome(game.match.state)
    feed: list[broadcast.Happening] = [_make_began_event(match)] if match_starts else []
    for match_event in moves:
        feed += _list_hand_events(match_event)
    for verdict in verdicts:
        feed += _list_verdict_events(match, verdict)
    feed += [broadcast.FeedTurn(event.turn, event.player) for event in output.events_of(events.TurnBegan)]
    if outcome is not None and (verdicts or match_starts):
        reason = translate(lambda: format_outcome(match.state, outcome)[0])
        sentence = translate(lambda: format_outcome(match.state, outcome)[1])
        feed.append(broadcast.FeedResult(outcome.winners, sentence, reason, outcome.tears))
    return tuple(feed)


def _make_began_event(match: MoonMatch) -> broadcast.FeedBegan:
    shapes = tuple(
        broadcast.FeedShape(ladder.piece, (*ladder.rails, *ladder.rungs), to_hex(_mix_wood(ladder.tone)))
        for ladder in match.ladders.ladders
    )
    rings = tuple(
        draw_circle(CLOUD_M, (0.0, 0.0, height_m), CORNERS) for height_m in (0.0, match.base.height_m)
    )
    unit = translate_text("air.points" if match.state.is_team_game else "air.tears")
    title = translate(lambda: title_of(match.game))
    options = match.state.options
    votes: tuple[str, ...] = ("ladder",) if options.draw_from is DrawFrom.ALL else ()
    if options.die is DieSource.REAL and not options.practice:
        votes += ("face",)
    shapes += (broadcast.FeedShape("base", rings, "#9fb2d8"),)
    return broadcast.FeedBegan(match.game, title, unit, "side", _list_seats(match), shapes, votes)


def _mix_wood(tone: float) -> Vec3:
    r, g, b = (low + (high - low) * tone for low, high in zip(_DARKEST, _LIGHTEST, strict=True))
    return (r, g, b)


def _list_seats(match: MoonMatch) -> tuple[broadcast.Seat, ...]:
    state = match.state

    def make_note(seat: int) -> Callable[[], str]:
        handicap, hints = state.options.get_handicap(seat), match.hints[seat]
        return lambda: describe_handicap(handicap, state.spared[seat], hints, brief=True)

    return tuple(
        broadcast.Seat(
            name,
            find_seat_colour(match, seat),
            state.tears[seat],
            state.out[seat] is not None,
            translate(make_note(seat)),
        )
        for seat, name in enumerate(state.players)
    )


def _list_hand_events(match_event: engine.MatchEvent[object]) -> Iterable[broadcast.Happening]:
    event, before = match_event.event, match_event.before
    if isinstance(event, turn.Roll):
        words = translate_text(f"die.{event.die.value.lower()}")
        yield broadcast.FeedDie(before.player, scene.FACES[event.die].value, words)
    elif isinstance(event, events.LadderParked):
        yield broadcast.FeedHand(event.player, event.ladder, "waits" if event.waits else "taken")
    elif type(event) in _HAND_STATES:
        piece = event.ladder if isinstance(event, turn.Draw) else before.ladder
        yield broadcast.FeedHand(before.player, piece, _HAND_STATES[type(event)])


def _list_verdict_events(match: MoonMatch, verdict: rules.Verdict) -> Iterable[broadcast.Happening]:
    state = match.state
    is_judged = verdict.die is not None and verdict.height_m is not None
    is_moon = verdict.die is rules.Die.MOON and verdict.height_m is not None and verdict.rival_m is not None
    if verdict.fallen:
        yield broadcast.FeedFall(verdict.turn, verdict.player, tuple(piece for piece, _ in verdict.fallen))
    yield broadcast.FeedVerdict(
        verdict.turn,
        verdict.player,
        verdict.ok,
        translate(lambda: format_verdict(state, verdict)),
        verdict.reason.value,
        verdict.ruling,
        scene.FACES[verdict.die].value if verdict.die is not None else "",
        verdict.ladder or "",
        verdict.touched,
        round_length(verdict.height_m),
        verdict.rival or "",
        round_length(verdict.rival_m),
        verdict.charged,
        verdict.tears,
        round_length(match.status.structure_top_m) if is_judged or verdict.fallen else None,
        round_length((verdict.height_m or 0.0) - (verdict.rival_m or 0.0)) if is_moon else None,
    )
    if verdict.ladder is not None and verdict.ladder in state.placed:
        figures = match.figures.list_figures(verdict.turn)
        if figures:
            names = tuple(translate_text(figure.kind.name_key) for figure in figures)
            yield broadcast.FeedFigures(verdict.turn, verdict.player, verdict.ladder, names)


@events.with_edition_terms
def make_standing(game: Game[MoonMatch]) -> broadcast.Standing:
    match = game.match
    state, facts, status = match.state, match.facts, match.status
    pieces = [
        broadcast.FeedPiece(
            p.piece,
            p.piece,
            round_pose(p.pose),
            # The feed doesn't distinguish a parked ladder from a held one.
            "held" if p.status is PieceStatus.HELD else scene.find_look(p, facts, status),
        )
        for p in facts.pieces
    ]
    pieces.append(broadcast.FeedPiece("base", "base", IDENTITY_POSE.row, "plain"))
    held = facts.held or ""
    return broadcast.Standing(
        _list_seats(match),
        state.turn,
        None if state.over else state.player,
        NO_WORDS if state.over else translate(lambda: format_hint(state, status.hint, status.score)),
        "" if state.die is None else scene.FACES[state.die].value,
        None if state.options.practice else state.tears_left,
        len(state.supply),
        held,
        status.touching,
        None if state.die is None else turn.get_contact_limits(state.die),
        status.would_honour,
        round_length(status.height_m),
        round(status.structure_top_m, 4),
        match.paused,
        state.over,
        tuple(pieces),
    )


#: Minimum speed of an audible touch: a ladder creeps at a few millimetres per second while it settles.
SILENT_M_S = 0.02
_EVENT_CUES: dict[type, SoundCue] = {
    turn.Roll: SoundCue(CueKind.DIE),
    turn.Draw: SoundCue(CueKind.OFFER, 0.6),
    turn.Take: SoundCue(CueKind.GRAB, 0.8),
    turn.PutBack: SoundCue(CueKind.RELEASE, 0.6),
    turn.LetGo: SoundCue(CueKind.RELEASE, 0.7),
    events.LadderParked: SoundCue(CueKind.GRAB, 0.4),
    events.StartingLadderRestored: SoundCue(CueKind.RELEASE, 0.8),
    events.ActRefused: SoundCue(CueKind.WARNING, 0.5),
    events.PlayerEliminated: SoundCue(CueKind.OUT),
    events.FinalBegan: SoundCue(CueKind.FINAL),
    events.GameEnded: SoundCue(CueKind.FANFARE),
}


def list_sounds(
    before: Facts,
    now: Facts,
    ladders: LadderSet,
    tick_events: Sequence[object] = (),
    roll: scene.DieRoll | None = None,
) -> tuple[SoundCue, ...]:
    cues = list(_list_contact_sounds(before, now, ladders))
    for event in tick_events:
        if isinstance(event, Verdict):
            cues += _list_verdict_sounds(event, before)
        elif isinstance(event, turn.Roll) and roll is not None:
            cues.append(SoundCue(CueKind.DIE, impacts=roll.impacts))
        elif type(event) in _EVENT_CUES:
            cues.append(_EVENT_CUES[type(event)])
    return tuple(cues)


def _list_contact_sounds(before: Facts, now: Facts, ladders: LadderSet) -> list[SoundCue]:
    earlier = {(contact.a, contact.b) for contact in before.contacts}
    standing = {p.piece for p in now.pieces if p.status is PieceStatus.FIXED}
    cues: list[SoundCue] = []
    for contact in now.contacts:
        pair = {contact.a, contact.b}
        if (contact.a, contact.b) in earlier or pair <= standing | {BASE, TABLE}:
            continue
        speed = max((p.speed_m_s for p in before.pieces if p.piece in pair), default=0.0)
        if speed < SILENT_M_S:
            continue
        kind = CueKind.THUD if TABLE in pair else CueKind.SOFT if BASE in pair else CueKind.KNOCK
        ladders_in_pair = [ladder for ladder in ladders.ladders if ladder.piece in pair]
        # Approximate impulse between two pieces: the mass of the lighter times the speed of the faster.
        impulse = min((ladder.mass_kg for ladder in ladders_in_pair), default=0.0) * speed
        longest_m = max((ladder.length_m for ladder in ladders_in_pair), default=0.10)
        cues.append(build_impact_cue(kind, impulse, longest_m, contact.point))
    return select_loudest(cues)


def _list_verdict_sounds(verdict: Verdict, before: Facts) -> list[SoundCue]:
    cues: list[SoundCue] = []
    if verdict.fallen:
        places = [piece.pose.position for piece in before.pieces if piece.piece == verdict.fallen[0][0]]
        across = measure_side(places[0]) if places else 0.0
        cues.append(SoundCue(CueKind.CLATTER, across=across, count=len(verdict.fallen)))
    if verdict.reason is Reason.HONOURED:
        cues.append(SoundCue(CueKind.PLACED, 0.9))
    elif verdict.reason in WARNINGS:
        cues.append(SoundCue(CueKind.WARNING, 0.8))
    if verdict.tears > 0:
        cues.append(SoundCue(CueKind.TEAR, 0.9))
    return cues
