"""The moon game at the table, and games of bots alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from armoon import __version__
from armoon.camera.profiles import SEATS
from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import MatchBegan, NoticeShown, Output
from armoon.engine.picture import explain_first_player
from armoon.engine.setup import Intake, make_setup
from armoon.games.contract import Game, SaveFactory
from armoon.games.library import play_to_end
from armoon.games.moon import events, presenters, scene
from armoon.games.moon.bots import MoonBots, TypedPlayer
from armoon.games.moon.choosing import Chooser, EasySideFinder, FallRecorder, HintFinder
from armoon.games.moon.demo_player import BOTS_TURN, MoonObservation
from armoon.games.moon.editions import DieSource, MoonRefusal, Phase, Reason, Verdict
from armoon.games.moon.ladder_forecast import LadderForecaster
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import TYPED, MoonOptions
from armoon.games.moon.records import load_best_results, load_places
from armoon.games.moon.saving import MoonSetup
from armoon.games.moon.turn import Roll, State, find_outcome
from armoon.games.moon.verdict_effects import FallenHeap, LastVerdict, SlipDetector, measure_fall
from armoon.games.news import GuideFacts, News
from armoon.messages import text
from armoon.players.hand import Observation
from armoon.saves.profiles import Result
from armoon.sound.cues import SoundCue
from armoon.values.acts import Act
from armoon.values.choices import AirRelease
from armoon.values.pieces import CHOICE_SOURCE, Command, PieceId
from armoon.values.places import HINT, OTHER_HINT, TableChoice
from armoon.values.player_settings import VisualAids
from armoon.values.poses import Pose
from armoon.values.scene import Fate, Scene

#: Acts that enter a real die's face, or choose one in practice. LOOK_BACK is included because its key is M, for moon.
FACE_NUMBERS = {Act.ONE: 1, Act.TWO: 2, Act.THREE: 3, Act.LOOK_BACK: 3}
#: Ticks with a failing forecast after which a place is offered.
OFFER_TICKS = 3 * TICKS_PER_SECOND
#: Name of the choice that requests a place.
SHOW_PLACE = "show"


class FailureTimer:
    """Measures how long a failing forecast has lasted, and decides when to offer a place."""

    def __init__(self) -> None:
        self._since_tick: int | None = None
        self._hints = 0
        self.is_offering = False
        """Whether a place is offered, until a hint is requested or the ladder is released."""

    def update(self, match: MoonMatch, *, is_failing: bool) -> None:
        hints = sum(match.hints)
        if match.facts.held is None or hints != self._hints:
            self._since_tick, self._hints, self.is_offering = None, hints, False
        elif is_failing and self._since_tick is None:
            self._since_tick = match.tick
        elif not is_failing:
            self._since_tick = None
        has_waited = self._since_tick is not None and match.tick - self._since_tick >= OFFER_TICKS
        self.is_offering = self.is_offering or (has_waited and not match.hint_refusal)


class MoonGame(Game[MoonMatch]):
    """A match of Catch the Moon with its presenters."""

    list_feed_events = presenters.list_feed_events
    build_standing = presenters.make_standing

    def __init__(
        self,
        match: MoonMatch,
        bots: MoonBots | None = None,
        *,
        real_time: bool = True,
        guides: bool = True,
    ) -> None:
        """``guides``: whether to search for places near the hand, and guide a held ladder to them."""
        super().__init__(match)
        self._chooser = Chooser(match, real_time=real_time)
        self.terms = match.state.edition.terms
        self._bots = bots
        self._hints = HintFinder(match)
        self._guides = guides
        self._forecaster = LadderForecaster(match, real_time=real_time, guides=guides)
        self._help_timer = FailureTimer()
        self._side_finder = EasySideFinder(match) if real_time else None
        """None in lock step, where the lid shows every ladder upright first."""
        self._last_verdict: LastVerdict | None = None
        self._turns_played = 0
        self._start_roll(-scene.MAX_ROLL_TICKS)
        self._slip_detector = SlipDetector()
        self._heap = FallenHeap(match.ladders, match.base)
        self._has_reported_further_fall = False
        """Whether a further fall in this incident was already reported."""
        self._bot_sentences: list[str] = []
        self._best_results: list[Result] = []
        """In a trial: the players' best results before this game, the best first."""
        self._best_places: dict[PieceId, Pose] = {}
        """In a trial: poses of the ladders in the best run."""
        self._fall_recorder = FallRecorder()
        self._earlier_facts = self._last_facts = self._sound_facts = match.facts
        self._apply_events(match.opening)

    @property
    def turns_played(self) -> int:
        return self._turns_played

    def can_request(self, act: Act) -> bool:
        match = self.match
        if act is Act.UNDO:
            return match.can_put_back
        if act is Act.HINT:
            return not match.hint_refusal
        if act is Act.GIVE_UP:
            return not match.frozen
        return super().can_request(act) and (act is not Act.ANOTHER or bool(match.state.supply))

    @property
    def is_awaiting_roll(self) -> bool:
        # A click also interrupts a bot that is thinking.
        return self.match.state.phase is Phase.ROLL or self._is_bot_thinking

    @property
    def _is_bot_thinking(self) -> bool:
        return (
            not self.is_replayed
            and self._bots is not None
            and self._bots.is_thinking
            and self.match.bot is not None
        )

    @events.with_edition_terms
    def advance(self, intake: Intake) -> Output:
        bots = None if self.is_replayed else self._bots
        self._earlier_facts, self._last_facts = self.match.previous, self.match.facts
        self._fall_recorder.record_frame(self.match, self._forecaster.fall)
        output = super().advance(intake if self.is_replayed else self._add_help(intake))
        if self._guides and not self.is_replayed:
            forecast = self._forecaster.update()
            is_failing = forecast is not None and forecast.fate is Fate.FAILS
            self._help_timer.update(self.match, is_failing=is_failing)
        self._slip_detector.add_facts(self._last_facts, self.match.facts)
        self._apply_events(output)
        if bots is not None:
            bots.report_verdicts(output.events_of(Verdict))
            self._bot_sentences = bots.pop_sentences()
        sentences = list_notices(self.match.state, output)
        if not self.is_replayed and (hint := self._hints.update()):
            sentences.append(hint)
        if bots is not None and bots.has_refused:
            sentences.append(text("watch.not_yours", player=self.match.players[self.match.on_turn[1]]))
        self.hide_sentence(self._hints.outdated_sentence)
        if sentences:
            self.show_sentence(" · ".join(sentences))
        if output.events_of(Roll, events.GameEnded):  # now no request is waiting
            self.hide_sentence(text(f"refusal.{MoonRefusal.STRUCTURE_MOVING.value}"))
        return output

    def _add_help(self, intake: Intake) -> Intake:
        """Return the intake with the commands, grips and places of choices, hints, guidance and bots."""
        commands, places = intake.commands, intake.places
        grips = self._chooser.choose_grips(intake, wanted=self.should_list_choices)
        commands += self._hints.uncount_failed(commands)
        if self._side_finder is not None:
            commands += self._side_finder.choose_side(commands, self._hints.place)
        if self._guides:
            is_requested = any(command.kind is Act.SET_DOWN for command in commands)
            places = self._forecaster.pop_new_places(on_request=is_requested)
        if self._bots is not None:
            commands, grips = self._bots.choose_moves(intake, commands, grips)
        return replace(intake, commands=commands, grips=grips, places=places)

    def handle_act(self, act: Act) -> tuple[Command, ...]:
        options, face = self.match.state.options, FACE_NUMBERS.get(act)
        if face is not None and (options.practice or options.die is not DieSource.SEEDED):
            return (Command(Act.ROLL, "keys", face),)
        return (Command(act, "keys"),) if options.practice and act is Act.PLACE_AGAIN else ()

    @events.with_edition_terms
    def list_sentences(self, output: Output) -> list[str]:
        match, state, verdicts = self.match, self.match.state, output.events_of(Verdict)
        intro = explain_first_player(match, match.setup.first_player) if output.events_of(MatchBegan) else ""
        lines = [intro] if intro else []
        lines += [
            text(f"log.rolled.{roll.event.die.value.lower()}", player=state.players[roll.before.player])
            for roll in output.match_events(Roll)
        ]
        for verdict in verdicts:
            is_further_fall = verdict.reason is Reason.SAME_INCIDENT
            if not (is_further_fall and self._has_reported_further_fall):
                lines.append("  " + scene.describe_verdict(match, self._make_last_verdict(verdict)))
            self._has_reported_further_fall = is_further_fall
            if names := scene.name_figures(match, verdict):
                lines.append("  " + text("figure.made", player=state.players[verdict.player], figure=names))
        lines += [text(notice.key) for notice in output.events_of(NoticeShown)]
        lines += list_notices(state, output)
        lines += ["  " + words for words in self._bot_sentences]
        outcome = find_outcome(state) if verdicts else None
        return lines if outcome is None else [*lines, *events.format_outcome(state, outcome)]

    @events.with_edition_terms
    def list_news(self, output: Output, *, over: bool) -> list[News]:
        return presenters.list_news(self.match, output, self._best_results, over=over)

    def is_awaiting_face(self) -> bool:
        return self.match.status.is_awaiting_face

    def compute_score(self) -> tuple[int | None, int]:
        score = self.match.status.score
        return score, 0 if score is None else self.match.state.best_scoring

    def search_status(self) -> str:
        return self._chooser.search_status

    @events.with_edition_terms
    def list_choices(self) -> tuple[TableChoice, ...]:
        if self._is_bot_thinking:
            return (TableChoice("roll", text("choose.enough")),)
        # An extra choice would shift the highlighted one; players with choices have the hint's icon instead.
        choices = self._chooser.list_choices()
        help_choices = () if choices and self._help_timer.is_offering else self.list_help_choices()
        return super().list_choices() or (*help_choices, *choices)

    @events.with_edition_terms
    def list_help_choices(self) -> tuple[TableChoice, ...]:
        if self._hints.place is None and self._help_timer.is_offering:
            return (TableChoice(SHOW_PLACE, text("screens.pause.hint")),)
        if self._hints.place is None or self._chooser.is_busy:
            return ()
        other = text("choose.other.safest" if self._hints.is_higher_shown else "choose.other.highest")
        return TableChoice(HINT, text("choose.hint")), TableChoice(OTHER_HINT, other)

    def should_list_choices_unasked(self) -> bool:
        state = self.match.state
        is_helped = state.options.get_handicap(state.player).helps is not VisualAids.NONE
        is_useful = state.turn <= len(state.players) or self.match.places_chosen[state.player] > 0
        return is_helped and is_useful and not self.match.setup.options.no_hints

    def confirm_choice(self, name: str) -> tuple[Command, ...]:
        place = self._hints.place
        if name == HINT and place is not None:
            return self._chooser.carry_to(place)
        if (name == OTHER_HINT and place is not None) or (
            name == SHOW_PLACE and self._help_timer.is_offering
        ):
            return (Command(Act.HINT, CHOICE_SOURCE),)
        if name == "roll" and self._is_bot_thinking:
            return (Command(Act.ROLL, CHOICE_SOURCE),)
        return super().confirm_choice(name) if name == "roll" else self._chooser.confirm_choice(name)

    def collect_guide_facts(self) -> GuideFacts:
        forecast = None if self.is_replayed else self._forecaster.update()
        has_offers = self.should_list_choices and self._chooser.can_show_places
        hinted = has_offers or self._hints.place is not None
        good = None if forecast is None else forecast.is_good
        return presenters.make_guide_facts(self.match, self._last_verdict, hinted=hinted, good=good)

    def consider_choice(self, name: str | None) -> None:
        self._chooser.highlighted = name

    def list_sound_cues(self, output: Output) -> tuple[SoundCue, ...]:
        """Return the sounds since the last call, over any number of frames."""
        before, self._sound_facts = self._sound_facts, self.match.facts
        facts, ladders, events_now = self.match.facts, self.match.ladders, output.events_of(object)
        sounds = presenters.list_sounds(before, facts, ladders, events_now, self._roll)
        return (*sounds, *self._heap.pop_knocks())

    @events.with_edition_terms
    def build_scene(self, fraction: float, banner: str) -> Scene:
        bot_display = ("", None) if self._bots is None or self.is_replayed else self._bots.get_display()
        forecast = None if self.is_replayed else self._forecaster.update()
        die, ticks = self._die, self.match.tick - self._roll_tick
        if self._roll is not None and ticks <= scene.MAX_ROLL_TICKS:
            die = self._roll.get_pose(ticks - 1.0 + fraction)
        offer_ghosts = self._chooser.list_ghosts() if self.should_list_choices else ()
        return scene.compose_scene(
            self.match,
            fraction,
            self._last_verdict,
            self.resolve_banner(banner),
            bot_display,
            forecast,
            place=None if self.is_replayed else self._forecaster.find_nearest_place(),
            ghosts=(
                *self._hints.list_ghosts(),
                *offer_ghosts,
                *scene.make_best_ghost(self.match, self._best_results, self._best_places),
            ),
            die=die,
            heap=self._heap.simulate(self.match.facts),
            slow_fall=self._slip_detector.find_fall(self.match.facts.tick - 1.0 + fraction),
        )

    def load_best_runs(self, folder: Path) -> None:
        trial = self.match.state.options.trial
        if trial is not None and (bests := load_best_results(trial, folder)):
            self._best_results, self._best_places = bests, load_places(folder, bests[0].game, trial)

    def close(self) -> None:
        for part in (self._hints, self._forecaster, self._heap, self._side_finder, self._chooser, self._bots):
            if part is not None:
                part.close()
        super().close()

    def build_observation(self, time_s: float) -> Observation:
        state = self.match.state
        die = None if state.die is None else state.die.value
        phase = state.phase.name if self.match.bot is None else BOTS_TURN
        forecast, home = None if self.is_replayed else self._forecaster.update(), self.match.home_from_table()
        fate, guided = (None, False) if forecast is None else (forecast.fate, forecast.is_guided)
        return MoonObservation(time_s, state.turn, phase, die, self.match.facts, home, fate, guided)

    def _apply_events(self, output: Output) -> None:
        for event in output.events_of(Verdict, Roll):
            if isinstance(event, Roll):
                self._start_roll(self.match.tick)
                self._slip_detector.end_early(self.match.facts.tick)
            elif isinstance(event, Verdict):
                self._last_verdict = self._make_last_verdict(event)
                self._slip_detector.add_verdict(self._last_verdict)
                self._heap.add_ladders(self._last_verdict.fallen, self.match.facts)
                self._turns_played = max(self._turns_played, event.turn)

    def _start_roll(self, tick: int) -> None:
        self._roll = scene.DieRoll.for_turn(self.match.state, self.match.base.lid_x_m)
        self._roll_tick = tick
        self._die = None if self._roll is None else self._roll.get_pose(scene.MAX_ROLL_TICKS)

    def _make_last_verdict(self, verdict: Verdict) -> LastVerdict:
        earlier = {piece.piece: piece.pose for piece in self._earlier_facts.pieces}
        last = {piece.piece: piece.pose for piece in self._last_facts.pieces}
        fallen = tuple(
            measure_fall(piece, earlier.get(piece, last[piece]), last[piece])
            for piece, _ in verdict.fallen
            if piece not in verdict.stood_back and piece in last
        )
        recorder, tick = self._fall_recorder, self.match.facts.tick
        return LastVerdict(verdict, tick, fallen, recorder.last_support, recorder.find_push(verdict))


def list_notices(state: State, output: Output) -> list[str]:
    sentences = []
    for event in output.events_of(events.PlayerEliminated, events.ActRefused, events.StartingLadderRestored):
        if isinstance(event, events.PlayerEliminated):
            sentences.append(events.format_elimination(state, event.player, event.why))
        elif isinstance(event, events.ActRefused):
            is_wrong_phase = event.reason is MoonRefusal.WRONG_PHASE
            is_early = is_wrong_phase and event.what == Act.SCORE and state.is_team_game
            sentences.append(text(f"refusal.{'score_later' if is_early else event.reason.value}"))
        else:
            sentences.append(text("notice.stood_back"))
    return sentences


#: Ticks before a bot's roll in a game without spectators.
PAUSE_TICKS = 20


def create_bot_match(options: MoonOptions, names: Sequence[str], seed: int, first: int = 0) -> MoonMatch:
    table = make_setup(SEATS["table"](1280, 720), __version__, air=AirRelease.FALLS, bots=options.bots)
    setup = MoonSetup(
        seed=seed,
        edition=options.edition,
        players=tuple(names),
        auto_roll_s=None,
        slots=options.slots,
        options=options.house,
        first_player=first,
    )
    return MoonMatch(table, setup)


def play_bots(
    options: MoonOptions,
    names: Sequence[str],
    seed: int,
    say: Callable[[str], object] = lambda _: None,
    *,
    first: int = 0,
    read: Callable[[], str] | None = None,
    create_save: SaveFactory = lambda match: None,
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Play a whole game; return the winners' seats, and a sentence for each turn lost by a fault of a bot's program.

    ``read``: returns a line typed by a person in a seat without a bot. Raises IllegalSetup.
    """
    if read is not None:
        options = options.with_values(bots=tuple(word or TYPED for word in options.bots))
    match = create_bot_match(options, names, seed, first)
    make_player = None if read is None else partial(TypedPlayer, match, say, read)
    bots = MoonBots(match, real_time=False, pause_ticks=PAUSE_TICKS, make_typed_player=make_player)
    game = MoonGame(match, bots)
    play_to_end(game, say, create_save)
    outcome = find_outcome(match.state)
    return () if outcome is None else outcome.winners, tuple(bots.faults)
