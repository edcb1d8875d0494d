"""A simulated person who plays by voice: says a phrase after a reaction, is heard as often as was measured, goes on.

No sound is made here: how often a phrase is heard right, as another, or not at all is the recogniser's own table
(``scripts/bench voice`` at 20 dB).
"""

from __future__ import annotations

import random
from typing import Any

from armoon.app.input_modes.talking import Talking
from armoon.screens.state import PageName
from armoon.speech_output.engines import USUAL_WPM, spoken_s
from armoon.speech_recognition.phrases import PHRASES
from benchmarks.access_parts.person import Person, Reactions, wanted
from benchmarks.access_parts.sitting import Sitting

#: Of phrases how many are heard right, and how many as another (docs/access.md).
RIGHT, WRONG = 0.92, 0.01
#: From the end of a phrase until it is known.
KNOWN_S = 0.4
#: Somebody who was asked a question answers it, if it was heard.
_SAID = {
    "choose roll": "roll the die",
    "choose back": "return the ladder",
    "choose stop": "hold it there",
    "choose let_go": "let it go",
    "choose give_up": "give it up",
}
_ASKED = ("let it go", "give it up")


class ByVoice(Person):
    """Says what is wanted, with the key held down meanwhile."""

    def __init__(self, sitting: Sitting, reactions: Reactions, dice: random.Random) -> None:
        super().__init__(sitting, reactions, dice)
        self._heard: list[dict[str, Any]] = []
        self._asked = False
        self._talking = Talking(self._tap, sitting.front.tell, lambda: None, lambda _: None, lambda: self)
        self._talking.settle(sitting.front.screens.preferences)

    # What listens, as the evening has it ------------------------------------------------------------------------

    def talk(self, talking: bool) -> None:
        """The key is held by whoever says something."""

    def open(self, wanted: bool) -> None:
        """Phrases come in one by one."""

    def take(self) -> list[dict[str, Any]]:
        """What was heard."""
        heard, self._heard = self._heard, []
        return heard

    def close(self) -> None:
        """Nothing was opened."""

    # Who speaks -------------------------------------------------------------------------------------------------

    def live(self) -> None:
        """Hear what was said last, and say what is wanted."""
        self._talking.live(self.sitting.page, self.sitting.now_s)
        super().live()

    def look(self) -> None:
        """Of what is wanted, the phrase."""
        name = wanted(self.sitting)
        if name:
            phrase = self._phrase(name)
            extra_s = spoken_s(phrase, USUAL_WPM) + KNOWN_S + self.judging_s(name)
            self.plan(lambda: self._say(phrase), extra_s)

    def _phrase(self, name: str) -> str:
        if self._asked:
            return "yes do it"
        at_table = self.sitting.front.screens.page is PageName.TABLE
        if at_table and name in _SAID:
            return _SAID[name]
        focused = [widget.name for widget in self.sitting.page.widgets if widget.focused]
        return "take this place" if name in focused else "another place"

    def _say(self, phrase: str) -> None:
        self.sitting.presses += 1
        chance = self.dice.random()
        heard = phrase if chance < RIGHT else ""
        if RIGHT <= chance < RIGHT + WRONG:
            heard = self.dice.choice(PHRASES).words
        self._heard.append({"heard": heard, "like": phrase})
        self._asked = heard in _ASKED or (self._asked and not heard)

    def _tap(self, name: str) -> None:
        front = self.sitting.front
        for pressed in (True, False):
            if not front.key(name, pressed):
                self.sitting.table.controls.key(name, pressed)
