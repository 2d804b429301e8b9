"""Prepare the data that the page templates display."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from arena.base.record import Entrant, GameRecord, unmarked
from arena.contest.entrants import is_registered
from arena.plugins import bots
from arena.publish.layout import game_id, replay_page
from arena.publish.notable_games import BotBoard, BotGame, Notable
from arena.publish.run_statistics import AnswerTimes
from arena.rating.certificate import Certificate, certainty_text
from arena.rating.columns import LeaderboardRow
from arena.rating.leaderboard import OVERALL, Leaderboard, no_intervals_text
from arena.rating.points import win_shares
from arena.rating.verdicts import brackets, lines_below, verdict
from engine import Variant, get_variant


class ScoreBar(NamedTuple):
    """The positions of a score and its confidence interval, as percentages of the column width."""

    low: float
    score: float
    high: float
    middle: float


class Line(msgspec.Struct, frozen=True):
    row: LeaderboardRow
    author: str
    bar: ScoreBar | None
    bracket: str = ""
    """`starts`, `within` or `ends` for bots in a group whose order is uncertain, or an empty
    string."""
    is_cut: bool = False  # better than all bots below (95% confidence)
    is_lined: bool = False  # better than all bots below, according to the stop rule
    is_close: bool = False  # tied with the bot above, according to the stop rule


class Legend(NamedTuple):
    by_score: bool
    by_points: bool
    certificate: Certificate | None
    certainty: str
    no_intervals: str
    """An explanation of why the leaderboard has no confidence intervals, or an empty string."""


class LeadingRow(NamedTuple):
    title: str
    row: LeaderboardRow
    of: int


class VariantLine(NamedTuple):
    variant: str
    line: Line
    of: int
    times: AnswerTimes | None


class PublishedGame(msgspec.Struct, frozen=True):
    """A game that has a replay, as listed in `index.json`."""

    id: str
    title: str
    variant: str
    page: str
    bots: tuple[str, ...]
    """The names of the bots by seat."""
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    margin: int
    """The winner's lead over the runner-up in points, or 0 if points don't decide the game."""
    results: tuple[str, ...]
    """The result of each seat: "won", "tied" or "lost", plus "fault" if the bot had a fault."""
    length: int
    faults: tuple[str, ...]
    reasons: tuple[str, ...]
    """Reasons why the replay was selected. Faults are listed in `faults` instead."""
    headline: str
    """The result of the game in words, for example "planner beats random 17 to 14"."""


class BotGames(NamedTuple):
    notable: list[Notable]
    worst: list[BotBoard]


def leading_rows_of(bot: str, board: Leaderboard) -> list[LeadingRow]:
    return [
        LeadingRow("" if table == OVERALL else title_of(table), row, len(rows))
        for table, rows in board.leading.items()
        for row in rows
        if row.bot == bot
    ]


def variant_lines(
    bot: str, tables: Mapping[str, Sequence[Line]], times: Mapping[str, AnswerTimes]
) -> list[VariantLine]:
    return [
        VariantLine(variant, line, len(table), times.get(variant))
        for variant, table in tables.items()
        for line in table
        if line.row.bot == bot
    ]


def legend_of(board: Leaderboard, table: str = OVERALL) -> Legend:
    certificate = board.certificate_of(table)
    text = certainty_text(certificate) if certificate else ""
    reasons = {
        variant: why
        for variant, why in (board.no_intervals or {}).items()
        if table in (OVERALL, variant, variant.partition("/")[0])
    }
    no_intervals = no_intervals_text(reasons) if reasons else ""
    return Legend(board.orders_by_score, board.result == "points", certificate, text, no_intervals)


def lines(
    rows: Sequence[LeaderboardRow],
    entrants: Mapping[str, Entrant],
    certificate: Certificate | None = None,
) -> list[Line]:
    ends = [end for row in rows for end in (row.score, row.score_low, row.score_high)]
    known = [0.5, *[end for end in ends if end is not None]]
    least, width = min(known), (max(known) - min(known)) or 1.0

    def place(value: float | None) -> float:
        return round(3 + 94 * ((value or 0.0) - least) / width, 1)

    def bar(row: LeaderboardRow) -> ScoreBar | None:
        if row.score is None:
            return None
        low = row.score if row.score_low is None else row.score_low
        high = row.score if row.score_high is None else row.score_high
        ends = min(low, row.score), max(high, row.score)  # a score may exceed its interval's bounds
        return ScoreBar(place(ends[0]), place(row.score), place(ends[1]), place(0.5))

    neighbours = certificate.neighbours if certificate else ()
    lined = {pair.better for pair in neighbours if pair.border == "line"}
    close = {neighbour.worse for neighbour in neighbours if neighbour.border == "close"}
    cut = set(lines_below(rows))
    bracket = {
        place: "starts" if place == own[0] else "ends" if place == own[-1] else "within"
        for own in brackets(rows)
        for place in own
    }
    return [
        Line(
            row=row,
            author=entrants[row.bot].author if row.bot in entrants else "",
            bar=bar(row),
            bracket=bracket.get(number, ""),
            is_cut=number in cut,
            is_lined=row.bot in lined,
            is_close=row.bot in close,
        )
        for number, row in enumerate(rows)
    ]


def verdict_of(board: Leaderboard) -> str:
    if board.overall or not board.by_game:
        return verdict(board.overall)
    return " ".join([f"{title_of(game)}: {verdict(rows)}" for game, rows in board.by_game.items()])


def description_of(entrant: Entrant) -> str:
    if is_registered(entrant):
        return bots()[unmarked(entrant.name)].summary
    return entrant.description or ""


def published_game(
    record: GameRecord, variant: Variant, headline: str, reasons: Iterable[str]
) -> PublishedGame:
    first, second = sorted(variant.sides, key=lambda side: record.ranks[side[0]])[:2]
    won, results = win_shares(record, variant), []
    for seat in range(len(record.entrants)):
        result = "won" if won.get(seat) == 1 else "tied" if seat in won else "lost"
        results.append(f"{result} fault" if record.faults_of(seat) else result)
    return PublishedGame(
        id=game_id(record.key),
        title=record.title,
        variant=record.variant,
        page=replay_page(record.key),
        bots=record.entrants,
        points=record.points,
        ranks=record.ranks,
        margin=max(0, record.points[first[0]] - record.points[second[0]]),
        results=tuple(results),
        length=len(record.actions),
        faults=tuple([f"{record.entrants[fault.seat]}: {fault.kind}" for fault in record.faults]),
        reasons=tuple(reasons),
        headline=headline,
    )


def milliseconds(value: float) -> str:
    if value >= 1000:
        return f"{value / 1000:.3g} s" if value < 1e6 else f"{value / 1000:.0f} s"
    return f"{value:.3g} ms" if value >= 1 else f"{value:.2f} ms"


def result_of(game: BotGame) -> str:
    by = "level"
    if game.margin:
        by = f"{abs(game.margin)} {'ahead' if game.margin > 0 else 'behind'}"
    return f"{game.points} points, {by}"


def variant_title(variant: Variant) -> str:
    """Return a variant's title, such as "Bribery, 4 seats, teams, advanced"."""
    return ", ".join([title_of(variant.game), short_title(variant)])


def short_title(variant: Variant) -> str:
    """Return the part of a variant's title after the game's name, such as "4 seats, teams,
    advanced".
    """
    options = variant.id.partition("/")[2].split("-")[1:]
    return ", ".join([f"{variant.seats} seats", *options])


def in_words(place: str) -> str:
    """Return the title of a game, a variant or a leaderboard, given its id."""
    if place == OVERALL:
        return "All games"
    variant, *numbers = re.split(" (?=board|rotation)", place)
    title = variant_title(get_variant(variant)) if "/" in variant else title_of(variant)
    return ", ".join([title, *numbers])


def title_of(game: str) -> str:
    small = ("a", "and", "de", "of", "the")
    words = game.replace("_", "-").split("-")
    named = [word if word in small else word.capitalize() for word in words]
    return " ".join(named).replace(" and ", " & ")
