"""The options of a party: web pages for onlookers, votes from a chat, requests to OBS (docs/party.md)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from armoon.messages import text
from armoon.options.kinds import File, Number, Text
from armoon.options.option import COMMAND, choice, option
from armoon.options.parts import OptionPart
from armoon.party.votes import parse_chat_address

#: The options that start a party.
STARTS_PARTY = ("on_air", "chat", "obs")


class Chat(Text):
    """A chat's name or address."""

    def explain_fault(self, value: str) -> str:
        try:
            parse_chat_address(value, 0.0)
        except ValueError:
            reason = text("air.no_youtube" if "youtu" in value.lower() else "air.no_chat", chat=value)
            return f"{reason} {text('air.no_chat_remedy')}"
        return ""


@dataclass(frozen=True)
class PartyPart(OptionPart):
    """The options for a party's pages, chat and OBS."""

    on_air: bool = choice(False, COMMAND, flag="--party")
    """Whether pages for onlookers are served."""
    party_port: int = option(Number(0, 65535, whole=True), 8737, COMMAND)
    lan: bool = choice(False, COMMAND, needs=STARTS_PARTY)
    """Whether the pages are reachable from the local network."""
    lan_plain: bool = choice(False, COMMAND, needs=("lan",))
    """Whether the local network gets the pages without encryption."""
    party_style: Path | None = option(File("FILE.css", is_output=False), None, COMMAND, needs=STARTS_PARTY)
    """Additional style sheet for overlay and board."""
    chat: str | None = option(Chat("chat", "CHANNEL"), None, COMMAND)
    """A chat whose messages count as votes."""
    chat_delay_s: float = option(Number(0.0, 120.0, "s"), 15.0, COMMAND, flag="--chat-delay", needs=("chat",))
    obs: Path | None = option(File("RULES.toml", is_output=False), None, COMMAND)
    """Rules for requests to OBS."""
