"""The system's voice speaks texts in order, and urgent ones interrupt others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.waiting import until

from armoon.speech_output.speaker import (
    ENGINES,
    Speaker,
    SpeechError,
    Urgency,
    Utterance,
    estimate_speech_s,
    find_engine,
)

_PROGRAM = """#!{python}
import os, sys, time
from pathlib import Path
folder = Path({folder!r})
def note(name, line):
    with open(folder / name, "a", encoding="utf-8") as file:
        file.write(line + "\\n")
talking = folder / "talking"
note("begun", " ".join(sys.argv[1:]))
note("pids", str(os.getpid()))
if (folder / "broken").exists():
    sys.exit("no sound card")
words = sys.stdin.buffer.read().decode().strip()
while (folder / "slow").exists():
    time.sleep(0.01)
try:
    talking.mkdir()
    note("said", words)
    talking.rmdir()
except FileExistsError:
    note("overlaps", words)
"""


class FakeEngine:
    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder / "voice"
        self._folder.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        program = programs / "espeak-ng"
        program.write_text(_PROGRAM.format(python=sys.executable, folder=str(self._folder)))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")

    @property
    def utterances(self) -> list[str]:
        return self._lines("said")

    @property
    def started_commands(self) -> list[str]:
        return self._lines("begun")

    @property
    def overlaps(self) -> int:
        return len(self._lines("overlaps"))

    def is_running(self) -> bool:
        return any(Path(f"/proc/{pid}").exists() for pid in self._lines("pids"))

    def make_slow(self) -> None:
        (self._folder / "slow").touch()

    def make_quick(self) -> None:
        (self._folder / "slow").unlink()

    def break_down(self) -> None:
        (self._folder / "broken").touch()

    def _lines(self, name: str) -> list[str]:
        path = self._folder / name
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    return FakeEngine(tmp_path, monkeypatch)


@pytest.fixture
def speaker(engine: FakeEngine) -> Iterator[Speaker]:
    speaker = Speaker()
    yield speaker
    speaker.close()


def test_texts_are_spoken_in_order_in_the_requested_language_and_pace(
    speaker: Speaker, engine: FakeEngine
) -> None:
    speaker.configure("fr", 200)
    for words in ("Lance le dé", "une échelle", "-v bad", "!-!STOP"):
        speaker.say(Utterance(words))
    until(lambda: len(engine.utterances) == 4, "four utterances")
    assert engine.utterances == ["Lance le dé", "une échelle", "-v bad", "!-!STOP"]
    assert engine.started_commands[0] == "-v fr-fr -s 200 --stdin"
    assert engine.overlaps == 0


def test_the_next_widget_and_an_event_interrupt_a_widgets_text(speaker: Speaker, engine: FakeEngine) -> None:
    engine.make_slow()
    speaker.say(Utterance("Play", Urgency.FOCUS))
    until(lambda: len(engine.started_commands) == 1, "the first")
    speaker.say(Utterance("Settings", Urgency.FOCUS))
    until(lambda: len(engine.started_commands) == 2, "the second")
    speaker.say(Utterance("A ladder falls", Urgency.EVENT))
    until(lambda: len(engine.started_commands) == 3, "the event's beginning")
    engine.make_quick()
    until(lambda: "A ladder falls" in engine.utterances, "the event")
    assert engine.utterances == ["A ladder falls"], "an interrupted text was spoken to its end"


def test_a_silenced_voice_says_nothing_more(speaker: Speaker, engine: FakeEngine) -> None:
    engine.make_slow()
    for words in ("one", "two", "three"):
        speaker.say(Utterance(words))
    until(lambda: len(engine.started_commands) == 1, "the first")
    speaker.silence()
    until(lambda: not speaker.speaking, "silence")
    assert engine.utterances == []
    assert len(engine.started_commands) == 1


def test_a_closed_voice_leaves_no_process(engine: FakeEngine) -> None:
    engine.make_slow()
    speaker = Speaker()
    speaker.say(Utterance("a long story"))
    until(engine.is_running, "the engine")
    speaker.close()
    speaker.close()
    until(lambda: not engine.is_running(), "the engine's end")


def test_an_engine_that_keeps_failing_is_reported_in_one_sentence(
    speaker: Speaker, engine: FakeEngine
) -> None:
    engine.break_down()

    sentences: list[str] = []

    def say_until_error() -> bool:
        try:
            speaker.say(Utterance("hello"))
        except SpeechError as error:
            sentences.append(str(error))
        return bool(sentences)

    until(say_until_error, "a sentence")
    assert "no sound card" in sentences[0]
    assert "\n" not in sentences[0]


def test_without_an_engine_one_sentence_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_engine() is None
    with pytest.raises(SpeechError, match="espeak-ng"):
        Speaker()


def test_every_engines_command_depends_on_language_and_rate() -> None:
    for engine in ENGINES:
        slow, quick = (engine.build_command("fr", wpm) for wpm in (80, 400))
        assert slow[0] == engine.program
        assert slow != quick
        assert slow != engine.build_command("en", 80)
    assert estimate_speech_s("123456" * 175, 175) == pytest.approx(60.0)


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng isn't installed")
@pytest.mark.parametrize(("language", "words"), [("en", "Roll the die."), ("fr", "Lance le dé.")])
def test_the_real_engine_speaks(language: str, words: str) -> None:
    """Without a sound card the engine is inaudible, but reports no error."""
    command = ENGINES[0].build_command(language, 300)
    subprocess.run(command, input=words.encode(), check=True, stderr=subprocess.DEVNULL)
