"""The acts: all requests that a player can make of a table or a page, and their inputs on every device.

An act's name (``"undo"``) is used on the command line, in settings and in the catalogues; logs contain its value.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from armoon.values.choices import KeyHand
from armoon.values.poses import Vec3


class Feature(enum.Enum):
    """An optional feature of a game."""

    ROLL = "roll"
    GIVE_UP = "give_up"
    PUT_BACK = "put_back"
    SCORE = "score"
    UNDO = "undo"
    OVERRULE = "overrule"
    """A host can change the players' tears."""
    CHOOSE = "choose"
    """Moves can be chosen from a list, by keys."""
    ATTITUDE = "attitude"
    """The offered piece can be rotated before it is taken."""
    LADDER = "ladder"
    """The offered piece can be exchanged for another one from the supply."""
    PRACTICE = "practice"
    HINT = "hint"
    """Players can ask for a place that holds."""
    REVIEW = "review"
    SHARE = "share"
    BOTS = "bots"
    HANDICAP = "handicap"


#: Rotation of the table per key press, or per wheel click with Shift, degrees.
TURN_DEG = 15


class Gesture(enum.Enum):
    """A gesture of a hand; ``armoon.hands.gestures`` describes how each is recognised."""

    SHAKE = "shake"
    """A fist is shaken back and forth, and opened."""
    WAVE = "wave"
    """An open hand moves back and forth."""
    WAG = "wag"
    """The index finger alone moves back and forth."""


class Group(enum.Enum):
    """The section of the keys page in which an act's key is shown."""

    PLAY = "play"
    CARRY = "carry"
    TURN = "turn"
    GAME = "game"


@dataclass(frozen=True)
class ActRow:
    """An act's name in files, its requirements, and its inputs on every device."""

    written: str
    """Name in logs and saves."""
    table: bool = False
    """Whether it is a command of the table."""
    payload: type[int] | None = None
    """Type of the command's value; None: the command has no value."""
    needs: Feature | None = None
    """Required feature; a game without it says so. None: works in every game."""
    group: Group | None = None
    key: str = ""
    keys: tuple[str, ...] = ()
    """Further keys, unless they are assigned to another act."""
    pad: tuple[str, ...] = ()
    """Default gamepad inputs, named as in ``armoon.view.gamepads``: buttons, triggers, stick directions."""
    phrase: str = ""
    """Spoken phrase, in English (``docs/access.md``)."""
    gesture: Gesture | None = None
    own: bool = False
    """Whether the key works only if the game at the table accepts it (``Game.handle_act``)."""
    confirmed: bool = False
    """Whether a player by voice has to confirm it with a second phrase."""
    moves: Vec3 | None = None
    """Direction in which it moves a grip: right, away and up in the picture."""
    axis: int = 0
    """Signed axis about which it rotates the held piece: ±1 in the picture plane, ±2 nodding, ±3 about the vertical."""
    turn_deg: int = 0
    text: str = ""
    """Key of its text, if other than ``act.`` and its word."""


def _make_move(written: str, key: str, pad: str, phrase: str, moves: Vec3, *keys: str) -> ActRow:
    return ActRow(written, group=Group.CARRY, key=key, keys=keys, pad=(pad,), phrase=phrase, moves=moves)


class Act(enum.Enum):
    """A request that a player can make."""

    row: ActRow
    _value_: str

    def __new__(cls, row: ActRow) -> Act:
        act = object.__new__(cls)
        act.row, act._value_ = row, row.written
        return act

    # At the table
    ROLL = ActRow(
        "roll",
        table=True,
        payload=int,
        needs=Feature.ROLL,
        group=Group.PLAY,
        key="space",
        pad=("x",),
        phrase="roll the die",
        gesture=Gesture.SHAKE,
    )
    """The value 1, 2 or 3 sets the die to one, two or the moon: for a real die, or in practice."""
    TAKE = ActRow(
        "take",
        group=Group.PLAY,
        key="enter",
        keys=("return", "num_enter"),
        pad=("a", "righttrigger"),
        phrase="take this place",
    )
    """Close or open the grip; on a page, press the focused widget."""
    LET_GO = ActRow("let_go", phrase="let it go", confirmed=True, text="choose.let_go")
    SET_DOWN = ActRow(
        "set_down",
        table=True,
        needs=Feature.HINT,
        group=Group.PLAY,
        key="l",
        pad=("lefttrigger",),
        phrase="set it down",
    )
    """Move the held piece to the place found near it, and release it there."""
    PUT_BACK = ActRow(
        "put_back",
        table=True,
        needs=Feature.PUT_BACK,
        group=Group.PLAY,
        key="b",
        pad=("b",),
        phrase="return the ladder",
        gesture=Gesture.WAVE,
    )
    """Put the held piece back where it was taken, without penalty."""
    PARK = ActRow("park", table=True, group=Group.PLAY, key="c", pad=("y",))
    """Park the held piece in the air, where it can be taken again."""
    TIP = ActRow(
        "attitude", table=True, payload=int, needs=Feature.ATTITUDE, group=Group.PLAY, key="v", pad=("back",)
    )
    HINT = ActRow(
        "hint", table=True, payload=int, needs=Feature.HINT, group=Group.GAME, key="h", gesture=Gesture.WAG
    )
    """Show a place where the ladder would hold. The value -n returns the last hint of seat n (from 1) instead."""
    GIVE_UP = ActRow(
        "give_up_ladder", table=True, needs=Feature.GIVE_UP, group=Group.GAME, key="g", phrase="give it up"
    )
    UNDO = ActRow("put_turn_back", table=True, payload=int, needs=Feature.UNDO, group=Group.GAME, key="u")
    ANOTHER = ActRow("ladder", table=True, payload=int, needs=Feature.LADDER, group=Group.GAME, key="n")
    """Offer another ladder; the value is the number of ladders to skip in the supply."""
    SCORE = ActRow("score", table=True, needs=Feature.SCORE, group=Group.GAME, key="t")
    SHARE = ActRow("share", table=True, needs=Feature.SHARE)
    PLACE_AGAIN = ActRow("place_again", table=True, needs=Feature.PRACTICE, own=True, key="z")
    GIVE_TEAR_BACK = ActRow("give_tear_back", table=True, payload=int, needs=Feature.OVERRULE)
    ADD_TEAR = ActRow("add_tear", table=True, payload=int, needs=Feature.OVERRULE)
    PLACE = ActRow("place", table=True, payload=int)
    """Choose an offered place by number, the best being 1; 0: carry the ladder freely."""
    CHOOSE = ActRow("choose", table=True, payload=int, needs=Feature.CHOOSE)
    """Choose the move with this number in the rules' list of legal moves."""
    TURN = ActRow("turn", table=True, payload=int)
    TILT = ActRow("tilt", table=True, payload=int, needs=Feature.ATTITUDE)
    """Rotate the offered or held piece by one step about this axis (``ActRow.axis``)."""
    ONE = ActRow("one", own=True, key="1", keys=("_1", "num_1"), phrase="number one now")
    """Choose the offered place with this number; otherwise the face of a real die, or of the die in practice."""
    TWO = ActRow("two", own=True, key="2", keys=("_2", "num_2"), phrase="number two now")
    THREE = ActRow("three", own=True, key="3", keys=("_3", "num_3"), phrase="number three now")
    FOUR = ActRow("four", own=True, key="4", keys=("_4", "num_4"), phrase="number four now")
    FIVE = ActRow("five", own=True, key="5", keys=("_5", "num_5"), phrase="number five now")
    SIX = ActRow("six", own=True, key="6", keys=("_6", "num_6"), phrase="number six now")

    # For a grip
    LEFT = _make_move("left", "left", "leftstick_left", "move left", (-1.0, 0.0, 0.0))
    RIGHT = _make_move("right", "right", "leftstick_right", "move right", (1.0, 0.0, 0.0))
    AWAY = _make_move("away", "up", "leftstick_up", "push it away", (0.0, 1.0, 0.0))
    NEAR = _make_move("near", "down", "leftstick_down", "bring it closer", (0.0, -1.0, 0.0))
    LIFT = _make_move("lift", "r", "rightstick_up", "raise the ladder", (0.0, 0.0, 1.0), "pageup")
    LOWER = _make_move("lower", "f", "rightstick_down", "lower the ladder", (0.0, 0.0, -1.0), "pagedown")
    FINE = ActRow("fine", group=Group.CARRY, key="x")
    """Toggle fine steps."""
    FINE_HELD = ActRow("fine_held", key="lshift", keys=("rshift",))
    TABLE_LEFT = ActRow("table_left", turn_deg=TURN_DEG, group=Group.CARRY, key="comma", pad=("leftstick",))
    TABLE_RIGHT = ActRow(
        "table_right", turn_deg=-TURN_DEG, group=Group.CARRY, key="period", pad=("rightstick",)
    )
    HOME = ActRow("turn_home", table=True, group=Group.CARRY, key="home")
    ROLL_LEFT = ActRow(
        "roll_left", group=Group.TURN, key="q", pad=("leftshoulder", "rightstick_left"), axis=-1
    )
    ROLL_RIGHT = ActRow(
        "roll_right", group=Group.TURN, key="e", pad=("rightshoulder", "rightstick_right"), axis=1
    )
    NOD = ActRow("nod", group=Group.TURN, key="w", axis=2)
    NOD_BACK = ActRow("nod_back", group=Group.TURN, key="s", axis=-2)
    SPIN_LEFT = ActRow("spin_left", group=Group.TURN, key="a", axis=-3)
    SPIN_RIGHT = ActRow("spin_right", group=Group.TURN, key="d", phrase="rotate the ladder", axis=3)
    STOP = ActRow("stop", phrase="stop moving", text="choose.stop")
    """Stop the simulated hand, for players who choose places."""

    # On pages
    NEXT = ActRow("next", group=Group.GAME, key="tab", phrase="another place")
    BEGIN = ActRow("begins", payload=int)
    PAUSE = ActRow("pause", table=True, group=Group.GAME, key="p")
    RESUME = ActRow("resume", table=True)
    PREVIOUS = ActRow("previous", key="backtab", phrase="previous place")
    ERASE = ActRow("erase", key="backspace")
    MENU = ActRow("menu", key="escape", phrase="leave this page")
    RULES = ActRow("rules", group=Group.GAME, key="f1", phrase="help me please")
    MORE = ActRow("more", phrase="more places", text="choose.more")
    FREE = ActRow("free", phrase="carry it freely", text="choose.free")
    YES = ActRow("yes", phrase="yes do it")
    NO = ActRow("no", phrase="never mind")
    SAY_AGAIN = ActRow("say_again", key="f2", phrase="say that again")
    LISTEN = ActRow("listen", phrase="listen always")
    STOP_LISTENING = ActRow("stop_listening", phrase="stop listening")
    TALK = ActRow("talk", key="f5")
    """Listen while the key is held."""
    MUTE = ActRow("mute", group=Group.GAME, key="f4")
    NIGHT = ActRow("night", key="f6")
    """Toggle the sounds of the night and the music."""
    SEAT = ActRow("seat", key="f3")
    """Switch between the camera seats: facing the player and looking at the table."""
    LOOK_BACK = ActRow("look_back", key="m", text="screens.verdict.again")
    """Show the last verdict again until the next roll. With a real die, the key enters the moon instead."""

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def text_key(self) -> str:
        return self.row.text or f"act.{self.word}"

    @property
    def command(self) -> tuple[Act, int] | None:
        """The act's table command and its value; None if it has none."""
        if self.row.axis:
            return Act.TILT, self.row.axis
        if self.row.turn_deg:
            return Act.TURN, self.row.turn_deg
        return (self, 0) if self.row.table and not self.row.own else None


#: Acts by spoken phrase, in the order of the rows.
BY_PHRASE = {act.row.phrase: act for act in Act if act.row.phrase}
#: Key of the call word among a player's recorded phrases, and number of samples of each phrase.
CALL, SAMPLES = "call", 3
BY_GESTURE = {act.row.gesture: act for act in Act if act.row.gesture is not None}
#: Acts that move a grip, with their directions.
MOVES = {act: act.row.moves for act in Act if act.row.moves is not None}
#: Acts that choose something by its number.
NUMBERS = {Act[name]: number for number, name in enumerate(("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX"), 1)}
#: Acts that rotate the held piece, with their axes.
TILTS = {act: act.row.axis for act in Act if act.row.axis}


#: Reassigned keys: pairs of an act's word and a key, applied in order.
KeyMap = tuple[tuple[str, str], ...]
#: Key or gamepad input by an act's word.
Layout = Mapping[str, str]

KEYS: Layout = {act.word: act.row.key for group in Group for act in Act if act.row.group is group}
#: An act's first gamepad input is named like the act, further ones are numbered: ``take``, ``take_2``.
_PAD_PARTS = {
    act.word + (f"_{number}" if number > 1 else ""): (act, part)
    for act in Act
    for number, part in enumerate(act.row.pad, 1)
}
_PAD_ACTS = {word: act for word, (act, _) in _PAD_PARTS.items()}
PAD: Layout = {word: part for word, (_, part) in _PAD_PARTS.items()}
#: Sections of the keys page for the gamepad.
PAD_GROUPS = ("pad", "sticks")
_ON_STICKS = tuple(word for word, part in PAD.items() if "stick_" in part or "trigger" in part)
#: Words of the acts in each section.
GROUPS: dict[str, tuple[str, ...]] = {
    **{group.value: tuple(act.word for act in Act if act.row.group is group) for group in Group},
    "pad": tuple(word for word in PAD if word not in _ON_STICKS),
    "sticks": _ON_STICKS,
}
#: Keys that can't be reassigned, so that players can always leave a page.
KEPT_KEYS = (Act.MENU.row.key, Act.FINE_HELD.row.key, *Act.FINE_HELD.row.keys)
#: Default acts of the gamepad's D-pad, the same as those of the arrow keys.
D_PAD = {"up": Act.AWAY, "down": Act.NEAR, "left": Act.LEFT, "right": Act.RIGHT}
KEPT_BUTTONS = ("start", *D_PAD)
#: Default act of a key or button that isn't assigned in the player's layout.
_DEFAULT_KEYS = {key: act for act in Act for key in (act.row.key, *act.row.keys) if key}
_DEFAULT_PAD = D_PAD | {control: act for act in Act for control in act.row.pad}
#: One-handed layouts: keys on that half of English, French and German keyboards.
_ONE_HAND: dict[KeyHand, KeyMap] = {
    KeyHand.BOTH: (),
    KeyHand.LEFT: (
        *(("left", "s"), ("right", "f"), ("away", "e"), ("near", "d"), ("lift", "r"), ("lower", "v")),
        *(("take", "g"), ("tip", "b"), ("put_back", "t"), ("roll_left", "q"), ("roll_right", "w")),
        *(("nod", "a"), ("nod_back", "y"), ("spin_left", "x"), ("spin_right", "c"), ("fine", "lctrl")),
        *(("table_left", "1"), ("table_right", "2"), ("park", "3"), ("hint", "4"), ("give_up", "5")),
        ("set_down", "6"),
    ),
    KeyHand.RIGHT: (
        *(("roll_left", "u"), ("roll_right", "o"), ("nod", "i"), ("nod_back", "k"), ("spin_left", "j")),
        *(("spin_right", "l"), ("lift", "pageup"), ("lower", "pagedown"), ("put_back", "h"), ("park", "n")),
        *(("roll", "backspace"), ("tip", "end"), ("undo", "insert"), ("give_up", "delete"), ("hint", "m")),
        *(("fine", "rctrl"), ("set_down", "0")),
    ),
}
#: Keys offered on the keys page in addition to the assigned ones.
MORE_KEYS = (*"jkyzmoil", *"1234567890", "backspace", "insert", "delete", "end", "lctrl", "rctrl", "pageup")
#: Placeholders in texts, and the words of the acts whose keys they show.
KEY_WORDS: dict[str, tuple[str, ...]] = {
    **{f"k_{act.word}": (act.word,) for act in Act if act.row.key},
    "k_arrows": ("left", "right", "away", "near"),
    "k_turns": tuple(act.word for act in TILTS),
}
PAD_WORDS: dict[str, tuple[str, ...]] = {
    **{f"p_{word}": (word,) for word in PAD},
    "p_turns": ("roll_left", "roll_right"),
    "p_table": ("table_left", "table_right"),
    "p_carry": tuple(act.word for act in MOVES),
}


@lru_cache(maxsize=32)
def get_keys(hand: KeyHand, changes: KeyMap) -> Layout:
    return _swap_keys(KEYS, (*_ONE_HAND[hand], *changes))


@lru_cache(maxsize=32)
def get_buttons(changes: KeyMap) -> Layout:
    return _swap_keys(PAD, changes)


def find_act_by_key(name: str, layout: Layout = KEYS) -> Act | None:
    word = find_word(name, layout)
    return Act[word.upper()] if word else _DEFAULT_KEYS.get(name)


def find_act_by_button(name: str, layout: Layout = PAD) -> Act | None:
    word = find_word(name, layout)
    return _PAD_ACTS[word] if word else _DEFAULT_PAD.get(name)


def get_act(word: str) -> Act:
    return _PAD_ACTS.get(word) or Act[word.upper()]


def find_word(name: str, layout: Layout) -> str:
    return next((word for word, key in layout.items() if key == name), "")


def get_shown_keys(hand: KeyHand, keys: KeyMap, pad: KeyMap) -> dict[str, tuple[str, ...]]:
    layout = {act.word: act.row.key for act in Act} | {**get_keys(hand, keys)}
    return {
        **{word: tuple(layout[act] for act in acts) for word, acts in KEY_WORDS.items()},
        **{word: tuple(get_buttons(pad)[act] for act in acts) for word, acts in PAD_WORDS.items()},
    }


def _swap_keys(defaults: Layout, changes: KeyMap) -> Layout:
    layout = dict(defaults)
    for word, key in changes:
        other = find_word(key, layout)
        if other:
            layout[other] = layout[word]
        layout[word] = key
    return layout
