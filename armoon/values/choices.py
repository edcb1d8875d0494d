"""Every closed list of words that a player can choose from: in files, on the command line and in logs."""

from __future__ import annotations

import enum


class Word(str, enum.Enum):
    """A word of a closed list."""

    def __str__(self) -> str:
        return str(self.value)


class Language(Word):
    """The languages that have a catalogue of texts."""

    EN = "en"
    FR = "fr"


class CameraWay(Word):
    """What looks at the table, as far as pages care."""

    REAL = "real"
    """A webcam, a film or a stream: it sits somewhere."""
    DEMO = "demo"
    """The rendered one, before which the demo's hand plays."""
    NONE = "none"
    """Mouse, keys and gamepad play at a drawn table."""


class Device(Word):
    """The way to play."""

    HAND = "hand"
    MOUSE = "mouse"
    KEYS = "keys"
    PAD = "pad"


class Way(Word):
    """A player's way to play, regardless of other devices."""

    HAND = "hand"
    CARD = "card"
    """A printed ladder in the hand, before a camera."""
    MOUSE = "mouse"
    """A mouse, a finger or a pen on a screen."""
    KEYS = "keys"
    SWITCH = "switch"
    """One switch: what can be done is lit one after the other, and a press takes the lit one."""
    SWITCHES = "switches"
    """Two: one goes on, the other takes."""
    VOICE = "voice"
    HEAD = "head"
    """A head before a camera: turned it moves a pointer, and the mouth, a smile or resting presses."""


class Listens(Word):
    """When a player by voice is heard."""

    PUSH = "push"
    OPEN = "open"


class Call(Word):
    """The word that calls the game, before a phrase for which no key is held."""

    NONE = "none"
    ARMOON = "armoon"
    COMPUTER = "computer"
    JUPITER = "jupiter"


class Phrases(Word):
    """Which phrases a player by voice says."""

    ENGLISH = "english"
    OWN = "own"
    """Those that the player has spoken as samples, in any language."""


class HeadKind(Word):
    """How a head moves its pointer."""

    STICK = "stick"
    """Turned a little the pointer goes slowly that way, turned further faster; straight ahead it stays."""
    POINTER = "pointer"


class HeadConfirm(Word):
    """How a head presses what its pointer is on."""

    MOUTH = "mouth"
    SMILE = "smile"
    DWELL = "dwell"


class ButtonKind(Word):
    """How a mouse button controls a grip."""

    CLICK = "click"
    """A click takes, another lets go: nothing is dropped by a finger that slips."""
    HOLD = "hold"
    """It takes when it goes down, and lets go when it comes up."""
    DWELL = "dwell"


class ScanKind(Word):
    """How one switch goes through what can be done."""

    AUTOMATIC = "automatic"
    """It goes on by itself, and a press takes."""
    INVERSE = "inverse"
    """It goes on while the switch is down, and letting go takes."""


class Speech(Word):
    """How much of the screen is spoken."""

    OFF = "off"
    BRIEF = "brief"
    """The page, what has the focus, and what happens at the table."""
    FULL = "full"
    """Also each thing's kind, its position in the list, and all heights."""


class ReaderUse(Word):
    """Whether the system's screen readers get the screen's content."""

    AUTO = "auto"
    """If the library for that is installed."""
    ON = "on"
    OFF = "off"


class TrackerName(Word):
    """The library that runs the networks which find hands."""

    AUTO = "auto"
    """mediapipe if it is installed, otherwise LiteRT."""
    MEDIAPIPE = "mediapipe"
    LITERT = "litert"


class SeatName(Word):
    """Where the camera sits at the table (``armoon.camera.profiles``)."""

    TABLE = "table"
    MIRROR = "mirror"
    """On the screen, facing the player."""


class TierName(Word):
    """How rich the picture is (``armoon.view.scene.tiers``)."""

    AUTO = "auto"
    FULL = "full"
    PLAIN = "plain"


class FramingName(Word):
    """How near the picture is to the game (``armoon.view.scene.camera_picture``)."""

    AUTO = "auto"
    """Near, but over a real table as the camera sees it."""
    WHOLE = "whole"
    GENTLE = "gentle"
    NEAR = "near"
    """As near as what stands allows."""


class GripKind(Word):
    """How a hand takes and lets go (``armoon.hands.grip_kinds``)."""

    PINCH = "pinch"
    FIST = "fist"
    DWELL = "dwell"


class DepthHelp(Word):
    """How a held thing's depth follows the hand's, which one camera hardly tells (docs/hands.md, "Depth")."""

    SHARE = "share"
    """Half of the hand's way counts."""
    PUSH = "push"
    """Nothing until the hand is plainly pushed or pulled."""
    LOCK = "lock"
    """As it was at the grab."""


class Air(Word):
    """What becomes of a thing that is let go of in the air (ruling T3)."""

    WAITS = "waits"
    """It hangs where it is until it is taken again."""
    FALLS = "falls"


class Steadiness(Word):
    """How much of a hand's trembling is taken out."""

    OFF = "off"
    """None beyond the camera's own noise."""
    GENTLE = "gentle"
    STRONG = "strong"


class OneHand(Word):
    """What using a second hand comes to (ruling F3)."""

    MISTAKE = "mistake"
    WARN = "warn"
    OFF = "off"


class HandPreference(Word):
    """Which of two hands in view a player grips with."""

    EITHER = "either"
    RIGHT = "right"
    LEFT = "left"


class TextSize(Word):
    """How large the pages' texts are."""

    NORMAL = "normal"
    LARGE = "large"
    LARGEST = "largest"
    DOUBLE = "double"
    ENORMOUS = "enormous"
    """In these two a page goes on to further screens."""


class Palette(Word):
    """For whose sight colours that mean something are chosen (``armoon.values.look``)."""

    USUAL = "usual"
    PROTAN = "protan"
    """Red looks dark."""
    DEUTAN = "deutan"
    """Green and red look alike."""
    TRITAN = "tritan"
    """Blue and green look alike."""


class KeyHand(Word):
    """With which hands keys are pressed."""

    BOTH = "both"
    LEFT = "left"
    """The left one alone: everything lies on the left half of the keyboard."""
    RIGHT = "right"


class Slots(Word):
    """In which configuration ladders stand in the base at the start (ruling M2; ``armoon.world.base``)."""

    DEFAULT = "default"
    CROSS = "cross"
    PARALLEL = "parallel"
    FACING = "facing"
    CORNER = "corner"


class RotatedDeg(enum.IntEnum):
    """By how much a camera's picture is rotated clockwise to be upright, degrees."""

    NONE = 0
    RIGHT = 90
    HALF = 180
    LEFT = 270
