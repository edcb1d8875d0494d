"""A chat server on loopback that behaves like Twitch's."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from support.waiting import until


class ChatServer:
    """Greets clients, records their lines in ``lines``, and sends the test's lines to the latest client."""

    def __init__(self, certificate: Path | None = None) -> None:
        self._secure: ssl.SSLContext | None = None
        if certificate is not None:
            self._secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._secure.load_cert_chain(certificate)
        self.refused = 0
        """Number of clients that refused the certificate."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.lines: list[str] = []
        self._client: socket.socket | None = None
        threading.Thread(target=self._accept_clients, daemon=True).start()

    @property
    def address(self) -> str:
        return f"irc{'s' if self._secure else ''}://127.0.0.1:{self.port}/luna"

    def say(self, line: str) -> None:
        assert self._client is not None
        self._client.sendall(f"{line}\r\n".encode())

    def chat(self, name: str, words: str, number: int | None = None) -> None:
        tags = f"@badge-info=;display-name={name};user-id={number or sum(map(ord, name))};user-type= "
        login = name.casefold()
        self.say(f"{tags}:{login}!{login}@{login}.tmi.twitch.tv PRIVMSG #luna :{words}")

    def wait_for_client(self, times: int = 1) -> None:
        until(lambda: sum(line.startswith("JOIN #luna") for line in self.lines) >= times)

    def disconnect(self) -> None:
        assert self._client is not None
        self._client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)  # otherwise accept() keeps the socket open
        self._listening.close()
        if self._client is not None:
            self._client.close()

    def _accept_clients(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._answer_client, args=(client,), daemon=True).start()

    def _answer_client(self, client: socket.socket) -> None:
        if self._secure is not None:
            try:
                client = self._secure.wrap_socket(client, server_side=True)
            except OSError:
                self.refused += 1
                return
        self._client = client
        lines: Any = client.makefile("rb")
        for line in lines:
            received = line.decode().strip()
            self.lines.append(received)
            if received.startswith("NICK"):
                nick = received.split()[1]
                client.sendall(b":tmi.twitch.tv CAP * ACK :twitch.tv/tags twitch.tv/commands\r\n")
                client.sendall(f":tmi.twitch.tv 001 {nick} :Welcome, GLHF!\r\n".encode())
            if received.startswith("JOIN"):
                client.sendall(b":tmi.twitch.tv 366 justinfan #luna :End of /NAMES list\r\n")


def create_certificate(host: str, folder: Path) -> Path:
    """Create a self-signed certificate for a host (``IP:...`` or ``DNS:...``), with its key, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl isn't installed")
    path, key = folder / "certificate.pem", folder / "key.pem"
    arguments = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=chat"]
    files = ["-addext", f"subjectAltName={host}", "-keyout", str(key), "-out", str(path)]
    subprocess.run([openssl, *arguments, *files], check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + key.read_bytes())
    return path
