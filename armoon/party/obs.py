"""Rules that translate events at the table into requests to OBS: scenes, texts, replays."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter
from typing import Any

from armoon import broadcast
from armoon.codec import MalformedError, convert
from armoon.codec.files import read_bytes
from armoon.errors import ArmoonError, describe_reason
from armoon.messages import catalogue
from armoon.values.text import quote_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Fields allowed in a text's braces.
FIELDS = ("player", "words", "turn", "height", "figures", "count", "winners", "more")
#: Maximum number of rules, and maximum length of a text or name in a rule.
MAX_RULES, MAX_TEXT_CHARS = 64, 300
#: Maximum time until the previous scene returns, seconds.
MAX_BACK_S = 600.0
#: Actions on OBS's recording or stream.
OBS_ACTIONS = ("start", "stop")


@dataclass(frozen=True)
class ObsText:
    """A text for one of OBS's text sources."""

    source: str
    words: str
    """Text with fields in braces, such as ``{player}``."""

    def __post_init__(self) -> None:
        try:
            names = [name for _, name, spec, _ in Formatter().parse(self.words) if name is not None or spec]
        except ValueError as error:
            raise ValueError("`words`: unbalanced braces") from error
        if len(self.words) > MAX_TEXT_CHARS or not self.source:
            raise ValueError("`text`: the source is missing, or the words are too long")
        if unknown := [name for name in names if name not in FIELDS]:
            raise ValueError(f"`words`: {{{unknown[0]}}} is not among {', '.join(FIELDS)}")


@dataclass(frozen=True)
class SourceVisibility:
    """A rule's action that shows or hides a source."""

    source: str
    on: bool = True
    scene: str = ""
    """The source's scene; empty: the current one."""

    def __post_init__(self) -> None:
        if not 0 < len(self.source) <= MAX_TEXT_CHARS or len(self.scene) > MAX_TEXT_CHARS:
            raise ValueError("`show`: the source is missing, or a name is too long")


@dataclass(frozen=True)
class ObsRule:
    """Conditions on an event, and the actions in OBS that it triggers."""

    on: str
    """The kind of event in the feed: ``judged``, ``fall``, ``figure``, ``result`` ..."""
    ok: bool | None = None
    """True: only good verdicts; False: only bad ones; None: both."""
    die: str | None = None
    """Only verdicts for this face; ``crescent`` is the moon."""
    paused: bool | None = None
    """True: only the start of pauses; False: only their end; None: both."""
    scene: str | None = None
    back_after_s: float | None = None
    """Seconds until the previous scene returns, if ``scene`` is set."""
    replay: bool = False
    text: ObsText | None = None
    show: SourceVisibility | None = None
    record: str | None = None
    """``start`` or ``stop`` recording."""
    stream: str | None = None
    """``start`` or ``stop`` streaming."""

    def __post_init__(self) -> None:
        if self.on not in broadcast.KINDS:
            raise ValueError(f"`on`: not a kind of event; {', '.join(broadcast.KINDS)}")
        if not self.replay and not any((self.scene, self.text, self.show, self.record, self.stream)):
            raise ValueError(
                "a rule without `scene`, `replay`, `text`, `show`, `record` or `stream` does nothing"
            )
        if not {self.record, self.stream} <= {None, *OBS_ACTIONS}:
            raise ValueError(f"`record`, `stream`: {' or '.join(OBS_ACTIONS)}")
        back_s = self.back_after_s
        if back_s is not None and not (math.isfinite(back_s) and 0.0 < back_s <= MAX_BACK_S):
            raise ValueError(f"`back_after_s`: more than 0, at most {MAX_BACK_S:g}")

    def matches(self, happening: broadcast.Happening) -> bool:
        if broadcast.KINDS[self.on] is not type(happening):
            return False
        wanted = {"ok": self.ok, "die": self.die, "paused": self.paused}
        return all(
            getattr(happening, name, None) == value for name, value in wanted.items() if value is not None
        )


@dataclass(frozen=True)
class Rules:
    """The rules from a file, and OBS's password."""

    rule: tuple[ObsRule, ...]
    url: str = "ws://127.0.0.1:4455"
    language: str = "en"
    password: str = field(default="", repr=False)
    """OBS's password, which a file must not contain."""

    def __post_init__(self) -> None:
        if len(self.rule) > MAX_RULES:
            raise ValueError(f"`rule`: more than {MAX_RULES} rules")
        if not self.url.startswith(("ws://", "wss://")) or not self.url.isprintable():
            raise ValueError("`url`: ws://HOST:PORT")
        if self.language not in broadcast.Words.__dataclass_fields__:
            raise ValueError("`language`: unknown")


#: A request's name and JSON data, and the time in seconds until the previous scene returns (None: it doesn't).
ObsRequest = tuple[str, dict[str, Any], float | None]


def list_requests(
    rules: Rules, happening: broadcast.Happening, seats: tuple[broadcast.Seat, ...]
) -> Iterable[ObsRequest]:
    """Yield the requests to OBS for an event, in the order of the rules."""
    for rule in rules.rule:
        if not rule.matches(happening):
            continue
        if rule.text is not None:
            words = rule.text.words.format(**_fill_fields(happening, seats, rules.language))
            data = {
                "inputName": rule.text.source,
                "inputSettings": {"text": _strip_control_characters(words)},
            }
            yield "SetInputSettings", data, None
        if rule.show is not None:
            item = {"sceneName": rule.show.scene, "sourceName": rule.show.source}
            yield "SetSceneItemEnabled", {**item, "sceneItemEnabled": rule.show.on}, None
        for output, action in (("Record", rule.record), ("Stream", rule.stream)):
            if action is not None:
                yield f"{action.title()}{output}", {}, None
        if rule.replay:
            yield "SaveReplayBuffer", {}, None
        if rule.scene is not None:
            yield "SetCurrentProgramScene", {"sceneName": rule.scene}, rule.back_after_s


def _fill_fields(
    happening: broadcast.Happening, seats: tuple[broadcast.Seat, ...], language: str
) -> dict[str, str]:
    def name_seat(seat: int) -> str:
        return seats[seat].name if 0 <= seat < len(seats) else ""

    def translate(words: broadcast.Words) -> str:
        return str(getattr(words, language))

    fields = dict.fromkeys(FIELDS, "")
    fields["player"] = name_seat(getattr(happening, "seat", -1))
    fields["turn"] = str(getattr(happening, "turn", ""))
    words = getattr(happening, "words", None)
    if isinstance(words, broadcast.Words):
        fields["words"] = translate(words)
    if isinstance(happening, broadcast.FeedVerdict) and happening.height_m is not None:
        point = catalogue(language)["unit.point"]
        fields["height"] = f"{100.0 * happening.height_m:.1f} cm".replace(".", point)
    elif isinstance(happening, broadcast.FeedFigures):
        fields["figures"] = ", ".join(translate(figure) for figure in happening.figures)
        fields["count"] = str(len(happening.figures))
    elif isinstance(happening, broadcast.FeedFall):
        fields["count"] = str(len(happening.pieces))
    elif isinstance(happening, broadcast.FeedResult):
        fields["winners"] = ", ".join(name_seat(seat) for seat in happening.winners)
        fields["more"] = translate(happening.more)
    elif isinstance(happening, broadcast.FeedPause):
        fields["words"] = ""
    return fields


def _strip_control_characters(words: str) -> str:
    return "".join(character if character.isprintable() else " " for character in words)[: 2 * MAX_TEXT_CHARS]


def read_scene(answer: object) -> str | None:
    name = answer.get("currentProgramSceneName") if isinstance(answer, dict) else None
    return name if isinstance(name, str) and 0 < len(name) <= MAX_TEXT_CHARS else None


#: Environment variable with the password; service and account of the keyring entry that is used without it.
PASSWORD_ENV, SERVICE, ACCOUNT = "ARMOON_OBS_PASSWORD", "armoon", "obs"
MAX_BYTES = 64 * 1024
_SECRET_FIELDS = ("password", "secret", "token", "key")


def read_rules(path: Path) -> Rules:
    """Read a rules file. Raises ArmoonError."""
    try:
        content = tomllib.loads(read_bytes(path, MAX_BYTES).decode())
        if any(name in content for name in _SECRET_FIELDS):
            raise ArmoonError("obs.secret", path=path, name=PASSWORD_ENV)
        rules: Rules = convert(Rules, content, exact=True)
    except (OSError, ValueError, RecursionError, MalformedError) as error:
        why = quote_text(describe_reason(error))
        raise ArmoonError("obs.broken", path=path, why=why) from error
    return rules


def find_password() -> str:
    """Return OBS's password from the environment or the system's keyring; empty if there is none."""
    if password := os.environ.get(PASSWORD_ENV):
        return password
    import keyring
    import keyring.errors

    try:
        stored: str | None = keyring.get_password(SERVICE, ACCOUNT)
    except keyring.errors.KeyringError:
        return ""
    return stored or ""
