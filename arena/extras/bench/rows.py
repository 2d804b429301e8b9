"""The rows of `arena bench`, with their aims."""

from collections.abc import Iterator, Sequence

from arena.errors import BenchError
from arena.extras.bench.figures import Aim, Row
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
"""Variants that are compared with hearts of OpenSpiel."""

DETERMINIZED = {
    "pot-de-vin/4": Aim(12, of="value"),
    "bribery/3": Aim(8, of="value"),
    "bribery/3-advanced": Aim(8, of="value"),
    "brides-and-bribes/4": Aim(12, of="value"),
}
DECISION_AIMS = {(QUICKEST, 1): Aim(3.5, 2.5), (QUICKEST, CONCURRENT_GAMES): Aim(2, 1.5)}
"""In units of c, by bot and games at a time."""
OWN_TIME = {
    "pot-de-vin": None,
    "bribery": Aim(11, of="value"),
    "brides-and-bribes": Aim(19, of="value"),
}
"""Milliseconds a game of all seats, by game."""


def rows() -> dict[str, Row]:
    """Return all rows by name, in the order of the table."""
    found = [*_engine(), *_decisions(), *_starts(), *_runs(), *_records()]
    return {row.name: row for row in found}


def chosen_rows(names: Sequence[str], *, short: bool) -> list[Row]:
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


def _engine() -> Iterator[Row]:
    for variant in variants():
        what, short = f"playouts of {variant}", variant in HEARTS
        yield Row(f"playouts/{variant}", what, "games/s", "more", None, short)
    for variant, aim in HEARTS.items():
        yield Row(f"hearts/{variant}", f"decisions of {variant}", "decisions/s", "more", aim)
    for variant, aim in HEARTS.items():
        yield Row(f"play-out/{variant}", f"play_out of {variant}", "decisions/s", "more", aim)
    for variant, aim in DETERMINIZED.items():
        yield Row(f"determinize/{variant}", f"determinize, {variant}", "us", "less", aim, True)


def _decisions() -> Iterator[Row]:
    yield Row("decision/c", "c: a minimal round trip", "us")
    yield Row("decision/transport", "transport without a game", "us")
    what = f"decision of {BOTS[QUICKEST]}, over plain messages"
    yield Row(f"decision/{OVER_PLAIN}", what, "us", short=True, needs_quiet=True)
    for bot, what in BOTS.items():
        for tables in (1, CONCURRENT_GAMES):
            name = f"decision/{bot}" if tables == 1 else f"decision/{bot}-{tables}"
            at_a_time = "" if tables == 1 else f", {tables} games at a time"
            aim = DECISION_AIMS.get((bot, tables))
            yield Row(name, f"decision of {what}{at_a_time}", "us", "less", aim)
        if bot != QUICKEST:
            aim = Aim(0.9) if bot.startswith("msgspec") else None
            yield Row(f"decision/{bot}-rate", f"  rate of {what}", "decisions/s", "more", aim)


def _starts() -> Iterator[Row]:
    aim = Aim(12, of="value")
    yield Row("start/ready", "start of a quick bot, to ready", "ms", "less", aim, True)
    aim = Aim(0.5, of="value")
    yield Row("start/first-game", "from Enter to the first stored game, 6 bots", "s", "less", aim)
    for game, aim_of in OWN_TIME.items():
        what = f"quick bots' own time, a game of {game}"
        yield Row(f"bots/{game}", what, "ms", "less", aim_of)


def _runs() -> Iterator[Row]:
    yield Row("run/driver", "bare driver, one core, Pot de Vin", "games/s", "more")
    yield Row(
        "run/processor", "arena run, 1 worker, by processor time", "games/s", "more", Aim(0.85)
    )
    yield Row("run/clock", "arena run, 1 worker, on the clock", "games/s", "more")
    yield Row("run/two-workers", "arena run, 2 workers, on the clock", "games/s", "more", Aim(1.9))
    aim = Aim(5, of="value")
    yield Row("run/starts", "share of starting bots, 1 worker", "%", "less", aim)
    aim = Aim(1_200, of="value")
    yield Row("run/record", "a record on disk", "bytes", "less", aim, True)
    aim = Aim(133, 200, of="value")
    yield Row("all-games/clock", "arena run of all games, {games:,} games", "games/s", "more", aim)
    for process, limit in (("workers", 4.0), ("main", 0.3)):
        aim = Aim(limit, of="value")
        yield Row(f"all-games/{process}", f"  {process}, a further game", "ms", "less", aim)
    aim = Aim(1.1)
    yield Row("all-games/memory", "  memory of the main process", "MiB", "less", aim)


def _records() -> Iterator[Row]:
    yield Row("records/storing", "storing a record", "us", short=True)
    yield Row("records/rating", "rating a board", "us", short=True)
    aim = Aim(10, of="value")
    yield Row(
        "records/leaderboard",
        "leaderboard, 30 bots, 100,000 games (of {ranked:,})",
        "s",
        "less",
        aim,
    )
    aim = Aim(1.5, of="value")
    yield Row("records/leaderboard-ours", "  without TrueSkill", "s", "less", aim)
    yield Row("records/scores", "scores of 50 bots, {scored:,} games", "ms")
    yield Row("records/look", "a look at 30 bots, {looked_at:,} games", "ms")
