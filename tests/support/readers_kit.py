"""All readers of our files and of incoming messages, each with valid content and the errors that it may raise."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from armoon import broadcast as fed
from armoon.broadcast import FeedBegan, FeedFigures, FeedPause, FeedVerdict, Seat, Standing, Words
from armoon.camera.board import load_board
from armoon.camera.four_points import get_table_path, load_table
from armoon.camera.plane_pose import list_sheet_corners, project_sheet
from armoon.camera.profiles import get_profile_path, load_profile
from armoon.cli.calibration import read_board
from armoon.codec import MalformedError, encode_json, parse
from armoon.codec.files import read_bytes
from armoon.engine.logbook import LogReader
from armoon.engine.setup import Record, TableSetup
from armoon.errors import ArmoonError, CameraError, LogError, SettingsError
from armoon.games.contract import load_kind
from armoon.games.lake.match import LakeSetup
from armoon.games.lake.rules import IllegalLakeMove
from armoon.games.library import list_games, read_intakes
from armoon.games.moon.saving import MoonSetup
from armoon.geometry import CameraModel, pose_inverse, pose_looking_at
from armoon.party.obs import MAX_BACK_S, list_requests, read_rules, read_scene
from armoon.party.server import lines as party
from armoon.party.server.lines import HostRequest, read_body, read_fields
from armoon.party.tables import Tables, render_tables
from armoon.party.votes import (
    MAX_VOTER_CHARS,
    Ballots,
    ChatLine,
    VoteQuestion,
    VoteRefused,
    parse_choice,
    read_chat_line,
)
from armoon.remote import protocol
from armoon.saves.files import SaveError
from armoon.saves.profiles import load_profiles, load_results
from armoon.settings.files import load_preferences
from armoon.values import names
from armoon.values.acts import Act
from support.samples import SAMPLES, sample_lines

CAMERA = CameraModel.from_field_of_view(640, 480, 1.1)
SEAT = pose_looking_at((0.05, -0.50, 0.40), (0.0, 0.0, 0.0))
TABLE = {
    "camera": "Cam",
    "near_side_m": 0.34,
    "points_px": project_sheet(CAMERA, pose_inverse(SEAT), list_sheet_corners(0.34, 0.24)).tolist(),
}
PROFILE = {
    "name": "Cam at 640x480",
    "camera": "Cam",
    "width": 640,
    "height": 480,
    "fx": 520.0,
    "fy": 520.0,
    "cx": 319.5,
    "cy": 239.5,
    "distortion": [0.0, 0.0, 0.0, 0.0, 0.0],
    "error_px": 0.2,
    "held_out_px": None,
    "views": 12,
}


@dataclass(frozen=True)
class Reader:
    name: str
    good: bytes
    read: Callable[[Path], object]
    """Called with the file's path."""
    raises: tuple[type[ArmoonError], ...]
    """Empty: invalid content is replaced by defaults."""
    where: Callable[[Path], Path]
    """Returns the file's path in a folder."""


def _encode(plain: Any) -> bytes:
    return json.dumps(plain).encode()


def make_short_log(game: str) -> bytes:
    lines = sample_lines(game)
    hands = next(line for line in lines if b'"px"' in line)
    return lines[0] + lines[2] + hands + lines[-1]


def _read_log(path: Path) -> object:
    reader = LogReader(path)
    assert reader.damage is None or reader.damage
    try:
        table, setup = _read_header(reader.header)
    except (ArmoonError, ValueError, IllegalLakeMove) as error:
        # Faults that ``games.library.create_logged_match`` reports in one sentence.
        raise LogError(f"no header ({error})", remedy="") from error
    return table, setup, list(read_intakes(reader))


def _read_header(header: Record) -> tuple[TableSetup, object]:
    kind = LakeSetup if header.get("game") == "lake" else MoonSetup
    return TableSetup.from_record(header), kind.from_record(header)


def _read_save(path: Path) -> object:
    (entry,) = list_games(path.parent)
    if entry.saved is None or entry.summary is None:
        raise SaveError(entry.trouble or "another game", remedy="")
    kind = load_kind(entry.saved.game)
    return kind.describe(entry.saved), kind.list_score_rows(entry.saved)


class RefusedInputError(ArmoonError):
    """Incoming content was refused."""


def _make_reader(read: Callable[[bytes], object]) -> Callable[[Path], object]:
    def read_path(path: Path) -> object:
        try:
            content = read_bytes(path)
        except (OSError, MalformedError) as error:
            raise RefusedInputError("there is no content", remedy="") from error
        try:
            return read(content)
        except MalformedError as error:
            raise RefusedInputError(str(error), remedy="") from error

    return read_path


def _read_table(content: bytes) -> object:
    tables, line = Tables(), fed.decode_line(content.strip())
    for kind in ("state", "live", "here", "event"):
        fits = {"state": fed.StateLine, "live": fed.LiveLine}.get(kind)
        accepted = tables.add_message(f"club/hall/{kind}", content.strip())
        assert accepted == (fits is not None and isinstance(line, fits))
    page = render_tables("club", tables.rows())
    assert "<script" not in page
    return page


def _read_feed_line(content: bytes) -> object:
    line = fed.decode_line(content.strip())
    assert fed.decode_line(fed.encode_line(line)) == line
    return line


def _read_votes(content: bytes) -> object:
    number, choice = read_fields(content.strip(), ballot=int, choice=int)
    ballots = Ballots()
    ballots.join("a", "Ann", "Guest")
    ballots.open_ballot(VoteQuestion.HOLDS, (Words("yes", "oui"), Words("no", "non")))
    with suppress(VoteRefused):
        ballots.vote("a", number, choice)
    assert ballots.ballot is not None
    assert sum(ballots.ballot.tally) <= 1
    return number, choice


def _read_join(content: bytes) -> object:
    (wanted,) = read_fields(content.strip(), name=str)
    ballots = Ballots()
    name = ballots.join("a", wanted, "Guest").name
    assert names.is_name(name)
    return name


def _read_message(content: bytes) -> object:
    message = protocol.MESSAGES.convert(parse(content))
    assert protocol.MESSAGES.convert(protocol.MESSAGES.encode(message)) == message
    if isinstance(message, protocol.PlayedFrames):
        try:
            assert all(0 <= intake.ticks <= 60 for intake in message.intakes)
        except ValueError as error:
            raise MalformedError(str(error)) from error
    elif isinstance(message, protocol.Seats):
        try:
            return _read_header(message.header)  # like an admitted guest
        except (ArmoonError, ValueError, IllegalLakeMove) as error:
            raise MalformedError(str(error)) from error
    return message


def _list_messages() -> Iterator[tuple[str, bytes, Callable[[bytes], object]]]:
    header, *_, record, _ = map(parse, make_short_log("moon").splitlines())
    table = "0123456789abcdef" * 4
    for message in (
        protocol.Hello("1 5 4", (protocol.TablePlayer("Ann"), protocol.TablePlayer("Nova", "nova"))),
        protocol.SeatCode(table, "0" * 32),
        protocol.Seats(header, (table, table), 3),
        protocol.PlayedFrames(7, (record, record), ({"kind": "verdict", "tick": 9},)),
        protocol.TableCommand(Act.PAUSE),
        protocol.KeepAlive(12, requests_frames=True),
        protocol.Refusal(table, protocol.RefusalReason.NAME),
        protocol.Goodbye(),
    ):
        yield (
            f"{type(message).__name__} message",
            encode_json(protocol.MESSAGES.encode(message)),
            _read_message,
        )


_NAME = Words("a", "b")
_SEATS = (Seat("Ann", "#ff8000", 1, out=False, note=_NAME),)
_STATE = fed.StateLine(
    fed.VERSION,
    3,
    1.5,
    fed.FeedState(
        FeedBegan("moon", _NAME, _NAME, "side", _SEATS, ()),
        Standing(_SEATS, 2, 0, _NAME, top_m=0.2),
        (FeedVerdict(1, 0, True, _NAME),),
        (),
        (fed.Height(1, 0, 0.2, ok=True),),
        None,
    ),
)
_EVENT = fed.FeedEvent(
    fed.VERSION, 3, 1.5, "judged", FeedVerdict(1, 0, True, Words("a", "b"), touched=("L01",))
)

_INCOMING: tuple[tuple[str, bytes, Callable[[bytes], object]], ...] = (
    ("feed", fed.encode_line(_EVENT), _read_feed_line),
    ("table's feed", fed.encode_line(_STATE), _read_table),
    ("party line", party.encode_line(party.PartyRequest(Act.UNDO, 1)), party.read_line),
    ("vote", b'{"ballot": 1, "choice": 0}', _read_votes),
    ("guest", b'{"name": "Zo\xc3\xa9"}', _read_join),
    ("host", b'{"what": "ban", "value": 0, "name": "Ann"}', partial(read_body, HostRequest)),
    *_list_messages(),
)

READERS = [
    *(
        Reader(name, good, _make_reader(read), (RefusedInputError,), lambda folder: folder / "answer")
        for name, good, read in _INCOMING
    ),
    Reader(
        "players",
        (SAMPLES / "players.json").read_bytes(),
        lambda path: load_profiles(path.parent),
        (),
        lambda folder: folder / "players.json",
    ),
    Reader(
        "results",
        (SAMPLES / "results.json").read_bytes(),
        lambda path: load_results(path.parent),
        (),
        lambda folder: folder / "results.json",
    ),
    Reader(
        "preferences",
        (SAMPLES / "preferences.json").read_bytes(),
        load_preferences,
        (),
        lambda folder: folder / "preferences.json",
    ),
    Reader(
        "lens",
        _encode(PROFILE),
        lambda path: load_profile(path.parent, "Cam", 640, 480),
        (CameraError,),
        lambda folder: get_profile_path(folder, "Cam", 640, 480),
    ),
    Reader(
        "table",
        _encode(TABLE),
        lambda path: load_table(path.parent, "Cam", CAMERA),
        (CameraError,),
        lambda folder: get_table_path(folder, "Cam", 640, 480),
    ),
    Reader(
        "board",
        load_board().to_json().encode(),
        read_board,
        (SettingsError,),
        lambda folder: folder / "board.json",
    ),
    Reader("moon log", make_short_log("moon"), _read_log, (LogError,), lambda folder: folder / "a.jsonl"),
    Reader("lake log", make_short_log("lake"), _read_log, (LogError,), lambda folder: folder / "a.jsonl"),
    Reader(
        "moon save",
        (SAMPLES / "moon.armoon").read_bytes(),
        _read_save,
        (SaveError,),
        lambda folder: folder / "a.armoon",
    ),
    Reader(
        "lake save",
        (SAMPLES / "lake.armoon").read_bytes(),
        _read_save,
        (SaveError,),
        lambda folder: folder / "a.armoon",
    ),
]
READER = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)


def outcome(reader: Reader, content: bytes, folder: Path) -> str:
    """Return a reader's message about this content, or "". Assert that the content isn't lost or overwritten."""
    path = reader.where(folder)
    path.write_bytes(content)
    message = ""
    try:
        read = reader.read(path)
        message = getattr(read, "trouble", "")
    except reader.raises as error:
        message = str(error)
    assert "\n" not in message, "the message has several lines"
    assert content in [file.read_bytes() for file in folder.iterdir()], "the file was overwritten"
    for file in folder.iterdir():
        file.unlink()
    return message


def sign_lines(lines: list[str]) -> bytes:
    checksum, content = 0, b""
    for line in lines:
        record = line.encode("utf-8", "surrogatepass")
        checksum = zlib.crc32(record, checksum)
        content += b"%08x %s\n" % (checksum, record)
    return content


# Input from outside a party ------------------------------------------------------------------------------------

#: Lines from a chat server.
_CHAT_LINES = (
    "@display-name=Zo\u00e9;user-id=17;user-type= :zoe!zoe@zoe.tmi.twitch.tv PRIVMSG #luna :!2",
    "PING :tmi.twitch.tv",
    ":tmi.twitch.tv 366 justinfan1 #luna :End of /NAMES list",
    ":tmi.twitch.tv RECONNECT",
)
#: Rules for OBS that use every possible field.
_OBS_RULES = {
    "url": "ws://127.0.0.1:4455",
    "language": "fr",
    "rule": [
        {
            "on": "judged",
            "ok": False,
            "die": "crescent",
            "scene": "Close",
            "back_after_s": 6.0,
            "replay": True,
        },
        {"on": "figure", "text": {"source": "Figure", "words": "{player}: {figures}"}},
        {"on": "pause", "paused": True, "scene": "Break"},
    ],
}
_FIGURE = FeedFigures(3, 0, "L01", (Words("A", "Un"),))


def _read_chat(path: Path) -> object:
    """Read each line as the party's server does: no line raises an exception, and results stay short."""
    read = [read_chat_line(line) for line in path.read_bytes().split(b"\n")]
    for entry in read:
        if isinstance(entry, ChatLine):
            assert 0 < len(entry.voter) <= MAX_VOTER_CHARS
            assert len(entry.name) <= MAX_VOTER_CHARS
            assert parse_choice(entry.words, 3) in (None, 0, 1, 2)
    return read


def _read_obs_rules(path: Path) -> object:
    rules = read_rules(path)
    requests = [r for happening in (_FIGURE, FeedPause(True)) for r in list_requests(rules, happening, ())]
    assert all(back_s is None or 0.0 < back_s <= MAX_BACK_S for _, _, back_s in requests)
    return requests


def _read_obs_scene(path: Path) -> object:
    try:
        return read_scene(parse(path.read_bytes()))
    except MalformedError as error:
        raise RefusedInputError(str(error), remedy="") from error


CHAT = Reader("chat", "\n".join(_CHAT_LINES).encode(), _read_chat, (), lambda folder: folder / "chat")
OBS_RULES = Reader(
    "OBS rules",
    json.dumps(_OBS_RULES).encode(),
    _read_obs_rules,
    (ArmoonError,),
    lambda folder: folder / "obs.toml",
)
OBS_ANSWER = Reader(
    "OBS answer",
    b'{"currentProgramSceneName": "Game"}',
    _read_obs_scene,
    (RefusedInputError,),
    lambda folder: folder / "answer",
)
