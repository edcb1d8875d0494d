"""A moon game's news for the screens: verdicts, the final, the result, the guide's facts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from armoon import messages
from armoon.engine.events import Output
from armoon.games import news
from armoon.games.moon.figures.shape import FigureKind, tally_of
from armoon.games.moon.presenters.scene import best_lines, figure_names, medal_lines, tower_name
from armoon.games.moon.referee.events import FinalBegan, outcome_lines, say, verdict_line
from armoon.games.moon.rules.editions import rank
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.turn import placings
from armoon.games.moon.rules.values import Ending, Out, Outcome, Phase, Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.result import BestRun
from armoon.games.news import GuideFacts, News, ScoreLine
from armoon.messages import apart, centimetres, enumerated, text
from armoon.values.pieces import PieceStatus

#: The held ladder is over the structure within this distance of the base's middle.
OVER_BASE_M = 0.10
#: A table that is turned by more since the game began has been turned on purpose.
TURNED_RAD = math.radians(3.0)


def news_of(match: MoonMatch, out: Output, bests: Sequence[BestRun] = (), *, over: bool) -> list[News]:
    """Return a frame's news, with ``over`` also the result. ``bests``: in a trial, the best runs before this one."""
    state = match.state
    found: list[News] = [
        _verdict(state, verdict, figure_names(match, verdict)) for verdict in out.events_of(Verdict)
    ]
    found += [
        news.FinalNews(tuple(state.players[seat] for seat in event.players), state.may_share)
        for event in out.events_of(FinalBegan)
    ]
    return [*found, result_of(match, bests)] if over else found


def result_of(match: MoonMatch, bests: Sequence[BestRun] = ()) -> news.ResultNews:
    state, colours = match.state, match.table.colours
    tally = tally_of(match.figures.made, len(state.players))
    made = [
        text("figure.tally", figure=text(kind.name_key), count=count)
        for kind in FigureKind
        if (count := sum(own[kind] for own in tally))
    ]
    result = outcome(state)
    lines = () if result is None else outcome_lines(state, result)
    winners = () if result is None else result.winners
    places = (0,) * len(state.players) if result is None else placings(state, result)
    score = None if result is None else result.score
    said = [say(line) for line in lines[:1]]
    if score is not None:
        key = "result.rank_alone" if len(state.players) == 1 else "result.rank"
        said.append(text(key, rank=text(rank(score))))
    trial = state.options.trial
    highest = "" if trial is not None else _highest(match)
    level, name = _level(state, result), tower_name(match)
    tower = text("tower.called", name=name) if name else ""
    if trial is not None and lines:
        said += medal_lines(trial, state.trial_score)
        made = best_lines(trial, state.trial_score, state.players[0], bests)
    return news.ResultNews(
        sentence=say(lines[1]) if lines else text("screens.result.broken_off"),
        lines=tuple(
            ScoreLine(
                name,
                state.tears[seat],
                colours=colours[seat : seat + 1],
                winner=seat in winners,
                place=places[seat],
                out=state.out[seat] is not None,
                note=_note_of(match, seat, tally[seat].total(), together=score is not None),
            )
            for seat, name in enumerate(state.players)
        ),
        why=" · ".join(said),
        more=tuple(
            words
            for words in (level, highest, *(made if trial is not None else (", ".join(made),)), tower)
            if words
        ),
        score=score,
    )


def _level(state: State, result: Outcome | None) -> str:
    if result is None or not result.winners or result.score is not None:
        return ""
    if state.final and result.ending is not Ending.SHARED:
        tied = (seat for seat, why in enumerate(result.out) if why in (None, Out.FINAL_MISTAKE))
        return text("result.final", players=enumerated([state.players[seat] for seat in tied]))
    fewest = min(result.tears[seat] for seat in result.winners)
    took_last = (seat for seat, why in enumerate(result.out) if why is Out.LAST_TEAR)
    level = [state.players[seat] for seat in took_last if result.tears[seat] <= fewest]
    return text("result.last_tear", player=level[0]) if level else ""


def _note_of(match: MoonMatch, seat: int, figures: int, *, together: bool) -> str:
    costs = [] if together else [text("variant.tears", count=match.state.tears[seat])]
    hints, spared = match.hints[seat], match.state.spared[seat]
    costs += [text("result.spared", count=spared)] if spared else []
    asked = [text("places.count", count=hints)] if hints else []
    chosen = match.places_chosen[seat]
    asked += [text("choose.beside", count=chosen)] if chosen else []
    by_card = match.by_card[seat]
    asked += [text("card.count", count=by_card)] if by_card else []
    handicap = messages.told(match.state.options.handicap_of(seat), spared, hints)
    declared = [f"({handicap})"] if handicap else []
    return ", ".join([*costs, text("figure.count", count=figures), *asked, *declared])


def _highest(match: MoonMatch) -> str:
    standing = [piece for piece in match.facts.pieces if piece.piece in match.state.placed]
    if not standing:
        return ""
    top = max(standing, key=lambda piece: piece.highest_m)
    height, seat = centimetres(top.highest_m), match.placed_by.get(top.piece)
    if seat is None:
        return text("result.highest", height=height)
    return text("result.highest_of", height=height, player=match.players[seat])


def guide_facts(match: MoonMatch) -> GuideFacts:
    facts, state = match.facts, match.state
    held = None if facts.held is None else facts[facts.held]
    return GuideFacts(
        hand_seen=bool(match.hand_views) or match.grip is not None,
        pinching=any(view.pinched for view in match.hand_views),
        offered=any(piece.status is PieceStatus.OFFERED for piece in facts.pieces),
        held=held is not None,
        over_base=held is not None and math.hypot(*held.pose.position[:2]) < OVER_BASE_M,
        touching=len(match.status.touching),
        waits=facts.held_waits,
        turned=abs(math.remainder(match.turned_rad - match.table.turned_rad, 2.0 * math.pi)) > TURNED_RAD,
        settling=state.phase is Phase.SETTLE,
        judged=state.phase is Phase.ROLL and state.turn > 1,
    )


def _verdict(state: State, verdict: Verdict, figure: str) -> news.VerdictNews:
    evidence = [text("evidence.rule", rule=text(f"ruling.{verdict.ruling.lower()}"))]
    if verdict.die is not None:
        evidence.insert(0, text(f"die.{verdict.die.value.lower()}"))
    if verdict.touched:
        evidence.append(text("evidence.touched", count=len(verdict.touched)))
    if verdict.height_m is not None and verdict.rival_m is not None:
        height, rival = apart(verdict.height_m, verdict.rival_m)
        evidence.append(text("evidence.heights", height=height, rival_height=rival))
    # The card on the glass says it too: the page is there for who wants to know more.
    return news.VerdictNews(
        say(verdict_line(state, verdict)), tuple(evidence), figure, verdict.ok, stop=False
    )
