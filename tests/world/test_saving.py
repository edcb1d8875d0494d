"""Saves of a structure, the saves that are refused, and worlds built anew from them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.world_kit import angle_deg, base, ladders, offer_and_grab, wait, world_of

from armoon.errors import WorldError
from armoon.geometry import quat_from_axis_angle
from armoon.values.orders import LockGrips, Place
from armoon.values.poses import Pose
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.saving import Save, read_save, save_of, write_save
from armoon.world.structures.copying import standing_of

ACROSS = quat_from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2.0)
LYING = Place("L03", Pose((0.0, 0.0, 0.128), ACROSS), fixed=False)


def a_save() -> Save:
    with world_of("parallel") as world:
        world.apply(LYING)
        return save_of(ladders(), wait(world, lambda facts: facts.at_rest))


def test_a_save_comes_back_as_it_was(tmp_path: Path) -> None:
    save = a_save()
    assert [name for name, _, _ in save.standing] == ["L01", "L02", "L03"]
    write_save(tmp_path / "a.json", save)
    assert read_save(tmp_path / "a.json", ladders()) == save
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_nothing_is_saved_while_it_moves() -> None:
    with world_of("parallel") as world:
        world.apply(LYING)
        with pytest.raises(WorldError, match="moves"):
            save_of(ladders(), world.tick(None))


def damaged(tmp_path: Path, change: dict[str, object]) -> Path:
    path = tmp_path / "bad.json"
    write_save(path, a_save())
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, **change}))
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 2}, "version 2"),
        ({"version": None}, "version None"),
        ({"format": "a poem"}, "no save of a structure"),
        ({"crc32": 1}, "checksum"),
        ({"ladder_seed": 8}, "checksum"),
        ({"standing": [{"piece": "L01"}]}, "lacks"),
        ({"standing": 7}, "lacks"),
        ({"standing": [{"piece": "L01", "position": [0, 0, math.nan]}]}, "lacks"),
        ({"standing": [{"piece": "L01", "position": [0, 0]}]}, "lacks"),
    ],
)
def test_a_bad_save_is_refused_with_a_sentence(tmp_path: Path, change: dict[str, object], words: str) -> None:
    with pytest.raises(WorldError, match=words) as refusal:
        read_save(damaged(tmp_path, change), ladders())
    assert "Nothing was loaded" in str(refusal.value)


def test_missing_foreign_and_senseless_saves_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="can't be read"):
        read_save(tmp_path / "none.json", ladders())
    path = tmp_path / "a.json"
    write_save(path, a_save())
    with pytest.raises(WorldError, match="another set"):
        read_save(path, make_ladder_set(8))
    nowhere = Pose((0.0, 0.0, 5.0))
    for standing in ((("L01", nowhere, True),), (("L99", Pose((0.0, 0.0, 0.1)), True),)):
        write_save(path, Save(ladders().seed, standing))
        with pytest.raises(WorldError):
            read_save(path, ladders())


@given(st.floats(min_value=0.0, max_value=0.999))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_save_cut_short_anywhere_is_refused(tmp_path: Path, share: float) -> None:
    path = tmp_path / "cut.json"
    write_save(path, Save(ladders().seed, (("L01", Pose((0.0, 0.0, 0.1)), True),)))
    text = path.read_text().rstrip()
    path.write_text(text[: int(share * len(text))])
    with pytest.raises(WorldError, match="Nothing was loaded"):
        read_save(path, ladders())


def test_a_save_that_can_not_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="can't be written"):
        write_save(tmp_path / "no folder" / "a.json", Save(7, ()))


def test_a_rebuilt_world_equals_a_fresh_one_bit_for_bit() -> None:
    save = a_save()
    with world_of("parallel") as world:
        offer_and_grab(world).move_to((0.0, 0.0, 0.2))
        world.apply(LockGrips(True))
        world.apply(Place("L04", Pose((0.0, 0.3, 0.3)), fixed=False))
        ticks = world.tick(None).tick
        world.rebuild(save.standing)
        fresh = LocalWorld(ladders(), base("parallel"))
        fresh.rebuild(save.standing)
        for k in range(120):
            rebuilt, new = world.tick(None), fresh.tick(None)
            assert rebuilt.tick == ticks + 1 + k
            assert (rebuilt.pieces, rebuilt.contacts, rebuilt.at_rest) == (
                new.pieces,
                new.contacts,
                new.at_rest,
            )
        fresh.close()
        assert offer_and_grab(world).facts[-1].held, "the lock is gone"


def test_a_rebuilt_structure_stands_where_it_stood() -> None:
    save = a_save()
    with world_of("parallel") as world:
        world.rebuild(save.standing)
        facts = wait(world, lambda facts: facts.at_rest)
        for name, pose, _ in save.standing:
            assert math.dist(facts[name].pose.position, pose.position) < 1e-4
            assert angle_deg(facts[name].pose.rotation, pose.rotation) < 0.1


def test_a_refused_rebuild_leaves_the_world_as_it_was() -> None:
    with world_of("parallel") as world:
        world.apply(LYING)
        before = wait(world, lambda facts: facts.at_rest and facts["L03"].speed_m_s == 0.0)
        good = standing_of(before)[0]
        for bad in (
            ("L02", Pose((0.0, math.nan, 0.1)), False),
            ("L02", Pose((0.0, 0.0, 0.1), (0.0, 0.0, 0.0, 0.5)), False),
            ("L99", Pose((0.0, 0.0, 0.1)), False),
            good,
        ):
            with pytest.raises(WorldError, match="Nothing was moved"):
                world.rebuild([good, bad])
        assert world.tick(None).pieces == before.pieces
