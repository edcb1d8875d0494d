"""Rules for OBS: the file's grammar, the resulting requests, and a fake OBS that refuses, disappears and returns."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from support.feed_kit import feed_of
from support.obs_kit import FakeObs
from support.party_kit import Client, end_of, serve
from support.waiting import until

from armoon.broadcast import FeedFall, FeedFigures, FeedPause, FeedResult, FeedVerdict, Seat, Words
from armoon.errors import ArmoonError
from armoon.party.obs import (
    PASSWORD_ENV,
    ObsRule,
    ObsText,
    Rules,
    SourceVisibility,
    find_password,
    list_requests,
    read_rules,
)

EXAMPLE = """
url = "ws://127.0.0.1:4455"
language = "fr"

[[rule]]
on = "judged"
ok = false
scene = "Close"
back_after_s = 6
replay = true
text = { source = "Verdict", words = "{player} : {words} ({height})" }

[[rule]]
on = "figure"
text = { source = "Figure", words = "{figures}" }
"""
SEATS = tuple(Seat(name, "", 0, False, Words("", "")) for name in ("Ann", "Zoé"))
FELL = FeedVerdict(3, 1, False, Words("It fell", "Elle est tombée"), height_m=0.1234)


def write_rules(folder: Path, words: str) -> Path:
    path = folder / "obs.toml"
    path.write_text(words, encoding="utf-8")
    return path


def test_rules_are_read_and_give_requests(tmp_path: Path) -> None:
    rules = read_rules(write_rules(tmp_path, EXAMPLE))
    words = "Zoé : Elle est tombée (12,3 cm)"
    assert list(list_requests(rules, FELL, SEATS)) == [
        ("SetInputSettings", {"inputName": "Verdict", "inputSettings": {"text": words}}, None),
        ("SaveReplayBuffer", {}, None),
        ("SetCurrentProgramScene", {"sceneName": "Close"}, 6.0),
    ]
    assert list(list_requests(rules, FeedVerdict(3, 1, True, Words("", "")), SEATS)) == []
    assert list(list_requests(rules, FeedFall(3, 1, ("L01",)), SEATS)) == []
    figures = FeedFigures(3, 0, "L01", (Words("A", "Un"), Words("B", "Deux")))
    ((_, data, _),) = list_requests(rules, figures, SEATS)
    assert data["inputSettings"] == {"text": "Un, Deux"}


def test_a_result_names_its_winners_without_control_characters() -> None:
    rule = ObsRule("result", text=ObsText("T", "{winners}: {more}{turn}"))
    result = FeedResult((0, 1, 7), Words("a", "b"), Words("so\n\x1b[31m", "c"), (0, 0))
    ((_, data, _),) = list_requests(Rules((rule,)), result, SEATS)
    assert data["inputSettings"]["text"] == "Ann, Zoé, : so  [31m"


@pytest.mark.parametrize(
    "wrong",
    [
        *('on = "juged"\nreplay = true', 'on = "judged"', 'on = "judged"\nscene = 3', "replay = true"),
        *('on = "fall"\nscene = "A"\nback_after_s = 0', 'on = "fall"\nscene = "A"\nback_after_s = nan'),
        'on = "fall"\ntext = { source = "T", words = "{nobody}" }',
        'on = "fall"\ntext = { source = "T", words = "{player.name.__class__}" }',
        'on = "fall"\ntext = { source = "T", words = "{" }',
        'on = "fall"\nreplay = true\nmore = 1',
        *(
            'on = "fall"\nrecord = "pause"',
            'on = "fall"\nstream = true',
            'on = "fall"\nshow = { source = "" }',
        ),
    ],
)
def test_a_wrong_rule_is_reported_in_one_sentence(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ArmoonError, match="can't be used"):
        read_rules(write_rules(tmp_path, f"[[rule]]\n{wrong}\n"))


@pytest.mark.parametrize(
    "words", ["", "rule = 3", "= =", "[[rule]]\non = " + "[" * 3000, 'url = "http://x"\nrule = []']
)
def test_a_broken_file_is_reported_in_one_sentence(tmp_path: Path, words: str) -> None:
    with pytest.raises(ArmoonError) as wrong:
        read_rules(write_rules(tmp_path, words))
    assert "docs/party.md" in wrong.value.remedy
    with pytest.raises(ArmoonError):
        read_rules(tmp_path / "nothing.toml")


def test_a_secret_in_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArmoonError, match="secret") as wrong:
        read_rules(write_rules(tmp_path, f'password = "hunter2"\n{EXAMPLE}'))
    assert PASSWORD_ENV in wrong.value.remedy
    assert "hunter2" not in str(wrong.value)


@pytest.mark.parametrize("on", [True, False])
def test_a_source_is_shown_or_hidden_as_the_rule_says(on: bool) -> None:
    rules = Rules((ObsRule("judged", show=SourceVisibility("Cheer", on=on, scene="Game")),))
    request = {"sceneName": "Game", "sourceName": "Cheer", "sceneItemEnabled": on}
    assert list(list_requests(rules, FELL, SEATS)) == [("SetSceneItemEnabled", request, None)]


def test_the_password_comes_from_environment_or_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring, errors = ModuleType("keyring"), ModuleType("keyring.errors")
    errors.KeyringError = type("KeyringError", (Exception,), {})  # type: ignore[attr-defined]
    keyring.errors = errors  # type: ignore[attr-defined]
    keyring.get_password = lambda service, name: f"of {service} {name}"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    monkeypatch.delenv(PASSWORD_ENV, raising=False)
    assert find_password() == "of armoon obs"

    def refuse(service: str, name: str) -> str:
        raise errors.KeyringError

    keyring.get_password = refuse  # type: ignore[attr-defined]
    assert find_password() == ""
    monkeypatch.setenv(PASSWORD_ENV, "from outside")
    assert find_password() == "from outside"


# With a fake OBS ------------------------------------------------------------------------------------------------

PASSWORD = "the moon is made of wood"


@pytest.fixture
def obs() -> Iterator[FakeObs]:
    fake = FakeObs(PASSWORD)
    yield fake
    fake.close()


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return feed_of("moon")


def obs_rules(url: str, password: str = PASSWORD) -> Rules:
    return Rules(
        (
            ObsRule("began", text=ObsText("Title", "{turn}begins")),
            ObsRule("judged", scene="Close", back_after_s=0.5, replay=True),
            ObsRule("turn", scene="No such scene"),
        ),
        url,
        password=password,
    )


@pytest.mark.slow
def test_obs_changes_the_scene_and_changes_it_back(obs: FakeObs, lines: list[bytes]) -> None:
    messages: list[str] = []
    with serve(messages, obs=obs_rules(obs.url)) as server:
        until(lambda: obs.identified == 1)
        for line in lines[: end_of(lines, "judged")]:
            server.write(line)
        until(lambda: ("SaveReplayBuffer", {}) in obs.calls)
        until(lambda: ("SetCurrentProgramScene", {"sceneName": "Close"}) in obs.calls)
        until(lambda: ("SetCurrentProgramScene", {"sceneName": "Game"}) in obs.calls)
        assert obs.scene == "Game"
        assert ("SetInputSettings", {"inputName": "Title", "inputSettings": {"text": "begins"}}) in obs.calls
        until(lambda: any("No source was found" in sentence for sentence in messages))
        assert len([sentence for sentence in messages if "No source was found" in sentence]) == 1
        assert not any(PASSWORD in sentence for sentence in messages)


@pytest.mark.slow
def test_obs_records_streams_and_shows_the_named_source(obs: FakeObs, lines: list[bytes]) -> None:
    messages: list[str] = []
    rules = Rules(
        (
            ObsRule("began", record="start", stream="start", show=SourceVisibility("Cheer", on=False)),
            ObsRule("turn", record="start"),
            ObsRule("turn", show=SourceVisibility("Nothing", scene="Game")),
            ObsRule("judged", stream="stop", show=SourceVisibility("Cheer", scene="Game")),
        ),
        obs.url,
        password=PASSWORD,
    )
    with serve(messages, obs=rules) as server:
        until(lambda: obs.identified == 1)
        for line in lines[: end_of(lines, "turn")]:
            server.write(line)
        until(lambda: obs.hidden == {7} and obs.running == {"Record", "Stream"})
        for line in lines[end_of(lines, "turn") : end_of(lines, "judged")]:
            server.write(line)
        until(lambda: not obs.hidden and obs.running == {"Record"})
        until(lambda: any("No scene items" in sentence for sentence in messages))
        assert not any("already running" in sentence for sentence in messages), "a running output is no fault"


@pytest.mark.slow
def test_the_client_reconnects_to_obs_and_survives_unreadable_messages(
    obs: FakeObs, lines: list[bytes]
) -> None:
    messages: list[str] = []
    with serve(messages, obs=obs_rules(obs.url)) as server:
        until(lambda: obs.identified == 1)
        obs.disconnect()
        until(lambda: any("doesn't answer" in sentence for sentence in messages))
        assert Client(server, server.keys.view).ask("board").status == 200
        obs.open()
        until(lambda: obs.identified == 2)
        for nonsense in (b"\xc1", b"\x80", b"\x91\x01", b"\x82\xa2op\x07\xa1d\x80"):
            obs.send(nonsense)
        until(lambda: obs.identified == 3)  # an unreadable message ends a connection, not the party
        for line in lines[: end_of(lines, "began")]:
            server.write(line)
        until(lambda: any(kind == "SetInputSettings" for kind, _ in obs.calls))
        assert Client(server, server.keys.view).ask("board").status == 200
    assert all(one != other for one, other in itertools.pairwise(messages)), "each change is reported once"


@pytest.mark.slow
def test_a_wrong_password_is_reported_once_and_not_retried_at_once(obs: FakeObs) -> None:
    messages: list[str] = []
    with serve(messages, obs=obs_rules(obs.url, "wrong")) as server:
        until(lambda: bool(messages))
        assert "rejects the password" in messages[0]
        assert obs.refused == 1
        assert Client(server, server.keys.view).ask("board").status == 200
    assert obs.identified == 0


def test_a_rule_with_a_condition_ignores_other_values() -> None:
    words = Words("said", "dit")
    verdicts = {
        (ok, die): FeedVerdict(1, 0, ok, words, die=die) for ok in (True, False) for die in ("moon", "ladder")
    }
    for ok, die in itertools.product((True, False, None), ("moon", "ladder", None)):
        rule = ObsRule("judged", ok=ok, die=die, replay=True)
        matched = {key for key, verdict in verdicts.items() if rule.matches(verdict)}
        assert matched == {key for key in verdicts if ok in (None, key[0]) and die in (None, key[1])}
    for paused, now in itertools.product((True, False, None), (True, False)):
        rule = ObsRule("pause", paused=paused, replay=True)
        assert rule.matches(FeedPause(now)) == (paused in (None, now))
    assert not ObsRule("pause", replay=True).matches(verdicts[True, "moon"])
