"""The feed of Catch the Moon: verdicts with their evidence, and the pose of every ladder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from armoon.broadcast import happenings
from armoon.broadcast.happenings import SILENT, hexed, text_words, words
from armoon.engine import events as engine
from armoon.games import title_of
from armoon.games.contract.kind import Game, seat_colour
from armoon.games.contract.presenting import ring, told_length, told_pose
from armoon.games.moon.referee import events
from armoon.games.moon.referee.events import in_its_words, outcome_lines, say, verdict_line
from armoon.games.moon.referee.referee import TableStatus
from armoon.games.moon.rules import values as rules
from armoon.games.moon.rules.editions import DieSource, DrawFrom
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.turn import contacts_wanted
from armoon.games.moon.rules.values import Reason, Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.view.die import DieRoll
from armoon.messages import told as handicap_told
from armoon.sound.cues import CueKind, SoundCue, blow, loudest, side_of
from armoon.values.pieces import BASE, TABLE, Facts, LadderSet, PieceFacts, PieceStatus
from armoon.values.poses import IDENTITY_POSE, Vec3

#: The face of a die, in the feed's words.
FACES = {rules.Die.ONE: "ladder", rules.Die.TWO: "two ladders", rules.Die.MOON: "crescent"}
#: The cloud, as a line that onlookers draw: its radius, and how many corners stand for a circle.
CLOUD_M, CORNERS = 0.072, 24
_WHAT: dict[type[events.RefereeEvent], str] = {
    events.Drawn: "offered",
    events.Taken: "taken",
    events.Released: "released",
    events.BackInLid: "back",
}
#: Wood from dark to light (display colours).
_DARK: Vec3 = (0.45, 0.29, 0.16)
_LIGHT: Vec3 = (0.87, 0.70, 0.47)


@in_its_words
def happened(game: Game[MoonMatch], output: engine.Output) -> tuple[happenings.Happening, ...]:
    heard, verdicts = output.events_of(events.RefereeEvent), output.events_of(rules.Verdict)
    begins = output.events_of(engine.MatchBegan)
    if not (begins or heard or verdicts):
        return ()
    match, end = game.match, outcome(game.match.state)
    found: list[happenings.Happening] = [_began(match)] if begins else []
    for event in heard:
        found += _of_event(match, event)
    for verdict in verdicts:
        found += _of_verdict(match, verdict)
    found += [happenings.FeedTurn(event.turn, event.player) for event in output.events_of(events.TurnBegan)]
    if end is not None and (verdicts or begins):
        found.append(_result(match, end))
    return tuple(found)


def _began(match: MoonMatch) -> happenings.FeedBegan:
    shapes = tuple(
        happenings.FeedShape(ladder.piece, (*ladder.rails, *ladder.rungs), hexed(_wood(ladder.tone)))
        for ladder in match.ladders.ladders
    )
    rings = tuple(ring(CLOUD_M, (0.0, 0.0, height_m), CORNERS) for height_m in (0.0, match.base.height_m))
    counts = text_words("air.points" if match.state.cooperative else "air.tears")
    title = words(lambda: title_of(match.game))
    options = match.state.options
    votes: tuple[str, ...] = ("ladder",) if options.draw_from is DrawFrom.ALL else ()
    if options.die is DieSource.REAL and not options.practice:
        votes += ("face",)
    shapes += (happenings.FeedShape("base", rings, "#9fb2d8"),)
    return happenings.FeedBegan(match.game, title, counts, "side", _seats(match), shapes, votes)


def _wood(tone: float) -> Vec3:
    r, g, b = (low + (high - low) * tone for low, high in zip(_DARK, _LIGHT, strict=True))
    return (r, g, b)


def _seats(match: MoonMatch) -> tuple[happenings.Seat, ...]:
    state = match.state

    def note(seat: int) -> Callable[[], str]:
        handicap, hints = state.options.handicap_of(seat), match.hints[seat]
        return lambda: handicap_told(handicap, state.spared[seat], hints, brief=True)

    return tuple(
        happenings.Seat(
            name, seat_colour(match, seat), state.tears[seat], state.out[seat] is not None, words(note(seat))
        )
        for seat, name in enumerate(state.players)
    )


def _of_event(match: MoonMatch, event: events.RefereeEvent) -> Iterable[happenings.Happening]:
    if isinstance(event, events.Rolled):
        said = text_words(f"die.{event.die.value.lower()}")
        yield happenings.FeedDie(event.player, FACES[event.die], said)
    elif isinstance(event, events.Parked):
        yield happenings.FeedHand(event.player, event.ladder, "waits" if event.waits else "taken")
    elif isinstance(event, events.Drawn | events.Taken | events.Released | events.BackInLid):
        yield happenings.FeedHand(event.player, event.ladder, _WHAT[type(event)])


def _of_verdict(match: MoonMatch, verdict: rules.Verdict) -> Iterable[happenings.Happening]:
    state = match.state
    judged = verdict.die is not None and verdict.height_m is not None
    moon = verdict.die is rules.Die.MOON and verdict.height_m is not None and verdict.rival_m is not None
    if verdict.fallen:
        yield happenings.FeedFall(verdict.turn, verdict.player, tuple(piece for piece, _ in verdict.fallen))
    yield happenings.FeedVerdict(
        verdict.turn,
        verdict.player,
        verdict.ok,
        words(lambda: say(verdict_line(state, verdict))),
        verdict.reason.value,
        verdict.ruling,
        FACES[verdict.die] if verdict.die is not None else "",
        verdict.ladder or "",
        verdict.touched,
        told_length(verdict.height_m),
        verdict.rival or "",
        told_length(verdict.rival_m),
        verdict.charged,
        verdict.tears,
        told_length(match.status.structure_top_m) if judged or verdict.fallen else None,
        told_length((verdict.height_m or 0.0) - (verdict.rival_m or 0.0)) if moon else None,
    )
    if verdict.ladder is not None and verdict.ladder in state.placed:
        figures = match.figures.of_turn(verdict.turn)
        if figures:
            names = tuple(text_words(figure.kind.name_key) for figure in figures)
            yield happenings.FeedFigures(verdict.turn, verdict.player, verdict.ladder, names)


def _result(match: MoonMatch, end: rules.Outcome) -> happenings.FeedResult:
    state = match.state
    why, who = outcome_lines(state, end)
    return happenings.FeedResult(end.winners, words(lambda: say(who)), words(lambda: say(why)), end.tears)


@in_its_words
def standing(game: Game[MoonMatch]) -> happenings.Standing:
    match = game.match
    state, facts, status = match.state, match.facts, match.status
    pieces = [_piece(match, piece, status) for piece in facts.pieces]
    pieces.append(happenings.FeedPiece("base", "base", IDENTITY_POSE.row, "plain"))
    held = facts.held or ""
    return happenings.Standing(
        _seats(match),
        state.turn,
        None if state.over else state.player,
        SILENT if state.over else words(lambda: say(status.hint)),
        "" if state.die is None else FACES[state.die],
        None if state.options.practice else state.tears_left,
        len(state.supply),
        held,
        status.touching,
        None if state.die is None else contacts_wanted(state.die),
        status.would_honour,
        told_length(status.height_m),
        round(status.structure_top_m, 4),
        match.paused,
        state.over,
        tuple(pieces),
    )


def _piece(match: MoonMatch, piece: PieceFacts, status: TableStatus) -> happenings.FeedPiece:
    look = "plain"
    if piece.status is PieceStatus.OFFERED:
        look = "offered"
    elif piece.status is PieceStatus.HELD:
        look = "held"
    elif piece.piece in status.touching:
        look = "touched"
    return happenings.FeedPiece(piece.piece, piece.piece, told_pose(piece.pose), look)


#: Minimum speed of an audible touch: a ladder that settles creeps at a few millimetres a second.
SILENT_M_S = 0.02
_WARNINGS = (Reason.TWO_HANDS_WARNED, Reason.TWO_HANDS_NOTED, Reason.TIME_WARNED)
_EVENT_CUES: dict[type, SoundCue] = {
    events.Rolled: SoundCue(CueKind.DIE),
    events.Drawn: SoundCue(CueKind.OFFER, 0.6),
    events.Taken: SoundCue(CueKind.GRAB, 0.8),
    events.BackInLid: SoundCue(CueKind.RELEASE, 0.6),
    events.Released: SoundCue(CueKind.RELEASE, 0.7),
    events.Parked: SoundCue(CueKind.GRAB, 0.4),
    events.StoodBack: SoundCue(CueKind.RELEASE, 0.8),
    events.Refused: SoundCue(CueKind.WARNING, 0.5),
    events.PlayerOut: SoundCue(CueKind.OUT),
    events.FinalBegan: SoundCue(CueKind.FINAL),
    events.GameOver: SoundCue(CueKind.FANFARE),
}


def sounds_for(
    before: Facts,
    now: Facts,
    ladders: LadderSet,
    tick_events: Sequence[object] = (),
    roll: DieRoll | None = None,
) -> tuple[SoundCue, ...]:
    cues = list(_contact_sounds(before, now, ladders))
    for event in tick_events:
        if isinstance(event, Verdict):
            cues += _verdict_sounds(event, before)
        elif isinstance(event, events.Rolled) and roll is not None:
            cues.append(SoundCue(CueKind.DIE, blows=roll.blows))
        elif type(event) in _EVENT_CUES:
            cues.append(_EVENT_CUES[type(event)])
    return tuple(cues)


def _contact_sounds(before: Facts, now: Facts, ladders: LadderSet) -> list[SoundCue]:
    known = {(contact.a, contact.b) for contact in before.contacts}
    standing = {p.piece for p in now.pieces if p.status is PieceStatus.FIXED}
    fresh: list[SoundCue] = []
    for contact in now.contacts:
        pair = {contact.a, contact.b}
        if (contact.a, contact.b) in known or pair <= standing | {BASE, TABLE}:
            continue
        speed = max((p.speed_m_s for p in before.pieces if p.piece in pair), default=0.0)
        if speed < SILENT_M_S:
            continue
        kind = CueKind.THUD if TABLE in pair else CueKind.SOFT if BASE in pair else CueKind.KNOCK
        wood = [ladder for ladder in ladders.ladders if ladder.piece in pair]
        # About what two pieces give each other: the lighter one's mass times the speed of the faster.
        impulse = min((one.mass_kg for one in wood), default=0.0) * speed
        longest_m = max((one.length_m for one in wood), default=0.10)
        fresh.append(blow(kind, impulse, longest_m, contact.point))
    return loudest(fresh)


def _verdict_sounds(verdict: Verdict, before: Facts) -> list[SoundCue]:
    cues: list[SoundCue] = []
    if verdict.fallen:
        places = [one.pose.position for one in before.pieces if one.piece == verdict.fallen[0][0]]
        across = side_of(places[0]) if places else 0.0
        cues.append(SoundCue(CueKind.CLATTER, across=across, count=len(verdict.fallen)))
    if verdict.reason is Reason.HONOURED:
        cues.append(SoundCue(CueKind.PLACED, 0.9))
    elif verdict.reason in _WARNINGS:
        cues.append(SoundCue(CueKind.WARNING, 0.8))
    if verdict.tears > 0:
        cues.append(SoundCue(CueKind.TEAR, 0.9))
    return cues
