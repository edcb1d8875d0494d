"""Never two things at once; what has happened is said to its end, and of what can be pressed only the newest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from armoon.speech_output.speaker import MOST_WAITING, Order, Urgency, Utterance

FOCUS, TEXT, PAGE, EVENT = Urgency


def said(order: Order) -> list[str]:
    words = []
    while (one := order.next()) is not None:
        words.append(one.words)
    return words


def test_of_what_can_be_pressed_only_the_newest_is_said_and_last() -> None:
    order = Order()
    for words, urgency in (("a", FOCUS), ("b", FOCUS), ("fell", EVENT), ("c", FOCUS), ("tear", EVENT)):
        assert not order.add(Utterance(words, urgency))
    assert said(order) == ["fell", "tear", "c"]


def test_another_page_ends_what_the_last_one_had_to_say_but_no_event() -> None:
    order = Order()
    for words, urgency in (("Settings", PAGE), ("size", TEXT), ("fell", EVENT), ("back", FOCUS)):
        order.add(Utterance(words, urgency))
    order.add(Utterance("Title", PAGE))
    assert said(order) == ["fell", "Title"]


def test_what_is_cut_short() -> None:
    order = Order()
    for now, new, cut in (
        (FOCUS, FOCUS, True),
        (FOCUS, EVENT, True),
        (TEXT, FOCUS, False),
        (TEXT, PAGE, True),
        (PAGE, TEXT, False),
        (EVENT, PAGE, False),
        (EVENT, EVENT, False),
    ):
        order.add(Utterance("now", now))
        order.next()
        assert order.add(Utterance("new", new)) is cut, (now, new)
        order.clear()
        order.current = None


@given(st.lists(st.tuples(st.sampled_from(Urgency), st.booleans()), max_size=60))
def test_the_last_event_is_always_said_and_little_waits(steps: list[tuple[Urgency, bool]]) -> None:
    order = Order()
    heard: list[str] = []
    last = ""
    for number, (urgency, goes_on) in enumerate(steps):
        order.add(Utterance(str(number), urgency))
        last = str(number) if urgency is EVENT else last
        if goes_on and (one := order.next()) is not None:
            heard.append(one.words)
    rest = said(order)
    assert len(rest) <= MOST_WAITING
    assert not last or last in heard + rest
    assert len(set(heard + rest)) == len(heard + rest)
