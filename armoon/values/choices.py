"""Options with a fixed list of values, as players write them in files and on the command line."""

from __future__ import annotations

import enum


class Word(str, enum.Enum):
    """Base class of options with a fixed list of values."""

    def __str__(self) -> str:
        return str(self.value)


class Language(Word):
    EN = "en"
    FR = "fr"


class CameraWay(Word):
    """The kind of camera, on which some pages depend."""

    REAL = "real"
    """A webcam, a video file or a stream."""
    DEMO = "demo"
    """The rendered camera with the demo's hand."""
    NONE = "none"
    """A drawn table for mouse, keys and gamepad."""


class Device(Word):
    """The input device in use."""

    HAND = "hand"
    MOUSE = "mouse"
    KEYS = "keys"
    PAD = "pad"


class Way(Word):
    """A player's main input method."""

    HAND = "hand"
    CARD = "card"
    """A printed ladder in the hand, seen by a camera."""
    MOUSE = "mouse"
    """A mouse, a finger or a pen on a screen."""
    KEYS = "keys"
    SWITCH = "switch"
    """One switch: choices are highlighted in turn, and a press selects the highlighted one."""
    SWITCHES = "switches"
    """Two switches: one moves the highlight, the other selects."""
    VOICE = "voice"
    HEAD = "head"
    """A head seen by a camera: turning it moves a pointer; an open mouth, a smile or dwelling presses."""


#: Ways to carry ladders by a hand in front of the camera, and all ways that need a camera.
BY_HAND = (Way.HAND, Way.CARD)
BY_CAMERA = (*BY_HAND, Way.HEAD)


class ListenMode(Word):
    """When speech recognition listens: while a key is held, or always."""

    PUSH = "push"
    OPEN = "open"


class CallWord(Word):
    """The call word before a phrase spoken without holding a key."""

    NONE = "none"
    ARMOON = "armoon"
    COMPUTER = "computer"
    JUPITER = "jupiter"


class PhraseSet(Word):
    """The phrases of a player who plays by voice."""

    ENGLISH = "english"
    OWN = "own"
    """Phrases recorded by the player, in any language."""


class HeadKind(Word):
    """How a head moves its pointer."""

    STICK = "stick"
    """The farther the head is turned, the faster the pointer moves; straight ahead it stops."""
    POINTER = "pointer"


class HeadConfirm(Word):
    """How a player presses with the head's pointer."""

    MOUTH = "mouth"
    SMILE = "smile"
    DWELL = "dwell"


class ButtonKind(Word):
    """How a mouse button controls a grip."""

    CLICK = "click"
    """One click grabs, another releases, so that a slip of the finger drops nothing."""
    HOLD = "hold"
    """Pressing the button grabs, releasing it releases."""
    DWELL = "dwell"


class ScanKind(Word):
    """How one switch scans the choices."""

    AUTOMATIC = "automatic"
    """The highlight advances automatically, and a press selects."""
    INVERSE = "inverse"
    """The highlight advances while the switch is pressed, and releasing it selects."""


class Speech(Word):
    """How much of the screen is read aloud."""

    OFF = "off"
    BRIEF = "brief"
    """The page, the focused widget and the table's events."""
    FULL = "full"
    """Also each widget's kind and position in its list, and all heights."""


class ReaderUse(Word):
    """Whether the system's screen readers get the screen's content."""

    AUTO = "auto"
    """If the accessibility library is installed."""
    ON = "on"
    OFF = "off"


class TrackerName(Word):
    """The library that runs the hand-tracking networks."""

    AUTO = "auto"
    """mediapipe if it is installed, otherwise LiteRT."""
    MEDIAPIPE = "mediapipe"
    LITERT = "litert"


class SeatName(Word):
    """The camera's position at the table (``armoon.camera.profiles``)."""

    TABLE = "table"
    MIRROR = "mirror"
    """On the screen, facing the player."""


class TierName(Word):
    """The picture's level of detail (``armoon.view.scene.tiers``)."""

    AUTO = "auto"
    FULL = "full"
    PLAIN = "plain"


class FramingName(Word):
    """How closely the picture is cropped to the game (``armoon.view.scene.camera_picture``)."""

    AUTO = "auto"
    """``NEAR`` for a drawn table, ``WHOLE`` for a real one."""
    WHOLE = "whole"
    """The whole camera picture."""
    GENTLE = "gentle"
    NEAR = "near"
    """As near as the structure allows."""


class GripKind(Word):
    """How a hand grips and releases (``armoon.hands.pinch``)."""

    PINCH = "pinch"
    FIST = "fist"
    DWELL = "dwell"


class DepthHelp(Word):
    """How a held object follows the hand's depth, which one camera measures poorly (docs/hands.md, "Depth")."""

    SHARE = "share"
    """It follows half of the hand's movement."""
    PUSH = "push"
    """It changes only when the hand is clearly pushed or pulled."""
    LOCK = "lock"
    """It stays as it was at the grab."""


class AirRelease(Word):
    """What happens to an object released in the air (ruling T3)."""

    WAITS = "waits"
    """It is parked there until it is taken again."""
    FALLS = "falls"


class Steadiness(Word):
    """How strongly a hand's tremor is filtered."""

    OFF = "off"
    """Only the camera's own noise is filtered."""
    GENTLE = "gentle"
    STRONG = "strong"


class OneHand(Word):
    """What happens when a player uses a second hand (ruling F3)."""

    MISTAKE = "mistake"
    WARN = "warn"
    OFF = "off"


class HandPreference(Word):
    """Which of two hands in view a player grips with."""

    EITHER = "either"
    RIGHT = "right"
    LEFT = "left"


class TextSize(Word):
    """The size of the pages' texts."""

    NORMAL = "normal"
    LARGE = "large"
    LARGEST = "largest"
    DOUBLE = "double"
    ENORMOUS = "enormous"
    """In the two largest sizes a page may continue on further screens."""


class Palette(Word):
    """The kind of colour vision for which meaningful colours are chosen (``armoon.values.look``)."""

    USUAL = "usual"
    PROTAN = "protan"
    """Red looks dark."""
    DEUTAN = "deutan"
    """Green and red look alike."""
    TRITAN = "tritan"
    """Blue and green look alike."""


class KeyHand(Word):
    """Which hands press keys."""

    BOTH = "both"
    LEFT = "left"
    """All keys are on the left half of the keyboard."""
    RIGHT = "right"


class Slots(Word):
    """How the starting ladders are arranged in the base (ruling M2; ``armoon.world.base``)."""

    DEFAULT = "default"
    CROSS = "cross"
    PARALLEL = "parallel"
    FACING = "facing"
    CORNER = "corner"


class PictureRotation(enum.IntEnum):
    """Clockwise rotation that makes a camera's picture upright, degrees."""

    NONE = 0
    RIGHT = 90
    HALF = 180
    LEFT = 270
