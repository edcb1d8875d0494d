"""Pages of a game's rules: screens of short steps, each with a picture."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache, partial

from armoon.games import game_options, title_of
from armoon.games.contract import load_kind
from armoon.games.options import GameOptions
from armoon.games.shared import RuleBook, RuleScreen, RuleStep
from armoon.games.sketches import Sketcher, sketch
from armoon.messages import get_key_label, language, text
from armoon.screens.form import Form
from armoon.screens.layout import Item, Plan, Reply, back_button, body_area, button, change, label, page
from armoon.screens.state import PageName, RulesPosition, Screens
from armoon.values import replace
from armoon.values.acts import Act, Feature
from armoon.values.page import REST, Drawing, Shape, Widget, WidgetKind, columns, grid, rows

#: Progress of a step in a still picture, 0 to 1: near the end.
STILL_AT = 0.97
#: Pause between the end of a step's animation and the next step, in seconds.
REST_S = 1.2


def open_rules(screens: Screens) -> Reply:
    if screens.page is PageName.RULES:
        return screens, ()
    return replace(screens.go_to(PageName.RULES), rules=RulesPosition(_find_usual_book(screens))), ()


def list_books(screens: Screens) -> tuple[RuleBook, ...]:
    return tuple(_load_book(*key) for key in _list_book_keys(screens))


def rules_page(screens: Screens) -> Plan:
    rules, books = screens.rules, _list_book_keys(screens)
    book = _load_book(*books[rules.book])
    screen = book.screens[rules.screen]
    is_still = screens.preferences.calm
    step = screen.steps[rules.step]
    progress = STILL_AT if is_still else min(1.0, rules.seconds / step.seconds)
    number, count = rules.screen + 1, len(book.screens)
    words = text("screens.rules.heading", number=number, count=count, heading=screen.heading)
    body = body_area(screens.is_tall)
    picture, _, rest = rows(body, 0.44, 0.015, REST) if screens.is_tall else columns(body, 0.53, 0.03, REST)
    book_height = 0.13 if screens.is_tall else 0.12
    book_area, _, sentence_area, _, low = rows(rest, book_height, 0.15 - book_height, 0.66, 0.02, REST)
    row = grid(low, len(screen.steps), len(screen.steps), 0.10, (0.010, 0.0))
    items = [
        label("picture", WidgetKind.PICTURE, picture, drawing=step.picture(progress)),
        label("sentence", WidgetKind.TEXT, sentence_area, step.sentence, chosen=True),
        *(
            Item(
                Widget(f"step {number}", WidgetKind.KEY, area, f"{number + 1}", chosen=number == rules.step),
                change(rules=replace(rules, step=number, seconds=0.0)),
            )
            for number, area in enumerate(row)
        ),
    ]
    if len(books) > 1:
        other = change(rules=RulesPosition((rules.book + 1) % len(books)))
        items.append(button("book", _format_title(*books[rules.book]), other, rect=book_area))
    return page(
        screens,
        words,
        items,
        back_button(),
        button("previous", text("screens.book.previous"), change(rules=_step_by(rules, book, -1))),
        button("next", text("screens.book.next"), change(rules=_step_by(rules, book, 1))),
        veil=0.90,
        first="next",
    )


def pass_time(screens: Screens, seconds: float) -> Screens:
    if screens.preferences.calm:
        return screens
    rules = screens.rules
    screen = _load_book(*_list_book_keys(screens)[rules.book]).screens[rules.screen]
    later = rules.seconds + seconds
    if later < screen.steps[rules.step].seconds + REST_S:
        return replace(screens, rules=replace(rules, seconds=later))
    return replace(
        screens, rules=RulesPosition(rules.book, rules.screen, (rules.step + 1) % len(screen.steps))
    )


def _step_by(rules: RulesPosition, book: RuleBook, direction: int) -> RulesPosition:
    """Return the next step (``direction`` 1) or the previous one (-1), which may be on another screen."""
    if 0 <= rules.step + direction < len(book.screens[rules.screen].steps):
        return RulesPosition(rules.book, rules.screen, rules.step + direction)
    number = (rules.screen + direction) % len(book.screens)
    return RulesPosition(rules.book, number, 0 if direction > 0 else len(book.screens[number].steps) - 1)


#: A game's name, its options, the number of players (None: any), and the language.
_BookKey = tuple[str, GameOptions, int | None, str]


def _list_book_keys(screens: Screens) -> tuple[_BookKey, ...]:
    """Return the keys of the rule books to show: of the current game, or of all games if none is running."""
    spoken, form = language(), screens.form
    if screens.in_game:
        name = screens.game
        if screens.trial is not None:
            return ((name, game_options(name)(), None, spoken),)
        return ((name, _get_options(form, name), len(screens.party) or None, spoken),)
    return tuple(
        (name, own, None, spoken)
        for name in screens.games
        for own in load_kind(name).list_rule_variants(_get_options(form, name))
    )


def _get_options(form: Form, name: str) -> GameOptions:
    return form.options_by_game.get(name) or game_options(name)()


def _find_usual_book(screens: Screens) -> int:
    keys, form = _list_book_keys(screens), screens.form
    indices = [index for index, key in enumerate(keys) if key[0] == form.game]
    return next((index for index in indices if keys[index][1] == form.options), indices[0] if indices else 0)


@lru_cache(maxsize=16)
def _load_book(name: str, options: GameOptions, players: int | None, spoken: str) -> RuleBook:
    book = load_kind(name).build_rule_book(options, players)
    return replace(book, screens=(*book.screens, build_keys_screen(options.has)))


def _format_title(name: str, options: GameOptions, players: int | None, spoken: str) -> str:
    title = _load_book(name, options, players, spoken).title
    return text("screens.rules.book", game=title_of(name), title=title) if title else title_of(name)


#: Acts whose keys are shown for a game with a die, for a game with a list of moves, and for every game.
_DIE_KEYS = (Act.ROLL_LEFT, Act.ROLL_RIGHT, Act.NOD, Act.NOD_BACK, Act.SPIN_LEFT, Act.SPIN_RIGHT)
_CHOICE_KEYS = (Act.LEFT, Act.RIGHT, Act.AWAY, Act.NEAR)
_COMMON_KEYS = (Act.PUT_BACK, Act.PARK, Act.UNDO, Act.PAUSE, Act.RULES, Act.MENU)


def build_keys_screen(has: Set[Feature]) -> RuleScreen:
    die, choose = "_die" if Feature.ROLL in has else "", Feature.CHOOSE in has
    keys = text("rules.keys.choose" if choose else "rules.keys.keys")
    steps = [
        RuleStep("hand", text(f"rules.keys.hand{die}"), sketch(["hand .45,.36 0[.1-.4]1[.65-.9]0 1.6"])),
        RuleStep("mouse", text(f"rules.keys.mouse{die}"), sketch(["mouse .67,.5 0[.1-.2]1[.9-.98]0"])),
        RuleStep("keys", keys, partial(_draw_keys, _CHOICE_KEYS if choose else _DIE_KEYS)),
        RuleStep("always", text("rules.keys.always"), partial(_draw_keys, _COMMON_KEYS)),
        RuleStep("pad", text("rules.keys.pad"), sketch(["pad .67,.5 0[.7]1 -1[.1-.6]1"])),
    ]
    return RuleScreen("keys", text("rules.keys.heading"), tuple(steps[:4] if choose else steps))


def _draw_keys(acts: tuple[Act, ...], time: float) -> Drawing:
    """Draw keys that are pressed one after another."""
    draw_key, shapes = Sketcher(time).key, list[Shape]()
    for number, act in enumerate(acts):
        centre = (0.37 + 0.3 * (number % 3), 0.38 + 0.28 * (number // 3))
        shapes += draw_key(get_key_label(act), centre, float(int(time * len(acts)) == number), (0.11, 0.10))
    return Drawing(tuple(shapes))
