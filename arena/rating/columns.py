"""The rows of a leaderboard, and its columns, each declared once.

Terminal, notebooks, JSON, CSV, sites and the contest server show what `COLUMNS` declares. A column
that follows from the facts of a row is an entry there, with a `value`. The digest of a run does not
cover it: that covers a list of facts of its own.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec


class LeaderboardRow(msgspec.Struct, frozen=True):
    """The row of an entrant in a table of the leaderboard: the facts that its columns show."""

    rank: int
    """From 1, by what the table is ordered by; equal values share a rank, as do the bots without a
    board, which come last."""
    best_rank: int
    worst_rank: int
    """The range of its ranks by score; all ranges of a table hold together in 95 % of runs."""
    bot: str
    mu: float
    sigma: float
    rating: float
    """mu - 3 sigma: the bot is almost certainly at least that good."""
    score: float | None
    """The share of opponents that it is placed before, at a table drawn at random from the field.
    None before its first board."""
    score_low: float | None
    score_high: float | None
    """Bounds of its 95 % interval; None after too few boards."""
    games: int
    points_per_game: float
    points_low: float | None
    points_high: float | None
    """Bounds of its 95 % interval; None after too few boards."""
    win_share: float
    """The share of its games that its side won; a shared win counts in parts."""
    wins_low: float | None
    wins_high: float | None
    """Bounds of its 95 % interval; None after too few boards."""
    faults: int
    """Games in which the bot itself had a fault."""
    withdrawn: bool = False
    """Whether the bot was withdrawn from the run for its faults."""
    certainty: dict[str, float] = {}
    """By other bot, how certain it is that this bot is better, for the pair alone. Only for bots
    that it met or that are its neighbours in the table, and only after enough boards."""
    tier: int | None = None
    """From 1. A tier ends where all bots above are certainly better, by score, than all below.
    None before its first board."""
    open_tier: bool = False
    """Whether of no two bots of its tier the order is certain."""
    outscored_by: tuple[str, ...] = ()
    """Bots below it in the table that are certainly better by score, as the tiers are."""


ROW_FACTS = (
    *("rank", "best_rank", "worst_rank", "bot", "mu", "sigma", "rating"),
    *("score", "score_low", "score_high", "games"),
    *("points_per_game", "points_low", "points_high"),
    *("win_share", "wins_low", "wins_high", "faults", "withdrawn", "certainty"),
)
"""Fields of a row that the digest of a run covers. All others follow from them or add to them."""
OUTSCORED = "!"
"""Marks the rank of a bot above some that are certainly better by score."""


def rank_text(row: LeaderboardRow) -> str:
    """Return the rank of a bot, with a mark if the score is certain of another order."""
    return f"{OUTSCORED} {row.rank}" if row.outscored_by else str(row.rank)


def ranks_text(row: LeaderboardRow) -> str:
    """Return the ranks that a bot may have by its score: `1-2`, or `1` if it is certain."""
    best, worst = row.best_rank, row.worst_rank
    return str(best) if best == worst else f"{best}-{worst}"


def score_text(row: LeaderboardRow) -> str:
    """Return the score in percent, with half of its interval, or `-` before the first board."""
    return interval_text(row.score, row.score_low, row.score_high)


def interval_text(score: float | None, low: float | None, high: float | None) -> str:
    """Return a score in percent, with half of its interval, or `-` without one.

    An interval that is cut at 0 or 100 % has the half that is not cut.
    """
    if score is None:
        return "-"
    if low is None or high is None:
        return f"{score:.1%}"
    half = 100 * max(score - low, high - score)
    return f"{score:.1%} ±{half:.1f}" if half < 9.95 else f"{score:.1%} ±{half:.0f}"


def points_text(row: LeaderboardRow) -> str:
    """Return the points a game, with half of their interval, or `-` before the first board."""
    if not row.games:
        return "-"
    if row.points_low is None or row.points_high is None:
        return f"{row.points_per_game:.2f}"
    return f"{row.points_per_game:.2f} ±{(row.points_high - row.points_low) / 2:.2f}"


def wins_text(row: LeaderboardRow) -> str:
    """Return the share of games won in percent, with the bounds of its interval.

    It is `-` before the first board.
    """
    if not row.games:
        return "-"
    if row.wins_low is None or row.wins_high is None:
        return f"{row.win_share:.1%}"
    return f"{row.win_share:.1%} {100 * row.wins_low:.0f}-{100 * row.wins_high:.0f}"


def _rated(row: LeaderboardRow, value: float) -> str:
    """Return a value of TrueSkill, or `-` before the first board: it would be that of the prior."""
    return f"{value:.2f}" if row.games else "-"


class LeaderboardColumn(NamedTuple):
    """A column of the leaderboard, for all who show it."""

    key: str
    """The fact that it shows; with a `value`, its own name in JSON and CSV."""
    heading: str
    """In terminals and notebooks."""
    title: str
    """The heading on web pages; empty if it is not shown there."""
    text: Callable[[LeaderboardRow], str]
    priority: int = 0
    """A narrow terminal leaves out columns of the highest priority first, those of 0 never."""
    orders: bool = False
    """Whether it can order a table. Such a column is strong on web pages."""
    explanation: str = ""
    """On the page about a run, in full sentences."""
    legend: str = ""
    """Below the table in a terminal."""
    web_text: Callable[[LeaderboardRow], str] | None = None
    """The text on web pages if it is not `text`. What follows a blank is shown less prominently."""
    value: Callable[[LeaderboardRow], float | str | None] | None = None
    """Computes the column from the facts of a row. None if it is a fact itself."""

    def value_of(self, row: LeaderboardRow) -> object:
        """Return the value in `row` that JSON and CSV hold, and by which web pages sort."""
        return getattr(row, self.key) if self.value is None else self.value(row)

    def web(self, row: LeaderboardRow) -> str:
        """Return the text of `row` on web pages."""
        return (self.web_text or self.text)(row)


COLUMNS = (
    LeaderboardColumn(
        "rank",
        "#",
        "Rank",
        rank_text,
        priority=1,
        explanation="The place in the table. All bots above a line are better than all below it, "
        "by score. All lines of a table are right together in 95 % of runs. "
        f"{OUTSCORED} marks a bot with others below it that are certainly better by score.",
    ),
    LeaderboardColumn(
        "bot",
        "bot",
        "Bot",
        lambda row: row.bot + (" (out)" if row.withdrawn else ""),
        web_text=lambda row: row.bot,
    ),
    LeaderboardColumn("mu", "mu", "", lambda row: _rated(row, row.mu), priority=7),
    LeaderboardColumn("sigma", "sigma", "", lambda row: _rated(row, row.sigma), priority=7),
    LeaderboardColumn(
        "rating",
        "rating",
        "Rating",
        lambda row: _rated(row, row.rating),
        priority=2,
        orders=True,
        explanation="mu - 3 sigma of TrueSkill over boards. mu is the estimated strength and "
        "starts at 25; sigma is its uncertainty. Bots are sorted by rating.",
        legend="rating = mu - 3 sigma",
    ),
    LeaderboardColumn(
        "score",
        "score",
        "Score",
        score_text,
        priority=2,
        orders=True,
        explanation="The share of opponents that the bot is placed before, at a table drawn at "
        "random from the field. A tie counts half, so 50% is the middle. Bots that met stronger "
        "opponents are credited for it. The order of games does not matter. The interval holds "
        "the true score in 95 % of runs.",
        legend="score = share of opponents placed before at a random table; 50 % is the middle",
    ),
    LeaderboardColumn(
        "ranks",
        "ranks",
        "Ranks",
        ranks_text,
        priority=2,
        explanation="The ranks that the bot may have by its score: 1-2 says that it is first "
        "or second. All of a table are right together in 95 % of runs.",
        legend="ranks = those that the bot may have by its score",
        value=ranks_text,
    ),
    LeaderboardColumn(
        "games",
        "games",
        "Games",
        lambda row: str(row.games),
        priority=4,
        web_text=lambda row: f"{row.games:,}",
    ),
    LeaderboardColumn(
        "points_per_game",
        "points",
        "Points per game",
        points_text,
        priority=6,
        explanation="The mean, with half the width of its 95 % interval. There is no interval "
        "after too few boards.",
        legend="points a game",
    ),
    LeaderboardColumn(
        "win_share",
        "wins",
        "Wins",
        wins_text,
        priority=5,
        explanation="The share of games won by the bot or its team, with the bounds of its 95 % "
        "interval.",
        legend="wins = share of games won",
    ),
    LeaderboardColumn(
        "faults",
        "faults",
        "Faults",
        lambda row: str(row.faults),
        priority=3,
        explanation="A crash, a late answer, an illegal action or a broken message. A game "
        "with a fault counts as lost for the bot and its team.",
    ),
)


def terminal_columns() -> Sequence[LeaderboardColumn]:
    """Return the columns of terminals and notebooks."""
    return COLUMNS


def web_columns() -> list[LeaderboardColumn]:
    """Return the columns of web pages."""
    return [column for column in COLUMNS if column.title]


def web_text(key: str, row: LeaderboardRow) -> str:
    """Return the text of a row in the column `key` of web pages."""
    return next(column for column in COLUMNS if column.key == key).web(row)


def exported_names() -> tuple[str, ...]:
    """Return the names of all values of a row in CSV: its facts, then the computed columns.

    Certainties are by opponent, so they are in JSON only.
    """
    facts = [name for name in LeaderboardRow.__struct_fields__ if name != "certainty"]
    return (*facts, *[column.key for column in COLUMNS if column.value is not None])


def computed_values(row: LeaderboardRow) -> dict[str, object]:
    """Return the values of the columns that are computed from the facts of a row."""
    return {column.key: column.value(row) for column in COLUMNS if column.value is not None}


def exported_values(row: LeaderboardRow) -> dict[str, object]:
    """Return the values of a row by their `exported_names`."""
    values = {**msgspec.structs.asdict(row), **computed_values(row)}
    values["outscored_by"] = " ".join(row.outscored_by)
    return {name: values[name] for name in exported_names()}
