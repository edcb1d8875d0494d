"""What a table keeps of a game: whole packets in their order, whatever a kill has left of the last one."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from support.remote_kit import Air, Company

from armoon.remote.journal import Journal, Past
from armoon.remote.kinds import Played
from armoon.remote.seal import UnsealedError
from armoon.remote.shared import MOST_KNOWN

PACKETS = (b"version", b"begun", b"\n1" * 150, b"2")


def written(path: Path) -> bytes:
    journal = Journal(path)
    for packet in PACKETS:
        journal.keep(packet)
    journal.close()
    return path.read_bytes()


@pytest.mark.parametrize("cut", range(1, 320, 11))
def test_what_was_cut_off_is_left_out_and_the_next_packet_follows_the_last_whole_one(
    tmp_path: Path, cut: int
) -> None:
    content = written(tmp_path / "game")
    (tmp_path / "game").write_bytes(content[:-cut])
    again = Journal(tmp_path / "game")
    assert again.packets == PACKETS[: len(again.packets)] != PACKETS
    again.keep(b"more")
    again.close()
    assert Journal(tmp_path / "game").packets == (*again.packets, b"more")


def test_where_nothing_can_be_kept_the_game_goes_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "nowhere" / "game")
    journal.keep(b"lost")
    assert not journal.whole
    past = Past(journal)
    past.add(0, b"here")
    assert past.since(0, 10) == [b"here"]


def test_what_the_journal_had_is_not_written_twice(tmp_path: Path) -> None:
    content = written(tmp_path / "game")
    journal = Journal(tmp_path / "game")
    past = Past(journal, journal.packets)
    for number, packet in enumerate(PACKETS):
        past.add(number, packet)
    assert (tmp_path / "game").read_bytes() == content


def frames_of(company: Company) -> list[bytes]:
    """All packets with frames that anybody has sent, once each, in the order of the game."""
    found = dict[int, bytes]()
    for packet in company.air.sent:
        try:
            message = company.seals[0].open(packet).message
        except UnsealedError:
            continue
        if isinstance(message, Played):
            found.setdefault(message.first, packet)
    return [found[first] for first in sorted(found)]


def test_all_tables_killed_at_once_go_on_where_they_were() -> None:
    """Nobody is there who could tell them: each knows it from its journal."""
    company = Company(Air())
    try:
        company.until_turn(2)
        company.pass_time(60)
        ticks = [table.match.tick for table in company.tables]
        lines = list(company.tables[1].lines)
        packets = frames_of(company)
        for number in range(2):
            company.again(number, Past(None, packets))
        company.pass_time(200)
        for table, tick in zip(company.tables, ticks, strict=True):
            assert table.match.tick > tick
            assert table.shared.refused == []
        host, guest = (table.lines for table in company.tables)
        assert guest[: len(lines)] == lines
        assert all(a == b for a, b in itertools.islice(zip(host, guest, strict=False), None))
    finally:
        company.close()


def test_no_frame_of_its_own_is_played_anew_where_another_table_knows_less_for_now() -> None:
    """Both are killed early in the host's second turn; the guest's first word is that it has got less far."""
    company = Company(Air())
    try:
        company.until_turn(3)
        company.pass_time(20)
        host, guest = (seal.table for seal in company.seals)
        assert company.tables[0].shared.mine
        packets = frames_of(company)
        owners = [company.seals[0].open(packet).table for packet in packets[-MOST_KNOWN:]]
        assert {guest, host} == {*owners}  # read at once: the end of the guest's turn, then the host's
        last = company.seals[0].open(packets[-1]).message
        assert isinstance(last, Played)
        known = last.first + len(last.lines)
        company.air.sent.clear()
        for number in range(2):
            company.again(number, Past(None, packets))
        company.pass_time(200)
        new = [packet for packet in company.air.sent if packet not in packets]
        opened = [company.seals[0].open(packet).message for packet in new]
        firsts = [one.first for one in opened if isinstance(one, Played)]
        assert firsts
        assert min(firsts) == known
        assert [table.shared.refused for table in company.tables] == [[], []]
        a, b = (table.lines for table in company.tables)
        assert all(one == other for one, other in zip(a, b, strict=False))
    finally:
        company.close()
