"""Messages of every kind with arbitrary fields, from strangers or from a table out of turn: none changes the game."""

from __future__ import annotations

import copy
import os
import random
import zlib
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from attacks.fuzz import HOSTILE, WAYS, Damage, damage, encode
from support.remote_kit import CommandGame, Network, build_header

from armoon.engine.logbook import encode_intake
from armoon.engine.setup import Intake
from armoon.remote import protocol
from armoon.remote.seal import _HEAD, _ZDICT, Seal, new_key
from armoon.remote.shared import ANSWER_S, MAX_RESENT
from armoon.values.acts import Act
from armoon.values.pieces import Command, Facts, PieceFacts, PieceStatus
from armoon.values.player_settings import Guidance, VisualAids
from armoon.values.poses import IDENTITY_POSE
from armoon.world.process import FactsChange


def make_each_message(host: str, guest: str, header: dict[str, Any]) -> tuple[protocol.Message, ...]:
    facts = Facts(
        7, (PieceFacts("L01", PieceStatus.FREE, IDENTITY_POSE, 0.1, 0.0, 0.0),), (), None, False, None, True
    )
    ben = protocol.TablePlayer("Ben", colour=(1.0, 0.5, 0.0), helps=VisualAids.ALL, guidance=Guidance.OFF)
    commands = (Command(Act.GIVE_UP, "key"), Command(Act.ROLL, "key"))
    frame = encode_intake(Intake(5.0, 2, None, commands, shown=FactsChange.from_facts(None, facts)))
    return (
        protocol.Hello("this one", (ben, protocol.TablePlayer("Cleo", "pip"))),
        protocol.SeatCode(guest, "0" * 32),
        protocol.Seats(header, (guest, guest)),
        protocol.PlayedFrames(0, (frame, frame), ({"kind": "verdict", "ok": True},)),
        protocol.TableCommand(Act.UNDO, 1),
        protocol.TableCommand(Act.GIVE_UP),
        protocol.TableCommand(Act.ADD_TEAR, 0),
        protocol.KeepAlive(7, requests_frames=True),
        protocol.Refusal(host, protocol.RefusalReason.VERDICT),
        protocol.Goodbye(),
    )


def seal_packet(seal: Seal, content: bytes, number: int) -> bytes:
    compressor = zlib.compressobj(zdict=_ZDICT)
    body = _HEAD.pack(bytes.fromhex(seal.table), number) + compressor.compress(content) + compressor.flush()
    nonce, signed = os.urandom(12), seal._private_key.sign(seal._context + body) + body
    return nonce + seal._cipher.encrypt(nonce, signed, seal._context)


@pytest.fixture
def games() -> Iterator[tuple[CommandGame, CommandGame]]:
    """Return one to attack and an equal one."""
    header = build_header("moon", ("Ann", "Ben"))
    with (
        closing(CommandGame(Network(), header=header)) as one,
        closing(CommandGame(Network(), header=header)) as other,
    ):
        yield one, other


def attack(games: tuple[CommandGame, CommandGame], count: int, seed: int) -> None:
    target, _ = games
    rng = random.Random(seed)
    guest, stranger = target.seals[1], Seal(target.key)
    messages = make_each_message(target.host, guest.table, dict(target.header))
    one_of_each = [*map(protocol.MESSAGES.encode, messages)]
    host, other_game = target.tables[0], Seal(new_key()).seal_message(protocol.Goodbye())
    sent, batch = 0, -(-count // 50)  # the game is over after some turns
    while sent < count:
        for game in games:
            game.pass_time()
        # Only outside the guest's turn, in which its frames are valid.
        if host.shared.has_turn and host.match.on_turn == target.tables[1].match.on_turn:
            for _ in range(batch):
                packet = make_packet(one_of_each, guest, stranger, rng)
                if rng.random() < 0.1:  # one that was sent before, or of another game
                    packet = rng.choice((*target.network.sent[-200:], other_game))
                host.end.put(target.network.now_s, packet)
            sent += batch
    for act, is_paused in ((Act.PAUSE, True), (Act.RESUME, False)):
        for game in games:  # no packet number made the host ignore later packets
            request = game.seals[1].seal_message(protocol.TableCommand(act))
            game.tables[0].end.put(game.network.now_s, request)
            game.pass_time(15)
            assert {table.match.paused for table in game.tables} == {is_paused}
    for game in games:
        game.pass_time(300)
    assert host.match.on_turn[0] > 2
    for number in (0, 1):
        lines, expected = (game.tables[number].lines for game in games)
        assert not target.tables[number].shared.stopped
        assert lines == expected


def make_packet(one_of_each: list[Any], guest: Seal, stranger: Seal, rng: random.Random) -> bytes:
    messages = [copy.deepcopy(rng.choice(one_of_each))]
    for _ in range(rng.randrange(4)):
        damage(messages, Damage(rng.choice(WAYS), rng.random(), rng.random(), rng.choice(HOSTILE)))
    content = encode(messages[0]).encode("utf-8", "surrogatepass")
    if rng.random() < 0.2:
        content = bytes(rng.randrange(256) if rng.random() < 0.02 else byte for byte in content[:3000])
    seal = rng.choice((guest, stranger))  # a guest's number would only make its own later packets old
    packet = seal_packet(seal, content, rng.choice((0, 1) if seal is guest else (0, 1, 2**63, 2**64 - 1)))
    if rng.random() < 0.2:
        index = rng.randrange(len(packet))
        packet = packet[:index] + bytes((packet[index] ^ (1 + rng.randrange(255)),)) + packet[index + 1 :]
    return packet


@pytest.mark.parametrize(
    ("count", "seed"),
    [(1500, 1), *(pytest.param(20_000, seed, marks=pytest.mark.long) for seed in range(2, 12))],
)
def test_no_foreign_message_changes_the_game(
    games: tuple[CommandGame, CommandGame], count: int, seed: int
) -> None:
    attack(games, count, seed)


def test_repeated_requests_for_frames_are_limited_per_second(games: tuple[CommandGame, CommandGame]) -> None:
    game = games[0]
    game.pass_time(60)
    stranger, guest, host = Seal(game.key), game.seals[1], game.tables[0]
    before = len(game.network.sent)
    for _ in range(120):
        for _ in range(20):
            host.end.put(game.network.now_s, guest.seal_message(protocol.KeepAlive(0, requests_frames=True)))
            host.end.put(
                game.network.now_s, stranger.seal_message(protocol.KeepAlive(0, requests_frames=True))
            )
        game.pass_time()
    assert len(game.network.sent) - before <= 2 * MAX_RESENT * (1.0 + 4.0 / ANSWER_S)
    assert not game.tables[1].shared.stopped
