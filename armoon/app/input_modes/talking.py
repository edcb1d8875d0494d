"""Playing by voice: the push-to-talk key, the phrase that was heard, and its effect.

Letting go needs a second phrase. A lost microphone is reported in one sentence; the game never waits for one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from armoon.app.front import Front
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.screens.input import WidgetWished
from armoon.settings.preferences import Preferences
from armoon.speech_recognition.link import ListenerLink
from armoon.values.acts import BY_PHRASE, Act
from armoon.values.choices import Listens, Way
from armoon.values.page import Page

#: Seconds for which heard words stay on the screen, and for which a second phrase is awaited.
SHOWN_S, ASKED_S = 4.0, 10.0
#: A page does these itself; all others choose what lies on the table, or else ask the game for it.
_ON_PAGES = (Act.NEXT, Act.PREVIOUS, Act.TAKE, Act.MENU, Act.RULES)
#: The buttons that no single phrase presses, whatever it was.
_CONFIRMED = {f"choose {act.word}" for act in Act if act.row.confirmed}
#: A page that asks has these buttons.
_ANSWERED, _STAY = ("leave", "give_up", "quit"), "stay"


class Listener(Protocol):
    """Who hears phrases."""

    def talk(self, talking: bool) -> None:
        """Note that the push-to-talk key went down or up."""

    def open(self, wanted: bool) -> None:
        """Whether it finds phrases by itself."""

    def take(self) -> list[dict[str, Any]]:
        """Return the listener's messages since the last call."""

    def close(self) -> None:
        """Hear nothing any more."""


class Talking:
    """Of one evening; close it."""

    def __init__(
        self,
        front: Front,
        press: Callable[[Act], None],
        again: Callable[[], None],
        say: Callable[[str], None],
        begin: Callable[[], Listener] = ListenerLink,
    ) -> None:
        """``press`` asks for an act, ``again`` says what is to be seen again; buttons are pressed through ``front``."""
        self._front, self._press, self._again, self._say = front, press, again, say
        self._begin = begin
        self._settled: Preferences | None = None
        self._listener: Listener | None = None
        self._wanted = False
        self._asked: tuple[str, float] | None = None
        """The button that a second phrase would press, and until when."""
        self._line, self._line_until_s, self._now_s = "", 0.0, 0.0
        self._troubled = False

    def pump(self) -> None:
        """Start or stop playing by voice where the players have chosen so."""
        preferences = self._front.screens.preferences
        if preferences is not self._settled:
            self._settled = preferences
            self._settle(preferences)

    def _settle(self, preferences: Preferences) -> None:
        wanted = preferences.way is Way.VOICE
        if wanted and not self._wanted:
            self._troubled = False
            try:
                self._listener = self._begin()
            except ArmoonError as error:
                self._tell(str(error))
        elif not wanted:
            self.close()
        self._wanted = wanted
        if self._listener is not None:
            self._listener.open(preferences.listens is Listens.OPEN)

    def talk(self, pressed: bool) -> bool:
        """Note that the push-to-talk key went down or up; return whether a microphone listens."""
        if self._listener is None:
            return False
        self._listener.talk(pressed)
        if pressed:
            self._show(text("voice.listening"))
        return True

    def live(self, page: Page, now_s: float) -> str:
        """Once a frame: what was heard is done; what is to be seen of it."""
        self._now_s = now_s
        if self._asked is not None and now_s > self._asked[1]:
            self._asked = None
        for told in () if self._listener is None else self._listener.take():
            if "ready" in told and self._troubled:
                self._troubled = False
                self._tell(text("voice.back"))
            elif "trouble" in told:
                self._trouble(told)
            elif told.get("heard"):
                self._do(BY_PHRASE[str(told["heard"])], page)
            elif "heard" in told:
                like = str(told.get("like", ""))
                self._show(text("voice.unsure", like=like) if like else text("voice.nothing"))
        return self._line if self._now_s < self._line_until_s else ""

    def close(self) -> None:
        """Hear nothing any more; safe to call twice."""
        if self._listener is not None:
            self._listener.close()
        self._listener, self._asked = None, None

    def _do(self, act: Act, page: Page) -> None:
        self._show(text("voice.heard", words=act.row.phrase))
        asked, self._asked = self._asked, None
        names = [widget.name for widget in page.widgets]
        focused = next((widget.name for widget in page.widgets if widget.focused), "")
        choice = focused if act is Act.TAKE else f"choose {act.word}"
        if act is Act.YES:
            if asked is not None:
                self._choose(asked[0], names, act)
            elif answers := [name for name in names if name in _ANSWERED]:
                self._choose(answers[0], names, act)
        elif act is Act.SAY_AGAIN:
            self._again()
        elif choice in names and choice in _CONFIRMED:
            self._ask(choice)
        elif act in _ON_PAGES or (act.row.table and choice not in names and not act.row.confirmed):
            self._press(act)
        elif act is Act.NO:
            if asked is None and _STAY in names:
                self._choose(_STAY, names, act)
        else:
            self._choose(choice, names, act)

    def _choose(self, name: str, names: list[str], act: Act) -> None:
        if name in names:
            self._front.tell(WidgetWished(name))
        else:
            self._show(text("voice.not_now", words=act.row.phrase))

    def _ask(self, name: str) -> None:
        """Ask for a second phrase that confirms the act."""
        self._asked = (name, self._now_s + ASKED_S)
        self._show(text(f"voice.asks_{name.removeprefix('choose ')}"), ASKED_S)

    def _trouble(self, told: dict[str, Any]) -> None:
        """One sentence each time the microphone is lost."""
        if self._troubled:
            return
        self._troubled = True
        if told["trouble"] != "microphone":
            self.close()
        why = str(told.get("why", "")) or text("speech.gone")
        self._tell(text(f"voice.trouble_{told['trouble']}", why=why))

    def _tell(self, sentence: str) -> None:
        self._say(sentence)
        self._show(sentence, 2.0 * SHOWN_S)

    def _show(self, line: str, seconds: float = SHOWN_S) -> None:
        self._line, self._line_until_s = line, self._now_s + seconds
