"""The spoken text of the screen, and which utterance may interrupt which: page and glass in, utterances out.

All spoken text is also on the screen, so a player who sees it loses nothing.
"""

from __future__ import annotations

from armoon.messages import text
from armoon.speech_output.order import Urgency, Utterance
from armoon.values.choices import Speech
from armoon.values.page import Page, Widget, WidgetKind
from armoon.values.scene import SceneHud

#: Of more things that are lit together only the first is named.
MOST_NAMED = 3
#: Texts that a page says by itself; a card's is what it is about.
_RUNNING = (WidgetKind.TEXT, WidgetKind.SCORE)
_PRESSED = {
    WidgetKind.BUTTON: "button",
    WidgetKind.CARD: "button",
    WidgetKind.CHOICE: "choice",
    WidgetKind.KEY: "letter",
}

NO_PAGE = Page("", (), 0.0)
NO_GLASS = SceneHud()


class Teller:
    """Remembers what was said, so that only what is new is said."""

    def __init__(self) -> None:
        self._page, self._glass = NO_PAGE, NO_GLASS

    def forget(self) -> None:
        """Nothing was heard yet."""
        self._page, self._glass = NO_PAGE, NO_GLASS

    def tell(self, page: Page | None, glass: SceneHud, speech: Speech) -> tuple[Utterance, ...]:
        """Return what is new since the last call, in speaking order."""
        page = page or NO_PAGE
        before, seen = self._page, self._glass
        self._page, self._glass = page, glass
        said = [*_of_page(before, page), *_of_glass(seen, glass, speech), *_of_focus(before, page, speech)]
        return tuple(one for one in said if one.words)


def aloud(words: str) -> str:
    """Return a text as a voice reads it: what parts it on the screen is a comma."""
    return " ".join(words.replace(" · ", ", ").replace("…", "...").split())


def joined(*parts: str) -> str:
    """Join those that aren't empty, one after the other."""
    return ", ".join(part for part in parts if part)


def tears_of(count: int) -> str:
    """How many a player holds, or a card is about; zero is left out."""
    return text("variant.tears", count=count) if count else ""


def _event(words: str, urgency: Urgency = Urgency.EVENT) -> Utterance:
    return Utterance(aloud(words), urgency)


def _of_page(before: Page, page: Page) -> list[Utterance]:
    """Return a new page's name and texts, and later those of its texts that change."""
    new = before.name != page.name or _heading(before) != _heading(page)
    known = {} if new else {widget.name: _words(widget) for widget in before.widgets}
    said = [_event(_heading(page), Urgency.PAGE)] if new else []
    return said + [
        _event(_words(widget), Urgency.TEXT)
        for widget in page.widgets
        if widget.kind in _RUNNING and known.get(widget.name) != _words(widget)
    ]


def _heading(page: Page) -> str:
    return next((one.text for one in page.widgets if one.kind is WidgetKind.HEADING), "")


def _words(widget: Widget) -> str:
    """Return the widget's words."""
    return joined(widget.text, tears_of(widget.tears), widget.value)


def _of_focus(before: Page, page: Page, speech: Speech) -> list[Utterance]:
    """Return what has the focus or is lit, where that or its words changed."""
    focused = [widget for widget in page.widgets if widget.focused]
    was = [widget for widget in before.widgets if widget.focused]
    typed = _field(page)
    if typed != _field(before) and before.name == page.name:
        return [_event(typed, Urgency.FOCUS)]
    if not focused or (
        [_state(one) for one in was] == [_state(one) for one in focused] and _same(before, page)
    ):
        return []
    if len(focused) > 1:
        if len(focused) <= MOST_NAMED:
            return [_event(", ".join(one.spoken for one in focused), Urgency.FOCUS)]
        return [_event(text("speech.row", first=focused[0].spoken, count=len(focused) - 1), Urgency.FOCUS)]
    (one,) = focused
    turned = was and was[0].name == one.name and was[0].text == one.text and one.value != was[0].value
    if turned and _same(before, page):
        return [_event(one.value, Urgency.FOCUS)]
    return [_event(_full(one, page) if speech is Speech.FULL else _brief(one), Urgency.FOCUS)]


def _same(before: Page, page: Page) -> bool:
    return before.name == page.name and _heading(before) == _heading(page)


def _field(page: Page) -> str:
    return next((one.text for one in page.widgets if one.kind is WidgetKind.FIELD), "")


def _state(widget: Widget) -> tuple[object, ...]:
    return (widget.name, widget.spoken, widget.value, widget.chosen)


def _brief(widget: Widget) -> str:
    """Its words, and whether it is the one that holds."""
    return joined(widget.spoken, widget.value, text("speech.chosen") if widget.chosen else "")


def _full(widget: Widget, page: Page) -> str:
    """Also its kind, and its position in the list."""
    pressable = [one for one in page.widgets if one.kind in _PRESSED and one.enabled and one.spoken]
    kind = text(f"speech.{_PRESSED[widget.kind]}") if widget.kind in _PRESSED else ""
    place = ""
    if widget in pressable:
        place = text("speech.place", number=pressable.index(widget) + 1, of=len(pressable))
    return joined(_brief(widget), kind, place)


def _of_glass(before: SceneHud, glass: SceneHud, speech: Speech) -> list[Utterance]:
    """Return what stops the game, the verdict, whose turn it is, the die's demand, the hint, and what is touched."""
    said = []
    if glass.banner != before.banner:
        said.append(_event(glass.banner))
    if glass.verdict_text != before.verdict_text:
        said.append(_event(glass.verdict_text))
    if _on_turn(glass) != _on_turn(before):
        said.append(_event(_on_turn(glass)))
    if glass.die_text != before.die_text:
        said.append(_event(glass.die_text))
    if glass.hint != before.hint:
        said.append(_event(glass.hint))
    if glass.contact_text != before.contact_text:
        said.append(_event(glass.contact_text, Urgency.FOCUS))
    if speech is Speech.FULL:
        said += [
            _event(now)
            for was, now in (
                (before.ladders_left_text, glass.ladders_left_text),
                (before.height_text, glass.height_text),
            )
            if was != now
        ]
    return said


def _on_turn(glass: SceneHud) -> str:
    """Who is on turn, and what they hold, where there is a choice."""
    player = next((one for one in glass.players if one.on_turn and one.name), None)
    if player is None or len(glass.players) < 2:
        return ""
    return text("speech.turn", player=joined(player.name, tears_of(player.tears)))
