"""The parts of the lake's setup, points, grabs and sentences that the playthroughs don't cover."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from support.lake_games import NAMES, after_plies, random_game
from support.lake_play import format_stack, make_position, parse_stack

from armoon import messages
from armoon.games.lake import presenters, rules

AMBER, JADE, RUBY, SAPPHIRE = rules.Colour


def test_each_colour_has_two_pawns_of_each_strength() -> None:
    """L1: four colours, each with two of every strength."""
    assert len(rules.PAWNS) == rules.STARS == 32
    for colour in rules.Colour:
        strengths = sorted(pawn.strength for pawn in rules.PAWNS if pawn.colour is colour)
        assert strengths == [1, 1, 2, 2, 3, 3, 4, 4]


def test_the_pawns_order_depends_only_on_the_seed() -> None:
    """L1: saved games depend on this exact order."""
    stars = " ".join(format_stack(stack) for stack in rules.create_state(NAMES[:2], 3).stars)
    assert (
        stars
        == "R2 R3 J3 A2 A1 A4 R4 S2 A3 R4 J4 R2 S3 A2 S1 J4 S4 R1 R3 J1 S4 A3 A1 A4 R1 J2 J1 S1 J2 S3 J3 S2"
    )
    assert rules.create_state(NAMES[:2], 4).stars != rules.create_state(NAMES[:2], 3).stars
    assert rules.create_state(NAMES[:3], 3).stars == rules.create_state(NAMES[:2], 3).stars


@pytest.mark.parametrize(
    ("players", "arguments", "message"),
    [
        (("Ana",), {}, "2 to 4"),
        (("A", "B", "C", "D", "E"), {}, "2 to 4"),
        (("Ana", "Ana"), {}, "name"),
        (("Ana", ""), {}, "name"),
        (("Ana", "Ben"), {"first_chooser": 2}, "seat 2"),
    ],
)
def test_an_impossible_lake_setup_is_refused(
    players: tuple[str, ...], arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(rules.IllegalLakeSetup, match=message):
        rules.create_state(players, **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("players", "chooser", "order", "first_player"),
    [
        (2, 0, (0, 0), 1),
        (2, 1, (1, 1), 0),
        (3, 0, (0, 2, 1), 1),
        (3, 1, (1, 0, 2), 2),
        (4, 0, (0, 3, 2), 1),
        (4, 3, (3, 2, 1), 0),
    ],
)
def test_seats_choose_counter_clockwise_and_play_clockwise(
    players: int, chooser: int, order: tuple[int, ...], first_player: int
) -> None:
    """L2: counter-clockwise is towards lower seats; the last player to choose makes the first carry."""
    state = rules.create_state(NAMES[:players], 1, first_chooser=chooser)
    for seat in order:
        assert (state.phase, state.player) == (rules.LakePhase.CHOOSE, seat)
        state = rules.apply_move(state, rules.legal_moves(state)[0])
    assert (state.phase, state.player, state.turn) == (rules.LakePhase.CARRY, first_player, 1)
    state = rules.apply_move(state, rules.legal_moves(state)[0])
    assert (state.player, state.turn) == ((first_player + 1) % players, 2)


def test_heirs_are_the_others_in_the_order_of_play() -> None:
    """L6: with four players only the one opposite, with two nobody."""
    states = {count: replace(rules.create_state(NAMES[:count], 1), player=1) for count in (2, 3, 4)}
    assert {count: state.heirs for count, state in states.items()} == {2: (), 3: (2, 0), 4: (3,)}


@pytest.mark.parametrize(("stack", "worth"), [("A1J2R4S3", 12), ("J1S4", 8), ("R2", 2), ("A4J1R1", 3)])
def test_a_stack_scores_floors_times_its_top_strength(stack: str, worth: int) -> None:
    """L8: examples, some of them from the printed rules."""
    assert rules.count_stack_points(parse_stack(stack)) == worth


@pytest.mark.parametrize(
    ("half", "neutral", "worth"),
    [
        (rules.Half.TOP, None, 8),
        (rules.Half.BOTTOM, None, 6),
        (rules.Half.TOP, JADE, 8),
        (rules.Half.BOTTOM, JADE, 6),
    ]
    + [(half, SAPPHIRE, 0) for half in rules.Half],
)
def test_a_neutral_top_makes_a_half_worthless(
    half: rules.Half, neutral: rules.Colour | None, worth: int
) -> None:
    """L8 L9: a bottom half scores by its second floor, but a neutral fourth floor makes it worthless."""
    tower = parse_stack("A1J3R1S4")
    assert rules.count_held_points((half.cut(tower), tower[3]), neutral) == worth


def test_held_towers_and_the_board_are_counted_separately() -> None:
    """L8 L10"""
    state = make_position(NAMES[:2], "0:A3 1:J2 2:R2 3:J1R1S1 9:R1S3", ((AMBER, JADE), (RUBY, SAPPHIRE)))
    after = rules.apply_move(state, rules.Carry(0, 1, rules.Direction.CLOCKWISE))
    assert after.tally == ((12, 2), (0, 8))
    assert rules.count_points(after) == (14, 8)


def test_a_standstill_takes_ten_turns_of_each_player() -> None:
    """L11: only emptying a star restarts the count."""
    assert rules.QUIET_ROUNDS == 10
    for players in (2, 3, 4):
        for before, move, after in random_game(players, 7):
            if isinstance(move, rules.Carry):
                emptied = sum(not stack for stack in after.stars) > sum(not stack for stack in before.stars)
                assert after.quiet_carries == (0 if emptied else before.quiet_carries + 1)
            else:
                assert after.quiet_carries == before.quiet_carries


def test_a_position_without_its_history_equals_the_original() -> None:
    """It has the same legal moves and can be pickled."""
    state = after_plies(3, 5, 30)
    copied = pickle.loads(pickle.dumps(state.without_history()))
    assert copied == state
    assert copied.before is None
    assert rules.legal_moves(copied) == rules.legal_moves(state)


OF_TWO = ((AMBER, JADE), (RUBY, SAPPHIRE))
CW, CCW = rules.Direction


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_drop_gives_a_legal_carry_or_a_refusal(players: int) -> None:
    """L3 L4 L5: every possible grab is dropped on every star."""
    for before, _, _ in list(random_game(players, 4))[::8]:
        for star in range(rules.STARS):
            for floors in range(1, len(before.stars[star]) + 1):
                targets = {counted[-1] for counted in rules.list_landings(before, star, floors).values()}
                for target in range(rules.STARS):
                    dropped = rules.plan_drop(before, star, floors, target)
                    if isinstance(dropped, rules.Carry):
                        assert rules.find_refusal(before, dropped) is None
                        assert target in targets
                    else:
                        assert target not in targets


def test_a_grab_can_be_refused_before_anything_moves() -> None:
    """L3"""
    state = make_position(NAMES[:2], "0:A3 4:J2 9:R2", OF_TWO)
    assert rules.check_grab(state, 0, 1) is None  # although L4 permits no landing
    assert rules.check_grab(state, 9, 1) is rules.LakeRefusal.NOT_YOURS
    assert rules.check_grab(state, 1, 1) is rules.LakeRefusal.EMPTY_STAR
    assert rules.check_grab(state, 4, 2) is rules.LakeRefusal.NO_SUCH_FLOOR
    assert rules.check_grab(rules.create_state(NAMES[:2]), 0, 1) is rules.LakeRefusal.WRONG_PHASE
    assert rules.list_landings(state, 0, 1) == {}
    assert rules.list_landings(state, 9, 1) == {}


def test_moves_and_scores_have_sentences() -> None:
    """L2 L3 L6: stars are counted from 1, and stacks read from the top."""
    names = NAMES[:3]
    state = make_position(names, "0:A1 1:J2S3R4 10:J1 20:R1", ((AMBER,), (JADE,), (RUBY,)))
    sentences = presenters.list_move_sentences(state, rules.Carry(0, 1, CW))
    assert sentences == [
        "Ana carries amber 1 clockwise from star 1 to star 2",
        "A dream-tower for Ana: amber 1, ruby 4, sapphire 3, jade 2",
    ]
    tower = rules.apply_move(state, rules.Carry(0, 1, CW))
    (split,) = presenters.list_move_sentences(tower, rules.Split(rules.Half.BOTTOM, 2))
    assert split == "Ana keeps sapphire 3, jade 2, and gives amber 1, ruby 4 to Cleo"
    (back,) = presenters.list_move_sentences(tower, rules.TakeBack())
    assert back == "The last turn is undone"
    assert [*presenters.list_score_sentences(state), presenters.describe_next_step(state)] == [
        "Ana: 1 point (0 held, 1 on the lake)",
        "Ben: 1 point (0 held, 1 on the lake)",
        "Cleo: 13 points (0 held, 13 on the lake)",
        "Ana, lift a stack topped by one of your colours",
    ]


def test_choices_have_sentences() -> None:
    """L2: the last choice also reports the remaining colours."""
    two = rules.apply_move(rules.create_state(NAMES[:2]), rules.Choose(JADE))
    assert presenters.list_move_sentences(two, rules.Choose(RUBY)) == [
        "Ana chooses ruby",
        "Ben gets amber",
        "Ben gets sapphire",
    ]
    three = rules.replay_moves(rules.create_state(NAMES[:3]), (rules.Choose(JADE), rules.Choose(RUBY)))
    messages.set_language("fr")
    assert presenters.list_move_sentences(three, rules.Choose(AMBER)) == [
        "Ben choisit ambre",
        "Saphir est neutre : tout le monde peut le déplacer",
    ]
