"""The contents of pages as plain data for the templates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from arena.publish.notable_games import BotGame, Notable
from arena.publish.run_statistics import BotFault, RunStatistics
from arena.rating.counts import Counts
from arena.rating.leaderboard import Row
from arena.rating.pairs import Pair
from arena.rating.row_texts import points_text, ranks_text, wins_text
from arena.rating.trueskill import RANK_SIGMAS, RATING_SIGMAS
from arena.record import Entrant, GameRecord

SAMPLE = "sample"
"""Why a game is published that nothing else speaks for."""
FAULT = "fault"
MOST_LISTED = 1000
"""Published games that one page lists, if not all of them are special."""


class Interval(msgspec.Struct, frozen=True):
    """A rating as it is drawn, in percent of the width of its column."""

    low: float
    """mu - 3 sigma: the rating."""
    inner_low: float
    mu: float
    inner_high: float
    high: float


class Line(msgspec.Struct, frozen=True):
    """A bot's line in a leaderboard."""

    row: Row
    author: str
    ranks: str
    points: str
    wins: str
    interval: Interval


class Tables(NamedTuple):
    """The lines of all tables of the leaderboard, by bot."""

    overall: Mapping[str, Line]
    by_variant: Mapping[str, Mapping[str, Line]]


class Seat(msgspec.Struct, frozen=True):
    """What a bot made of a seat."""

    games: int
    points: float
    wins: float


class VariantLine(msgspec.Struct, frozen=True):
    """How a bot did in a variant."""

    variant: str
    line: Line
    of: int
    """How many bots play it."""
    mean_ms: float | None
    """The mean time of an answer; None if it was not taken."""
    worst_ms: float | None
    seats: tuple[Seat, ...]


class PublishedGame(msgspec.Struct, frozen=True):
    """A game whose replay is published."""

    key: str
    title: str
    variant: str
    entrants: tuple[str, ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[str, ...]
    """In words: who and what."""
    why: tuple[str, ...]
    """Why it is published, besides its faults."""

    @property
    def is_special(self) -> bool:
        """Whether there is more to it than that it was drawn."""
        return bool(self.faults) or any(why != SAMPLE for why in self.why)


class Picture(msgspec.Struct, frozen=True):
    """A picture with its text alternative and the numbers behind it."""

    name: str
    """Good for an id."""
    title: str
    text: str
    """What there is to be seen, in a sentence or two."""
    svg: str
    """Empty if it is drawn by numbers only."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class BotPage(NamedTuple):
    """All that the page of a bot shows."""

    name: str
    author: str
    is_guest: bool
    withdrawn: str
    """Why it was withdrawn from the run, or nothing."""
    line: Line
    of: int
    variants: list[VariantLine]
    opponents: list[Pair]
    """Best first."""
    faults: list[BotFault]
    notable: list[Notable]


def lines(rows: Sequence[Row], entrants: Mapping[str, Entrant]) -> list[Line]:
    """Return the lines of a table of the leaderboard, best first."""
    if not rows:
        return []
    least = min([row.mu - RATING_SIGMAS * row.sigma for row in rows])
    most = max([row.mu + RATING_SIGMAS * row.sigma for row in rows])
    width = (most - least) or 1.0

    def place(value: float) -> float:
        return round(2 + 96 * (value - least) / width, 2)

    return [
        Line(
            row=row,
            author=entrants[row.bot].author if row.bot in entrants else "",
            ranks=ranks_text(row),
            points=points_text(row),
            wins=wins_text(row),
            interval=Interval(
                low=place(row.mu - RATING_SIGMAS * row.sigma),
                inner_low=place(row.mu - RANK_SIGMAS * row.sigma),
                mu=place(row.mu),
                inner_high=place(row.mu + RANK_SIGMAS * row.sigma),
                high=place(row.mu + RATING_SIGMAS * row.sigma),
            ),
        )
        for row in rows
    ]


def verdict(rows: Sequence[Row]) -> str:
    """Say in a sentence who leads, and whether that is sure."""
    if not rows or not any(row.games for row in rows):
        return "No board is complete yet, so nothing counts so far."
    first = rows[0]
    rivals = [row.bot for row in rows[1:] if row.best_rank == 1]
    if not rivals:
        return f"{first.bot} is first, and surely so."
    if len(rivals) > 3:
        return f"{first.bot} is ahead, but {len(rivals)} others may yet be the best."
    names = rivals[0] if len(rivals) == 1 else f"{', '.join(rivals[:-1])} and {rivals[-1]}"
    return f"{first.bot} is ahead, but can't be told apart from {names} yet."


def page_of_bot(
    entrant: Entrant,
    tables: Tables,
    pairs: Iterable[Pair],
    statistics: RunStatistics,
    notable: Sequence[Notable],
) -> BotPage:
    """Return what the page of a bot shows.

    Args:
        entrant: the bot.
        tables: the leaderboard.
        pairs: the pairs of all bots.
        statistics: those of the run.
        notable: the bot's notable games.
    """
    name = entrant.name
    met = [pair for pair in pairs if pair.bot == name]
    return BotPage(
        name=name,
        author=entrant.author,
        is_guest=entrant.guest,
        withdrawn=statistics.withdrawn.get(name, ""),
        line=tables.overall[name],
        of=len(tables.overall),
        variants=[
            _variant_line(variant, table[name], len(table), statistics)
            for variant, table in tables.by_variant.items()
            if name in table
        ],
        opponents=sorted(met, key=lambda pair: (-pair.ahead, pair.opponent)),
        faults=statistics.faults.get(name, []),
        notable=list(notable),
    )


def _variant_line(variant: str, line: Line, of: int, statistics: RunStatistics) -> VariantLine:
    name = line.row.bot
    timings = statistics.timings_in.get((name, variant))
    counts = statistics.seats.get((name, variant), [])
    return VariantLine(
        variant=variant,
        line=line,
        of=of,
        mean_ms=timings.mean_ms if timings and timings.answers else None,
        worst_ms=timings.worst_ms if timings and timings.answers else None,
        seats=tuple([_seat(count) for count in counts]),
    )


def _seat(count: Counts) -> Seat:
    return Seat(count.games, count.points_per_game, count.win_share)


def published_game(record: GameRecord, why: Iterable[str]) -> PublishedGame:
    """Return what the list of published games shows of one."""
    return PublishedGame(
        key=record.key,
        title=record.title,
        variant=record.variant,
        entrants=record.entrants,
        points=record.points,
        ranks=record.ranks,
        faults=tuple([f"{record.entrants[one.seat]}: {one.kind}" for one in record.faults]),
        why=tuple([one for one in why if one != FAULT]),
    )


def listed(games: Sequence[PublishedGame]) -> list[PublishedGame]:
    """Return those of the published games that one page lists: all, or the special ones."""
    if len(games) <= MOST_LISTED:
        return list(games)
    return [game for game in games if game.is_special]


def reason(bot: str, notable: Notable) -> str:
    """Say why a game is published of which a bot's page tells."""
    return f"{notable.why} of {bot}"


def milliseconds(value: float) -> str:
    """Return a time for people: three digits, in ms or s."""
    if value >= 1000:
        return f"{value / 1000:.3g} s" if value < 1e6 else f"{value / 1000:.0f} s"
    return f"{value:.3g} ms" if value >= 1 else f"{value:.2f} ms"


def result_of(game: BotGame) -> str:
    """Return how a game went for one of its bots, in words."""
    if game.margin > 0:
        return f"{game.points} points, {game.margin} ahead"
    return (
        f"{game.points} points, {-game.margin} behind"
        if game.margin
        else f"{game.points} points, level"
    )


def title_of(game: str) -> str:
    """Return what a game is called in a heading: `Pot de Vin`."""
    small = ("a", "and", "de", "of", "the")
    named = [one if one in small else one.capitalize() for one in game.split("-")]
    return " ".join(named).replace(" and ", " & ")
