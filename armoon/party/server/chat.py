"""Reads a chat anonymously, without writing to it, and reconnects when it is lost."""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator, Callable

from armoon.party.votes.chat import LONGEST_CHAT_LINE, Asked, ChatAt, GoAway, Here, Said, read_chat_line

#: Name of a reader without an account, followed by a number.
ANONYMOUS = "justinfan"
CONNECT_S = 10.0
#: Seconds of silence after which a server counts as gone: Twitch asks about every five minutes whether we are there.
SILENT_S = 400.0
#: Seconds until the next try, doubled each time, up to the last.
AGAIN_S, LONGEST_S = 1.0, 30.0

Note = Callable[[str, str], None]


async def follow(chat: ChatAt, hear: Callable[[Said], None], note: Note, *, again_s: float = AGAIN_S) -> None:
    """Pass the chat's messages on for ever.

    ``note`` is told when the chat is there, is gone, or isn't the right one.
    """
    wait_s, there = again_s, True
    while True:
        came, why = False, "chat_gone"
        try:
            async for said in _said(chat):
                if isinstance(said, Said):
                    hear(said)
                else:
                    note("chat_here", chat.name)
                    came = there = True
        except ssl.SSLCertVerificationError:
            why = "chat_untrusted"
        except (OSError, ValueError, EOFError, asyncio.TimeoutError):
            pass
        if there:
            there = False
            note(why, chat.name)
        wait_s = again_s if came else min(2.0 * wait_s, LONGEST_S)
        await asyncio.sleep(wait_s)


async def _said(chat: ChatAt) -> AsyncIterator[Said | Here]:
    """Yield messages until the connection ends. Raises OSError and ValueError (a line too long), TimeoutError."""
    secure = ssl.create_default_context() if chat.tls else None
    opening = asyncio.open_connection(chat.host, chat.port, ssl=secure, limit=LONGEST_CHAT_LINE)
    reader, writer = await asyncio.wait_for(opening, CONNECT_S)
    try:
        nick = f"{ANONYMOUS}{10_000 + secrets.randbelow(80_000)}"
        writer.write(f"CAP REQ :twitch.tv/tags twitch.tv/commands\r\nNICK {nick}\r\n".encode())
        writer.write(f"JOIN #{chat.channel}\r\n".encode())
        await writer.drain()
        while content := await asyncio.wait_for(reader.readline(), SILENT_S):
            line = read_chat_line(content)
            if isinstance(line, Asked):
                writer.write(f"PONG :{line.token}\r\n".encode())
                await writer.drain()
            elif isinstance(line, GoAway):
                return
            elif line is not None:
                yield line
    finally:
        writer.close()
