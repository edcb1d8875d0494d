"""A whole game with one switch, guided by the voice alone.

The simulated player gets each text when the voice has finished it, and presses one switch. It sees neither pages nor
the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.person_kit import FixedPlaces, Person

from armoon.app.speech import AudioAids
from armoon.games.library import verify_log
from armoon.messages import text
from armoon.screens.state import PageName
from armoon.settings.files import games_folder
from armoon.sinks.sink import Moment
from armoon.speech_output.speaker import Speaker, Utterance, UtteranceQueue, estimate_speech_s
from armoon.values.choices import Speech, Way

pytestmark = pytest.mark.slow
#: Speech rate for experienced listeners, in words per minute.
PACE_WPM = 300
#: Delay between the end of a text and the press, and maximum wait, in seconds of game time.
REACTION_S, PATIENCE_S = 0.5, 120.0
#: Time in which a ladder moves from the middle of the base to its left, in seconds of game time.
BESIDE_S = 8.0
#: Maximum number of lines spoken in a turn, and number of turns checked.
MAX_LINES, TURNS = 10, 2


class TalkingVoice(Speaker):
    """Speaks each text in as much game time as the real voice takes."""

    def __init__(self) -> None:
        self._order = UtteranceQueue()
        self._ends_s = 0.0
        self._pace = PACE_WPM
        self.utterances: list[str] = []
        """Texts that were spoken to their end."""

    @property
    def speaking(self) -> bool:
        return self._order.current is not None

    def configure(self, language: str, wpm: int, loud: int = 100) -> None:
        self._pace = wpm

    def say(self, utterance: Utterance) -> None:
        if self._order.add(utterance):
            self._order.current = None

    def silence(self) -> None:
        self._order.clear()

    def close(self) -> None:
        self.silence()

    def advance_to(self, now_s: float) -> None:
        if self._order.current is not None and now_s >= self._ends_s:
            self.utterances.append(self._order.current.words)
            self._order.current = None
        if self._order.current is None and (utterance := self._order.next()) is not None:
            self._ends_s = now_s + estimate_speech_s(utterance.words, self._pace)


class Listener(Person):
    def __init__(self, game: str = "moon") -> None:
        super().__init__(
            game=game,
            tears=2 if game == "moon" else None,
            way=Way.SWITCH,
            speech=Speech.BRIEF,
            captions=True,
            stops=True,
            speech_wpm=PACE_WPM,
            scan_s=0.7,
        )
        self.voice = TalkingVoice()
        self._audio_aids = AudioAids(dict)
        self._audio_aids.voice._make_voice = lambda: self.voice
        self._audio_aids.apply_preferences(self.screens.preferences)
        self._audio_aids.mirrored = self.mirrored
        self.front.is_voice_busy = self._audio_aids.voice.is_busy
        self.change_moment = self._compose
        self.captions: list[str] = []
        """Lines in the order in which they appeared."""
        self._shown: tuple[str, ...] = ()
        self._read, self._pressed_s = 0, self.now_s

    @property
    def is_over(self) -> bool:
        return self.screens.page is PageName.RESULT

    def _compose(self, moment: Moment) -> Moment:
        """Add captions as the program does, but pass the result to the sink at once instead of in a thread."""
        moment = replace(moment, page=self.front.page, shown=True)
        moment = self._audio_aids.add_aids(moment, lambda: self.game.build_turned_scene(1.0, ""))
        sink = self._audio_aids.voice
        utterances = sink.select(moment)
        if utterances is not None:
            sink.process(utterances)
        self.voice.advance_to(moment.now_s)
        captions = () if moment.page is None else moment.page.captions
        self.captions += [line for line in captions if line not in self._shown]
        self._shown = captions
        return moment

    def spoken_lines(self) -> Iterator[str]:
        while not self.is_over:
            assert self.now_s < self._pressed_s + PATIENCE_S, (
                f"heard no useful choice: {self.voice.utterances[-12:]}"
            )
            if self._read < len(self.voice.utterances):
                self._read += 1
                yield self.voice.utterances[self._read - 1]
            else:
                self.run_frame()

    def press_switch(self) -> None:
        self.pass_time(REACTION_S)
        self.presses += 1
        for pressed in (True, False):
            assert self.front.handle_key("space", pressed) is None
            self.pass_time(0.1)
        self._read, self._pressed_s = len(self.voice.utterances), self.now_s


def test_one_switch_plays_a_whole_game_by_ear(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armoon.games.moon.offers.PlaceSearch", FixedPlaces)
    listener = Listener()
    turns = _play_game(listener)
    assert turns >= 2
    spoken = listener.voice.utterances
    assert sum("Ann" in words for words in spoken) >= 2, "the current player wasn't announced"
    assert spoken[-1], "the result wasn't announced"
    listener.host.close_table()
    (log,) = games_folder().glob("evening*.jsonl")
    assert verify_log(log).same


@pytest.mark.parametrize(("game", "outcome"), [("moon", "safe"), ("lake", "from star")])
def test_a_turn_takes_at_most_ten_lines(
    game: str, outcome: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armoon.games.moon.offers.PlaceSearch", FixedPlaces)
    listener = Listener(game)
    turns, on_turn = list[list[str]](), ""
    for line in listener.spoken_lines():
        if _first_choice(line) in {"Ann", "Ben"} - {on_turn}:  # "Ann, roll the die"
            on_turn = _first_choice(line)
            turns.append([])
        if turns:
            turns[-1].append(line)
        if len(turns) > TURNS:
            break
        presses = {"Place 1", *(text(f"choose.{name}") for name in ("roll", "let_go", "move_play"))}
        offered = {choice.name for choice in listener.screens.choices.choices}
        if "play" not in offered:
            presses.add(text("choose.move_next"))
        if _first_choice(line) in presses:
            listener.press_switch()
    listener.host.close_table()
    assert max(map(len, turns)) <= MAX_LINES, turns
    assert sum(any(outcome in line for line in turn) for turn in turns) >= TURNS - 1, turns


def _first_choice(line: str) -> str:
    return line.split(", ")[0].split(": ")[0]


def _play_game(listener: Listener) -> int:
    """Follow the announcements until the game is over; return the number of turns.

    Only the first turn's ladder is released over a suggested place; all others are released beside the base.
    """
    nudges = f"{text('choose.left')}, and "
    choices = {name: text(f"choose.{name}") for name in ("roll", "free", "left", "stop", "let_go")}
    caption = text("caption.at_left", sound="")
    turns, ready, since_s = 0, False, math.inf
    for line in listener.spoken_lines():
        if line == choices["roll"]:
            turns, ready, since_s = turns + 1, False, math.inf
        elif _first_choice(line) == "Place 1" and turns == 1:
            ready = True
        elif line == choices["left"]:
            since_s = listener.now_s
        elif line == choices["stop"]:
            listener.pass_time(since_s + BESIDE_S - listener.now_s)
            assert listener.captions[-1].endswith(caption.strip()), "the caption doesn't say 'left'"
            ready = True
        elif not (
            (line == choices["free"] and turns > 1)
            or (line.startswith(nudges) and not ready)
            or (line == choices["let_go"] and ready)
        ):
            continue
        listener.press_switch()
    return turns
