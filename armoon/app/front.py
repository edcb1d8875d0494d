"""The screens in front of the table: window events in, pages and tasks out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from armoon.app.head_front import HeadFront
from armoon.app.sources.frames import Incoming
from armoon.app.switches import LETS_GO_AFTER, RestingMouse, Switches, asks_key, buttons_now, meant_key
from armoon.faces.heads import HeadPointing
from armoon.games.contract.kind import Game, Viewed
from armoon.games.contract.presenting import keys_now
from armoon.geometry import Array, pose_apply, project_table_points
from armoon.inputs.controls import LET_BACK, PUSHED
from armoon.messages import language, text
from armoon.screen_reader.tree import Thing
from armoon.screens import input as inputs
from armoon.screens.events import Action, CameraPaused, Event, TakeChoice
from armoon.screens.layout import Reply, current_habits, emit, set_preference
from armoon.screens.machine import handle, is_running, page_of
from armoon.screens.pages.table import ask_to_give_up, overlap_area, place_card, set_device
from armoon.screens.state import PageName, Screens
from armoon.values import replace
from armoon.values.acts import KEPT_BUTTONS, MOVES, NUMBERS, TILTS, Act, Feature, act_of_button
from armoon.values.choices import ButtonKind, Device, Way
from armoon.values.page import Page, Rect, Widget, WidgetKind, reserved_areas
from armoon.values.pieces import LadderSet
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import Ghost, Scene, ScenePiece
from armoon.world.base import LID_HALF_WIDTH_M, LID_X_M, LID_Y_M

if TYPE_CHECKING:
    from armoon.view.window import MousePointer


#: The keys of pages as which acts count there.
_ON_PAGES = {
    Act.AWAY: inputs.Key.UP,
    Act.NEAR: inputs.Key.DOWN,
    Act.LEFT: inputs.Key.LEFT,
    Act.RIGHT: inputs.Key.RIGHT,
    Act.TAKE: inputs.Key.ENTER,
    Act.ROLL: inputs.Key.ENTER,
    Act.MENU: inputs.Key.ESCAPE,
    Act.NEXT: inputs.Key.TAB,
    Act.PREVIOUS: inputs.Key.BACKTAB,
    Act.ERASE: inputs.Key.BACKSPACE,
    Act.RULES: inputs.Key.HELP,
}
#: The same for gamepad buttons; the cross and Start keep their meaning.
_PAD_ON_PAGES = {Act.TAKE: inputs.PadButton.A, Act.PUT_BACK: inputs.PadButton.B}
#: Pages with animated pictures; the interval between two of their states, and the longest step after a hiccup, seconds.
MOVING = (PageName.RULES, PageName.GUIDE, PageName.MEASURE)
MOVE_S, LONGEST_MOVE_S = 0.04, 0.25
#: Where there are choices at the table: the cross moves the focus through them, and A then takes one.
_PAD_WALKS: dict[inputs.PadButton | None, inputs.Key] = {
    inputs.PadButton.UP: inputs.Key.BACKTAB,
    inputs.PadButton.DOWN: inputs.Key.TAB,
    inputs.PadButton.A: inputs.Key.ENTER,
}
#: What has come under a pointer is pressed no sooner than this, seconds: the press was meant for what lay there before.
SETTLES_S = 0.4
#: Distance within which a pointer counts as still at the same place, in parts of the window.
STILL = 0.02
_PRESSABLE = (WidgetKind.BUTTON, WidgetKind.CHOICE, WidgetKind.KEY, WidgetKind.NUMBER)


class Front:
    """Holds the screens' state, and collects what they ask of the app."""

    def __init__(self, screens: Screens) -> None:
        self.screens = screens
        self._actions: list[Action] = []
        self._pressed = False
        self._told_s = self._now_s = 0.0
        self._switches, self._resting = Switches(), RestingMouse()
        self.unheard: Callable[[float], bool] = lambda now_s: False
        """Whether the voice is still speaking something else than the highlighted widget, so that scanning waits."""
        self.heads = HeadFront()
        """Maps heads to events of the screens."""
        self.fed, self.hand_points = Incoming(), False
        """The source's newest input; whether a finger points at the screen."""
        self._pushed = ""
        """The direction of the stick's last step, until the stick is let back."""
        self._laid: dict[tuple[PageName, str, str], tuple[Rect, float]] = {}
        """Where every widget of the page lies, by its name and words, and since when, seconds."""
        self._laid_page: Page | None = None
        self._last_press: tuple[PageName, str, Vec2] | None = None
        """What the mouse pressed last, and where, until it moves away."""
        self._gone: str | None = None
        """The last reported reason why the camera gives no pictures, while that lasts."""
        self._page: tuple[Screens, str, Page] | None = None
        """The state and language that a page was last composed for, and the page."""
        self._tabbed = False
        """The last key at the guide was Tab, so the next Enter presses the focused widget."""

    @property
    def switch(self) -> str:
        """The switch pressed last, by its key's or button's name; empty: none yet."""
        return self._switches.name

    def change(self, **changes: Any) -> None:
        if not changes.items() <= vars(self.screens).items():
            self.screens = replace(self.screens, **changes)

    @property
    def page(self) -> Page:
        """The page of the present state, composed once for it."""
        if self._page is None or self._page[0] is not self.screens or self._page[1] != language():
            self._page = self.screens, language(), page_of(self.screens)
        return self._page[2]

    @property
    def running(self) -> bool:
        return is_running(self.screens)

    @property
    def at_table(self) -> bool:
        return self.screens.in_game and self.screens.page in (PageName.TABLE, PageName.GUIDE)

    @property
    def shows_glass(self) -> bool:
        return self.screens.page in (PageName.TABLE, PageName.GUIDE, PageName.VERDICT)

    @property
    def over_button(self) -> bool:
        place = self.screens.hover
        return place is not None and self._over_a_button(place)

    def tell(self, event: Event) -> None:
        self.press(lambda screens: handle(screens, event))

    def press(self, press: Callable[[Screens], Reply]) -> None:
        """Carry out the action of a button that is on no page."""
        self.screens, actions = press(self.screens)
        self._actions += actions

    def take_actions(self) -> tuple[Action, ...]:
        actions = tuple(self._actions)
        self._actions.clear()
        return actions

    def key(self, name: str, pressed: bool) -> bool:
        """Handle a key of the window; return whether the screens used it, and not the game."""
        if self._switches.key(name, pressed, self.screens, self._now_s):
            return True
        act = meant_key(self.screens, name)
        return self._rests(act, Way.KEYS) or self._steers(act, pressed, Device.KEYS) or self.act(act, pressed)

    def _steers(self, act: Act | None, pressed: bool, device: Device) -> bool:
        """Move or let go of what the simulated hand holds over a place; return whether the act did that."""
        choices = self.screens.choices
        if act is None or not (self.at_table or (self.screens.in_game and not pressed)):
            return False
        if not pressed:
            stops = act in (*MOVES, *TILTS) and (choices.awaits_release or choices.has(Act.STOP.word))
            if stops:  # also before the screens know that it moves; otherwise the request has no effect
                self.press(emit(TakeChoice(Act.STOP.word)))
            return stops
        wish = Act.LET_GO if act is Act.TAKE and not self.screens.walked else act
        if (
            not choices.awaits_release
            or not choices.has(wish.word)
            or wish not in (Act.LET_GO, *MOVES, *TILTS)
        ):
            return False
        self.used(device)
        self.press(emit(TakeChoice(wish.word)))
        return True

    def act(self, act: Act | None, pressed: bool) -> bool:
        """Handle an act's key or voice command; return whether the screens used it."""
        if not pressed:
            return False
        self.used(Device.KEYS)
        if act in (Act.MUTE, Act.NIGHT):
            name = "muted" if act is Act.MUTE else "ambience"
            self.press(lambda screens: set_preference(screens, name, not getattr(screens.preferences, name)))
            return True
        asks = (
            act is Act.GIVE_UP and act in self.screens.possible and Feature.GIVE_UP in self.screens.features
        )
        if asks and self.at_table:
            self.press(ask_to_give_up)
            return True
        place = f"place {NUMBERS[act]}" if act in NUMBERS else ""
        if self.at_table and self.screens.choices.has(place):
            self.tell(inputs.WidgetRequest(f"choose {place}"))
            return True
        rolls = act is Act.ROLL
        if rolls and self.screens.page is PageName.RESULT and not self.screens.focus_shown:
            return True  # a player who still rolls hasn't asked for another game
        key = None if act is None or (rolls and self.screens.page is PageName.NAME) else _ON_PAGES.get(act)
        if self.screens.page is PageName.TABLE and key not in (inputs.Key.ESCAPE, inputs.Key.HELP):
            return self._walks(key)
        if self._guided and (rolls or not self._for_guide(key)):
            return False
        if key is not None:
            self.tell(key)
        return True

    def loud_sound(self, down: bool) -> None:
        self._switches.loud_sound(down, self.screens, self._now_s)

    def pad(self, name: str, pressed: bool) -> bool:
        """Handle a gamepad's button; return whether the screens used it, and not the game."""
        if self._switches.pad(name, pressed, self.screens, self._now_s):
            return True
        act = act_of_button(name, buttons_now(self.screens))
        if self._rests(act, Way.KEYS):
            return True
        if act is Act.TAKE and self._steers(act, pressed, Device.PAD):
            return True
        button = self._button(name)
        if pressed and self.screens.page is PageName.TABLE and self.screens.choices.choices:
            key = _PAD_WALKS.get(button)
            if key is not None and (key is not inputs.Key.ENTER or self.screens.walked):
                return self._walks(key)
        if pressed and self._guided and self.screens.preferences.chooses:
            key = _PAD_WALKS.get(button)
            if key is not None and self._for_guide(key):
                self.used(Device.PAD)
                self.tell(key)
                return True
        playing = self.screens.page is PageName.TABLE or self._guided
        game_s = playing and button is not inputs.PadButton.START
        if pressed:
            self.used(Device.PAD)
        if not pressed or button is None or game_s:
            return False
        self.tell(button)
        return True

    def _button(self, name: str) -> inputs.PadButton | None:
        if name in KEPT_BUTTONS:
            return inputs.PadButton(name)
        act = act_of_button(name, buttons_now(self.screens))
        return None if act is None else _PAD_ON_PAGES.get(act)

    def pad_trouble(self, *, gone: bool) -> str:
        """Return the sentence about a pad that was lost while in use; empty once another device is used."""
        return text("pad.gone") if gone and self.screens.device is Device.PAD else ""

    def rumbles(self) -> bool:
        return self.screens.device is Device.PAD and self.screens.preferences.rumble

    def sticks(self, pushed: Mapping[str, float]) -> bool:
        """Handle a gamepad's sticks, pushed each way from 0 to 1; return whether the screens used them."""
        asked = asks_key(self.screens)
        if not asked and (self.screens.page is PageName.TABLE or self._guided):
            self._pushed = ""
            return not self.plays_with(Way.KEYS)
        name = max(pushed, key=lambda one: pushed[one])
        if self._pushed and pushed[name] < LET_BACK:
            self._pushed = ""
        elif not self._pushed and pushed[name] > PUSHED:
            self._pushed = name
            if asked:
                self.tell(inputs.KeyCaptured(name, pad=True))
                return True
            for pressed in (True, False):
                self.pad(name.rpartition("_")[2], pressed)
        return True

    def _walks(self, key: inputs.Key | None) -> bool:
        """At the table, move the focus by Tab and press by Enter after it; return whether the key was used."""
        walked = self.screens.walked
        if key in (inputs.Key.TAB, inputs.Key.BACKTAB) or walked:
            self.tell(key or inputs.Key.BACKSPACE)
        return key in (inputs.Key.TAB, inputs.Key.BACKTAB) or (walked and key is inputs.Key.ENTER)

    @property
    def looked_at(self) -> str | None:
        """The choice at the table that is highlighted, focused or under the pointer; None: none."""
        screens = self.screens
        if screens.page not in (PageName.TABLE, PageName.GUIDE) or not screens.choices.choices:
            return None
        names = [widget.name for widget in self.page.widgets if widget.focused]
        if not names and screens.hover is not None:
            hover = screens.hover
            names = [widget.name for widget in self.page.widgets if widget.rect.contains(hover)]
        chosen = [name.partition(" ")[2] for name in names if name.startswith(("choose ", "number "))]
        return chosen[0] if chosen else None

    def plays_with(self, way: Way) -> bool:
        """Return whether this way moves ladders now; a player with a way of their own plays in that one alone."""
        return current_habits(self.screens).way in (None, way)

    def _rests(self, act: Act | None, way: Way) -> bool:
        """Return whether an act of movement has no effect, as the player on turn has another way; cards still move."""
        acts = (Act.ROLL, Act.TAKE, Act.SET_DOWN, Act.PUT_BACK, Act.PARK, Act.TIP)
        placing = act in acts and not self.plays_with(Way.CARD)
        gripping = placing or act in (*MOVES, *TILTS)
        return gripping and self.at_table and not (self.screens.walked or self.plays_with(way))

    def used(self, device: Device) -> None:
        if device is not self.screens.device:
            self.screens = set_device(self.screens, device)

    def keys_now(self, game: Game[Any], *, by_card: bool = False) -> str:
        """Return the strip of keys for the device in use; the guide and all other pages show that themselves.

        ``by_card``: a paper ladder is in use.
        """
        screens = self.screens
        if screens.page is not PageName.TABLE or not screens.preferences.show_keys:
            return ""
        if by_card:
            return text("strip.card_holds" if game.match.holding else "strip.card")
        if screens.preferences.scans or screens.preferences.way in (Way.VOICE, Way.CARD):
            return text(f"strip.{screens.preferences.way}")
        if self.heads.points or screens.preferences.way is Way.HEAD:
            return text(self.heads.strip)
        pressing = screens.device in (Device.HAND, Device.MOUSE)
        if pressing and screens.preferences.chooses and screens.choices.choices and not game.match.over:
            return text(f"strip.{screens.device}.pick")
        if screens.choices.awaits_release and not game.match.over:
            return text(f"strip.{screens.device}.{'pick' if pressing else 'awaits'}")
        undone = Act.UNDO in screens.possible
        return keys_now(game, screens.device, draws_any=screens.draws_any, undone=undone)

    @property
    def _guided(self) -> bool:
        guide = self.screens.guide
        return self.screens.page is PageName.GUIDE and guide is not None and not guide.is_over

    def _for_guide(self, key: inputs.Key | None) -> bool:
        """Return whether the guide uses this key: Tab, and Enter after it; Space, arrows and letters play."""
        tabbed, self._tabbed = self._tabbed, key in (inputs.Key.TAB, inputs.Key.BACKTAB)
        return (
            self._tabbed
            or key in (inputs.Key.ESCAPE, inputs.Key.HELP)
            or (tabbed and key is inputs.Key.ENTER)
        )

    def letter(self, letter: str) -> None:
        """Handle a typed character; with switches keys write nothing."""
        if not self.screens.preferences.scans:
            self.tell(inputs.LetterTyped(letter))

    def pointer(self, pointer: MousePointer) -> bool:
        """Handle the mouse; return whether the screens used it, and not the game."""
        self._resting.move(pointer, self._now_s)
        if self._switches.pointer(pointer, self.screens, self._now_s):
            return True
        press, self._pressed = pointer.pressed and not self._pressed, pointer.pressed
        mine = not (self.at_table and self.plays_with(Way.MOUSE)) or self._over_a_button(pointer.over)
        if press:
            self.used(Device.MOUSE)
        if self._last_press is not None and math.dist(self._last_press[2], pointer.over) > STILL:
            self._last_press = None
        if press and mine:
            if not self._slipped_under(pointer.over):
                self.tell(inputs.PointerPressed(pointer.over))
        else:
            self.tell(inputs.PointerMoved(pointer.over))
        return mine

    def _slipped_under(self, place: Vec2) -> bool:
        """Return whether what lies under a press came there after it was meant, by a new layout or the last press."""
        page = self.screens.page
        widget = next(
            (one for one in self.page.widgets if _pressable(one) and one.rect.contains(place)), None
        )
        if used := self.screens.in_use_at(place):
            widget = next((one for one in self.page.widgets if one.name == used[0]), widget)
        if widget is None:
            return False
        last, self._last_press = self._last_press, (page, widget.name, place)
        _, since_s = self._laid.get((page, widget.name, widget.text), (widget.rect, self._now_s))
        if self._laid and self._now_s - since_s < SETTLES_S:
            return True
        if last is None or last[0] is not page or page in (PageName.TABLE, PageName.GUIDE):
            return False
        slipped = last[1] != widget.name
        self._last_press = last if slipped else self._last_press
        return slipped

    def _note_layout(self) -> None:
        """Note since when each widget lies where it does; at the table, since when it is there."""
        if self.page is self._laid_page:
            return
        self._laid_page = self.page
        page, before = self.screens.page, self._laid
        stays = page in (PageName.TABLE, PageName.GUIDE)
        self._laid = {}
        for widget in self.page.widgets:
            key = (page, widget.name, widget.text)
            rect, since_s = before.get(key, (None, self._now_s))
            same = rect is not None and (stays or rect == widget.rect)
            self._laid[key] = (widget.rect, since_s if same else self._now_s if before else -math.inf)

    def rested(self, *, holding: bool) -> tuple[MousePointer, ...]:
        """Return press and release of a mouse that has rested, which takes longer if it would let go (``holding``)."""
        dwell_s = self.screens.dwell_s * (LETS_GO_AFTER if holding and not self.over_button else 1.0)
        if self.screens.preferences.button is not ButtonKind.DWELL or self.screens.is_scanning:
            return ()
        part = self._resting.part(self._now_s, dwell_s)
        if part != self.screens.rested:
            pointer = self.screens.hover if part > 0.0 else None
            self.change(rested=part, pointer=pointer)
        return self._resting.click(self._now_s, dwell_s)

    def hand(self, place: Vec2 | None, seconds: float) -> None:
        place = place if not self.at_table or self.plays_with(Way.HAND) else None
        if place is not None or (self.screens.pointer is not None and not self.screens.rested):
            self.tell(inputs.HandRested(place, seconds))

    def head(self, pointing: HeadPointing | None) -> tuple[Vec2, bool] | None:
        """Take a head that points, or none; return its place at the table itself and whether it presses, if any."""
        events, at_table = self.heads.hear(self.screens, pointing, over_button=self._over_a_button)
        for event in events:
            self.tell(event)
        return at_table

    def passed(self, now_s: float) -> None:
        """Advance the pages' animations to this time, at most at their own rate."""
        self._now_s = now_s
        self._note_layout()
        for event in self._switches.take(self.screens, now_s):
            self.tell(event)
        trouble = self._switches.take_trouble()
        if trouble and self.running:
            self.tell(CameraPaused(text(trouble)))
        seconds = now_s - self._told_s
        if seconds >= MOVE_S:
            self._told_s = now_s
            scans = self.screens.is_scanning and not self.unheard(now_s)
            if self.screens.page in MOVING or scans:
                self.tell(inputs.TimePassed(min(seconds, LONGEST_MOVE_S)))

    def camera_gone(self, key: str | None, sentence: str) -> None:
        """Pause a game without pictures, for the reason ``key`` (None: it looks); tell players without camera once."""
        if key is None:
            self._gone = None
        elif self.running and (self.screens.preferences.seen or key != self._gone):
            self._gone = key
            self.tell(CameraPaused(sentence))

    def resized(self, width: int, height: int) -> None:
        aspect = width / max(1, height)
        if abs(aspect - self.screens.aspect) > 1e-3 or height != self.screens.height_px:
            self.tell(inputs.Resized(aspect, height))

    def _over_a_button(self, place: Vec2) -> bool:
        return any(_pressable(widget) and widget.rect.contains(place) for widget in self.page.widgets)


def _pressable(widget: Widget) -> bool:
    named_card = widget.kind is WidgetKind.CARD and bool(widget.text)
    return widget.enabled and (widget.kind in _PRESSABLE or named_card)


#: Margin around a region, in parts of the window.
MARGIN = 0.01
#: Places of the score and the die on the glass.
SCORE, DIE = Rect(0.0, 0.0, 0.17, 0.24), Rect(0.65, 0.0, 0.35, 0.13)
#: The hint and the strip of keys along the lower edge; the side of a number's plate, in parts of the height.
FOOT, NUMBER = Rect(0.0, 0.86, 1.0, 0.14), 0.042
#: Height of the lid, and with a ladder that stands in it.
_LID_RIM_M, _LID_TOP_M = 0.024, 0.15
_IN_LID = ("offered", "hover")
#: Message keys of ladders by their look.
_WORDS = {"held": "held", "offered": "offered", "hover": "offered"}


def tell_subject(
    front: Front, viewed: Viewed | None, scene: Scene, window_place: Callable[[Vec2], Vec2]
) -> None:
    if viewed is not None and front.screens.page is PageName.GUIDE:
        left_handed = front.screens.preferences.left_handed
        busy = subject_of(viewed, scene, window_place, left_handed=left_handed)
        front.screens = place_card(front.screens, busy)


def subject_of(
    viewed: Viewed, scene: Scene, window_place: Callable[[Vec2], Vec2], *, left_handed: bool = False
) -> tuple[Rect, ...]:
    """Return the regions that matter (structure, held ladder, lid, base, score, both dice), in parts of the window.

    ``scene`` is as it is seen; ``window_place`` maps a place of the camera's picture to the window.
    ``left_handed``: the glass is mirrored.
    """
    places = [SCORE.mirrored, DIE.mirrored] if left_handed else [SCORE, DIE]
    return (*places, *_die(viewed, scene, window_place), *_bodies(viewed, scene, window_place).values())


def things_of(viewed: Viewed, scene: Scene, window_place: Callable[[Vec2], Vec2]) -> tuple[Thing, ...]:
    """Return lid, base, ladders and a board's bodies in words, and where they are seen, in parts of the window."""
    words = {"lid": text("reader.lid"), "base": text("reader.base")}
    for piece in scene.pieces:
        key = _WORDS.get(piece.look, "ladder")
        words[piece.piece] = text(f"reader.{key}", number=int(piece.piece[1:]))
    things = [Thing(name, words[name], place) for name, place in _bodies(viewed, scene, window_place).items()]
    for body in () if scene.board is None else scene.board.bodies():
        things.append(Thing(body.name, body.words, _around(_seen(viewed, body.corners, window_place))))
    return tuple(things)


def _bodies(viewed: Viewed, scene: Scene, window_place: Callable[[Vec2], Vec2]) -> dict[str, Rect]:
    top_m = _LID_TOP_M if any(piece.look in _IN_LID for piece in scene.pieces) else _LID_RIM_M
    bodies: dict[str, Sequence[Vec3]] = (
        {} if viewed.ladders is None or not viewed.lid else {"lid": _lid(viewed, top_m)}
    )
    if viewed.base is not None:
        reach = max(abs(v) + max(box.half_extents) for box in viewed.base.boxes for v in box.centre[:2])
        bodies["base"] = _corners(0.0, 0.0, reach, viewed.base.height_m)
    for piece in scene.pieces if viewed.ladders is not None else ():
        assert viewed.ladders is not None
        bodies[piece.piece] = [point for rail in _rails(viewed.ladders, piece) for point in rail]
    return {name: _around(_seen(viewed, body, window_place)) for name, body in bodies.items()}


def _die(viewed: Viewed, scene: Scene, window_place: Callable[[Vec2], Vec2]) -> tuple[Rect, ...]:
    if scene.die is None:
        return ()
    (x, y, _), edge_m = scene.die.rest.position, scene.die.edge_m
    return (_around(_seen(viewed, _corners(x, y, edge_m / 2.0, edge_m), window_place)),)


class PlaceNumbers:
    """The numbers of the places that are offered, in the picture beside each."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._seen: object = None

    def tell(self, viewed: Viewed | None, scene: Scene, window_place: Callable[[Vec2], Vec2]) -> None:
        ghosts = tuple(ghost for ghost in scene.ghosts if ghost.number)
        screens = self._front.screens
        seen: object = None
        if viewed is not None and ghosts:
            ends = (window_place((0.0, 0.0)), window_place((1.0, 1.0)))
            shown = tuple((ghost.number, ghost.pose) for ghost in ghosts)
            seen = (shown, ends, viewed.table_from_camera, screens.aspect, screens.preferences)
        if seen == self._seen:
            return
        self._seen = seen
        numbers = numbers_of(viewed, scene, window_place, screens) if viewed is not None and ghosts else ()
        self._front.change(numbers=numbers)


def numbers_of(
    viewed: Viewed, scene: Scene, window_place: Callable[[Vec2], Vec2], screens: Screens
) -> tuple[tuple[str, Rect], ...]:
    """Return where the number of each place stands, by the place's name, in parts of the window.

    It stands near an end of the ladder that would lie there, in the window, off panels, lid, and all wood, and, where
    it can, nearer to that ladder than to any other that is offered.
    """
    assert viewed.ladders is not None
    wishes, aspect = screens.preferences, screens.aspect
    busy = [
        SCORE,
        DIE,
        FOOT,
        *reserved_areas(tall=screens.is_tall, text_scale=wishes.text_scale, chooses=True),
    ]
    busy = [rect.mirrored for rect in busy] if wishes.left_handed else busy
    busy += [_around(_seen(viewed, _lid(viewed), window_place)), *_die(viewed, scene, window_place)]
    ghosts = sorted((ghost for ghost in scene.ghosts if ghost.number), key=lambda ghost: ghost.number)
    bodies: list[ScenePiece | Ghost] = [*ghosts, *scene.pieces]
    parts = [
        [list(_seen(viewed, rail, window_place)) for rail in _rails(viewed.ladders, body)] for body in bodies
    ]
    lines = [[pair for rail in rails for pair in pairwise(rail)] for rails in parts]
    wood = _Wood(np.concatenate(lines) * (aspect, 1.0), list(accumulate(map(len, lines[:-1]), initial=0)))
    high = NUMBER * min(2.0, wishes.text_scale)
    places: list[Rect] = []
    for own, rails in enumerate(parts[: len(ghosts)]):
        near = _about(rails, aspect)
        away = wood.away(np.array(near) * (aspect, 1.0))
        covers = np.maximum(0.0, 1.0 - away.min(axis=1) / (0.72 * high))
        # Its plate covers wood up to about 0.3; a number nearer to another ladder costs as much.
        wrong = covers + 0.3 * (away[:, : len(ghosts)].min(axis=1) < away[:, own])
        rects = [Rect(x - 0.5 * high / aspect, y - 0.5 * high, high / aspect, high) for x, y in near]
        worse = [_in_the_way(rect, (*busy, *places)) for rect in rects]
        places.append(rects[int(np.argmin(wrong + worse))])
    shown = (
        rect.mirrored if wishes.left_handed else rect for rect in places
    )  # the page is mirrored after that
    return tuple((f"place {ghost.number}", rect) for ghost, rect in zip(ghosts, shown, strict=True))


def _about(rails: Sequence[Sequence[Vec2]], aspect: float) -> list[Vec2]:
    return [
        (x + away * math.cos(turn) / aspect, y + away * math.sin(turn))
        for away in (0.04, 0.06, 0.09, 0.13, 0.18)
        for rail in rails
        for x, y in (rail[0], rail[-1])
        for turn in (k * math.tau / 8 for k in range(8))
    ]


def _in_the_way(rect: Rect, busy: Sequence[Rect]) -> float:
    """Return 0 for a number that is in the window and on no panel, more than any other fault if it isn't."""
    if min(rect.x, rect.y, 1.0 - rect.x - rect.width, 1.0 - rect.y - rect.height) < 0.0:
        return 4.0
    return 2.0 if any(overlap_area(rect, other) > 0.0 for other in busy) else 0.0


class _Wood:
    """The rails of some ladders as straight pieces, (n, 2, 2), and where each ladder's begin."""

    def __init__(self, lines: Array, begins: list[int]) -> None:
        self._starts, self._ways, self._begins = lines[:, 0], lines[:, 1] - lines[:, 0], begins

    def away(self, points: Array) -> Array:
        """Return the distance of each of (m, 2) points to each ladder, (m, ladders)."""
        to = points[:, None] - self._starts
        long = np.maximum((self._ways * self._ways).sum(axis=1), 1e-12)
        along = np.clip((to * self._ways).sum(axis=2) / long, 0.0, 1.0)
        away = np.linalg.norm(to - along[:, :, None] * self._ways, axis=2)
        return np.asarray(np.minimum.reduceat(away, self._begins, axis=1))


def _lid(viewed: Viewed, top_m: float = _LID_TOP_M) -> list[Vec3]:
    lid_x_m = LID_X_M if viewed.base is None else viewed.base.lid_x_m
    return _corners(lid_x_m, LID_Y_M, LID_HALF_WIDTH_M, top_m)


def _rails(ladders: LadderSet, one: ScenePiece | Ghost) -> list[list[Vec3]]:
    return [[pose_apply(one.pose, point) for point in rail] for rail in ladders[one.piece].rails]


def _corners(x: float, y: float, half: float, top: float) -> list[Vec3]:
    return [(x + dx * half, y + dy * half, z) for dx in (-1.0, 1.0) for dy in (-1.0, 1.0) for z in (0.0, top)]


def _seen(viewed: Viewed, points: Sequence[Vec3], window_place: Callable[[Vec2], Vec2]) -> Iterable[Vec2]:
    camera = viewed.camera
    for x, y in project_table_points(camera, viewed.table_from_camera, points):
        across = (float(x) + 0.5) / camera.width
        shown = 1.0 - across if viewed.mirrored else across
        yield window_place((shown, (float(y) + 0.5) / camera.height))


def _around(places: Iterable[Vec2]) -> Rect:
    xs, ys = zip(*places, strict=True)
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return Rect(left, top, max(xs) + MARGIN - left, max(ys) + MARGIN - top)
