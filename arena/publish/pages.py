"""Prepare the contents of pages as data for the templates."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple, Self

import msgspec

from arena.base.record import Entrant, GameRecord, unmarked
from arena.contest.entrants import is_registered
from arena.plugins import bots
from arena.publish.game_course import finish_of, points_course, sparks, turning_point
from arena.publish.layout import game_id, replay_page
from arena.publish.notable_games import BotBoard, BotGame, Notable, games_of_bots
from arena.publish.run_statistics import AnswerTimes
from arena.rating.certificate import Certificate, certainty_text
from arena.rating.columns import LeaderboardRow, web_text
from arena.rating.leaderboard import OVERALL, Leaderboard, no_intervals_text
from arena.rating.points import Counts, win_shares
from arena.rating.verdicts import brackets, lines_below, verdict
from engine import Variant, get_variant

NAMED_PAIRS = 3
"""Maximum number of pairs named in a sentence. More pairs are summarized with an example."""


def never_met(players: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    """Return the pairs of bots that have no variant in common. `players` maps each variant to its
    bots.
    """
    names = sorted({name for playing in players.values() for name in playing})
    own = {name: {variant for variant in players if name in players[variant]} for name in names}
    return [(bot, other) for bot, other in combinations(names, 2) if not own[bot] & own[other]]


def never_met_text(pairs: Collection[tuple[str, str]]) -> str:
    if not pairs:
        return ""
    named = [f"{name} and {other}" for name, other in pairs]
    why = "because they play no common variant"
    if len(named) <= NAMED_PAIRS:
        return f"{'; '.join(named)} never met, {why}."
    return f"{len(named)} pairs of bots never met, for example {named[0]}, {why}."


FAULT = "fault"
KEPT = "published before"
"""Reason for a replay that an earlier site had, and that would not be selected now."""
MAX_LISTED_GAMES = 1000
"""Maximum number of games listed on a page. If there are more, only games with a special reason
for their replay appear.
"""


class ScoreBar(NamedTuple):
    """Positions of a score and its interval, in percent of the column's width."""

    low: float
    score: float
    high: float
    middle: float


class Line(msgspec.Struct, frozen=True):
    row: LeaderboardRow
    author: str
    bar: ScoreBar | None
    bracket: str = ""
    """`starts`, `within` or `ends` in a group of bots whose order is uncertain."""
    is_cut: bool = False
    """Whether every bot up to this row is certainly better than every bot below it."""
    is_lined: bool = False
    """Whether the stop rule separates the bots down to this one from the bots below."""
    is_close: bool = False
    """Whether the score is certainly close to the score of the bot one row above it."""

    def text(self, key: str) -> str:
        return web_text(key, self.row)


class Legend(NamedTuple):
    by_score: bool
    by_points: bool
    certificate: Certificate | None
    """The certificate of a run with a stop rule, or None in other runs."""
    certainty: str
    no_intervals: str
    """The reason why the table has no intervals. Empty if it has intervals."""


class LeadingRow(NamedTuple):
    title: str
    row: LeaderboardRow
    of: int

    def text(self, key: str) -> str:
        return web_text(key, self.row)


class VariantLine(NamedTuple):
    variant: str
    line: Line
    of: int
    times: AnswerTimes | None
    seats: Sequence[Counts] = ()


class PublishedGame(msgspec.Struct, frozen=True):
    """A game with a replay, as listed on pages and in `index.json`."""

    id: str
    title: str
    variant: str
    page: str
    bots: tuple[str, ...]
    """Names of the bots, by seat. Points, ranks, margins and results are listed in the same
    order.
    """
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[str, ...]
    reasons: tuple[str, ...]
    """The reasons why the game has a replay, except faults."""
    published: str
    """Time of the first publication in ISO 8601, in UTC."""
    headline: str = ""
    """How the game ended, such as `planner beats random 17 to 14`. Sites from older versions lack
    this field and the fields below, so all their replays are built again.
    """
    margins: tuple[int, ...] = ()
    """For each seat, the points of its side minus the points of the best other side."""
    results: tuple[str, ...] = ()
    """Search terms for each seat: `won`, `tied` or `lost`, and `fault` for a seat with a fault."""
    length: int = 0
    comeback: int = 0
    course: tuple[tuple[int, ...], ...] = ()
    """The points of each side at up to `SPARKS` moments of the game. Empty if the game
    doesn't report points."""

    @property
    def is_special(self) -> bool:
        """Whether there is a reason for the replay besides an earlier publication."""
        return bool(self.faults) or any(why != KEPT for why in self.reasons)

    def because(self, reasons: Iterable[str]) -> Self:
        return msgspec.structs.replace(
            self, reasons=tuple([reason for reason in reasons if reason != FAULT])
        )

    @property
    def margin(self) -> int:
        winners = [at for at, rank in enumerate(self.ranks) if rank == 1]
        return max([0, *[self.margins[at] for at in winners]])


class BotResult(NamedTuple):
    game: PublishedGame
    seat: int

    @property
    def outcome(self) -> str:
        return self.game.results[self.seat].split()[0] if self.game.results else ""

    @property
    def text(self) -> str:
        margin, rank = self.game.margins[self.seat], self.game.ranks[self.seat]
        if self.outcome == "lost" and self.game.faults and (margin >= 0 or rank == 1):
            return "lost because of a fault"
        by = f"{margin} ahead" if margin > 0 else f"{-margin} behind" if margin else "level"
        variant = get_variant(self.game.variant)
        teams = " teams" if variant.teams else ""
        return f"{self.outcome}, place {rank} of {len(variant.sides)}{teams}, {by}"


class BotGames(NamedTuple):
    notable: list[Notable]
    worst: list[BotBoard]


def leading_rows_of(
    bot: str, board: Leaderboard, newcomers: Sequence[LeaderboardRow] = ()
) -> list[LeadingRow]:
    found = [
        LeadingRow("" if table == OVERALL else title_of(table), row, len(rows))
        for table, rows in board.leading.items()
        for row in rows
        if row.bot == bot
    ]
    return found or [
        LeadingRow("", row, len(board.first_rows)) for row in newcomers if row.bot == bot
    ]


def variant_lines(
    bot: str,
    tables: Mapping[str, Sequence[Line]],
    times: Mapping[str, AnswerTimes],
    seats: Mapping[str, Sequence[Counts]] = MappingProxyType({}),
) -> list[VariantLine]:
    """Return a bot's results in each of its variants.

    All mappings have variants as keys. `tables` includes all bots, while `times` and `seats`
    contain only this bot's values.
    """
    return [
        VariantLine(variant, line, len(table), times.get(variant), seats.get(variant, ()))
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
    """Return the lines of a leaderboard table. `certificate` is None without a stop rule."""
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


def results_of_bot(name: str, games: Iterable[PublishedGame]) -> list[BotResult]:
    own = [BotResult(game, game.bots.index(name)) for game in games if name in game.bots]
    return sorted(
        own, key=lambda result: (result.outcome != "lost", result.game.margins[result.seat])
    )


def description_of(entrant: Entrant) -> str:
    if is_registered(entrant):
        return bots()[unmarked(entrant.name)].summary
    return entrant.description or ""


def published_game(
    record: GameRecord, variant: Variant, headline: str, published: str
) -> PublishedGame:
    margins = {name: game.margin for name, game in games_of_bots(record, variant)}
    course, finish = points_course(record), finish_of(record, variant)
    winner = variant.sides.index(finish.winner) if finish else None
    return PublishedGame(
        id=game_id(record.key),
        title=record.title,
        headline=headline,
        variant=record.variant,
        page=replay_page(record.key),
        bots=record.entrants,
        points=record.points,
        margins=tuple([margins[name] for name in record.entrants]),
        ranks=record.ranks,
        results=tuple([_results(record, seat, variant) for seat in range(len(record.entrants))]),
        faults=tuple([f"{record.entrants[fault.seat]}: {fault.kind}" for fault in record.faults]),
        reasons=(),
        length=len(record.actions),
        comeback=0 if winner is None else turning_point(course, winner)[1],
        course=sparks(course),
        published=published,
    )


def _results(record: GameRecord, seat: int, variant: Variant) -> str:
    won = win_shares(record, variant)
    result = "won" if won.get(seat) == 1 else "tied" if seat in won else "lost"
    return f"{result} fault" if record.faults_of(seat) else result


def listed(games: Sequence[PublishedGame]) -> list[PublishedGame]:
    if len(games) <= MAX_LISTED_GAMES:
        return list(games)
    return [game for game in games if game.is_special]


def milliseconds(value: float) -> str:
    if value >= 1000:
        return f"{value / 1000:.3g} s" if value < 1e6 else f"{value / 1000:.0f} s"
    return f"{value:.3g} ms" if value >= 1 else f"{value:.2f} ms"


def result_of(game: BotGame) -> str:
    if game.margin > 0:
        return f"{game.points} points, {game.margin} ahead"
    return (
        f"{game.points} points, {-game.margin} behind"
        if game.margin
        else f"{game.points} points, level"
    )


def variant_title(variant: Variant) -> str:
    """Return a variant's title, such as `Bribery, 4 seats, teams, advanced`."""
    return ", ".join([title_of(variant.game), short_title(variant)])


def short_title(variant: Variant) -> str:
    """Return the title of a variant without the game, for example `4 seats, teams, advanced`."""
    options = variant.id.partition("/")[2].split("-")[1:]
    return ", ".join([f"{variant.seats} seats", *options])


def in_words(place: str) -> str:
    """Return the title of a table or a game, such as `Bribery, 4 seats, teams, board 2, rotation
    1`.
    """
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
