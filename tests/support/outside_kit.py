"""Readers of input from outside a party: a chat's lines, rules for OBS, and OBS's answers."""

from __future__ import annotations

import json
from pathlib import Path

from armoon.broadcast import FeedFigures, FeedPause, Words
from armoon.codec import MalformedError, parse
from armoon.errors import ArmoonError
from armoon.party.obs import MAX_BACK_S, read_rules, requests_for, scene_of
from armoon.party.votes import MAX_VOTER_CHARS, ChatLine, choice_of, read_chat_line
from support.readers_kit import Reader

#: Lines from a chat server.
CHAT_LINES = (
    "@display-name=Zo\u00e9;user-id=17;user-type= :zoe!zoe@zoe.tmi.twitch.tv PRIVMSG #luna :!2",
    "PING :tmi.twitch.tv",
    ":tmi.twitch.tv 366 justinfan1 #luna :End of /NAMES list",
    ":tmi.twitch.tv RECONNECT",
)
#: Rules for OBS that use every possible field.
RULES = {
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


class NoAnswerError(ArmoonError):
    """OBS sent an answer that can't be read."""


def _read_chat(path: Path) -> object:
    """Read each line as the party's server does: no line raises an exception, and results stay short."""
    read = [read_chat_line(line) for line in path.read_bytes().split(b"\n")]
    for entry in read:
        if isinstance(entry, ChatLine):
            assert 0 < len(entry.voter) <= MAX_VOTER_CHARS
            assert len(entry.name) <= MAX_VOTER_CHARS
            assert choice_of(entry.words, 3) in (None, 0, 1, 2)
    return read


def _rules(path: Path) -> object:
    rules = read_rules(path)
    requests = [r for happening in (_FIGURE, FeedPause(True)) for r in requests_for(rules, happening, ())]
    assert all(back_s is None or 0.0 < back_s <= MAX_BACK_S for _, _, back_s in requests)
    return requests


def _scene(path: Path) -> object:
    try:
        return scene_of(parse(path.read_bytes()))
    except MalformedError as error:
        raise NoAnswerError(str(error), remedy="") from error


CHAT = Reader("chat", "\n".join(CHAT_LINES).encode(), _read_chat, (), lambda folder: folder / "chat")
OBS_RULES = Reader(
    "OBS rules", json.dumps(RULES).encode(), _rules, (ArmoonError,), lambda folder: folder / "obs.toml"
)
OBS_ANSWER = Reader(
    "OBS answer",
    b'{"currentProgramSceneName": "Game"}',
    _scene,
    (NoAnswerError,),
    lambda folder: folder / "answer",
)
