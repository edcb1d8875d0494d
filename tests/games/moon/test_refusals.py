"""Whatever the table refuses is said on the glass and in the terminal, and so is who is out and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from games.drivers.moon import MoonDriver
from support.doors_kit import Seated, Seats

from armoon.games.moon.editions import (
    DieSource,
    DrawFrom,
    EditionName,
    Elimination,
    Mode,
    MoonRefusal,
    Options,
    trial_options,
)
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.trials import TODAY, find_task
from armoon.messages import LANGUAGES, set_language, speaking_of, text
from armoon.values.acts import Act

MOON = MoonDriver()
KOSMOS = EditionName.KOSMOS_2022
USUAL = Options()
ANY = Options(draw_from=DrawFrom.ALL)

#: Refusals of the rules that no wish at a table can come to: the referee makes those moves itself, from what it sees.
NO_WISH = {
    MoonRefusal.WRONG_FACE: "the referee rolls the seeded die's own face",
    MoonRefusal.WRONG_LADDER: "the referee draws the ladder that is next",
    MoonRefusal.ALREADY_DRAWN: "the referee draws with the roll, once",
    MoonRefusal.NOTHING_TO_CLOSE: "rest is the referee's to see, and it looks whether anything has fallen",
    MoonRefusal.BAD_EVIDENCE: "contacts, falls and heights are the referee's to see",
    MoonRefusal.ALREADY_NOTED: "the second hand and the time are watched, and told once",
}


def _given_up(turns: int) -> Callable[[Seated], None]:
    def play(table: Seated) -> None:
        for _ in range(turns):
            MOON.play_turn(table)
        table.rest(4.0)

    return play


def _just_given_up(table: Seated) -> None:
    MOON.prepare_turn(table)
    table.press("g")


def _hand_lost(table: Seated) -> None:
    MOON.prepare_turn(table)
    table.hand.reach(MOON.grab_point(table))
    table.hand.close()
    assert table.game.match.holding
    table.until(lambda: bool(table.game.match.frozen), "a hand that is lost")


def _paused(table: Seated) -> None:
    MOON.at_rest(table)
    table.ask(Act.PAUSE)


@dataclass(frozen=True)
class Wish:
    why: MoonRefusal
    before: Callable[[Seated], None]
    asked: str | Act
    """A key, or what a button on the screen asks for."""
    seat: int = 0
    house: Options = USUAL
    edition: EditionName = EditionName.BOMBYX_2017
    players: str = "Ann,Ben"


TRIAL = trial_options(find_task(TODAY))
WISHES = (
    Wish(MoonRefusal.GAME_OVER, _given_up(1), "space", house=Options(supply_size=1)),
    Wish(MoonRefusal.GAME_OVER, _given_up(1), "g", house=Options(supply_size=1)),
    Wish(MoonRefusal.WRONG_PHASE, MOON.prepare_turn, "space"),
    Wish(MoonRefusal.WRONG_PHASE, MOON.prepare_turn, "b"),
    Wish(MoonRefusal.WRONG_PHASE, MOON.prepare_turn, "t"),
    Wish(MoonRefusal.WRONG_PHASE, MOON.at_rest, "g"),
    Wish(MoonRefusal.WRONG_PHASE, MOON.at_rest, "b"),
    Wish(MoonRefusal.OPTION_OFF, MOON.prepare_turn, "n"),
    Wish(MoonRefusal.NOT_DRAWN, MOON.at_rest, "n", house=ANY),
    Wish(
        MoonRefusal.NO_OTHER_LADDER,
        MOON.prepare_turn,
        "n",
        house=Options(draw_from=DrawFrom.ALL, supply_size=1),
    ),
    Wish(MoonRefusal.STRUCTURE_MOVING, _just_given_up, "space"),
    Wish(MoonRefusal.NO_FACE, MOON.at_rest, "space", house=Options(die=DieSource.REAL)),
    Wish(MoonRefusal.PAUSED, _paused, "space"),
    Wish(MoonRefusal.HAND_LOST, _hand_lost, "g"),
    Wish(MoonRefusal.HAND_LOST, _hand_lost, "b"),
    Wish(MoonRefusal.NOT_COOPERATIVE, MOON.at_rest, "t"),
    Wish(MoonRefusal.NOT_BETTER, MOON.at_rest, "t", house=Options(mode=Mode.COOPERATIVE), edition=KOSMOS),
    Wish(MoonRefusal.NO_TURN_TO_PUT_BACK, MOON.at_rest, "u"),
    Wish(MoonRefusal.NO_TEAR_TO_GIVE, MOON.at_rest, Act.GIVE_TEAR_BACK),
    Wish(MoonRefusal.NO_SUCH_PLAYER, MOON.at_rest, Act.ADD_TEAR, seat=5),
    Wish(MoonRefusal.IN_A_TRIAL, MOON.at_rest, Act.ADD_TEAR, house=TRIAL, players="Ann"),
    Wish(MoonRefusal.IN_PRACTICE, MOON.at_rest, Act.ADD_TEAR, house=Options(practice=True)),
    Wish(MoonRefusal.IN_THE_FINAL, _given_up(2), Act.ADD_TEAR, house=Options(tears=2), edition=KOSMOS),
)


def _laid(seat: Seats, house: Options, edition: EditionName, players: str = "Ann,Ben") -> Seated:
    trial = () if house.trial is None else ("--trial", house.trial.name)
    return seat("moon", "--players", players, *trial, game_options=MoonOptions(edition, house=house))


def test_every_refusal_is_wished_for_or_can_not_be() -> None:
    reached = {wish.why for wish in WISHES}
    assert reached | set(NO_WISH) == set(MoonRefusal)
    assert not reached & set(NO_WISH)


@pytest.mark.parametrize("wish", WISHES, ids=lambda w: f"{w.why.value}-{getattr(w.asked, 'value', w.asked)}")
def test_what_is_refused_is_said_on_the_glass_and_in_the_terminal(wish: Wish, seat: Seats) -> None:
    table = _laid(seat, wish.house, wish.edition, wish.players)
    wish.before(table)
    with speaking_of(MoonOptions(wish.edition).traits.words):
        sentences = {language: _in(language, wish.why) for language in LANGUAGES}
    assert table.scene.hud.banner not in sentences.values()
    moves, said = len(table.saved.moves), len(table.said)
    if isinstance(wish.asked, str):
        table.press(wish.asked)
    else:
        table.ask(wish.asked, wish.seat)
    assert len(table.saved.moves) == moves
    assert table.scene.hud.banner == sentences["en"]
    assert sentences["en"] in table.said[said:]


def test_what_a_roll_waits_for_is_said_no_longer_than_it_waits(seat: Seats) -> None:
    table = _laid(seat, USUAL, EditionName.BOMBYX_2017)
    _just_given_up(table)
    turn = table.on_turn
    table.press("space")
    waits = text(f"refusal.{MoonRefusal.STRUCTURE_MOVING.value}")
    assert table.scene.hud.banner == waits
    while table.game.is_awaiting_roll or table.on_turn == turn:
        assert table.scene.hud.banner in (waits, "")
        table.frame()
    assert table.scene.hud.banner != waits


def _in(language: str, why: MoonRefusal) -> str:
    set_language(language)
    sentence = text(f"refusal.{why.value}")
    set_language("en")
    return sentence


@pytest.mark.parametrize(
    ("house", "edition", "players", "turns", "told"),
    [
        (Options(two_player_limit=1), KOSMOS, "Ann,Ben", 1, ((Elimination.TEAR_LIMIT, "Ann", 1),)),
        (Options(tears=1), EditionName.BOMBYX_2017, "Ann,Ben,Cleo", 1, ((Elimination.LAST_TEAR, "Ann", 1),)),
        (Options(tears=1), KOSMOS, "Ann,Ben,Cleo", 1, ((Elimination.NOT_TIED, "Ann", 1),)),
        (Options(tears=2), KOSMOS, "Ann,Ben", 3, ((Elimination.FINAL_MISTAKE, "Ann", 1),)),
    ],
    ids=("tear_limit", "last_tear", "not_tied", "final_mistake"),
)
def test_who_is_out_is_said_with_the_reason(
    house: Options,
    edition: EditionName,
    players: str,
    turns: int,
    told: tuple[tuple[Elimination, str, int], ...],
    seat: Seats,
) -> None:
    table = _laid(seat, house, edition, players)
    for _ in range(turns - 1):
        MOON.play_turn(table)
    MOON.prepare_turn(table)
    said = len(table.said)
    table.press("g")
    with speaking_of(MoonOptions(edition).traits.words):
        sentences = [text(f"out.{why.value}", player=player, count=tears) for why, player, tears in told]
    assert table.scene.hud.banner == " · ".join(sentences)
    assert set(sentences) <= set(table.said[said:])
