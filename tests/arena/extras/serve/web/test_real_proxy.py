"""Signing in by nginx, with the configuration of the docs, on addresses of this machine."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from httpx2 import Client, HTTPTransport

from arena.contest.roster import Student
from arena.extras.serve.people import People
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from tests.arena.extras.serve.serving import WAIT_S, serving
from tests.arena.extras.serve.visiting import make_contest
from tests.arena.playing import wait_for
from tests.needs import need

pytestmark = [need("nginx", "bwrap"), pytest.mark.slow]
DEPLOYED = Path(__file__).parents[5] / "deploy" / "nginx.conf"
DOCS = Path(__file__).parents[5] / "docs" / "server.md"
HEADER = "X-Remote-User"
PROXY = "127.0.0.2"
"""The address from which nginx connects. Clients of this machine have another one."""
MAIN = """\
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {servers}
}}
"""


class Proxied(NamedTuple):
    """The sockets by which a contest is reached."""

    server: str
    """The address of the server itself."""
    deployed: Path
    """The socket of nginx as it is deployed, which signs nobody in."""
    signing_in: Path
    """The socket of nginx that signs people in by a password."""


def deployed_on(listening: Path, server: str) -> str:
    """Return the deployed configuration, without TLS and with the addresses of the test."""
    text = re.sub(r"\n *ssl_\w+ .*;", "", DEPLOYED.read_text())
    for before, after in (
        ("listen 443 ssl;", f"listen unix:{listening};"),
        ("http://127.0.0.1:8000;", f"{server}; proxy_bind {PROXY};"),
    ):
        assert before in text
        text = text.replace(before, after)
    return text


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    folder = tmp_path_factory.mktemp("proxied")
    file = make_contest(folder / "contest")
    isolated = file.read_text().replace('level = "none"', 'level = "auto"')
    file.write_text(isolated.partition("[serve]")[0])
    with closing(ServerDatabase(file.parent / DATABASE)) as database:
        People(database).add([Student("ann", "Ann Lee")])
        People(database).add([Student("tess", "Tess")], "teacher")
    (folder / "passwords").write_text("ann:{PLAIN}secret\ntess:{PLAIN}secret\n")
    docs = " ".join(DOCS.read_text().split())
    (line,) = re.findall(r"`(proxy_set_header X-Remote-User \$remote_user;)`", docs)
    with serving(file, "--trust-header", HEADER, "--trusted-proxy", PROXY) as server:
        found = Proxied(server.url, folder / "plain.sock", folder / "users.sock")
        signs_in = f'auth_basic "arena"; auth_basic_user_file {folder}/passwords; {line}'
        dropped = f'proxy_set_header {HEADER} "";'
        plain, users = [deployed_on(one, server.url) for one in found[1:]]
        assert dropped in users
        servers = plain + users.replace(dropped, signs_in)
        user = "user root;" if os.geteuid() == 0 else ""  # else a worker cannot read the folder
        config = folder / "nginx.conf"
        config.write_text(MAIN.format(folder=folder, servers=servers, user=user))
        command = ["nginx", "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")]
        with subprocess.Popen(command) as nginx:
            try:
                wait_for(lambda: found.signing_in.exists(), "nginx listens")
                yield found
            finally:
                nginx.terminate()
                nginx.wait(WAIT_S)


def client_of(socket: Path, person: str = "", **headers: str) -> Client:
    """Return a browser behind a proxy, which signs `person` in and sends more headers."""
    return Client(
        transport=HTTPTransport(uds=str(socket)),
        base_url="http://arena.example.edu",
        auth=(person, "secret") if person else None,
        headers=headers,
        follow_redirects=True,
        timeout=WAIT_S,
    )


def test_only_the_proxy_can_sign_people_in(proxied: Proxied) -> None:
    forged = {HEADER: "tess"}
    with client_of(proxied.signing_in, "ann", **forged) as ann:
        assert "Ann Lee" in ann.get("/account").text
        assert ann.get("/teacher").status_code == 403
    with client_of(proxied.signing_in, **forged) as nobody:
        assert nobody.get("/account").status_code == 401
    with client_of(proxied.deployed, **forged) as nobody:
        assert nobody.get("/").status_code == 200
        assert nobody.get("/account").status_code == 401
    with Client(base_url=proxied.server, headers=forged) as beside:
        assert beside.get("/account").status_code == 401, "not by a proxy"


def test_student_submits_a_large_file_through_the_proxy(proxied: Proxied) -> None:
    with client_of(proxied.signing_in, "ann") as ann:
        file = ("bot.zip", bytes(3 * 1024**2))
        page = ann.post("/submissions", files={"file": file})
        assert page.status_code == 400
        assert "bot.zip cannot be unpacked" in page.text, "the server read all of it"
