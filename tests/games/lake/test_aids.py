"""Reading aids of the lake: what can be lifted, where it lands, why not; and every sentence in the catalogues."""

from __future__ import annotations

import pytest
from support.lake_games import NAMES, random_game
from support.lake_play import position

from armoon import messages
from armoon.games.lake.rules import lines, values
from armoon.games.lake.rules.game import apply, initial, outcome, refusal
from armoon.games.lake.table.setup import spoken

AMBER, JADE, RUBY, SAPPHIRE = values.Colour
OF_TWO = ((AMBER, JADE), (RUBY, SAPPHIRE))
CW, CCW = values.Direction


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_drop_is_a_legal_carry_there_or_a_reason(players: int) -> None:
    """L3 L4 L5: every star as a target of everything that may be grabbed."""
    for before, _, _ in list(random_game(players, 4))[::8]:
        for star in range(values.STARS):
            for floors in range(1, len(before.stars[star]) + 1):
                targets = {landing.star for landing in lines.landings(before, star, floors)}
                for target in range(values.STARS):
                    dropped = lines.drop(before, star, floors, target)
                    if isinstance(dropped, values.Carry):
                        assert refusal(before, dropped) is None
                        assert target in targets
                    else:
                        assert target not in targets


def test_a_grab_can_be_refused_before_anything_moves() -> None:
    """L3"""
    state = position(NAMES[:2], "0:A3 4:J2 9:R2", OF_TWO)
    assert lines.refusal_of_grab(state, 0, 1) is None  # though L4 leaves it no way
    assert lines.refusal_of_grab(state, 9, 1) is values.LakeRefusal.NOT_YOURS
    assert lines.refusal_of_grab(state, 1, 1) is values.LakeRefusal.EMPTY_STAR
    assert lines.refusal_of_grab(state, 4, 2) is values.LakeRefusal.NO_SUCH_FLOOR
    assert lines.refusal_of_grab(initial(NAMES[:2]), 0, 1) is values.LakeRefusal.WRONG_PHASE
    assert lines.landings(state, 0, 1) == ()
    assert lines.landings(state, 9, 1) == ()


@pytest.mark.parametrize("language", messages.LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_can_be_told(players: int, language: str) -> None:
    """L2 L6 L10: every line finds its fields, and nothing of the code's words comes through."""
    messages.set_language(language)
    after = initial(NAMES[:players])
    for before, move, after in random_game(players, 6):  # noqa: B007 - the last one is wanted
        told = [*lines.move_lines(before, move), lines.hint_line(before)]
        for line in told:
            sentence = spoken(line)
            assert sentence[0] == sentence[0].upper()
            assert not {"{", "}", "(", "<"} & set(sentence) or line.key == "lake.score"
    result = outcome(after)
    assert result is not None
    told = [*lines.score_lines(after), *lines.outcome_lines(after, result), lines.hint_line(after)]
    assert len({spoken(line) for line in told}) == players + 3


def test_a_game_in_words() -> None:
    """L2 L3 L6: stars are counted from 1, and stacks read from the top."""
    names = NAMES[:3]
    state = position(names, "0:A1 1:J2S3R4 10:J1 20:R1", ((AMBER,), (JADE,), (RUBY,)))
    told = [spoken(line) for line in lines.move_lines(state, values.Carry(0, 1, CW))]
    assert told == [
        "Ana carries amber 1 clockwise from star 1 to star 2",
        "A dream-tower for Ana: amber 1, ruby 4, sapphire 3, jade 2",
    ]
    tower = apply(state, values.Carry(0, 1, CW))
    (split,) = (spoken(line) for line in lines.move_lines(tower, values.Split(values.Half.BOTTOM, 2)))
    assert split == "Ana keeps sapphire 3, jade 2, and gives amber 1, ruby 4 to Cleo"
    (back,) = (spoken(line) for line in lines.move_lines(tower, values.TakeBack()))
    assert back == "The last turn is taken back"
    assert [spoken(line) for line in (*lines.score_lines(state), lines.hint_line(state))] == [
        "Ana: 1 point (0 held, 1 on the lake)",
        "Ben: 1 point (0 held, 1 on the lake)",
        "Cleo: 13 points (0 held, 13 on the lake)",
        "Ana, lift a stack topped by one of your colours",
    ]


def test_choosing_in_words() -> None:
    """L2: what is left over is told with the last choice."""
    two = apply(initial(NAMES[:2]), values.Choose(JADE))
    assert [spoken(line) for line in lines.move_lines(two, values.Choose(RUBY))] == [
        "Ana chooses ruby",
        "Ben gets amber",
        "Ben gets sapphire",
    ]
    three = apply(apply(initial(NAMES[:3]), values.Choose(JADE)), values.Choose(RUBY))
    messages.set_language("fr")
    assert [spoken(line) for line in lines.move_lines(three, values.Choose(AMBER))] == [
        "Ben choisit ambre",
        "Saphir est neutre : tout le monde peut le déplacer",
    ]
