"""Proofs that a task can be solved: a steady hand's releases, turn by turn, played through the ordinary engine.

A proof that is played again without tremor reaches the same score. ``scripts/prove-trials`` searches for the places.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from armoon import __version__
from armoon.camera.profiles import SEATS
from armoon.clock import TICK_S
from armoon.engine.events import Output
from armoon.engine.setup import Intake, make_setup
from armoon.games.moon.editions import EditionName, Phase, Task, TaskKind, make_trial_options
from armoon.games.moon.match import ATTITUDES, MoonMatch
from armoon.games.moon.offers import make_question
from armoon.games.moon.saving import MoonSetup
from armoon.placement.search import PlaceSearch
from armoon.placement.values import estimate_safety, score_place
from armoon.players.hand import Carrier
from armoon.values.acts import Act
from armoon.values.choices import AirRelease
from armoon.values.pieces import BOT_SOURCE, Command, PieceStatus
from armoon.values.places import HIGHEST, SAFEST, STEADY, BotCharacter, LadderPlace, PlaceWeights, Reach
from armoon.values.poses import Pose

#: A fast hand without slips.
STEADIEST = BotCharacter(0.0, 0.0, 1, SAFEST, 0.1, 2.5, "#ffffff")
#: The hand of a person, with a person's slips.
PERSON = replace(STEADIEST, slip_m=STEADY.metres, slip_rad=STEADY.radians)
#: Maximum number of frames of a turn, two minutes.
MAX_FRAMES = 30 * 120
FRAME_TICKS = 2
#: Maximum wall time of a search on a busy machine, seconds.
MAX_S = 600.0
#: Factors of the search time: of the first search, and of a second search if the first finds nothing.
PATIENCE = (1, 3)
#: Accepted loss of safety for a higher or steeper place.
TOLERANCE = 0.45
_RISING = PlaceWeights(safety=0.3, rise=1.0)
#: Attitudes for higher or steeper places: all of the lid's attitudes except the flat one.
_ASLANT = Reach(
    tuple(ATTITUDES[k] for k in range(len(ATTITUDES)) if k != 2), (0.0, 1.0, 0.0), math.radians(30.0)
)
WEIGHTS = dict.fromkeys((TaskKind.TODAY, TaskKind.HIGHEST, TaskKind.DROPS), HIGHEST) | {
    TaskKind.ASLANT: _RISING
}
#: Returns the release pose of this turn's ladder; None: give it up.
ChooseRelease = Callable[[MoonMatch], Pose | None]
#: Receives the output of each frame.
WatchFrame = Callable[[MoonMatch, Output], object]


@dataclass(frozen=True)
class Proof:
    """The result of a played task."""

    score: int | None
    releases: tuple[Pose | None, ...]
    """Release poses by turn."""


def play_task(
    task: Task,
    choose: ChooseRelease,
    watch: WatchFrame | None = None,
    *,
    hand: BotCharacter = STEADIEST,
    seed: int = 0,
) -> Proof:
    """Play a task to its end; ``choose`` is called once a turn; ``seed`` determines the hand's slips."""
    table = make_setup(SEATS["table"](1280, 720), __version__, air=AirRelease.FALLS)
    setup = MoonSetup(0, EditionName.BOMBYX_2017, ("Solver",), None, options=make_trial_options(task))
    with closing(MoonMatch(table, setup)) as match:
        return _play(match, choose, watch or (lambda match, output: None), hand, seed)


def replay_proof(task: Task, releases: Sequence[Pose | None], watch: WatchFrame | None = None) -> Proof:
    """Play a proof again and return its result; ladders without a stored release are given up."""

    def choose(match: MoonMatch) -> Pose | None:
        turn = match.state.turn
        return releases[turn - 1] if turn <= len(releases) else None

    return play_task(task, choose, watch)


def search_places(task: Task, seconds: float, *, seed: int = 0, hand: BotCharacter = STEADIEST) -> Proof:
    """Search for a proof with this processor time per turn. With a slipping hand the result is only an estimate."""
    searches: list[PlaceSearch] = []

    def choose(match: MoonMatch) -> Pose | None:
        if not searches:
            searches.append(PlaceSearch(match.ladders, match.base, processes=1, niceness=0))
        best: LadderPlace | None = None
        for patience in PATIENCE:
            weights = WEIGHTS.get(task.kind, SAFEST)
            question = replace(
                make_question(match, seed=seed + match.state.turn + 100 * patience),
                drops=None,
                seconds=MAX_S,
                work_s=seconds * patience,
                weights=weights,
                reach=None if weights == SAFEST else _ASLANT,
            )
            searches[0].ask(question)
            answer = searches[0].wait(2.0 * MAX_S)
            if answer.failed:
                raise RuntimeError("the search for places failed: its processes don't start")
            best = choose_best(answer.places, weights)
            if best is not None:
                break
        return None if best is None else best.release

    try:
        return play_task(task, choose, hand=hand, seed=seed)
    finally:
        for process in searches:
            process.close()


def choose_best(places: Sequence[LadderPlace], weights: PlaceWeights) -> LadderPlace | None:
    """Return the preferred place among those that are nearly as safe as the safest."""
    least = max(map(estimate_safety, places), default=0.0) - (TOLERANCE if weights != SAFEST else 0.0)
    safe = (place for place in places if estimate_safety(place) >= least)
    return max(safe, key=lambda place: score_place(place, weights), default=None)


def _play(
    match: MoonMatch, choose: ChooseRelease, watch: WatchFrame, character: BotCharacter, seed: int
) -> Proof:
    hand = Carrier(match.table.table_from_camera.position, character)
    releases: list[Pose | None] = []
    frame = begun = rolled = 0
    watch(match, match.opening)
    while not match.over:
        frame, state, commands = frame + 1, match.state, list[Command]()
        turn, now_s = state.turn, frame * FRAME_TICKS * TICK_S
        if state.phase is Phase.ROLL and match.at_rest and not state.incident and rolled < turn:
            rolled = turn
            commands.append(Command(Act.ROLL, BOT_SOURCE))
        elif hand.is_busy:
            pass
        elif state.phase is Phase.DRAW and any(
            piece.status is PieceStatus.OFFERED for piece in match.facts.pieces
        ):
            if len(releases) < turn:
                releases.append(choose(match))
            release = releases[-1]
            if release is None:
                commands.append(Command(Act.GIVE_UP, BOT_SOURCE))
            else:
                assert state.ladder is not None
                hand.start_carrying(match.ladders[state.ladder], release, random.Random(f"{seed} {turn}"))
        elif state.phase is Phase.HOLD and match.is_parked:
            commands.append(Command(Act.PUT_BACK, BOT_SOURCE))
        grips = hand.move_hand(match.facts, FRAME_TICKS * TICK_S, now_s)
        watch(match, match.advance(Intake(now_s, FRAME_TICKS, None, tuple(commands), grips)))
        if match.state.turn != turn:
            hand.cancel()
            begun = frame
        if frame - begun > MAX_FRAMES:
            raise RuntimeError(f"turn {turn} of {match.state.options.trial} doesn't end")
    return Proof(match.state.trial_score, tuple(releases))
