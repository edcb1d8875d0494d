"""One picture as an immutable value, for the view, the overlay and the sounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from armoon.values.pieces import PieceId
from armoon.values.player_settings import Helping
from armoon.values.poses import IDENTITY_POSE, Pose, Vec2, Vec3


@dataclass(frozen=True)
class ScenePiece:
    """One ladder in the picture."""

    piece: PieceId
    pose: Pose
    look: str = "plain"
    """What it is to be seen as.

    ``"plain"``, ``"offered"``, ``"hover"``, ``"held"``, ``"waiting"`` (in the air), ``"touched"``, ``"honoured"`` or
    ``"fault"``.
    """
    glow: float = 1.0
    """How strongly its look shows, 0 to 1."""
    size: float = 1.0
    """Smaller than 1 while it vanishes."""


@dataclass(frozen=True)
class SceneHand:
    """A hand as it was seen in the very frame that is drawn under it."""

    points_px: tuple[Vec2, ...]
    """21 landmarks in camera pixels, mediapipe's order."""
    depths_m: tuple[float, ...]
    """Distance of each landmark from the camera along its optical axis."""
    grip_point: Vec3 | None
    closing: float
    """0 wide open to 1 closed."""
    sigma_along_m: float
    """One standard deviation of the grip's depth."""
    unwanted: bool = False
    """A second hand where only one may be (ruling F3)."""
    refused: bool = False
    """It has closed and taken nothing."""


@dataclass(frozen=True)
class SceneCard:
    """A paper ladder in a hand, as it was seen in the very frame that is drawn under it."""

    camera_from_card: Pose
    held_at: Vec3 | None = None
    """Where what it holds is nearest to it, as it is seen on a turned table; None: it holds nothing."""


@dataclass(frozen=True)
class ScenePlayer:
    """A line of the score board."""

    name: str
    tears: int
    on_turn: bool
    eliminated: bool = False
    swatches: tuple[Vec3, ...] = ()
    """The player's colour or colours (display colours), shown beside the name, never instead of it."""
    note: str = ""
    """What else is to be known of the player, beside the name."""


@dataclass(frozen=True)
class TearFlight:
    """A tear on its way from the moon to a player's line."""

    seat: int
    along: float
    """0 at the moon, 1 there."""


@dataclass(frozen=True)
class Counter:
    """Points on their way between a place on the table and a player's line."""

    seat: int
    text: str
    """``"+6"``."""
    place: Vec3
    """Table frame."""
    along: float
    """0 at the place, 1 at the line."""
    won: bool = True


@dataclass(frozen=True)
class SceneRing:
    """A ring, or dust, that goes out from a place."""

    centre: Vec3
    radius_m: float
    """Radius to its farthest point, metres."""
    along: float
    """0 at its beginning, 1 gone."""
    dust: bool = False


@dataclass(frozen=True)
class SlowFall:
    """Something that stood has begun to fall: the picture goes nearer and shows it slowly. Only pictures know of it."""

    place: Vec3
    """Where it stood, table frame."""
    ticks: float
    """How long ago it began."""
    near: float
    """How far the picture has gone there, 0 to 1."""


@dataclass(frozen=True)
class Mood:
    """How the night behind the table takes it; each is reached gradually."""

    face: float = 0.0
    """The moon's: -1 sad to 1 glad."""
    dark: float = 0.0
    """How much darker the sky is, 0 to 1."""
    feast: float = 0.0
    """How much the night comes to life for the winner, 0 to 1."""


CALM = Mood()


class DieFace(Enum):
    """The picture on the upper face of a die."""

    LADDER = "ladder"
    TWO_LADDERS = "two ladders"
    CRESCENT = "crescent"


@dataclass(frozen=True)
class SceneDie:
    """A die on the table; the ends of its x axis show a ladder, of y two ladders, of z the crescent."""

    pose: Pose
    """Where it is seen; its middle, table frame."""
    rest: Pose
    """Where it comes to lie."""
    edge_m: float

    @property
    def rolls(self) -> bool:
        return self.pose != self.rest


@dataclass(frozen=True)
class SceneHud:
    """Everything on the glass; texts are already in the player's language."""

    title: str = ""
    players: tuple[ScenePlayer, ...] = ()
    tears_left: int = 0
    die: DieFace | None = None
    die_text: str = ""
    hint: str = ""
    contact_text: str = ""
    """Live, while a ladder is held or settling: "touching 1 of 2"."""
    contact_good: bool | None = None
    """Whether the contacts would honour the die as things stand; None where it doesn't apply."""
    ladders_left_text: str = ""
    height_text: str = ""
    verdict_text: str = ""
    verdict_good: bool | None = None
    banner: str = ""
    tear: TearFlight | None = None
    hint_swatch: Vec3 | None = None
    score_texts: tuple[str, ...] = ()
    """A team's score: what stands above the line now, and the scores until now."""
    keys: str = ""
    """What the device in use can do now, in a strip along the lower edge."""
    feast: str = ""
    """Who has won, large, where no more than this and the title is on the glass."""
    last_text: str = ""
    """The last verdict, once its card is gone: in the strip along the lower edge, for who looked away."""

    @property
    def upper(self) -> SceneHud:
        """Only the upper edge's texts: a page's buttons have the lower edge."""
        return replace(
            self, hint="", keys="", last_text="", verdict_text="", ladders_left_text="", height_text=""
        )


@dataclass(frozen=True)
class HeightLine:
    """A height as evidence: a level line through the point that reaches it."""

    through: Vec3
    """Table frame."""
    text: str = ""
    good: bool | None = None
    """Whether it is the height that was wanted; None where it is only compared with."""


@dataclass(frozen=True)
class Framed:
    """The part of the table that a picture has to show, as near as possible."""

    middle: Vec3
    """It stands in the middle of the width. Table frame, as all points."""
    points: tuple[Vec3, ...]


class Fate(Enum):
    """What becomes of a ladder that is let go of."""

    HOLDS = "holds"
    """It stays, and meets the demand."""
    DOUBTFUL = "doubtful"
    """Only if the hand doesn't slip."""
    FAILS = "fails"


@dataclass(frozen=True)
class Ghost:
    """A ladder that isn't there: where one would come to stand, as a hint, a landing or a plan."""

    piece: PieceId
    pose: Pose
    touched: tuple[PieceId, ...] = ()
    points: tuple[Vec3, ...] = ()
    fate: Fate | None = None
    """Whether it would hold there and meet the demand; None if unknown."""
    label: str = ""
    landing: bool = False
    """It shows only where the held ladder would fall, a help that can be off."""
    number: int = 0
    """Number by which an offered place is chosen; 0: it isn't one."""
    faint: bool = False
    """One of several, and not the one that is considered."""


@dataclass(frozen=True)
class SceneMoth:
    """A moth that flies over the table: the hand of a bot, which carries its ladder."""

    place: Vec3
    """Where its feet hold, table frame."""
    colour: Vec3 | None = None


@dataclass(frozen=True)
class BoardBody:
    """A thing on a board, for screen readers."""

    name: str
    """Unique on the board."""
    words: str
    corners: tuple[Vec3, ...]
    """Corners of a box around it, table frame."""


class BoardScene:
    """A game's bodies on the table besides ladders: its own kind of this value, drawn by its own board."""

    def bodies(self) -> tuple[BoardBody, ...]:
        return ()

    def turned(self, home_from_table: Pose) -> BoardScene:
        return self


@dataclass(frozen=True)
class Scene:
    """One picture."""

    tick: int
    pieces: tuple[ScenePiece, ...]
    hands: tuple[SceneHand, ...]
    hud: SceneHud
    card: SceneCard | None = None
    lid_height_m: float = 0.0
    structure_top_m: float = 0.0
    contact_points: tuple[Vec3, ...] = ()
    drop_line: tuple[Vec3, Vec3] | None = None
    """From the held ladder's lowest point straight down to what lies below it."""
    place_line: tuple[Vec3, Vec3] | None = None
    """From the held ladder's middle to where it would be let go of at the nearest known place."""
    height_lines: tuple[HeightLine, ...] = ()
    zone_radius_m: float = 0.0
    """Around the structure, where a second hand has no business (ruling F3); 0 while it isn't to be seen."""
    ghosts: tuple[Ghost, ...] = ()
    """Ladders that aren't there, drawn faintly."""
    moths: tuple[SceneMoth, ...] = ()
    die: SceneDie | None = None
    """It lies beside the base, however the table is turned."""
    board: BoardScene | None = None
    """What else stands on the table, where a game isn't played with ladders on a base."""
    home_from_table: Pose = IDENTITY_POSE
    """Where the table frame is: all places of the scene are as they are seen, but the base stands in that frame."""
    rings: tuple[SceneRing, ...] = ()
    """A success goes out from where it happened, and dust from where something has come down."""
    slip: SlowFall | None = None
    counters: tuple[Counter, ...] = ()
    mood: Mood = CALM
    seen_from: Pose | None = None
    """It is drawn as seen from here (table frame) instead of from the camera."""
    helping: Helping = Helping.USUAL
    """The visual aids of the player on turn."""
    framed: Framed | None = None
    """What is to be seen of the table; None: whatever the camera shows."""

    @property
    def held(self) -> bool:
        return self.drop_line is not None
