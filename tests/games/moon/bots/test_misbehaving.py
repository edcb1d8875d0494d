"""Faults of bots: each forfeits the turn and prints one message, and the game continues."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from support.checkout import CHECKOUT
from support.command_line import run
from support.waiting import PATIENCE_S, CountedClock, until

from armoon.clock import TICK_S, ManualClock
from armoon.engine.events import Output
from armoon.engine.setup import Intake
from armoon.games.contract import BotDuel
from armoon.games.library import FRAME_TICKS
from armoon.games.moon.bot_protocol import BotFault, BotLine
from armoon.games.moon.bots import BotProcess, MoonBots
from armoon.games.moon.editions import Phase, Reason, Verdict
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import PAUSE_TICKS, MoonGame, create_bot_match
from armoon.messages import text
from armoon.processes import child

HELLO = """
import os, sys, time
def say(*words): print(*words, flush=True)
for line in sys.stdin:
    if line.startswith("ready"): break
say("hello Rascal")
for line in sys.stdin:
    if line.startswith("go"): break
"""
WAIT = "; time.sleep(600)"
#: For each behaviour: the bot's source, and the expected fault.
FAULTY_BOTS: dict[str, tuple[str, BotFault]] = {
    "ends at once": ("", BotFault.GONE),
    "never says hello": ("import time" + WAIT, BotFault.SILENT),
    "never reads and never answers": ("print('hello R', flush=True); import time" + WAIT, BotFault.LATE),
    "answers before it says hello": ("print('pass', flush=True); input(); input()", BotFault.NONSENSE),
    "falls silent in its turn": (HELLO + "time.sleep(600)", BotFault.LATE),
    "is killed in its turn": (HELLO + "os.kill(os.getpid(), 9)", BotFault.GONE),
    "closes its output": (HELLO + "os.close(1)" + WAIT, BotFault.GONE),
    "talks another language": (HELLO + "say('bestmove e2e4')" + WAIT, BotFault.NONSENSE),
    "writes no text": (HELLO + r"os.write(1, b'\xff\xfe\x00\n')" + WAIT, BotFault.ENCODING),
    "writes a line without end": (HELLO + "os.write(1, b'x' * 10**6)" + WAIT, BotFault.FLOOD),
    "talks without end": (HELLO + "while True: say('say well, well')", BotFault.FLOOD),
    "names half a pose": (HELLO + "say('place 0 0 0.3')" + WAIT, BotFault.NO_POSE),
    "names an infinite position": (HELLO + "say('place 0 0 inf 0 0 0 1')" + WAIT, BotFault.NO_POSE),
    "names no rotation": (HELLO + "say('place 0 0 0.3 0 0 0 0')" + WAIT, BotFault.NO_POSE),
    "names a place far away": (HELLO + "say('place 9 0 0.3 0 0 0 1')" + WAIT, BotFault.OUT_OF_REACH),
}
MAX_FRAMES = 3000
#: Begins a game with these bots (None: a person); with ``fault``, the clock skips the wait for a timeout.
BeginGame = Callable[..., tuple[MoonGame, MoonBots]]


@pytest.fixture
def begin() -> Iterator[BeginGame]:
    games: list[MoonGame] = []

    def make_game(
        *bots: str | None, names: tuple[str, ...], fault: BotFault | None = None
    ) -> tuple[MoonGame, MoonBots]:
        match = create_bot_match(MoonOptions(bots=bots), names, 3)

        def is_stuck() -> bool:
            if fault is BotFault.LATE:
                first = players._processes.get(0)
                return first is not None and first.has_greeted
            return fault is BotFault.SILENT

        clock = CountedClock(is_stuck)
        players = MoonBots(match, real_time=False, clock=clock, pause_ticks=PAUSE_TICKS, patience=1.0)
        games.append(MoonGame(match, players))
        return games[-1], players

    yield make_game
    for game in games:
        game.close()


def play_frames(game: MoonGame) -> Iterator[Output]:
    for frame in range(MAX_FRAMES):
        yield game.advance(Intake((frame + 1) * FRAME_TICKS * TICK_S, FRAME_TICKS, None))


def play_turn(
    begin: BeginGame, word: str, fault: BotFault | None = None
) -> tuple[MoonGame, MoonBots, list[str]]:
    game, bots = begin(word, None, names=("Rascal", "Ann"), fault=fault)
    sentences: list[str] = []
    for output in play_frames(game):
        sentences += game.list_sentences(output)
        if game.match.state.turn > 1:
            break
    return game, bots, sentences


def write_bot(folder: Path, source: str) -> str:
    path = folder / "rascal.py"
    path.write_text(source, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", FAULTY_BOTS)
def test_a_fault_forfeits_the_turn_and_prints_one_message(
    name: str, tmp_path: Path, begin: BeginGame
) -> None:
    source, fault = FAULTY_BOTS[name]
    game, bots, sentences = play_turn(begin, write_bot(tmp_path, source), fault)
    state = game.match.state
    assert len(bots.faults) == 1
    sentence = text(f"bots.fault.{fault.value}", player="Rascal")
    assert [line.strip() for line in sentences].count(sentence) == 1
    assert sum("tear" in line and "Rascal" in line for line in sentences) <= 2, "in the rule and the verdict"
    assert state.tears == (1, 0)
    assert (state.phase, state.player) == (Phase.ROLL, 1), "it is Ann's turn"
    assert game.match.facts.held is None


@pytest.mark.parametrize("word", ["./no/such/program", "a folder/"])
def test_a_program_that_cant_be_started_forfeits_its_turn(
    word: str, tmp_path: Path, begin: BeginGame
) -> None:
    (tmp_path / "a folder").mkdir()
    game, _, sentences = play_turn(begin, str(tmp_path / word))
    assert any(text("bots.fault.missing", player="Rascal") in line for line in sentences)
    assert game.match.state.tears == (1, 0)


def test_after_a_fault_the_next_turn_has_a_new_process(tmp_path: Path, begin: BeginGame) -> None:
    mark = repr(str(tmp_path / "mark"))
    fail_once = f"if not os.path.exists({mark}): open({mark}, 'x'); say('what?'){WAIT}\n"
    give_up = "say('pass')\nfor line in sys.stdin:\n    if line.startswith('go'): say('pass')\n"
    path = write_bot(tmp_path, HELLO + fail_once + give_up)
    game, bots = begin(path, path, names=("Rascal", "Scamp"))
    reasons: list[Reason] = []
    for output in play_frames(game):
        reasons += [verdict.reason for verdict in output.events_of(Verdict)]
        if game.match.over:
            break
    assert game.match.over
    assert set(reasons) == {Reason.GAVE_UP}
    assert len(bots.faults) == 1


def test_unrequested_lines_are_ignored(tmp_path: Path) -> None:
    path = write_bot(tmp_path, HELLO + "say('say \\x1b[2J hm'); say('pass'); say('pass')" + WAIT)
    with closing(BotProcess(path, ("ready",), ManualClock())) as process:
        process.send_turn(("go 8",), 8.0)
        lines: list[BotLine] = []
        until(
            lambda: process.fault or any(line.verb == "pass" for line in lines),
            meanwhile=lambda: lines.extend(process.poll_lines()),
        )
        assert process.fault is None
        assert [line for line in lines if line.verb == "say"] == [BotLine("say", "[2J hm")]
        for _ in range(100):
            assert not any(line.verb in ("place", "pass") for line in process.poll_lines())


def test_a_silent_bot_gets_a_minute_in_patient_games(tmp_path: Path) -> None:
    clock = ManualClock()
    process = BotProcess(write_bot(tmp_path, "import time" + WAIT), ("ready",), clock, patience=20.0)
    for time_s, fault in ((59.0, None), (61.0, BotFault.SILENT)):
        clock.set_s(time_s)
        process.poll_lines()
        assert process.fault is fault


#: A bot that ignores termination signals, as does its child.
IGNORES_SIGNALS = """
import os, signal, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
child = os.fork()
with open(sys.argv[0] + (".child" if child == 0 else ".own"), "w") as mark: mark.write(str(os.getpid()))
print("hello Barnacle", flush=True)
while True: time.sleep(1)
"""
#: A program that starts such a bot, and then closes the bot or is killed.
KILLED_PROGRAM = """
import os, signal, sys, time
from armoon.games.moon.bots import BotProcess
bot = BotProcess(sys.argv[1], ("ready",))
while not all(os.path.exists(sys.argv[1] + end) for end in (".child", ".own")): time.sleep(0.02)
time.sleep(0.1)
if sys.argv[2] == "killed": os.kill(os.getpid(), signal.SIGKILL)
bot.close()
"""


#: A bot that exits at once; its child has a session of its own and inherits the output.
LEAVES_CHILD = """
import os, sys, time
print("hello Daemon", flush=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open(sys.argv[0] + ".child", "w") as mark: mark.write(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
os.wait()
while not os.path.exists(sys.argv[0] + ".child"): time.sleep(0.02)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="orphans can be followed only on Linux")
def test_a_bots_child_in_another_session_is_ended(tmp_path: Path) -> None:
    path = write_bot(tmp_path, LEAVES_CHILD)
    process = BotProcess(path, ("ready",), ManualClock())
    until(lambda: process.fault is not None, "the bot's exit", meanwhile=process.poll_lines)
    assert process.fault is BotFault.GONE
    pid = int(Path(f"{path}.child").read_text())
    until(partial(is_gone, pid), "the child's exit")


def test_a_match_is_aborted_after_repeated_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    class FailingKind:
        def create_bot_duel(self, bots: tuple[str, str]) -> BotDuel:
            return lambda seed, first: (0.0, ("It hangs.",) * (4 if seed == 2 else 2))

    monkeypatch.setattr("armoon.cli.bots.load_kind", lambda name: FailingKind())
    result = run("bots", "match", "a", "b", "--games", "9", "--seed", "1")
    assert result.exit_code == 2
    assert result.output.count("It hangs.") == 1
    assert "0.0 of 2" in result.output
    assert "0.0 of 3" not in result.output
    assert "The match ends here" in result.output


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the bot forks")
@pytest.mark.parametrize("ending", ["closed", "killed"])
def test_no_program_outlives_the_game(ending: str, tmp_path: Path) -> None:
    path = write_bot(tmp_path, IGNORES_SIGNALS)
    subprocess.run([sys.executable, "-c", KILLED_PROGRAM, path, ending], check=False, timeout=PATIENCE_S)
    for end in (".own", ".child"):
        pid = int(Path(f"{path}{end}").read_text())
        until(partial(is_gone, pid), f"the exit of {end}")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the bot forks")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signalled_supervisor_leaves_no_process(name: str, tmp_path: Path) -> None:
    path = write_bot(tmp_path, IGNORES_SIGNALS)
    supervisor = child.start_process(sys.executable, "-m", child.__name__, sys.executable, path)
    pids = []
    for end in (".own", ".child"):
        mark = Path(f"{path}{end}")
        until(partial(is_written, mark), f"the start of {end}")
        pids.append(int(mark.read_text()))
    os.kill(supervisor.pid, getattr(signal, name))
    if name == "SIGHUP":  # a closed terminal signals all its processes, and the game closes normally
        with pytest.raises(subprocess.TimeoutExpired):
            supervisor.wait(0.3)
        assert supervisor.stdin is not None
        supervisor.stdin.close()
    supervisor.wait(PATIENCE_S)
    if name == "SIGTERM":
        assert supervisor.returncode == child.SIGNAL_EXIT + signal.SIGTERM
    for pid in pids:
        until(partial(is_gone, pid), "the process's exit")


def is_written(mark: Path) -> bool:
    return mark.exists() and bool(mark.read_text())


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")  # an orphan may stay a zombie
    return stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_the_example_bot_of_the_docs_plays(begin: BeginGame) -> None:
    example = CHECKOUT / "docs" / "bots" / "example.py"
    game, bots, sentences = play_turn(begin, str(example))
    assert len(bots.faults) == 0
    assert game.match.state.turn == 2
    assert any("Then I lay it down softly." in line for line in sentences)
    assert len(game.match.state.placed) + len(game.match.state.removed) == 1


@pytest.mark.parametrize("command", ["bots match {} pip", "play --no-camera --bots {},pip"])
@pytest.mark.parametrize("kind", ["missing", "folder", "not executable"])
def test_a_program_that_cant_be_started_is_reported_before_a_game(
    tmp_path: Path, command: str, kind: str
) -> None:
    path = tmp_path / "bot"
    if kind == "folder":
        path.mkdir()
    elif kind == "not executable":
        path.write_text("#!/bin/sh\n")
        path.chmod(0o644)
    result = run(*(word.format(path) for word in command.split()))
    assert result.exit_code == 2
    assert str(path) in result.output.replace("\n", "")
    assert "Traceback" not in result.output


@pytest.mark.slow
def test_a_match_decided_by_faults_is_reported(tmp_path: Path) -> None:
    source, fault = FAULTY_BOTS["names half a pose"]
    result = run("bots", "match", write_bot(tmp_path, source), "pip", "--games", "1", "--seed", "1")
    assert result.exit_code == 2
    sentence = text(f"bots.fault.{fault.value}", player="rascal")
    assert result.output.count(sentence) == 1
    assert "the score means little" in result.output
