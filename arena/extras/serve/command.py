"""`arena serve`: serve a contest to a class as a web site."""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

import click

from arena.base.errors import ServeError, how_to_install
from arena.commands.common import contest_argument, required_contest
from arena.terminal.console import notice, say, warning

THIS_MACHINE = ("127.0.0.1", "::1", "localhost")


@click.command("serve")
@contest_argument
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on. The default address accepts connections only from this machine. "
    "Use `0.0.0.0` to accept connections from the network.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 chooses a free port.",
)
@click.option(
    "--url",
    default="",
    metavar="URL",
    help="Public URL of a server behind a proxy. Sign-in links start with this URL. If the URL "
    "has a path, the proxy must strip the path before it forwards requests.",
)
@click.option(
    "--trust-header",
    default="",
    metavar="NAME",
    help="Request header, such as `X-Remote-User`, that a proxy sets to the id or e-mail address "
    "of the signed-in person. Default: off.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    type=ip_network,
    metavar="ADDRESS",
    help="Address or network of a trusted proxy, such as `10.88.0.1` or `10.88.0.0/16`. Only "
    "trusted proxies may set `X-Forwarded-For`, `X-Forwarded-Proto`, and the header named by "
    "`--trust-header`. Repeat the option for several proxies. Default: this machine.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of worker processes that play ladder games at low priority.",
)
@click.option(
    "--accept-risk",
    "accepts_risk",
    is_flag=True,
    help="Play the final even if this machine cannot measure processor time exactly.",
)
def serve_command(
    place: Path | None,
    host: str,
    port: int,
    url: str,
    trust_header: str,
    proxies: Sequence[IPv4Network | IPv6Network],
    workers: int,
    accepts_risk: bool,
) -> None:
    """Serve a contest as a web site.

    CONTEST is either a folder created by `arena init` or a contest.toml file. All data is stored
    in the folder. Press Ctrl-C to stop the server.
    """
    contest_file = required_contest(place)
    try:
        from arena.extras.serve.server import ServerSettings, serve
        from arena.extras.serve.web.sessions import LOOPBACK, TrustedHeader
    except ImportError as error:
        raise ServeError(f"the server needs {error.name}: {how_to_install('serve')}") from None

    def announce(address: str, teacher_link: str) -> None:
        say(f"serving {contest_file} at {address}")
        say(f"the teacher signs in at {teacher_link}")
        if host not in THIS_MACHINE and not address.startswith("https:"):
            warning(
                "links and bots are sent without encryption: unless you trust the network, put "
                "a TLS proxy in front of the server and pass its address with --url"
            )
        notice("stop the server with Ctrl-C")

    trusted = TrustedHeader(trust_header, [*map(str, proxies)] or LOOPBACK)
    settings = ServerSettings(host, port, url, trusted, workers, accepts_risk)
    serve(contest_file, settings, announce)
