"""A person's seat without a camera: the number of a place is typed, and the simulated hand carries the ladder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from armoon.errors import ArmoonError
from armoon.games.moon.bots.protocol import Fault, Heard, Passes, Places
from armoon.games.moon.choosing.chooser import words_of
from armoon.games.moon.choosing.offers import AT_ONCE, LONGEST_S, OWN_SLIP, by_turns, tried
from armoon.games.moon.choosing.search import SeekerAbove, question_now
from armoon.games.moon.referee.sight import top_m
from armoon.games.moon.table.match import MoonMatch
from armoon.messages import text
from armoon.messages.numbers import centimetres
from armoon.placement.search import PlaceSearch
from armoon.values.numbers import count_in
from armoon.values.places import Place

#: Stands in the table's list of bots for a person who types.
TYPED = "typed"
#: What is typed for other places, and to give the ladder up.
MORE, GIVE_UP = "m", "0"


class TypedPlayer:
    """Asks a person where bots are asked over lines; the game waits for the answer."""

    fault: Fault | None = None
    met = True
    overdue = False

    def __init__(self, match: MoonMatch, say: Callable[[str], object], read: Callable[[], str]) -> None:
        """``read``: the next line that is typed; EOFError where there is none."""
        self._match = match
        self._say = say
        self._read = read
        self._search = PlaceSearch(match.ladders, match.base, make=SeekerAbove)
        self._asked = False

    def tell(self, lines: Sequence[str]) -> None:
        """Tell nothing: the table's sentences tell it all."""

    def ask(self, lines: Sequence[str], limit_s: float) -> None:
        """Ask the player to type; there is no time limit."""
        self._asked = True

    def stop(self) -> None:
        """No other thread waits."""

    def forget(self) -> None:
        """Void the turn."""
        self._asked = False

    def poll(self) -> list[Heard]:
        """Their answer, once they have been asked."""
        if not self._asked:
            return []
        self._asked = False
        return [self._choice()]

    def close(self) -> None:
        """End the search's processes."""
        self._search.close()

    def _choice(self) -> Heard:
        match = self._match
        state = match.state
        self._say(
            text(
                "bots.typed.where",
                player=match.players[state.player],
                count=len(state.structure),
                height=centimetres(top_m(state, match.facts), 0),
            )
        )
        rounds = 0
        while True:
            places = self._places(rounds)
            if not places:
                self._say(text("places.none"))
            for number, place in enumerate(places, start=1):
                self._say(f"  {words_of(match, place, number)}")
            chosen = self._number(len(places))
            if chosen is None:
                rounds += 1
            else:
                return Passes() if chosen == 0 else Places(places[chosen - 1].release)

    def _places(self, rounds: int) -> tuple[Place, ...]:
        """Return them as they are offered elsewhere; other ones at each round."""
        match = self._match
        seed = match.state.turn * 100 + rounds
        self._search.ask(question_now(match, OWN_SLIP, seed))
        return by_turns(tried(self._search.wait(LONGEST_S).places))[:AT_ONCE]

    def _number(self, count: int) -> int | None:
        """Return what was typed: a place's number, 0 to give up, None for more places."""
        asks = text("bots.typed.ask" if count else "bots.typed.ask_none")
        self._say(asks)
        while True:
            try:
                typed = self._read().strip().lower()
            except EOFError:
                raise ArmoonError(
                    "Nobody types any more, and the game is broken off.",
                    remedy="Name bots for every seat (--bots) where nobody sits at the keyboard.",
                ) from None
            if typed == MORE:
                return None
            number = 1 if not typed and count else count_in(typed)
            if number is not None and number <= count:
                return number
            self._say(text("bots.typed.again", count=count) if count else asks)
