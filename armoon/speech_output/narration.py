"""Spoken text and captions: turns changes of page and picture into utterances, and sounds into captions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from armoon.messages import centimetres, text
from armoon.sound.cues import CueKind, SoundCue
from armoon.speech_output.speaker import Urgency, Utterance
from armoon.values.choices import Speech
from armoon.values.page import Page, Widget, WidgetKind
from armoon.values.scene import SceneHud

#: Maximum number of jointly highlighted widgets that are all named; of a larger group only the first is named.
MAX_NAMED = 3
#: Kinds of widgets whose text is read without focus.
_READ_WITHOUT_FOCUS = (WidgetKind.TEXT, WidgetKind.SCORE, WidgetKind.HEADING)
_ROLES = {
    WidgetKind.BUTTON: "button",
    WidgetKind.CARD: "button",
    WidgetKind.CHOICE: "choice",
    WidgetKind.KEY: "letter",
}

#: Time for which contacts have to stay the same before they are spoken, seconds; a moving ladder changes them quickly.
STILL_S = 0.5
#: Prefix of the names of widgets that are choices at the table.
_CHOICE = "choose "
#: Percentage of progress, which isn't spoken again when it changes.
_SHARE = re.compile(r"\d+\s*%$")

NO_PAGE = Page("", (), 0.0)
NO_HUD = SceneHud()


class Narrator:
    """Turns changes since the last call into utterances."""

    def __init__(self) -> None:
        self._begin()

    def forget(self) -> None:
        """Repeat everything at the next call, and say whose turn it is even if the hint names the player."""
        self._begin(whole=True)

    def _begin(self, *, whole: bool = False) -> None:
        self._page, self._hud, self._whole = NO_PAGE, NO_HUD, whole
        self._turn: int | None = None
        self._hint = self._touched = ""
        """The hint and the contacts that were spoken last."""
        self._touches, self._since_s = "", 0.0
        self._chooses = False
        """Whether a choice was highlighted in this turn."""

    def utterances_for(
        self, page: Page | None, hud: SceneHud, speech: Speech, now_s: float
    ) -> tuple[Utterance, ...]:
        """Return the news since the last call, in speaking order."""
        page = page or NO_PAGE
        before, hud_before = self._page, self._hud
        self._page, self._hud = page, hud
        focused = [widget for widget in page.widgets if widget.focused]
        self._chooses |= any(widget.name.startswith(_CHOICE) for widget in focused)
        utterances = [*_page_utterances(before, page), *self._hud_utterances(hud_before, hud, speech)]
        focus, touched = _focus_utterances(before, page, speech), self._contact_text(hud, now_s)
        if touched and (focus or not focused):
            # Speak contacts before the next highlighted choice, so that the current one is neither cut off nor skipped.
            self._touched = touched
            utterances.append(_event(touched, Urgency.EVENT if focused else Urgency.FOCUS))
        utterances += focus
        if page.notice != before.notice:
            utterances.append(_event(page.notice))
        return tuple(utterance for utterance in utterances if utterance.words)

    def _contact_text(self, hud: SceneHud, now_s: float) -> str:
        """Return the contacts if they are stable and haven't been spoken since the hint."""
        if hud.contact_text != self._touches:
            self._touches, self._since_s = hud.contact_text, now_s
        stays = now_s >= self._since_s + STILL_S
        return self._touches if stays and self._touches != self._touched else ""

    def _hud_utterances(self, before: SceneHud, hud: SceneHud, speech: Speech) -> list[Utterance]:
        utterances = []
        if hud.banner != before.banner:
            utterances.append(_event(hud.banner))
        if hud.verdict_text != before.verdict_text:
            utterances.append(_event(hud.verdict_text))
        seat = on_turn(hud)
        # Announce a turn once there is a hint (not while a verdict is new) and two HUDs in a row show the player.
        asks = bool(hud.hint) and (self._turn is None or seat in (self._turn, on_turn(before)))
        if asks and seat != self._turn:
            self._turn, self._chooses = seat, False
            # A hint such as "Ann, roll the die" already names the player.
            named = seat >= 0 and hud.players[seat].name.startswith(hud.hint.split(",")[0])
            if self._whole or speech is Speech.FULL or not named:
                utterances.append(_event(turn_words(hud)))
        if hud.die_text != before.die_text:
            utterances.append(_event(hud.die_text))
        # Players who choose from a list hear each highlighted choice; hints about hands and keys would mislead them.
        hints = speech is Speech.FULL or not self._chooses
        if asks and hints and hud.hint != self._hint:
            self._hint, self._touched = hud.hint, ""
            utterances.append(_event(hud.hint))
        self._whole = False
        if speech is Speech.FULL:
            if hud.ladders_left_text != before.ladders_left_text:
                utterances.append(_event(hud.ladders_left_text))
            if hud.height_text != before.height_text:
                utterances.append(_event(hud.height_text))
        return utterances


def aloud(words: str) -> str:
    """Return a text for a voice, with the screen's separators replaced with commas."""
    words = words.replace("‹", "").replace("›", "")  # arrows on buttons
    return " ".join(words.replace(" · ", ", ").replace("…", "...").split())


def joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def tears_of(count: int) -> str:
    return text("variant.tears", count=count) if count else ""


def _event(words: str, urgency: Urgency = Urgency.EVENT) -> Utterance:
    return Utterance(aloud(words), urgency)


def _page_utterances(before: Page, page: Page) -> list[Utterance]:
    new = not _same(before, page)
    known = {} if new else {widget.name: _words(widget) for widget in before.widgets}
    utterances = [_event(_heading(page), Urgency.PAGE)] if new else []
    return utterances + [
        _event(_words(widget), Urgency.TEXT)
        for widget in page.widgets
        if widget.kind in _READ_WITHOUT_FOCUS
        and (widget.kind is not WidgetKind.HEADING or widget.text != _heading(page))
        and _SHARE.sub("", known.get(widget.name, "")) != _SHARE.sub("", _words(widget))
    ]


def _heading(page: Page) -> str:
    return next((widget.text for widget in page.widgets if widget.kind is WidgetKind.HEADING), "")


def _words(widget: Widget) -> str:
    return joined(widget.text, tears_of(widget.tears), widget.value)


def _focus_utterances(before: Page, page: Page, speech: Speech) -> list[Utterance]:
    focused = [widget for widget in page.widgets if widget.focused]
    was = [widget for widget in before.widgets if widget.focused]
    typed = _field(page)
    if typed != _field(before) and before.name == page.name:
        return [_event(typed, Urgency.FOCUS)]
    if not focused or (
        [_state(widget) for widget in was] == [_state(widget) for widget in focused] and _same(before, page)
    ):
        return []
    if len(focused) > 1:
        if len(focused) <= MAX_NAMED:
            return [_event(", ".join(widget.spoken for widget in focused), Urgency.FOCUS)]
        return [_event(text("speech.row", first=focused[0].spoken, count=len(focused) - 1), Urgency.FOCUS)]
    widget = focused[0]
    turned = was and (was[0].name, was[0].text) == (widget.name, widget.text) and widget.value != was[0].value
    if turned and _same(before, page):
        return [_event(widget.value, Urgency.FOCUS)]
    return [_event(_full(widget, page) if speech is Speech.FULL else _brief(widget), Urgency.FOCUS)]


def _same(before: Page, page: Page) -> bool:
    return before.name == page.name and _heading(before) == _heading(page)


def _field(page: Page) -> str:
    return next((widget.text for widget in page.widgets if widget.kind is WidgetKind.FIELD), "")


def _state(widget: Widget) -> tuple[object, ...]:
    return (widget.name, widget.spoken, widget.value, widget.chosen)


def _brief(widget: Widget) -> str:
    return joined(widget.spoken, widget.value, text("speech.chosen") if widget.chosen else "")


def _full(widget: Widget, page: Page) -> str:
    pressable = [c for c in page.widgets if c.kind in _ROLES and c.enabled and c.spoken]
    kind = text(f"speech.{_ROLES[widget.kind]}") if widget.kind in _ROLES else ""
    place = ""
    if widget in pressable:
        place = text("speech.place", number=pressable.index(widget) + 1, of=len(pressable))
    return joined(_brief(widget), kind, place)


def on_turn(hud: SceneHud) -> int:
    """Return the current seat; -1 if there is only one player."""
    seats = [seat for seat, player in enumerate(hud.players) if player.on_turn and player.name]
    return seats[0] if seats and len(hud.players) > 1 else -1


def turn_words(hud: SceneHud) -> str:
    """Return the current player and their tears; empty if there is only one player."""
    seat = on_turn(hud)
    if seat < 0:
        return ""
    player = hud.players[seat]
    return text("speech.turn", player=joined(player.name, tears_of(player.tears)))


#: Distance from the middle within which a sound is neither left nor right.
MIDDLE = 0.2
#: Maximum number of captions; minimum time of each and additional time per letter, seconds.
MAX_CAPTIONS, MIN_CAPTION_S, LETTER_S = 3, 1.8, 0.06
#: Sounds whose new caption replaces the previous one even if the text differs.
_REPLACING = (CueKind.STOP, CueKind.CLATTER)
#: Sounds of visible changes of a page, which need no caption.
_VISIBLE_CUES = (CueKind.FOCUS, CueKind.PRESS)


def caption_of(cue: SoundCue) -> str:
    """Return a sound's caption with its side: "Wood on wood, left"."""
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
        """Text, kind of sound, and end time, seconds."""

    def add_cues(self, cues: Iterable[SoundCue], now_s: float) -> None:
        for cue in cues:
            if cue.kind in _VISIBLE_CUES:
                continue
            words, replaces = caption_of(cue), cue.kind in _REPLACING
            others = tuple(s for s in self._shown if s[0] != words and not (replaces and s[1] is cue.kind))
            until_s = now_s + MIN_CAPTION_S + LETTER_S * len(words)
            self._shown = (*others, (words, cue.kind, until_s))[-MAX_CAPTIONS:]

    def lines(self, now_s: float) -> tuple[str, ...]:
        self._shown = tuple(shown for shown in self._shown if shown[2] > now_s)
        return tuple(words for words, _, _ in self._shown)
