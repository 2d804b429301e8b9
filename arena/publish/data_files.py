"""Files of a site for programs: records, leaderboard, catalogue, feed and state."""

import gzip
import json

import msgspec

from arena.protocol import printable
from arena.publish.catalogue import Catalogue, SiteState
from arena.publish.feed import feed_of
from arena.publish.layout import (
    CATALOGUE,
    FEED,
    LEADERBOARD_CSV,
    LEADERBOARD_JSON,
    RECORDS,
    SECRET,
    STATE,
)
from arena.publish.site import Site
from arena.rating.export import as_csv, as_json
from arena.schedule.chance import Secret
from arena.tournament.database import Database
from arena.tournament.export import export_lines
from arena.tournament.standings import RunLeaderboard

GZIP_LEVEL = 6
"""Compression of the records; higher levels take much longer and save little."""


def write_downloads(
    site: Site, store: Database, board: RunLeaderboard, secret: Secret | None
) -> None:
    """Write the records, the leaderboard, and the secret if it is given."""
    # Readable folders are paths of the machine that played.
    sandbox = msgspec.structs.replace(board.sandbox, readable=())
    shown = msgspec.structs.replace(board, sandbox=sandbox)
    site.write(LEADERBOARD_JSON, as_json(shown))
    site.write(LEADERBOARD_CSV, printable(as_csv(shown)))
    if secret:
        site.write(SECRET, f"{secret.text}\n")
    with (
        site.path(RECORDS).open("wb") as file,
        gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed,
    ):
        for line in export_lines(store, board):
            packed.write(line + b"\n")


def write_catalogue(site: Site, catalogue: Catalogue) -> None:
    """Write the catalogue, the feed, and the state that open pages watch."""
    told = msgspec.to_builtins(catalogue)
    site.write(CATALOGUE, json.dumps(told, indent=1) + "\n")  # ASCII, so that names steer nothing
    site.write(FEED, feed_of(catalogue))
    site.write(STATE, state_script(catalogue.state))


def state_script(state: SiteState) -> str:
    """Return the script with the state of a site, which open pages watch."""
    return f"showState({msgspec.json.encode(state).decode()});\n"
