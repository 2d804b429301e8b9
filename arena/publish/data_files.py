"""Write the machine-readable files of a site."""

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

import msgspec

from arena.base.protocol import printable
from arena.publish.layout import CATALOGUE, LEADERBOARD_CSV, LEADERBOARD_JSON, RECORDS, SECRET
from arena.publish.pages import PublishedGame
from arena.publish.site_folder import Site
from arena.rating.leaderboard import Leaderboard
from arena.rating.leaderboard_files import as_csv, as_json
from arena.schedule.randomness import Secret

# Higher levels take much longer and hardly reduce the size of the file.
GZIP_LEVEL = 6


class SiteState(msgspec.Struct, frozen=True):
    played: int
    scheduled: int
    over: bool
    may_end_before: bool
    """Whether the run may end before all scheduled games are played."""
    updated: str
    """The time of the last update in UTC, in ISO 8601 format."""


class Catalogue(msgspec.Struct, frozen=True):
    run: str
    verdict: str
    state: SiteState
    digest: str
    replays: list[PublishedGame]
    version: Literal[2] = 2


@contextmanager
def packed_records(site: Site) -> Iterator[Callable[[bytes], object]]:
    with (
        site.path(RECORDS).open("wb") as file,
        gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed,
    ):
        yield lambda line: packed.write(line + b"\n")


def write_leaderboard(site: Site, board: Leaderboard, secret: Secret | None) -> None:
    # Readable folders are private paths of the machine that played the run.
    sandbox = msgspec.structs.replace(board.sandbox, readable=())
    shown = msgspec.structs.replace(board, sandbox=sandbox)
    site.write(LEADERBOARD_JSON, as_json(shown))
    site.write(LEADERBOARD_CSV, printable(as_csv(shown)))
    if secret:
        site.write(SECRET, f"{secret.text}\n")


def write_catalogue(site: Site, catalogue: Catalogue) -> None:
    told = msgspec.to_builtins(catalogue)
    site.write(CATALOGUE, json.dumps(told, indent=1) + "\n")  # escapes control characters
