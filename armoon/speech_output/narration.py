"""Utterances about changes of the page and the picture, and captions of sounds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from armoon.messages import centimetres, text
from armoon.sound.cues import CueKind, SoundCue
from armoon.speech_output.speaker import Urgency, Utterance
from armoon.values.choices import Speech
from armoon.values.page import Page, Widget, WidgetKind
from armoon.values.scene import SceneHud

#: Maximum size of a highlighted group whose widgets are all named; otherwise, only the first is.
MAX_NAMED = 3
#: Kinds of widgets whose text is read without focus.
_READ_WITHOUT_FOCUS = (WidgetKind.TEXT, WidgetKind.SCORE, WidgetKind.HEADING)
_ROLES = {
    WidgetKind.BUTTON: "button",
    WidgetKind.CARD: "button",
    WidgetKind.CHOICE: "choice",
    WidgetKind.KEY: "letter",
}

#: Time for which contacts must stay the same before they are spoken, in seconds; a moving ladder changes them quickly.
STILL_S = 0.5
#: Prefix of the names of widgets that are choices at the table.
_CHOICE = "choose "
#: Percentage at the end of a text; a change in it isn't spoken.
_PERCENTAGE = re.compile(r"\d+\s*%$")

NO_PAGE = Page("", (), 0.0)
NO_HUD = SceneHud()


class Narrator:
    """Turns changes since the last call into utterances."""

    def __init__(self) -> None:
        self.reset(names_player=False)

    def reset(self, *, names_player: bool = True) -> None:
        """Repeat everything at the next call; ``names_player``: announce the turn even if the hint names the player."""
        self._page, self._hud, self._names_player = NO_PAGE, NO_HUD, names_player
        self._turn: int | None = None
        self._spoken_hint = self._spoken_contacts = ""
        self._contacts, self._since_s = "", 0.0
        self._has_chosen = False
        """Whether a choice was highlighted in this turn."""

    def list_utterances(
        self, page: Page | None, hud: SceneHud, speech: Speech, now_s: float
    ) -> tuple[Utterance, ...]:
        """Return utterances about the changes since the last call, in speaking order."""
        page = page or NO_PAGE
        before, hud_before = self._page, self._hud
        self._page, self._hud = page, hud
        focused = [widget for widget in page.widgets if widget.focused]
        self._has_chosen |= any(widget.name.startswith(_CHOICE) for widget in focused)
        utterances = [*_read_page(before, page), *self._read_hud(hud_before, hud, speech)]
        focus, contacts = _describe_focus(before, page, speech), self._find_new_contacts(hud, now_s)
        if contacts and (focus is not None or not focused):
            # Speak contacts before the next highlighted choice, to avoid cutting off or skipping the current one.
            self._spoken_contacts = contacts
            utterances.append(_make_utterance(contacts, Urgency.EVENT if focused else Urgency.FOCUS))
        utterances += [] if focus is None else [_make_utterance(focus, Urgency.FOCUS)]
        if page.notice != before.notice:
            utterances.append(_make_utterance(page.notice))
        return tuple(utterance for utterance in utterances if utterance.words)

    def _find_new_contacts(self, hud: SceneHud, now_s: float) -> str:
        """Return the contacts if they are stable and haven't been spoken since the hint."""
        if hud.contact_text != self._contacts:
            self._contacts, self._since_s = hud.contact_text, now_s
        is_stable = now_s >= self._since_s + STILL_S
        return self._contacts if is_stable and self._contacts != self._spoken_contacts else ""

    def _read_hud(self, before: SceneHud, hud: SceneHud, speech: Speech) -> list[Utterance]:
        utterances = []
        if hud.banner != before.banner:
            utterances.append(_make_utterance(hud.banner))
        if hud.verdict_text != before.verdict_text:
            utterances.append(_make_utterance(hud.verdict_text))
        seat = get_current_seat(hud)
        # Announce a turn once there is a hint, which follows the last verdict, and two HUDs in a row show the player.
        is_settled = bool(hud.hint) and (self._turn is None or seat in (self._turn, get_current_seat(before)))
        if is_settled and seat != self._turn:
            self._turn, self._has_chosen = seat, False
            # A hint such as "Ann, roll the die" already names the player.
            is_named = seat >= 0 and hud.players[seat].name.startswith(hud.hint.split(",")[0])
            if self._names_player or speech is Speech.FULL or not is_named:
                utterances.append(_make_utterance(describe_turn(hud)))
        if hud.die_text != before.die_text:
            utterances.append(_make_utterance(hud.die_text))
        # Players who choose from a list hear each highlighted choice; hints about hands and keys would confuse them.
        should_speak_hint = speech is Speech.FULL or not self._has_chosen
        if is_settled and should_speak_hint and hud.hint != self._spoken_hint:
            self._spoken_hint, self._spoken_contacts = hud.hint, ""
            utterances.append(_make_utterance(hud.hint))
        self._names_player = False
        if speech is Speech.FULL:
            if hud.ladders_left_text != before.ladders_left_text:
                utterances.append(_make_utterance(hud.ladders_left_text))
            if hud.height_text != before.height_text:
                utterances.append(_make_utterance(hud.height_text))
        return utterances


def format_for_voice(words: str) -> str:
    """Return a text for a voice, without arrows and with commas instead of separators."""
    words = words.replace("‹", "").replace("›", "")  # arrows on buttons
    return " ".join(words.replace(" · ", ", ").replace("…", "...").split())


def join_parts(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def format_tears(count: int) -> str:
    return text("variant.tears", count=count) if count else ""


def _make_utterance(words: str, urgency: Urgency = Urgency.EVENT) -> Utterance:
    return Utterance(format_for_voice(words), urgency)


def _read_page(before: Page, page: Page) -> list[Utterance]:
    is_new = not _is_same_page(before, page)
    known = {} if is_new else {widget.name: _describe_widget(widget) for widget in before.widgets}
    utterances = [_make_utterance(_find_heading(page), Urgency.PAGE)] if is_new else []
    return utterances + [
        _make_utterance(_describe_widget(widget), Urgency.TEXT)
        for widget in page.widgets
        if widget.kind in _READ_WITHOUT_FOCUS
        and (widget.kind is not WidgetKind.HEADING or widget.text != _find_heading(page))
        and _PERCENTAGE.sub("", known.get(widget.name, "")) != _PERCENTAGE.sub("", _describe_widget(widget))
    ]


def _find_heading(page: Page) -> str:
    return next((widget.text for widget in page.widgets if widget.kind is WidgetKind.HEADING), "")


def _describe_widget(widget: Widget) -> str:
    return join_parts(widget.text, format_tears(widget.tears), widget.value)


def _describe_focus(before: Page, page: Page, speech: Speech) -> str | None:
    """Return the text to speak about the focus or the typed name; None if they haven't changed."""
    focused = [widget for widget in page.widgets if widget.focused]
    last_focused = [widget for widget in before.widgets if widget.focused]
    is_same, typed = _is_same_page(before, page), _find_typed(page)
    if typed != _find_typed(before) and before.name == page.name:
        return typed
    if not focused or (is_same and [*map(_get_state, last_focused)] == [*map(_get_state, focused)]):
        return None
    if len(focused) > MAX_NAMED:
        return text("speech.row", first=focused[0].spoken, count=len(focused) - 1)
    if len(focused) > 1:
        return ", ".join(widget.spoken for widget in focused)
    (widget,) = focused
    last = last_focused[0] if last_focused and is_same else None
    if (
        last is not None
        and (last.name, last.text) == (widget.name, widget.text)
        and last.value != widget.value
    ):
        return widget.value
    return _describe_fully(widget, page) if speech is Speech.FULL else _describe_briefly(widget)


def _is_same_page(before: Page, page: Page) -> bool:
    return before.name == page.name and _find_heading(before) == _find_heading(page)


def _find_typed(page: Page) -> str:
    return next((widget.text for widget in page.widgets if widget.kind is WidgetKind.FIELD), "")


def _get_state(widget: Widget) -> tuple[object, ...]:
    return (widget.name, widget.spoken, widget.value, widget.chosen)


def _describe_briefly(widget: Widget) -> str:
    return join_parts(widget.spoken, widget.value, text("speech.chosen") if widget.chosen else "")


def _describe_fully(widget: Widget, page: Page) -> str:
    pressable = [c for c in page.widgets if c.kind in _ROLES and c.enabled and c.spoken]
    kind = text(f"speech.{_ROLES[widget.kind]}") if widget.kind in _ROLES else ""
    position = ""
    if widget in pressable:
        position = text("speech.place", number=pressable.index(widget) + 1, of=len(pressable))
    return join_parts(_describe_briefly(widget), kind, position)


def get_current_seat(hud: SceneHud) -> int:
    """Return the current seat; -1 if there is only one player."""
    seats = [seat for seat, player in enumerate(hud.players) if player.on_turn and player.name]
    return seats[0] if seats and len(hud.players) > 1 else -1


def describe_turn(hud: SceneHud) -> str:
    """Return the current player and their tears, or "" if there is only one player."""
    seat = get_current_seat(hud)
    if seat < 0:
        return ""
    player = hud.players[seat]
    return text("speech.turn", player=join_parts(player.name, format_tears(player.tears)))


#: Distance from the middle within which a sound counts as neither left nor right.
MIDDLE = 0.2
#: Maximum number of captions; minimum time of each and additional time per letter, seconds.
MAX_CAPTIONS, MIN_CAPTION_S, LETTER_S = 3, 1.8, 0.06
#: Sounds whose new caption replaces the previous one even if the text differs.
_REPLACING = (CueKind.STOP, CueKind.CLATTER)
#: Sounds that need no caption, because the page visibly changes with them.
_VISIBLE_CUES = (CueKind.FOCUS, CueKind.PRESS)


def format_caption(cue: SoundCue) -> str:
    """Return a sound's caption with its side, such as "Wood on wood, left"."""
    side = "left" if cue.across < -MIDDLE else "right" if cue.across > MIDDLE else ""
    fields: dict[str, object] = {}
    if cue.kind is CueKind.CLATTER:
        fields["count"] = cue.count
    if cue.kind is CueKind.STOP:
        fields["height"] = centimetres(cue.height_m, 0)
    caption = text(f"caption.{cue.kind.value}", **fields)
    return text(f"caption.at_{side}", sound=caption) if side else caption


class Captions:
    """The captions on the screen, the newest last."""

    def __init__(self) -> None:
        self._shown: tuple[tuple[str, CueKind, float], ...] = ()
        """Text, kind of sound, and end time in seconds."""

    def add_cues(self, cues: Iterable[SoundCue], now_s: float) -> None:
        for cue in cues:
            if cue.kind in _VISIBLE_CUES:
                continue
            words, replaces = format_caption(cue), cue.kind in _REPLACING
            others = tuple(s for s in self._shown if s[0] != words and not (replaces and s[1] is cue.kind))
            until_s = now_s + MIN_CAPTION_S + LETTER_S * len(words)
            self._shown = (*others, (words, cue.kind, until_s))[-MAX_CAPTIONS:]

    def get_lines(self, now_s: float) -> tuple[str, ...]:
        self._shown = tuple(shown for shown in self._shown if shown[2] > now_s)
        return tuple(words for words, _, _ in self._shown)
