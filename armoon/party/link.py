"""The party's server as a child process, which receives the feed and is restarted after a crash."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from typing import IO, Any

from armoon.codec import MalformedError
from armoon.errors import ArmoonError
from armoon.messages import language, text
from armoon.party.memory import DEFAULT_PORT, PartyFile, SavedParty
from armoon.party.obs import Rules
from armoon.party.server import lines as server_lines
from armoon.party.votes import Ballots, ChatAddress, SavedGuests
from armoon.processes.child import Watchdog, end_process, start_process
from armoon.processes.system import can_inherit_sockets, open_listener

#: Validity of a certificate before its creation, because a phone's clock may be slow, and after its creation.
_VALID_BEFORE, _VALID_AFTER = timedelta(days=1), timedelta(days=7)


def make_certificate(names: tuple[str, ...]) -> str:
    """Return a new key and its certificate for these names and addresses, as PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "armoon")])
    now = datetime.now(timezone.utc)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - _VALID_BEFORE).not_valid_after(now + _VALID_AFTER)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    general_names: list[x509.GeneralName] = []
    for name in names:
        try:
            general_names.append(x509.IPAddress(ip_address(name)))
        except ValueError:
            general_names.append(x509.DNSName(name))
    signed = builder.add_extension(x509.SubjectAlternativeName(general_names), critical=False).sign(
        key, hashes.SHA256()
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return (private + signed.public_bytes(serialization.Encoding.PEM)).decode()


def is_valid_for(certificate: str, names: tuple[str, ...]) -> bool:
    """Return whether a certificate (PEM) is valid for another day and for exactly these names and addresses."""
    from cryptography import x509

    try:
        parsed = x509.load_pem_x509_certificate(certificate.encode())
        listed = parsed.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    is_current = parsed.not_valid_after_utc > datetime.now(timezone.utc) + timedelta(days=1)
    return is_current and {str(name.value) for name in listed} == set(names)


#: The address that only this machine can reach.
_LOOPBACK = "127.0.0.1"
#: Maximum number of lines queued for the server; beyond that the oldest are dropped, and the next state replaces them.
MAX_WAITING = 4096
#: Time after which a server that accepts no data counts as hung and is killed, seconds.
STUCK_S = 10.0
#: Interval between checks of whether the server is reachable, seconds.
_RETRY_S = 0.1
#: Time limit for sending the rest of the queue at the end, seconds.
END_S = 3.0
#: Maximum number of restarts within ``CRASH_WINDOW_S`` seconds.
MAX_CRASHES, CRASH_WINDOW_S = 5, 60.0


class Server:
    """Handle of the server's process; after the start, only ``close`` waits for the process."""

    def __init__(
        self,
        keys: server_lines.Keys,
        notify: Callable[[str], None],
        memory: PartyFile | None = None,
        *,
        port: int = DEFAULT_PORT,
        lan: bool = False,
        plain: bool = False,
        stderr: IO[bytes] | None = None,
        chat: ChatAddress | None = None,
        obs: Rules | None = None,
        style: str = "",
    ) -> None:
        """Start the server's process. Raises ArmoonError. ``notify`` and ``memory`` are used in other threads.

        ``port`` 0: any free port; ``lan``: phones on the local network can connect, with encryption unless ``plain``.
        """
        self.keys, self._notify = keys, notify
        self._stderr = stderr
        self._socket = _open_listener(port, lan=lan)
        self._listening_at: tuple[str, int] = self._socket.getsockname()
        self.port = self._listening_at[1]
        lan_address = find_own_address() if lan else _LOOPBACK
        self.lan = lan and lan_address != _LOOPBACK
        """Whether phones can connect, which needs permission and a network."""
        names = (_LOOPBACK, "localhost", *((lan_address, socket.gethostname().lower()) if lan else ()))
        names = tuple(dict.fromkeys(names))
        self.hosts = tuple(f"{name}:{self.port}" for name in names)
        join_at = f"http://{lan_address}:{self.port}/{keys.join}/vote"
        self._memory = memory
        known = SavedParty() if memory is None else memory.state
        self.setup = server_lines.Setup(
            *(keys, self.hosts, join_at, language()),
            kept=known.kept,
            arranged=known.arranged,
            style=style,
            chat=chat,
            obs=obs,
        )
        if lan:
            self._open_to_network(known, names, lan_address, plain=plain)
        self._notices: set[server_lines.Notice] = set()
        self.crashes = 0
        self._requests: deque[server_lines.PartyRequest] = deque(maxlen=64)
        self._lock = threading.Condition()
        self._waiting: deque[bytes] = deque(maxlen=MAX_WAITING)
        self._state: bytes | None = None
        self._is_closing = False
        self._crashes_s: deque[float] = deque(maxlen=MAX_CRASHES)
        self._process: subprocess.Popen[bytes] | None = None
        self._watch = Watchdog(STUCK_S, self._kill_stuck_process)
        self._start_process()

    def _open_to_network(
        self, known: SavedParty, names: tuple[str, ...], lan_address: str, *, plain: bool
    ) -> None:
        """Let phones on the network join with a room code, with encryption unless ``plain``."""
        code, certificate = known.code, known.certificate
        if len(code) != server_lines.CODE_LENGTH or not set(code) <= set(server_lines.LETTERS):
            code = "".join(secrets.choice(server_lines.LETTERS) for _ in range(server_lines.CODE_LENGTH))
        if not plain and not (certificate and is_valid_for(certificate, names)):
            certificate = make_certificate(names)
        if self._memory is not None:
            self._memory.save_changes(code=code, certificate=certificate)
        address = f"{lan_address}:{self.port}"
        certificate = "" if plain else certificate
        join_at = f"http://{address}/{code}"
        self.setup = replace(self.setup, lan=self.lan, code=code, certificate=certificate, join_at=join_at)

    # Called by the game -------------------------------------------------------------------------------------

    def write(self, line: bytes) -> None:
        with self._lock:
            if b'"state":' in line[:80]:
                self._state = line
            self._waiting.append(line)
            self._lock.notify_all()

    def drain_requests(self) -> tuple[server_lines.PartyRequest, ...]:
        return tuple(self._requests.popleft() for _ in range(len(self._requests)))

    def address(self, page: str) -> str:
        keys = {"overlay": self.keys.view, "board": self.keys.view, "watch": self.keys.view}
        if page == "vote":
            return self.setup.join_at
        return f"http://{_LOOPBACK}:{self.port}/{keys.get(page, self.keys.host)}/{page}"

    @property
    def guests(self) -> tuple[int, tuple[tuple[str, int], ...]]:
        """Number of guests, and names (ranks if the host hides names) and points of the best guessers."""
        if (kept := self.setup.kept) is None:
            return 0, ()
        present = sum(not guest.banned for guest in kept.guests.values())
        return present, Ballots(kept).list_best_guessers()

    def close(self) -> None:
        with self._lock:
            self._is_closing = True
            self._lock.notify_all()
        if self._process is not None:
            end_process(self._process, END_S)
        self._watch.close()
        self._socket.close()

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.pid

    # Process lifecycle --------------------------------------------------------------------------------------

    def _start_process(self) -> None:
        command, options = [sys.executable, "-m", "armoon.party.server"], dict[str, Any]()
        if can_inherit_sockets():
            command.append(str(self._socket.fileno()))
            options["pass_fds"] = (self._socket.fileno(),)
        else:  # the process opens its own socket at the same port; until then requests are refused
            host, port = self._listening_at
            self._socket.close()
            command.append(f"{host}:{port}")
        process = start_process(*command, stderr=self._stderr, **options)
        with self._lock:
            self._process = process
            self._waiting.clear()
            if self._state is not None:
                self._waiting.append(self._state)
            self._lock.notify_all()
        if not can_inherit_sockets():
            _wait_until_reachable(self.port, process)
        threading.Thread(target=self._send_lines, args=(process,), name="party out", daemon=True).start()
        threading.Thread(target=self._read_requests, args=(process,), name="party in", daemon=True).start()

    def _send_lines(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        line: bytes | None = server_lines.encode_line(self.setup)
        with contextlib.suppress(OSError):
            while line is not None:
                with self._watch:
                    process.stdin.write(line + b"\n")
                    process.stdin.flush()
                line = self._wait_for_line(process)
            process.stdin.close()

    def _wait_for_line(self, process: subprocess.Popen[bytes]) -> bytes | None:
        """Return the next line; None if the party has ended or another process was started."""
        with self._lock:
            self._lock.wait_for(lambda: self._waiting or self._is_closing or self._process is not process)
            return self._waiting.popleft() if self._waiting and self._process is process else None

    def _kill_stuck_process(self) -> None:
        if self._process is not None:
            self._process.kill()

    def _update_memory(self, **changes: Any) -> None:
        self.setup = replace(self.setup, **changes)
        if self._memory is not None:
            self._memory.save_changes(batched="kept" in changes, **changes)

    def _read_requests(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        while content := process.stdout.readline(server_lines.MAX_LINE_BYTES):
            with contextlib.suppress(MalformedError):  # our own process, but it passes on guests' data
                line = server_lines.read_line(content)
                if isinstance(line, server_lines.PartyRequest):
                    self._requests.append(line)
                elif isinstance(line, SavedGuests):
                    self._update_memory(kept=line)
                elif isinstance(line, server_lines.Arrangement):
                    self._update_memory(arranged=line)
                elif isinstance(line, server_lines.Notice) and line not in self._notices:
                    self._notices = {line, *(other for other in self._notices if other.where != line.where)}
                    self._notify(text(line.key, where=line.where))
        process.wait()
        if self._is_closing:
            return
        self.crashes += 1
        now_s = time.monotonic()
        if len(self._crashes_s) == MAX_CRASHES and now_s - self._crashes_s[0] < CRASH_WINDOW_S:
            self._notify(text("air.given_up"))
            return
        self._crashes_s.append(now_s)
        self._notify(text("air.again"))
        self._start_process()


def make_qr_rows(address: str) -> tuple[str, ...]:
    """Return an address as the rows of a QR code; ``1`` is dark."""
    import segno

    matrix = segno.make(address, error="m", micro=False).matrix
    return tuple("".join("1" if dark else "0" for dark in row) for row in matrix)


def _open_listener(port: int, *, lan: bool) -> socket.socket:
    """Return a listening socket, which stays open when the server's process is restarted. Raises ArmoonError."""
    try:
        listener = open_listener("0.0.0.0" if lan else _LOOPBACK, port)
    except (OSError, OverflowError) as error:
        raise ArmoonError("air.port_taken", port=port, why=error) from error
    os.set_inheritable(listener.fileno(), True)
    return listener


def _wait_until_reachable(port: int, process: subprocess.Popen[bytes]) -> None:
    end_s = time.monotonic() + STUCK_S
    while process.poll() is None and time.monotonic() < end_s:
        with contextlib.suppress(OSError), socket.create_connection((_LOOPBACK, port), _RETRY_S):
            return
        time.sleep(_RETRY_S)


def find_own_address() -> str:
    """Return this machine's address on the local network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
            address: str = probe.getsockname()[0]
        except OSError:
            address = _LOOPBACK
    return address
