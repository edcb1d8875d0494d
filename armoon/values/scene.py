"""One picture as an immutable value, for the view, the overlay and the sounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from armoon.values.page import Rect
from armoon.values.pieces import PieceId
from armoon.values.player_settings import VisualAids
from armoon.values.poses import IDENTITY_POSE, Pose, Vec2, Vec3


@dataclass(frozen=True)
class ScenePiece:
    """One ladder in the picture."""

    piece: PieceId
    pose: Pose
    look: str = "plain"
    """``"plain"``, ``"offered"``, ``"hover"``, ``"held"``, ``"waiting"`` (parked), ``"touched"``, ``"honoured"`` or
    ``"fault"``.
    """
    glow: float = 1.0
    """Strength of the look, 0 to 1."""
    size: float = 1.0
    """Scale; below 1 while the piece vanishes."""


@dataclass(frozen=True)
class SceneHand:
    """A tracked hand, in the camera picture over which it is drawn."""

    points_px: tuple[Vec2, ...]
    """21 landmarks in camera pixels, mediapipe's order."""
    depths_m: tuple[float, ...]
    """Distance of each landmark from the camera along its optical axis."""
    grip_point: Vec3 | None
    closing: float
    """0 open to 1 closed."""
    sigma_along_m: float
    """Standard deviation of the grip's depth."""
    is_unwanted: bool = False
    """Whether it is a second hand where only one is allowed (ruling F3)."""
    refused: bool = False
    """Whether it has closed without grabbing anything."""


@dataclass(frozen=True)
class SceneProp:
    """A paper ladder with which a hand grips."""

    grip: Pose
    """Pose of the grip, home frame."""
    held_at: Vec3 | None = None
    """Nearest point of the held object, home frame; None: nothing is held."""


@dataclass(frozen=True)
class ScenePlayer:
    """A line of the score board."""

    name: str
    tears: int
    on_turn: bool
    eliminated: bool = False
    swatches: tuple[Vec3, ...] = ()
    """The player's colours, shown beside the name."""
    note: str = ""
    """Further information, shown beside the name."""


@dataclass(frozen=True)
class TearFlight:
    """A tear moving from the moon to a player's line."""

    seat: int
    progress: float
    """0 at the moon to 1 at the line."""


@dataclass(frozen=True)
class PointsFlight:
    """Points moving from a place on the table to a player's line."""

    seat: int
    text: str
    """``"+6"``."""
    place: Vec3
    """Table frame."""
    progress: float
    """0 at the place to 1 at the line."""
    won: bool = True


@dataclass(frozen=True)
class SceneRing:
    """A ring, or dust, that spreads from a place."""

    centre: Vec3
    radius_m: float
    """Final radius, metres."""
    progress: float
    """0 at the start to 1 at the end."""
    dust: bool = False


@dataclass(frozen=True)
class SlowFall:
    """A slow-motion close-up of the start of a fall; only the picture is slow, not the game."""

    place: Vec3
    """Position before the fall, table frame."""
    ticks: float
    """Time since the fall began."""
    near: float
    """Progress of the close-up, 0 to 1."""


@dataclass(frozen=True)
class Mood:
    """The mood of the night behind the table; all values change gradually."""

    face: float = 0.0
    """The moon's face: -1 sad to 1 glad."""
    dark: float = 0.0
    """Darkening of the sky, 0 to 1."""
    celebration: float = 0.0
    """Strength of the celebration for the winner, 0 to 1."""


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
    """Current pose of its centre, home frame."""
    rest: Pose
    """Final pose."""
    edge_m: float

    @property
    def is_rolling(self) -> bool:
        return self.pose != self.rest


@dataclass(frozen=True)
class SceneHud:
    """Everything drawn over the picture; texts are in the player's language."""

    title: str = ""
    players: tuple[ScenePlayer, ...] = ()
    tears_left: int = 0
    die: DieFace | None = None
    die_text: str = ""
    hint: str = ""
    contact_text: str = ""
    """The contacts while a ladder is held or settling, such as "touching 1 of 2"."""
    contact_good: bool | None = None
    """Whether the current contacts would honour the die; None if that doesn't apply."""
    ladders_left_text: str = ""
    height_text: str = ""
    verdict_text: str = ""
    verdict_good: bool | None = None
    banner: str = ""
    tear: TearFlight | None = None
    hint_swatch: Vec3 | None = None
    score_texts: tuple[str, ...] = ()
    """A team's current height above the line and its scores so far."""
    keys: str = ""
    """Keys of the device in use, in a strip along the lower edge."""
    winner_text: str = ""
    """The winner, in large letters; then only this and the title are shown."""
    last_text: str = ""
    """The last verdict, in the strip along the lower edge once its card has disappeared."""

    @property
    def upper(self) -> SceneHud:
        """Only the texts at the upper edge, for pages with buttons at the lower edge."""
        return replace(
            self, hint="", keys="", last_text="", verdict_text="", ladders_left_text="", height_text=""
        )


@dataclass(frozen=True)
class HeightLine:
    """A horizontal line that shows a height, through the highest point."""

    through: Vec3
    """Table frame."""
    text: str = ""
    good: bool | None = None
    """Whether the height is sufficient; None: shown only for comparison."""


@dataclass(frozen=True)
class FramedArea:
    """The part of the table that the picture has to show, as close as possible; home frame."""

    middle: Vec3
    """Point in the middle of the picture's width."""
    points: tuple[Vec3, ...]
    room: Rect | None = None
    """The part of the window to fill exactly with the points; None: the whole picture, with the usual margins."""


class Fate(Enum):
    """The predicted outcome of releasing a ladder."""

    HOLDS = "holds"
    """It stays and meets the requirement."""
    DOUBTFUL = "doubtful"
    """It holds only if the hand doesn't slip."""
    FAILS = "fails"


@dataclass(frozen=True)
class Ghost:
    """A faint ladder that isn't on the table: a hint, a landing or a bot's plan."""

    piece: PieceId
    pose: Pose
    touched: tuple[PieceId, ...] = ()
    points: tuple[Vec3, ...] = ()
    fate: Fate | None = None
    """Predicted outcome of a release there; None if unknown."""
    label: str = ""
    is_landing: bool = False
    """Whether it only shows where the held ladder would land; players can turn that off."""
    number: int = 0
    """Number of an offered place; 0: it isn't an offered place."""
    is_faint: bool = False
    """Whether it is one of several offered places, but not the highlighted one."""


@dataclass(frozen=True)
class SceneMoth:
    """A moth that carries a bot's ladder."""

    place: Vec3
    """Position of its feet, table frame."""
    colour: Vec3 | None = None


@dataclass(frozen=True)
class BoardBody:
    """An object on a board, for screen readers."""

    name: str
    """Unique on the board."""
    words: str
    corners: tuple[Vec3, ...]
    """Corners of its bounding box, table frame."""


class BoardScene:
    """Base class of the objects of a game without ladders; each such game has a subclass and draws it."""

    def list_bodies(self) -> tuple[BoardBody, ...]:
        return ()

    def turn_board(self, home_from_table: Pose) -> BoardScene:
        return self


@dataclass(frozen=True)
class Scene:
    """One picture."""

    tick: int
    pieces: tuple[ScenePiece, ...]
    hands: tuple[SceneHand, ...]
    hud: SceneHud
    prop: SceneProp | None = None
    lid_height_m: float = 0.0
    structure_top_m: float = 0.0
    contact_points: tuple[Vec3, ...] = ()
    drop_line: tuple[Vec3, Vec3] | None = None
    """From the held ladder's lowest point vertically down to the surface below it."""
    place_line: tuple[Vec3, Vec3] | None = None
    """From the held ladder's centre to its release pose at the nearest known place."""
    height_lines: tuple[HeightLine, ...] = ()
    zone_radius_m: float = 0.0
    """Radius of the zone closed to a second hand (ruling F3); 0 while it isn't shown."""
    ghosts: tuple[Ghost, ...] = ()
    moths: tuple[SceneMoth, ...] = ()
    die: SceneDie | None = None
    """The die beside the base; it doesn't turn with the table."""
    board: BoardScene | None = None
    home_from_table: Pose = IDENTITY_POSE
    """Games build the scene in the table frame; ``turn_scene`` sets this and converts positions to the home frame."""
    rings: tuple[SceneRing, ...] = ()
    """Rings that celebrate a success, and dust where a piece has landed."""
    slow_fall: SlowFall | None = None
    points_flights: tuple[PointsFlight, ...] = ()
    mood: Mood = CALM
    seen_from: Pose | None = None
    """Viewpoint, home frame; None: the camera's."""
    visual_aids: VisualAids = VisualAids.USUAL
    """The visual aids of the current player."""
    framed: FramedArea | None = None
    """The part of the table to show; None: the whole camera picture."""

    @property
    def room(self) -> Rect | None:
        """The part of the window reserved for the structure when it is shown alone."""
        return None if self.framed is None else self.framed.room

    @property
    def held(self) -> bool:
        return self.drop_line is not None
