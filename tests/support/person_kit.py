"""A person at a session; as in the app, presses go to the screens, and to the table if the screens ignore them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from armoon.app.speech import ListenerLink, VoiceControl
from armoon.camera.profiles import SEATS
from armoon.games.contract import load_kind
from armoon.games.moon.editions import Options
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import MoonGame
from armoon.placement.values import Answer
from armoon.remote.protocol import KeepAlive, Message, Seats, TableCommand
from armoon.remote.seal import Seal, new_key
from armoon.remote.shared import SharedGame
from armoon.remote.transport import Wire
from armoon.screens.machine import request_widget
from armoon.values.acts import Act, Gesture
from armoon.values.choices import ButtonKind, Way
from armoon.values.pieces import PieceFacts, PieceStatus
from armoon.values.places import LadderPlace
from armoon.values.poses import Pose, Vec3
from armoon.view.window import MousePointer
from support.app_kit import FRAME_S, HEIGHT, WIDTH
from support.hands_kit import GESTURE_HANDS
from support.session_kit import DEVICES, MAX_STEPS, AppSession, find_item, way_to
from support.table_kit import screen_place

#: Maximum wait, in seconds of game time.
PATIENCE_S = 60.0
#: Devices that press a button at the table; "cross" is the gamepad's D-pad there.
AT_TABLE = (*(name for name in DEVICES if name != "gamepad"), "cross", "reader")


class RemoteOpponent(Wire):
    """Another table that never plays although it is its turn; it records the requests sent to it."""

    def __init__(self, person: Person) -> None:
        match = person.moon.match
        key = new_key()
        super().__init__(Seal(key))
        self._seal = Seal(key)
        self._host = self._seal.table
        self._packets: list[bytes] = []
        (header,) = load_kind("moon").encode_event(match.opening.events[0])
        seats = Seats(dict(header), (self._host,) * len(match.players))
        self.shared = SharedGame(match, seats, self, self._host, now_s=lambda: person.now_s)

    @property
    def requests(self) -> tuple[Act, ...]:
        messages = (self._seal.unseal(packet)[2] for packet in self._packets)
        return tuple(message.act for message in messages if isinstance(message, TableCommand))

    is_connected = True

    def send(self, packet: bytes) -> None:
        self._packets.append(packet)

    def receive(self) -> Iterator[tuple[str, bool, Message, bytes]]:
        yield self._host, True, KeepAlive(0), b""

    def close(self) -> None:
        pass


class Person(AppSession):
    """Plays for Ann and Ben with any device."""

    def __init__(
        self,
        *,
        starts_in_game: bool = True,
        game: str = "moon",
        bot: str = "",
        tears: int | None = None,
        **preferences: Any,
    ) -> None:
        """``starts_in_game``: start in a running game instead of on the title page.

        ``bot``: name of the bot that plays for Ben; ``tears``: number of tears, after the last of which the game ends;
        ``preferences``: changes of the player's preferences.
        """
        super().__init__(game, "Ann,Ben", games=(game,))
        form = self.screens.form.with_bots((None, bot or None))
        form = form if tears is None else form.with_options(MoonOptions(house=Options(tears=tears)))
        self.front.screens = replace(self.screens, form=form)
        if starts_in_game:
            self.choose(*way_to(game, self.screens))
        changed = replace(self.screens.preferences, **{"button": ButtonKind.CLICK, **preferences})
        self.front.screens = replace(self.screens, preferences=changed)
        self.presses = 0
        self.other_table: RemoteOpponent | None = None
        """The other table, while it is that table's turn."""

    @property
    def moon(self) -> MoonGame:
        game = self.game
        assert isinstance(game, MoonGame)
        return game

    @property
    def held(self) -> PieceFacts:
        facts = self.moon.match.facts
        assert facts.held is not None
        return facts[facts.held]

    @property
    def offered(self) -> Vec3 | None:
        pieces = self.moon.match.facts.pieces
        return next((p.pose.position for p in pieces if p.status is PieceStatus.OFFERED), None)

    @property
    def mirrored(self) -> bool:
        return bool(self.game.match.table.mirrored)

    # Another table ------------------------------------------------------------------------------------------

    def hand_over_seats(self) -> None:
        """Give all seats to another table whose frames never arrive."""
        table = self.host.table
        assert table is not None
        self.other_table = RemoteOpponent(self)
        table._shared = self.other_table.shared

    def take_seats_back(self) -> None:
        if self.other_table is not None and self.host.table is not None:
            self.host.table._shared = self.other_table = None
            if self.controls.paused:
                self.key("p", True)
            self.pass_time(0.2)

    # Time ---------------------------------------------------------------------------------------------------

    def pass_time(self, seconds: float) -> None:
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.run_frame()

    def until(self, condition: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> None:
        end_s = self.now_s + seconds
        while not condition():
            shown = (self.screens.choices, self.screens.guide, self.screens.page)
            assert self.now_s < end_s, f"waited without result for {what}: {shown}"
            self.run_frame()
            end_s += self.run_search()

    def run_search(self) -> float:
        """Sleep so that the search can run; return the seconds by which to extend the wait."""
        offered = self.screens.choices
        if offered.choices or not offered.sentence:
            return 0.0
        time.sleep(0.05)
        return FRAME_S

    def offers(self, name: str) -> bool:
        return find_item(self.screens, name) is not None

    # Presses ------------------------------------------------------------------------------------------------

    def key(self, name: str, pressed: bool) -> None:
        act = self.front.handle_key(name, pressed)
        if act is not None:
            self.controls.handle_act(act, pressed)

    def pad(self, name: str, pressed: bool) -> None:
        if not self.front.handle_pad(name, pressed):
            self.controls.handle_pad_button(name, pressed)

    def say(self, phrase: str) -> None:
        preferences = self.screens.preferences
        self.front.screens = replace(self.screens, preferences=replace(preferences, way=Way.VOICE))
        talking = VoiceControl(self.front, self._tap_act, lambda: None, lambda _: None, lambda: _Mic(phrase))
        talking.poll()
        self.front.screens = replace(self.screens, preferences=preferences)
        talking.carry_out_phrases(self.front.page, self.now_s)

    def _tap_act(self, act: Act) -> None:
        for pressed in (True, False):
            if not self.front.handle_act(act, pressed):
                self.controls.handle_act(act, pressed)

    def hold(self, name: str, seconds: float = 0.1) -> None:
        self.presses += 1
        for pressed in (True, False):
            self.key(name, pressed)
            self.pass_time(seconds if pressed else 0.1)

    def hold_until(self, name: str, condition: Callable[[], bool]) -> None:
        self.presses += 1
        self.controls.handle_key(name, True)
        self.until(condition, name)
        self.controls.handle_key(name, False)
        self.pass_time(0.2)

    def press_when_lit(self, name: str) -> None:
        """Wait until the choice or its group is highlighted, and press the only switch."""
        for _ in range(2):
            # Right after a press the next choice is already highlighted, but presses don't count yet.
            self.until(lambda: name in self.screens.scan.names and self.screens.scan.pause_s <= 0.0, name)
            alone = self.screens.scan.names == (name,)
            self.pass_time(0.3)
            assert name in self.screens.scan.names
            self.hold("j")
            if alone:
                return

    def sign(self, gesture: Gesture) -> None:
        for self.seen in GESTURE_HANDS[gesture]:
            self.run_frame()
        self.seen = None

    def push(self, name: str, device: str) -> None:
        if device == "cross":
            for _ in range(MAX_STEPS):
                if self.screens.tabbed and self.front.highlighted_choice == name.removeprefix("choose "):
                    break
                assert self.front.handle_pad("down", True)
            else:
                raise AssertionError(
                    f"the D-pad never reaches {name}: {self.front.highlighted_choice} {self.screens}"
                )
            assert self.front.handle_pad("a", True)
        elif device == "reader":
            self.front.apply(request_widget, name)
        else:
            preferences, usual, self._press = self.screens.preferences, self._press, DEVICES[device]
            self.choose(name)
            self.front.screens, self._press = replace(self.screens, preferences=preferences), usual
        self.frame()

    def point(self, place: Vec3, *, pressed: bool = False) -> None:
        over = screen_place(SEATS["mirror" if self.mirrored else "table"](WIDTH, HEIGHT), place)
        self.pointer(MousePointer(over, pressed, over=over))

    def pointer(self, pointer: MousePointer) -> None:
        self.pointed = pointer
        if not self.front.handle_pointer(pointer):
            self.controls.handle_pointer(pointer)

    def click(self, place: Vec3) -> None:
        self.presses += 1
        for pressed in (False, True, False):
            self.point(place, pressed=pressed)
            self.pass_time(0.1)


def _nothing(*_: object, **__: object) -> None:
    """Do nothing, because the fakes below have no process."""


class _Mic(ListenerLink):
    """A microphone that receives one phrase, and then the phrase that confirms an act."""

    def __init__(self, phrase: str) -> None:
        self._messages = [{"phrase": phrase}, {"phrase": Act.YES.row.phrase}]

    close = _nothing

    def send(self, value: object) -> bool:
        return True

    def drain_messages(self) -> Iterator[dict[str, Any]]:
        while self._messages:
            yield self._messages.pop(0)


class FixedPlaces:
    """Replaces the search, which takes seconds: returns two places over the base at once."""

    __init__ = ask = prepare = cancel = close = _nothing

    def read_answer(self, standing: object = None) -> Answer:
        places = []
        for x, safety in ((0.0, 1.0), (0.03, 0.7)):
            pose = Pose((x, 0.0, 0.20))
            places.append(LadderPlace(pose, pose, ("A", "B"), False, 0.2, safety, 10))
        return Answer(tuple(places), done=True)

    def wait(self, seconds: float = 60.0) -> Answer:
        return self.read_answer()


class IdleBot:
    fault, has_greeted, is_overdue = None, True, False
    stops = 0
    """Number of requests to answer at once."""
    __init__ = send_lines = send_turn = cancel_question = close = _nothing

    def request_answer(self) -> None:
        IdleBot.stops += 1

    def poll_lines(self) -> list[object]:
        return []
