"""The moon game's rules for its players, in the words of their edition: screens of sentences with pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from armoon.games.moon.options import MoonOptions
from armoon.games.moon.pictures import turns
from armoon.games.moon.rules.editions import CHART, Edition, starting_ladders, supply_ladders
from armoon.games.shared.rulebook import Moving, RuleBook, RuleScreen, RuleStep
from armoon.messages import text
from armoon.values.choices import OneHand
from armoon.values.page import Sign

#: The scorings of the picture that shows which one counts.
_SCORINGS = (0, 4, 2)
Step = Callable[..., RuleStep]


def rulebook(options: MoonOptions) -> RuleBook:
    book, house = options.book, options.house
    step = partial(_step, book)
    title = text(f"option.edition.word.{book.name}")
    if options.together:
        title = f"{title} · {text('option.mode.word.cooperative')}"
    count = house.tears_of(book)
    ladders = house.supply_size or len(supply_ladders(book, house))
    return RuleBook(
        title,
        (
            _turn(step, together=options.together, draws_any=options.traits.draws_any),
            _die(step, len(starting_ladders(house))),
            _mistakes(step, house.one_hand),
            *(
                (_score(step, count), _team_end(step, ladders, count))
                if options.together
                else (_end(step, book, ladders, count, house.limit_of(book)), _final(step))
            ),
        ),
    )


def _step(book: Edition, name: str, picture: Moving, **fields: object) -> RuleStep:
    words = {name: text(key) for name, key in book.words.items()}
    said = text(f"rules.moon.{name}", **(words | fields))
    return RuleStep(name, said, picture)


def _screen(name: str, *steps: RuleStep) -> RuleScreen:
    return RuleScreen(name, text(f"rules.moon.heading.{name}"), steps)


def _turn(step: Step, *, together: bool, draws_any: bool) -> RuleScreen:
    return _screen(
        "turn",
        step("everybody_together" if together else "everybody", turns.everybody),
        step("rolling", turns.rolling),
        step("taking_any" if draws_any else "taking", turns.taking),
        step("letting_go", turns.letting_go),
    )


def _die(step: Step, starting: int) -> RuleScreen:
    return _screen(
        "die",
        step("one", partial(turns.asked, Sign.DIE_ONE)),
        step("two", partial(turns.asked, Sign.DIE_TWO)),
        step("moon", partial(turns.asked, Sign.DIE_MOON)),
        step("all_count", turns.all_count, number=starting),
    )


def _mistakes(step: Step, one_hand: OneHand) -> RuleScreen:
    charged = one_hand is OneHand.MISTAKE
    name = "two_hands_mistake" if charged else "two_hands_warn"
    hands = step(name, lambda time: turns.two_hands(time, charged))
    return _screen(
        "mistakes",
        step("not_as_asked", turns.not_as_asked),
        step("it_falls", turns.it_falls),
        step("on_the_base", turns.on_the_base),
        step("at_once", turns.at_once),
        step("late_fall", turns.late_fall),
        *(() if one_hand is OneHand.OFF else (hands,)),
    )


def _end(step: Step, book: Edition, ladders: int, count: int, limit: int) -> RuleScreen:
    last_is_out = book.last_tear_eliminates
    return _screen(
        "end",
        step("used_up", partial(turns.used_up, ladders, count), ladders=ladders, number=count),
        step("fewest_out" if last_is_out else "fewest_counts", partial(turns.fewest, last_is_out)),
        step("duel", partial(turns.duel, limit), number=limit),
        step("shared", turns.shared),
    )


def _final(step: Step) -> RuleScreen:
    return _screen(
        "final",
        step("tie", turns.tie),
        step("only_moons", turns.only_moons),
        step("last_one", turns.last_one),
    )


def _score(step: Step, count: int) -> RuleScreen:
    return _screen(
        "score",
        step("team", partial(turns.team, count), number=count),
        step("spend", turns.spend),
        step("points", turns.points),
        step("best", partial(turns.best, _SCORINGS), best=max(_SCORINGS)),
    )


def _team_end(step: Step, ladders: int, count: int) -> RuleScreen:
    leasts = tuple(least for least, _ in CHART)
    named = next(least for least, key in CHART if key == "rank.touch_the_moon")
    return _screen(
        "team_end",
        step("used_up_together", partial(turns.used_up, ladders, count), ladders=ladders),
        step("chart", partial(turns.chart, leasts), points=named, top=leasts[-1], rank=text(CHART[-1][1])),
    )
