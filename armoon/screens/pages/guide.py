"""The guided first game: a card with a step, its picture and its buttons, which never covers its subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from armoon.games.contract.kind import GuidePictures, kind_of
from armoon.games.news import GuideFacts
from armoon.messages import text
from armoon.screens.events import Ask
from armoon.screens.guide import Guide
from armoon.screens.layout import Item, Plan, Reply, asking, button, put
from armoon.screens.pages.rulebook import STILL_AT
from armoon.screens.pages.table import TURN_DEG, choosing, choosing_place, first_place, leave_game, pause
from armoon.screens.state import PageName, Screens
from armoon.values.acts import Act
from armoon.values.choices import Device
from armoon.values.page import REST, Part, Rect, Widget, WidgetKind, columns, grid, rows

#: Where the card may be, the usual place first: in a wide window, in a tall one.
CARDS = {
    False: (
        Rect(0.175, 0.03, 0.515, 0.37),
        Rect(0.015, 0.26, 0.305, 0.61),
        Rect(0.685, 0.26, 0.30, 0.61),
        Rect(0.245, 0.51, 0.51, 0.37),
        Rect(0.015, 0.51, 0.48, 0.37),
        Rect(0.505, 0.51, 0.48, 0.37),
    ),
    True: (
        Rect(0.04, 0.03, 0.92, 0.23),
        Rect(0.04, 0.70, 0.92, 0.23),
        Rect(0.04, 0.27, 0.92, 0.23),
    ),
}
#: The same for very large letters.
LARGE_CARDS = {
    False: (
        Rect(0.015, 0.02, 0.97, 0.47),
        Rect(0.015, 0.51, 0.97, 0.47),
        Rect(0.015, 0.02, 0.48, 0.96),
        Rect(0.505, 0.02, 0.48, 0.96),
    ),
    True: (
        Rect(0.02, 0.015, 0.96, 0.32),
        Rect(0.02, 0.665, 0.96, 0.32),
        Rect(0.02, 0.34, 0.96, 0.32),
    ),
}
#: Seconds that a picture plays, and rests as long as a rule's does.
PLAYS_S, RESTS_S = 4.0, 1.0


def guide(screens: Screens) -> Plan:
    """One step."""
    assert screens.guide is not None
    cards, chooses = _cards(screens), screens.preferences.chooses
    # Another way may have been chosen in a pause: some steps aren't for it.
    now = screens.guide.fitting(screens.device, chooses=chooses)
    card = cards[min(now.card, len(cards) - 1)]
    kind = kind_of(screens.games[0])
    moving = kind.shown(now.name) if isinstance(kind, GuidePictures) and not screens.large else None
    narrow = not screens.tall and not screens.large and card.width < 0.4
    picture, said, low = _inside(card, narrow=narrow, pictured=moving is not None)
    places = grid(low, 3, 3, 1.0, (0.008, 0.0))
    time = min(1.0, now.seconds % (PLAYS_S + RESTS_S) / PLAYS_S)
    shown = () if moving is None else (moving(STILL_AT if screens.preferences.calm else time),)
    words = text(now.key(screens.device, chooses=chooses))
    return Plan(
        (
            Item(Widget("card", WidgetKind.CARD, card, level=now.progress)),
            *(Item(Widget("picture", WidgetKind.PICTURE, picture, drawing=one)) for one in shown),
            Item(Widget("heading", WidgetKind.TEXT, said, words, chosen=True)),
            *choosing(screens),
            *_turning(screens, now),
            *_foot(now, places, chooses=chooses),
        ),
        veil=0.0,
        leave=leave_game if now.over else pause,
        first="next",
    )


def _foot(now: Guide, places: Sequence[Rect], *, chooses: bool) -> tuple[Item, ...]:
    """Return the buttons that leave the step, the most wanted first in scanning order."""
    leave, rest, on = put(
        (
            button("leave", text("screens.guide.leave"), leave_game),
            button("pause", text("screens.table.pause"), pause, enabled=not now.over),
            button("next", text("screens.guide.play" if now.over else "screens.next"), _next_step),
        ),
        places,
    )
    return (on, rest, leave) if chooses else (leave, rest, on)


def _turning(screens: Screens, now: Guide) -> tuple[Item, ...]:
    """Return the button that turns the table, where that is what is to be tried and no device does it."""
    if now.name != "table" or not screens.preferences.chooses:
        return ()
    turn = asking(Ask(Act.TURN, TURN_DEG))
    return (button("turn right", text("screens.table.turn_right"), turn, rect=first_place(screens)),)


def _cards(screens: Screens) -> tuple[Rect, ...]:
    cards = (LARGE_CARDS if screens.large else CARDS)[screens.tall]
    if not screens.preferences.chooses:
        return cards
    column = choosing_place(screens)
    return tuple(card for card in cards if overlap(card, column) == 0.0)


def _inside(card: Rect, *, narrow: bool, pictured: bool) -> tuple[Rect, Rect, Rect]:
    """Picture, words and buttons on a card; on a narrow one below each other."""
    _, middle, _ = columns(card, Part(0.012), REST, Part(0.012))
    inside = rows(middle, 0.10, 0.86)[1]
    if narrow:
        picture, _, words, _, low = rows(inside, 0.34, 0.01, 0.50, 0.01, REST)
        return picture, words, low
    above, _, low = rows(inside, 0.70, 0.04, REST)
    picture, _, beside = columns(above, 0.25, 0.015, REST)
    return picture, beside if pictured else above, low


def placed(screens: Screens, busy: Sequence[Rect]) -> Screens:
    """Return the card where it covers none of these, or as little of them as can be; it moves only if it must."""
    now = screens.guide
    if now is None:
        return screens
    if screens.preferences.left_handed:
        busy = [
            rect.mirrored for rect in busy
        ]  # the page is laid out for a right hand and mirrored after that
    places = _cards(screens)
    covered = [sum(overlap(place, rect) for rect in busy) for place in places]
    mine = min(now.card, len(places) - 1)
    best = mine if covered[mine] == 0.0 else covered.index(min(covered))
    return screens if best == now.card else replace(screens, guide=replace(now, card=best))


def played_with(screens: Screens, device: Device) -> Screens:
    """Return the screens with this device in use; the guide addresses its player."""
    chooses = screens.preferences.chooses
    guide = None if screens.guide is None else screens.guide.fitting(device, chooses=chooses)
    return replace(screens, device=device, guide=guide)


def watched(screens: Screens, guide: Guide, facts: GuideFacts, seconds: float) -> Screens:
    """Advance the guide; a player who pinches in view plays by hand."""
    device = Device.HAND if facts.pinching else screens.device
    later, chooses = guide.watch(facts, seconds), screens.preferences.chooses
    return replace(screens, device=device, guide=later.fitting(device, chooses=chooses))


def overlap(a: Rect, b: Rect) -> float:
    """Return the area that two rectangles share."""
    across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    down = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return max(0.0, across) * max(0.0, down)


def _next_step(screens: Screens) -> Reply:
    """On; after the last step to the choice of a real game."""
    assert screens.guide is not None
    if not screens.guide.over:
        chooses = screens.preferences.chooses
        return replace(screens, guide=screens.guide.next().fitting(screens.device, chooses=chooses)), ()
    left, actions = leave_game(screens)
    return left.to(PageName.GAME), actions
