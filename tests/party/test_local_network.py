"""The party on the local network: a code of four letters, a self-signed certificate, and unencrypted requests."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import pytest
from support.party_kit import Client, Stream, serve
from support.waiting import until

from armoon.party.link import Server, is_valid_for, make_certificate
from armoon.party.server.guard import MAX_GUESSES, compute_fingerprint
from armoon.party.server.lines import CODE_LENGTH, LETTERS

#: Loopback addresses that the server treats as other machines in the network.
PHONE, OTHER, THIRD = "127.0.5.1", "127.0.5.2", "127.0.5.3"


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def server(messages: list[str]) -> Iterator[Server]:
    with serve(messages, lan=True) as server:
        yield server


def test_a_certificate_has_its_names_and_its_fingerprint() -> None:
    names = ("127.0.0.1", "localhost", "192.168.1.5")
    certificate = make_certificate(names)
    assert is_valid_for(certificate, names)
    assert not is_valid_for(certificate, names[:2])
    assert not is_valid_for("", names)
    assert not is_valid_for("no certificate", names)
    digits = compute_fingerprint(certificate)
    assert len(digits) == 19
    assert digits != compute_fingerprint(make_certificate(names))
    assert compute_fingerprint("") == ""


@pytest.mark.slow
def test_a_phone_joins_by_four_letters_over_tls(server: Server) -> None:
    code = server.setup.code
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(LETTERS)
    phone = Client(server, server.keys.join, PHONE, tls=True)
    page = phone.ask("", path="/", headers={"Accept-Language": "fr-CA,fr;q=0.9"})
    assert page.status == 200
    assert 'lang="fr"' in page.content.decode()
    assert server.keys.join not in page.content.decode()
    assert phone.ask("", path="/pages/common.css").status == 200
    wrong = "BBBB" if code != "BBBB" else "CCCC"
    assert phone.ask("", path=f"/{wrong}").status == 404
    for path in (f"/{code}", f"/{code.lower()}", f"/?code=+{code.lower()}"):
        answer = phone.ask("", path=path)
        assert (answer.status, answer.headers["location"]) == (303, f"/{server.keys.join}/vote")
    assert phone.ask("", path=f"/{code}?tables").headers["location"] == f"/{server.keys.join}/watch?tables"
    joined = phone.join("Luna")
    assert joined.status == 200
    assert "Secure" in joined.headers["set-cookie"]
    origin = {"Origin": f"https://127.0.0.1:{server.port}"}
    assert phone.ask("react", {"sign": "heart"}, headers=origin).status == 200
    in_clear = {"Origin": f"http://127.0.0.1:{server.port}"}
    assert phone.ask("react", {"sign": "heart"}, headers=in_clear).status == 403
    assert Client(server, server.keys.host, PHONE, tls=True).ask("guests").plain["guests"] == [["Luna", 0]]


@pytest.mark.slow
def test_without_tls_other_machines_get_one_page_that_explains(server: Server, messages: list[str]) -> None:
    code, keys = server.setup.code, server.keys
    entrances = ("/", f"/{code}", f"/{code}?tables")
    for path in (*entrances, f"/{keys.host}/host", f"/{keys.view}/overlay", f"/{keys.join}/vote"):
        page = Client(server, "", PHONE).ask("", path=path)
        text = page.content.decode()
        assert page.status == 200, path
        assert "Your browser will warn you now" in text
        assert f'href="https://127.0.0.1:{server.port}{path if code in path else "/"}"' in text
        assert not any(key in text for key in (keys.host, keys.view, keys.join))
    assert Client(server, keys.join, PHONE).join("Ann").status == 403
    assert Client(server, keys.host, PHONE).ask("do", {"what": "pause"}).status == 403
    assert Client(server, "", PHONE).ask("", path="/", headers={"Host": "evil.example"}).status == 421
    own = Client(server, keys.host)
    assert own.ask("host").status == 200, "this machine's own pages need no encryption"
    assert server.drain_requests() == ()
    until(lambda: any("only with encryption" in message for message in messages))


@pytest.mark.slow
def test_an_unencrypted_party_refuses_the_hosts_page_to_other_machines() -> None:
    with serve(lan=True, plain=True) as server:
        phone = Client(server, server.keys.join, PHONE)
        assert phone.ask("", path=f"/{server.setup.code}").status == 303
        assert phone.join("Ann").status == 200
        host = Client(server, server.keys.host, PHONE)
        assert host.ask("host").status == 404
        assert host.ask("do", {"what": "close"}).status == 404
        assert server.setup.certificate == ""


@pytest.mark.slow
def test_the_code_can_be_mistyped_but_not_guessed(server: Server) -> None:
    wrong = "BBBB" if server.setup.code != "BBBB" else "CCCC"
    guessing = Client(server, "", OTHER, tls=True)
    tried = [guessing.ask("", path=f"/{wrong}").status for _ in range(MAX_GUESSES + 5)]
    assert tried == [404] * MAX_GUESSES + [429] * 5
    assert guessing.ask("", path=f"/{server.setup.code}").status == 429
    assert Client(server, "", THIRD, tls=True).ask("", path=f"/{server.setup.code}").status == 303


@pytest.mark.slow
def test_foreign_and_truncated_handshakes_delay_nobody(server: Server) -> None:
    strange = [b"\x16\x03\x01", b"\x16" * 5000, b"\x16\x03\x01\x00\x05hello", b"\x00", b""]
    connections = []
    for content in strange * 10:
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.sendall(content)
        connections.append(connection)
    context = ssl.create_default_context(cadata=server.setup.certificate)
    with context.wrap_socket(
        socket.create_connection(("127.0.0.1", server.port)), server_hostname="127.0.0.1"
    ) as tls:
        tls.sendall(
            f"GET /{server.keys.view}/feed HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        )
        assert b"200" in tls.recv(4096)
    assert Client(server, server.keys.view).ask("overlay").status == 200
    Stream(server, server.keys.view).close()
    for connection in connections:
        connection.close()
    assert server.crashes == 0
