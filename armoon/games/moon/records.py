"""Results of moon games and trials, descriptions of saved games, and the lines of a log with their check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import MatchEvent, Output
from armoon.engine.logbook import SavedGameWriter, WriteJob, records_of
from armoon.engine.setup import Record
from armoon.errors import ArmoonError
from armoon.games.contract import LogCheck, SaveSummary, TerminalTable
from armoon.games.moon import saving
from armoon.games.moon.editions import LINE_M, EditionName, IllegalMove, Mode, Options, Task
from armoon.games.moon.events import format_elimination, format_outcome, format_verdict
from armoon.games.moon.figures import FigureKind, Figures, count_figures
from armoon.games.moon.match import FactsChanged, MoonMatch, PosesRecorded
from armoon.games.moon.options import BOTS, MoonOptions
from armoon.games.moon.referee import find_leaning
from armoon.games.moon.rules import apply_move
from armoon.games.moon.saving import GAME, MoonSetup, load_state, resume_setup
from armoon.games.moon.trials import format_score, load_offered_tasks
from armoon.games.moon.turn import Move, State, find_outcome
from armoon.games.news import BestResult, TrialNews, Trials
from armoon.messages import centimetres, speaking_of, text
from armoon.options.option import read_record
from armoon.saves.files import SaveError
from armoon.saves.game_file import SUFFIX, GameFile, SavedGame, raising_save_error
from armoon.saves.profiles import FigureCounts, Result, load_results
from armoon.values.pieces import BASE, TABLE, Ladder, PieceId, PieceStatus
from armoon.values.poses import Pose
from armoon.values.text import parse_count
from armoon.world.base import make_base
from armoon.world.checks import StructurePoses
from armoon.world.contact import TOUCH_M, TOUCH_TICKS
from armoon.world.exact import find_highest_m
from armoon.world.ladders import STANDING_STATUSES, list_standing, make_ladder_set
from armoon.world.local import LocalWorld


def make_result(game: str, state: State, date: str, figures: FigureCounts | None = None) -> Result:
    """Return a finished game's result. ``game``: the saved game's name; ``date``: ISO 8601."""
    outcome = find_outcome(state)
    assert outcome is not None, "the game isn't over"
    trial = state.options.trial
    return Result(
        game=game,
        date=date,
        edition=state.edition_name,
        variant=encode_variant(state.options),
        players=state.players,
        winners=() if trial is not None else tuple(state.players[seat] for seat in outcome.winners),
        score=outcome.score,
        figures=figures or {},
        kind=GAME,
        trial="" if trial is None else trial.name,
        reached=state.trial_score,
    )


def encode_variant(options: Options) -> str:
    """Return the house options that prevent comparison with usual results, in the notation of the results file."""
    if options.trial is not None:
        return ""
    parts = ["young"] if options.young_climbers else []
    parts += [] if options.tears is None else [f"{options.tears} tears"]
    parts += [] if options.supply_size is None else [f"{options.supply_size} ladders"]
    is_team = options.mode is Mode.COOPERATIVE and options.line_m != LINE_M
    parts += [f"{round(options.line_m * 100)} cm"] if is_team else []
    parts += ["handicaps"] if options.handicaps else []
    return ", ".join(parts)


def format_variant(variant: str) -> str:
    parts = (part.rpartition(" ") for part in variant.split(", "))
    return ", ".join(
        text(f"variant.{name}", count=parse_count(number) or 0)
        for number, _, name in parts
        if name in ("young", "tears", "ladders", "cm", "handicaps")
    )


def rank_results(task: Task, results: Sequence[Result]) -> list[Result]:
    """Return each player's best result in a task, the best first."""
    best: dict[str, Result] = {}
    for result in results:
        reached, best_so_far = result.reached or 0, best.get(result.players[0])
        if reached and (best_so_far is None or task.is_better(reached, best_so_far.reached or 0)):
            best[result.players[0]] = result
    sign = 1 if task.is_fewer_better else -1
    return sorted(best.values(), key=lambda item: (sign * (item.reached or 0), item.date, item.players))


def confirm_results(task: Task, results: Sequence[Result], folder: Path) -> list[Result]:
    """Return a task's results that replays of their saved games confirm; the others may have been edited."""
    candidates = [result for result in results if result.trial == task.name]
    return [
        result
        for result in candidates
        if _read_result(folder / f"{result.game}{SUFFIX}") == (result.trial, result.players, result.reached)
    ]


def _read_result(path: Path) -> tuple[str, tuple[str, ...], int | None] | None:
    try:
        stamp = path.stat()
    except (OSError, ValueError):  # ValueError: a name that no file can have
        return None
    return _replay_trial(path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=4096)
def _replay_trial(path: Path, *_stamp: int) -> tuple[str, tuple[str, ...], int | None] | None:
    try:
        state = load_state(GameFile.read_saved(path))
    except SaveError:
        return None
    trial = state.options.trial
    return None if trial is None else (trial.name, state.players, state.trial_score)


def list_best_results(task: Task, results: Sequence[Result]) -> tuple[BestResult, ...]:
    return tuple(
        BestResult(
            result.players[0],
            format_score(task, result.reached),
            medal.value if (medal := task.find_medal(result.reached)) is not None else "",
            result.date,
            result.game,
        )
        for result in rank_results(task, results)
    )


def list_trials(results: Sequence[Result] = (), folder: Path | None = None) -> Trials:
    """Return all trials in the players' language, with best results if there is a ``folder`` of saved games."""
    tasks, problems = load_offered_tasks()
    lines = []
    for task, title in tasks:
        bronze, silver, gold = (format_score(task, goal) for goal in task.medals)
        lines.append(
            TrialNews(
                GAME,
                task.name,
                text(f"trials.kind.{task.kind.value}"),
                text(f"trials.about.{task.kind.value}"),
                title if task.goal_m is None else f"{title}, {centimetres(task.goal_m)}",
                (bronze, silver, gold),
                () if folder is None else list_best_results(task, confirm_results(task, results, folder)),
            )
        )
    return Trials(tuple(lines), problems)


def load_best_results(task: Task, folder: Path) -> list[Result]:
    """Return the confirmed results, the best first; empty if the results can't be read."""
    try:
        return rank_results(task, confirm_results(task, load_results(folder).results, folder))
    except SaveError:
        return []


def load_places(folder: Path, game: str, task: Task) -> dict[PieceId, Pose]:
    """Return each ladder's pose one turn after its placement; empty without a readable saved game."""
    try:
        places = resume_setup(GameFile.read_saved(folder / f"{game}{SUFFIX}")).places
    except SaveError:
        return {}
    turns = enumerate(task.deal, start=2)
    return {piece: after[piece] for turn, piece in turns if piece in (after := dict(places.get(turn, ())))}


#: Number of verdicts in a saved game's description.
LAST_VERDICTS = 5


def summarise(saved: SavedGame) -> SaveSummary:
    state = resume_setup(saved).state
    with raising_save_error(saved, ValueError):
        bots = read_record((BOTS,), saved.header)
    options = MoonOptions(EditionName(state.edition_name), house=state.options, **bots)
    return SaveSummary(state.players, state.turn - state.over, state.over, options, state.edition_name)


def describe_game(saved: SavedGame) -> tuple[str | TerminalTable, ...]:
    """Return the score, the outcome, the last verdicts and the ladders' heights. Raises SaveError."""
    setup, now = resume_setup(saved), load_state(saved)
    with speaking_of(now.edition.terms):
        parts: list[str | TerminalTable] = [
            text("games.edition", edition=text(f"option.edition.word.{now.edition_name}")),
            _build_score_table(now, setup.last_snapshot.figures),
        ]
        result = find_outcome(now)
        if result is not None:
            parts += format_outcome(now, result)
        for state, verdict in list(saving.load_verdicts(saved))[-LAST_VERDICTS:]:
            sentence = format_verdict(state, verdict)
            parts.append(text("games.verdict", turn=verdict.turn, sentence=sentence))
        heights = list_ladder_heights(setup)
        if heights:
            rows = tuple((piece, centimetres(highest_m)) for piece, highest_m in heights)
            parts.append(TerminalTable(("ladder", "height"), rows))
        return tuple(parts)


def list_ladder_heights(setup: MoonSetup) -> tuple[tuple[str, float], ...]:
    """Return the highest point of each ladder, metres above the table, the highest first. Raises SaveError."""
    standing = list_standing_at(setup)
    heights = [(ladder.piece, find_highest_m(ladder.boxes, pose)) for ladder, pose in standing]
    return tuple(sorted(heights, key=lambda row: (-row[1], row[0])))


def list_standing_at(setup: MoonSetup) -> tuple[tuple[Ladder, Pose], ...]:
    """Return the ladders of the structure at the first tick, with their poses. Raises SaveError."""
    try:
        ladders = make_ladder_set(setup.ladder_seed)
        starting = tuple(ladders[piece] for piece in setup.state.starting)
        slots = make_base(starting, setup.slots).slots
        # The structure contains leaning starting ladders, which override their slots.
        standing = dict(zip(setup.state.starting, slots, strict=True)) | dict(setup.structure)
        return tuple((ladders[piece], pose) for piece, pose in standing.items())
    except (KeyError, ArmoonError) as error:  # KeyError: a ladder that isn't in the box
        raise SaveError("fault.save.setup", remedy="fault.remedy.open_same_version", why=error) from error


def _build_score_table(state: State, history: Sequence[Figures]) -> TerminalTable:
    figures = count_figures(history, len(state.players))
    rows = []
    for seat, player in enumerate(state.players):
        reason = state.out[seat]
        out = "" if reason is None else format_elimination(state, seat, reason)
        counts = sorted(figures[seat].items(), key=lambda item: item[0].value)
        names = (text("figure.tally", figure=text(kind.name_key), count=count) for kind, count in counts)
        rows.append((player, str(state.tears[seat]), ", ".join(names), out))
    caption = text("games.tears_left", count=state.tears_left, total=state.tears_total)
    return TerminalTable(("player", "tears", "figures", "out"), tuple(rows), caption)


def list_score_rows(saved: SavedGame) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    players = saving.load_first_state(saved).players
    head = ("turn", "player", "die", "ladder", "ok", "ruling", "reason", "height_m", "charged", "points")
    columns = (*head, "tears_left", *(f"tears {player}" for player in players))
    rows: list[tuple[object, ...]] = [
        (
            verdict.turn,
            players[verdict.player],
            "" if verdict.die is None else verdict.die.value,
            verdict.ladder or "",
            "yes" if verdict.ok else "no",
            verdict.ruling,
            verdict.reason.value,
            "" if verdict.height_m is None else verdict.height_m,
            "" if verdict.charged is None else players[verdict.charged],
            sum(value for _, value in verdict.points),
            state.tears_left,
            *state.tears,
        )
        for state, verdict in saving.load_verdicts(saved)
    ]
    return columns, rows


def create_writer(match: MoonMatch, file: GameFile) -> SavedGameWriter:
    recorder = saving.MoonRecorder(file, match.setup)
    last_written: tuple[State | None, tuple[int, ...]] = (None, tuple(match.hints))

    def build_job(output: Output) -> WriteJob | None:
        nonlocal last_written
        facts, state, hints = match.facts, match.state, tuple(match.hints)
        if state is last_written[0] and hints == last_written[1]:
            return None  # nothing has changed, as in most frames
        last_written = state, hints
        slots = dict(zip(state.starting, match.base.slots, strict=True))
        return partial(
            recorder.write_moves,
            output.events_of(Move),
            tuple((piece.piece, piece.pose) for piece in facts.pieces),
            at_rest=facts.at_rest,
            leaning=find_leaning(facts, slots),
            figures=match.figures.records,
            counts=match.seat_counts,
        )

    return SavedGameWriter(file, build_job, partial(_build_result, match))


def _build_result(match: MoonMatch, game: str, date: str) -> Result | None:
    state = match.state
    if not state.over:
        return None
    tally = count_figures(match.figures.records, len(state.players))
    counts = {
        name: {kind.value: figures[kind] for kind in FigureKind if figures[kind]}
        for name, figures in zip(state.players, tally, strict=True)
        if figures
    }
    return make_result(game, state, date, counts)


def encode_event(match_event: MatchEvent[Any]) -> Iterator[Record]:
    tick = match_event.tick
    match match_event.event:
        case FactsChanged(facts):
            yield {
                "kind": "facts",
                "tick": tick,
                "held": facts.held,
                "frozen": facts.held_frozen,
                **({"waits": True} if facts.held_is_parked else {}),
                "at_rest": facts.at_rest,
                "pieces": [[p.piece, p.status.value, p.lowest_m, p.highest_m] for p in facts.pieces],
                "contacts": [[c.a, c.b, c.distance_m] for c in facts.contacts],
            }
        case PosesRecorded(facts):
            yield {"kind": "poses", "tick": tick, "poses": {p.piece: list(p.pose.row) for p in facts.pieces}}
        case _:
            yield from records_of(match_event, saving.MOVES)


#: Margin below the touch limit, metres, in which builds of the physics may disagree about a touch.
DOUBT_M = 1e-5
#: Ticks for which a rebuilt structure is simulated.
REST_TICKS = 2 * TICKS_PER_SECOND
#: Maximum shift of a ladder at rest: in a tall tower ladders shift by 1 mm.
MAX_SHIFT_M = 0.003


def check_log(match: MoonMatch, records: Iterable[Record]) -> LogCheck:
    state, facts = match.setup.state, Record()
    counted = structures = number = 0
    with closing(LocalWorld(match.ladders, match.base)) as world:
        try:
            for number, record in enumerate(records, start=1):
                fault = ""
                match record["kind"]:
                    case "move":
                        state = apply_move(state, saving.MOVES.convert(record["move"]))
                    case "verdict":
                        expected = MatchEvent(record["tick"], state.verdict, state, state)
                        counted += 1
                        if [*encode_event(expected)] != [record]:
                            fault = "the verdict doesn't follow from the moves"
                    case "facts":
                        facts = record
                    case "poses" if facts.get("at_rest"):
                        structures += 1
                        fault = _find_difference(world, _read_standing(facts, record), facts["contacts"])
                if fault:
                    return LogCheck(counted, structures, f"line {number}: {fault}")
        except (ArithmeticError, ArmoonError, IllegalMove, LookupError, TypeError, ValueError) as error:
            return LogCheck(counted, structures, f"line {number}: {error}")
    return LogCheck(counted, structures)


def create_stability_check(match: MoonMatch) -> Callable[[], str]:
    """Return a check that a structure at rest also stands in this build of the physics; it returns a fault or ""."""
    facts, ladders, base = match.facts, match.ladders, match.base

    def check() -> str:
        with closing(LocalWorld(ladders, base)) as world:
            contacts = [(contact.a, contact.b, contact.distance_m) for contact in facts.contacts]
            return _find_difference(world, list_standing(facts), contacts) if facts.at_rest else ""

    return check


def _read_standing(facts: Record, poses: Record) -> StructurePoses:
    statuses = {piece: PieceStatus(status) for piece, status, *_ in facts["pieces"]}
    return [
        (piece, Pose.from_row(row), statuses[piece] is PieceStatus.FIXED)
        for piece, row in poses["poses"].items()
        if statuses.get(piece) in STANDING_STATUSES
    ]


def _find_difference(
    world: LocalWorld, standing: StructurePoses, contacts: Iterable[tuple[str, str, float]]
) -> str:
    """Describe how this build of the physics moves these ladders or changes their contacts; "" if it doesn't."""
    ladders_present = {piece for piece, _, _ in standing} | {BASE, TABLE}
    logged = {(a, b): distance_m for a, b, distance_m in contacts if {a, b} <= ladders_present}
    world.rebuild(standing, asleep=True)
    *_, facts = (world.tick(None) for _ in range(TOUCH_TICKS + 1))
    distances = {(contact.a, contact.b): contact.distance_m for contact in facts.contacts}
    for one, other, ending in ((logged, distances, "don't touch here"), (distances, logged, "touch here")):
        for (a, b), distance_m in one.items():
            if (a, b) not in other and distance_m < TOUCH_M - DOUBT_M:
                return f"{a} and {b} {ending}"
    world.rebuild(standing)
    *_, facts = (world.tick(None) for _ in range(REST_TICKS))
    for piece, pose, _ in standing:
        shift_m = max(abs(x - y) for x, y in zip(facts[piece].pose.position, pose.position, strict=True))
        if shift_m > MAX_SHIFT_M:
            return f"{piece} doesn't rest here: it moves by {shift_m * 1000.0:.1f} mm"
    return "" if facts.at_rest else "the structure doesn't come to rest here"
