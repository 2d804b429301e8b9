"""Write a site's files for programs: records, leaderboard, catalogue and state."""

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec

from arena.base.errors import StoreError
from arena.base.protocol import printable
from arena.publish.layout import (
    CATALOGUE,
    LEADERBOARD_CSV,
    LEADERBOARD_JSON,
    POINTS_CSV,
    RECORDS,
    SEATS_CSV,
    SECRET,
    STATE,
    TIMES_CSV,
)
from arena.publish.pages import PublishedGame
from arena.publish.run_statistics import RunStatistics, quantile
from arena.publish.site_folder import Site
from arena.rating.leaderboard import Leaderboard
from arena.rating.leaderboard_files import as_csv, as_json, csv_text, text_cell
from arena.schedule.randomness import Secret

# -- the state of a run and its replays ------------------------------------------------------------


MAX_KEPT = 1000
"""Maximum number of replays that are kept though they are no longer selected. The oldest replays
are kept.
"""


class SiteState(msgspec.Struct, frozen=True):
    played: int
    scheduled: int
    over: bool
    may_end_before: bool
    updated: str
    """Time of the last update in ISO 8601, in UTC."""


class Catalogue(msgspec.Struct, frozen=True):
    run: str
    verdict: str
    state: SiteState
    digest: str
    replays: tuple[PublishedGame, ...]
    version: Literal[1] = 1


def read_catalogue(folder: Path) -> Catalogue | None:
    """Return the catalogue of the site in a folder, or None if there is none.

    Raises `StoreError` if the catalogue can't be read.
    """
    path = folder / CATALOGUE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Catalogue)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise StoreError(
            f"cannot read {path}, which lists the replays that stay: {error}; it was changed, or "
            "written by another version: publish to a new folder, or remove this file"
        ) from None


def kept_replays(earlier: Catalogue | None) -> frozenset[str]:
    """Return the ids of the `MAX_KEPT` oldest replays, which the new site keeps."""
    if earlier is None:
        return frozenset()
    oldest = sorted(earlier.replays, key=lambda replay: (replay.published, replay.id))
    return frozenset([replay.id for replay in oldest[:MAX_KEPT]])


# -- files -----------------------------------------------------------------------------------------


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
GZIP_LEVEL = 6
"""Higher compression levels take much longer and save hardly any space."""


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


def write_figures(site: Site, statistics: RunStatistics, variants: Sequence[str]) -> None:
    """Write CSV files of numbers that aren't in charts: points, response times, wins by seat."""
    quantiles = [f"{share:.0%}" for share in QUANTILES]
    points = [
        (bot, variant, *[f"{quantile(counts, share):g}" for share in QUANTILES])
        for (variant, bot), counts in sorted(statistics.points.items())
        if counts
    ]
    times = [
        (bot, variant, own.answers, *[f"{value:.2f}" for value in own.figures_ms])
        for bot, by_variant in sorted(statistics.timings.items())
        for variant, own in sorted(by_variant.items())
        if own.answers
    ]
    seats = [
        (variant, seat, counts.games, f"{counts.win_share:.4f}")
        for variant in variants
        for seat, counts in enumerate(statistics.seats_in(variant) or ())
    ]
    headings: dict[str, tuple[tuple[str, ...], Sequence[tuple[object, ...]]]] = {
        POINTS_CSV: (("bot", "variant", *quantiles), points),
        TIMES_CSV: (("bot", "variant", "answers", "mean_ms", "median_ms", "longest_ms"), times),
        SEATS_CSV: (("variant", "seat", "games", "win_share"), seats),
    }
    for path, (heading, rows) in headings.items():
        cells = [[text_cell(printable(str(cell))) for cell in row] for row in rows]
        site.write(path, csv_text([heading, *cells]))


def write_catalogue(site: Site, catalogue: Catalogue) -> None:
    told = msgspec.to_builtins(catalogue)
    site.write(CATALOGUE, json.dumps(told, indent=1) + "\n")  # escapes control characters
    site.write(STATE, state_script(catalogue.state))


def state_script(state: SiteState) -> str:
    return f"showState({msgspec.json.encode(state).decode()});\n"
