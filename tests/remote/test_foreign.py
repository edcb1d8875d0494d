"""Messages of every kind with arbitrary fields, from strangers or from a table not on turn: none counts."""

from __future__ import annotations

import copy
import os
import random
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from support.remote_kit import CommandGame, Network, build_header

from armoon.codec import encode_json
from armoon.engine.logbook import intake_record
from armoon.engine.setup import Intake
from armoon.remote import kinds
from armoon.remote.seal import _HEAD, _ZDICT, Seal
from armoon.remote.shared import ANSWER_S, MAX_RESENT
from armoon.values.acts import Act
from armoon.values.pieces import Command, Facts, PieceFacts, PieceStatus
from armoon.values.player_settings import Guidance, VisualAids
from armoon.values.poses import IDENTITY_POSE
from armoon.world.process import FactsChange

#: Values that any field may take.
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**63, 10**400, 0.5, 1e308, -1e308, float("nan"), float("inf")),
    *("", "x", "\x00", "é" * 5000, "__class__", [], {}, [[]] * 40, {"kind": "hands"}, [None] * 2000),
)
#: Numbers of messages for a test, and for a long one.
SHORT, LONG = 1500, 20_000


def one_of_each_kind(host: str, guest: str, header: dict[str, Any]) -> tuple[kinds.Message, ...]:
    facts = Facts(
        7, (PieceFacts("L01", PieceStatus.FREE, IDENTITY_POSE, 0.1, 0.0, 0.0),), (), None, False, None, True
    )
    commands = (Command(Act.GIVE_UP, "key"), Command(Act.ROLL, "key"))
    frame = intake_record(Intake(5.0, 2, None, commands, shown=FactsChange.from_facts(None, facts)))
    return (
        kinds.Hello("this one", (("Ben", None), ("Cleo", "pip")), aids=((VisualAids.ALL, Guidance.OFF),) * 2),
        kinds.Seats(header, (guest, guest)),
        kinds.PlayedFrames(0, (frame, frame), ({"kind": "verdict", "ok": True},)),
        kinds.TableCommand(Act.UNDO, 1),
        kinds.TableCommand(Act.ADD_TEAR, 0),
        kinds.KeepAlive(7, wants=True),
        kinds.Refusal(host, kinds.RefusalReason.VERDICT),
        kinds.Goodbye(),
    )


def change_field(value: Any, rng: random.Random) -> Any:
    """Return ``value`` with one field replaced, removed or doubled."""
    changed = copy.deepcopy(value)
    place, key = [changed], 0
    while isinstance(place[key], (dict, list)) and place[key] and rng.random() < 0.8:
        place = place[key]
        key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
    match rng.randrange(5):
        case 0 if place is not None and len(place) > 1:
            del place[key]
        case 1 if isinstance(place, dict):
            place[rng.choice(("kind", "x", "turn"))] = place[key]
        case _:
            place[key] = rng.choice(VALUES)
    return changed[0] if isinstance(changed, list) and len(changed) == 1 else changed


def seal_packet(seal: Seal, key: bytes, content: bytes, number: int) -> bytes:
    packs = zlib.compressobj(zdict=_ZDICT)
    body = _HEAD.pack(bytes.fromhex(seal.table), number) + packs.compress(content) + packs.flush()
    nonce = os.urandom(12)
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    form = seal._form
    signed = seal._own.sign(form + body) + body
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, signed, form)


@pytest.fixture
def games() -> Iterator[tuple[CommandGame, CommandGame]]:
    header = build_header("moon", ("Ann", "Ben"))
    games = tuple(CommandGame(Network(), count=2, header=header) for _ in range(2))
    yield games[0], games[1]
    for table in games:
        table.close()


def attack(games: tuple[CommandGame, CommandGame], count: int, seed: int) -> None:
    target, _ = games
    rng = random.Random(seed)
    guest, stranger = target.seals[1], Seal(target.key)
    one_of_each = [
        kinds.MESSAGES.encode(m) for m in one_of_each_kind(target.host, guest.table, dict(target.header))
    ]
    host = target.tables[0]
    sent, batch = 0, -(-count // 50)  # the game is over after some turns
    while sent < count:
        for game in games:
            game.pass_time()
        # Only outside the guest's turn, in which its frames are valid.
        if host.shared.has_turn and host.match.on_turn == target.tables[1].match.on_turn:
            for _ in range(batch):
                host.end.put(target.network.now_s, make_packet(target, one_of_each, guest, stranger, rng))
            sent += batch
    for game in games:
        game.pass_time(300)
    assert host.match.on_turn[0] > 2
    for number in (0, 1):
        lines, expected = (game.tables[number].lines for game in games)
        assert not target.tables[number].shared.stopped
        assert lines == expected


def make_packet(
    target: CommandGame, one_of_each: list[Any], guest: Seal, stranger: Seal, rng: random.Random
) -> bytes:
    message = rng.choice(one_of_each)
    for _ in range(rng.randrange(4)):
        message = change_field(message, rng)
    try:
        content = encode_json(message)
    except (ValueError, TypeError, OverflowError):
        content = repr(message).encode()
    if rng.random() < 0.2:
        content = bytes(rng.randrange(256) if rng.random() < 0.02 else byte for byte in content[:3000])
    number = rng.choice((0, 1, 2**63, 2**64 - 1))
    packet = seal_packet(rng.choice((guest, stranger)), target.key, content, number)
    if rng.random() < 0.2:
        index = rng.randrange(len(packet))
        packet = packet[:index] + bytes((packet[index] ^ (1 + rng.randrange(255)),)) + packet[index + 1 :]
    return packet


def test_no_foreign_message_changes_the_game(games: tuple[CommandGame, CommandGame]) -> None:
    attack(games, SHORT, seed=1)


def test_no_message_number_makes_a_table_ignore_later_ones(games: tuple[CommandGame, CommandGame]) -> None:
    game, guest = games[0], games[0].seals[1]
    game.pass_time(30)
    for number in (2**63, 2**64 - 1):
        content = encode_json(kinds.MESSAGES.encode(kinds.KeepAlive(0)))
        game.tables[0].end.put(game.network.now_s, seal_packet(guest, game.key, content, number))
    game.pass_time(2)
    request = guest.seal_message(kinds.TableCommand(Act.PAUSE))
    game.tables[0].end.put(game.network.now_s, request)
    game.pass_time(30)
    assert all(table.match.paused for table in game.tables)


def test_repeated_requests_for_frames_are_limited_per_second(games: tuple[CommandGame, CommandGame]) -> None:
    game = games[0]
    game.pass_time(60)
    stranger, guest, host = Seal(game.key), game.seals[1], game.tables[0]
    before = len(game.network.sent)
    for _ in range(120):
        for _ in range(20):
            host.end.put(game.network.now_s, guest.seal_message(kinds.KeepAlive(0, wants=True)))
            host.end.put(game.network.now_s, stranger.seal_message(kinds.KeepAlive(0, wants=True)))
        game.pass_time()
    assert len(game.network.sent) - before <= 2 * MAX_RESENT * (1.0 + 4.0 / ANSWER_S)
    assert not game.tables[1].shared.stopped


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_none_of_two_hundred_thousand_foreign_messages_changes_a_game(
    games: tuple[CommandGame, CommandGame], seed: int
) -> None:
    attack(games, LONG, seed)
