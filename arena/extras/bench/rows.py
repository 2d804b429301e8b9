"""The rows of `arena bench`, with their aims."""

from collections.abc import Iterator, Sequence

from arena.base.errors import BenchError
from arena.extras.bench.figures import Aim, BenchRow, value
from engine import variants
from engine.errors import unknown

CONCURRENT_GAMES = 32
"""Games at a time, where there are several."""
QUICKEST = "c-bots"
OVER_PLAIN = "c-bots-over-plain"
"""A decision in units of messages by plain Python, which a busy machine slows down more than c."""

BOTS = {
    QUICKEST: "C bots, no views",
    "c-bots-views": "C bots, whole views",
    "msgspec": "msgspec bots, no views",
    "msgspec-views": "msgspec bots, whole views",
    "json": "stdlib-json bots, whole views",
}
"""The bots that decisions are measured with, by the name of their rows."""

HEARTS = {
    "pot-de-vin/4": Aim(0.75, 1.5),
    "bribery/3": Aim(0.5, 1.0),
    "bribery/3-advanced": Aim(0.3, 0.7),
    "brides-and-bribes/4": Aim(0.25, 0.5),
}
"""Variants that are compared with hearts of OpenSpiel, with the aims of the ratios."""
DETERMINIZED_US = dict(zip(HEARTS, (12, 8, 8, 12), strict=True))
"""Aims of a call of `determinize`."""
DECISION_AIMS = {(QUICKEST, 1): Aim(3.5, 2.5), (QUICKEST, CONCURRENT_GAMES): Aim(2, 1.5)}
"""In units of c, by bot and games at a time."""
OWN_TIME_MS = {"pot-de-vin": None, "bribery": value(11), "brides-and-bribes": value(19)}
"""Aims of the processor time of the quick bots in a game of all seats, by game."""

RUNS = (
    BenchRow("run/driver", "bare driver, one core, Pot de Vin", "games/s"),
    BenchRow("run/processor", "arena run, 1 worker, by processor time", "games/s", Aim(0.85)),
    BenchRow("run/clock", "arena run, 1 worker, on the clock", "games/s"),
    BenchRow("run/two-workers", "arena run, 2 workers, on the clock", "games/s", Aim(1.9)),
    BenchRow("run/starts", "share of starting bots, 1 worker", "%", value(5)),
    BenchRow("run/record", "a record on disk", "bytes", value(1_200), short=True),
    BenchRow(
        "all-games/clock", "arena run of all games, {games:,} games", "games/s", value(133, 200)
    ),
    BenchRow("all-games/workers", "  workers, a further game", "ms", value(4.0)),
    BenchRow("all-games/main", "  main, a further game", "ms", value(0.3)),
    BenchRow("all-games/memory", "  memory of the main process", "MiB", Aim(1.1)),
    BenchRow("records/storing", "storing a record", "us", short=True),
    BenchRow("records/rating", "rating a board", "us", short=True),
    BenchRow(
        "records/leaderboard", "leaderboard, 30 bots, 100,000 games (of {ranked:,})", "s", value(10)
    ),
    BenchRow("records/leaderboard-ours", "  without TrueSkill", "s", value(1.5)),
    BenchRow("records/scores", "scores of 50 bots, {scored:,} games", "ms"),
    BenchRow("records/look", "a look at 30 bots, {looked_at:,} games", "ms"),
)


def rows() -> dict[str, BenchRow]:
    """Return all rows by name, in the order of the table."""
    return {row.name: row for row in (*_engine(), *_decisions(), *_bots(), *RUNS)}


def chosen_rows(names: Sequence[str], *, short: bool) -> list[BenchRow]:
    """Return the rows of these names or groups, in the order of the table; all if there are none.

    Raises:
        BenchError: there is no such row.
    """
    table = rows()
    groups = list(dict.fromkeys([row.group for row in table.values()]))
    for name in names:
        if name not in table and name not in groups:
            raise BenchError(unknown("row or group of rows", name, [*groups, *table]))
    if names:
        return [row for row in table.values() if row.name in names or row.group in names]
    return [row for row in table.values() if row.short or not short]


def _engine() -> Iterator[BenchRow]:
    for variant in variants():
        short = variant in HEARTS
        yield BenchRow(f"playouts/{variant}", f"playouts of {variant}", "games/s", short=short)
    for group, what in (("hearts", "decisions"), ("play-out", "play_out")):
        for variant, aim in HEARTS.items():
            yield BenchRow(f"{group}/{variant}", f"{what} of {variant}", "decisions/s", aim)
    for variant, limit in DETERMINIZED_US.items():
        name, what = f"determinize/{variant}", f"determinize, {variant}"
        yield BenchRow(name, what, "us", value(limit), short=True)


def _decisions() -> Iterator[BenchRow]:
    yield BenchRow("decision/c", "c: a minimal round trip", "us")
    what = f"decision of {BOTS[QUICKEST]}, over plain messages"
    yield BenchRow(f"decision/{OVER_PLAIN}", what, "us", short=True, needs_quiet=True)
    for bot, what in BOTS.items():
        for tables in (1, CONCURRENT_GAMES):
            name = f"decision/{bot}" if tables == 1 else f"decision/{bot}-{tables}"
            at_a_time = "" if tables == 1 else f", {tables} games at a time"
            aim = DECISION_AIMS.get((bot, tables))
            yield BenchRow(name, f"decision of {what}{at_a_time}", "us", aim)
        if bot != QUICKEST:
            aim = Aim(0.9) if bot.startswith("msgspec") else None
            yield BenchRow(f"decision/{bot}-rate", f"  rate of {what}", "decisions/s", aim)


def _bots() -> Iterator[BenchRow]:
    yield BenchRow("start/ready", "start of a quick bot, to ready", "ms", value(12), short=True)
    what = "from Enter to the first stored game, 6 bots"
    yield BenchRow("start/first-game", what, "s", value(0.5))
    for game, aim in OWN_TIME_MS.items():
        yield BenchRow(f"bots/{game}", f"quick bots' own time, a game of {game}", "ms", aim)
