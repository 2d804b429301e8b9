"""Define the rows and columns of leaderboards."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec


class LeaderboardRow(msgspec.Struct, frozen=True):
    """One bot's row in a leaderboard table."""

    rank: int
    """Rank in the table, starting at 1. Equal bots share a rank. Bots that haven't completed a
    board share the last rank."""
    best_rank: int
    worst_rank: int
    """The worst possible rank by score. With 95% confidence, every bot's true rank is between
    `best_rank` and `worst_rank`."""
    bot: str
    mu: float
    sigma: float
    rating: float
    """The conservative rating `mu - 3 sigma`, which the bot's true strength almost certainly
    exceeds."""
    score: float | None
    """Average share of opponents that the bot beats. A tie counts as half. None if the bot hasn't
    completed a board."""
    score_low: float | None
    score_high: float | None
    """Upper bound of the score's 95% interval. None if there are too few boards."""
    games: int
    points_per_game: float
    points_low: float | None
    points_high: float | None
    win_share: float
    """Share of games won by the bot's side. Shared wins count in part."""
    wins_low: float | None
    wins_high: float | None
    faults: int
    withdrawn: bool = False
    certainty: dict[str, float] = {}
    """Maps other bots to the probability that this bot is better. Contains all opponents and the
    bots in the rows above and below."""
    tier: int | None = None
    """The bot's tier, starting at 1. None if the bot hasn't completed a board. Every bot in a tier
    has a significantly higher score than every bot in a lower tier.
    """
    open_tier: bool = False
    """True if the scores of the bots in this tier don't differ significantly."""
    outscored_by: tuple[str, ...] = ()
    """Names of bots that rank below this bot although their scores are significantly higher."""

    @property
    def ranks(self) -> str:
        """The range of the bot's possible ranks, such as `2-4`, or a single rank, such as `1`."""
        best, worst = self.best_rank, self.worst_rank
        return str(best) if best == worst else f"{best}-{worst}"


ROW_FACTS = (
    *("rank", "best_rank", "worst_rank", "bot", "mu", "sigma", "rating"),
    *("score", "score_low", "score_high", "games"),
    *("points_per_game", "points_low", "points_high"),
    *("win_share", "wins_low", "wins_high", "faults", "withdrawn", "certainty"),
)
"""Row fields covered by a run's digest."""
OUTSCORED = "!"


def rank_text(row: LeaderboardRow) -> str:
    return f"{OUTSCORED} {row.rank}" if row.outscored_by else str(row.rank)


def score_text(row: LeaderboardRow) -> str:
    return interval_text(row.score, row.score_low, row.score_high)


def interval_text(score: float | None, low: float | None, high: float | None) -> str:
    """Format a score and its margin of error as percentages, such as `51.3% ±2.0`."""
    if score is None:
        return "-"
    if low is None or high is None:
        return f"{score:.1%}"
    half = 100 * max(score - low, high - score)
    return f"{score:.1%} ±{half:.1f}" if half < 9.95 else f"{score:.1%} ±{half:.0f}"


def points_text(row: LeaderboardRow) -> str:
    if not row.games:
        return "-"
    if row.points_low is None or row.points_high is None:
        return f"{row.points_per_game:.2f}"
    return f"{row.points_per_game:.2f} ±{(row.points_high - row.points_low) / 2:.2f}"


def wins_text(row: LeaderboardRow) -> str:
    if not row.games:
        return "-"
    if row.wins_low is None or row.wins_high is None:
        return f"{row.win_share:.1%}"
    return f"{row.win_share:.1%} {100 * row.wins_low:.0f}-{100 * row.wins_high:.0f}"


def _rated(row: LeaderboardRow, value: float) -> str:
    return f"{value:.2f}" if row.games else "-"


class LeaderboardColumn(NamedTuple):
    key: str
    """Name of the column in JSON and CSV files and of the attribute in `LeaderboardRow`."""
    heading: str
    title: str
    """Heading of the column on web pages. Columns without a title are left out of web pages."""
    text: Callable[[LeaderboardRow], str]
    priority: int = 0
    """In narrow terminals, columns with a high priority number are hidden first. Columns with
    priority 0 are always shown."""
    orders: bool = False
    """Whether tables can be sorted by the column. Such columns are emphasized on web pages."""
    explanation: str = ""
    legend: str = ""
    web_text: Callable[[LeaderboardRow], str] | None = None
    """Text on web pages, if it differs from `text`. The part after the first space is dimmed."""

    def web(self, row: LeaderboardRow) -> str:
        return (self.web_text or self.text)(row)


COLUMNS = (
    LeaderboardColumn(
        "rank",
        "#",
        "Rank",
        rank_text,
        priority=1,
        explanation="Position in the table. Every bot above a horizontal line has a significantly "
        "higher score than every bot below the line (95% confidence that all lines are correct). "
        f"{OUTSCORED} marks a bot ranked above a bot with a significantly higher score.",
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
        explanation="The TrueSkill rating is mu - 3 sigma. The estimated strength mu starts at 25, "
        "and sigma is the uncertainty of mu. The table is sorted by rating.",
        legend="rating = mu - 3 sigma",
    ),
    LeaderboardColumn(
        "score",
        "score",
        "Score",
        score_text,
        priority=2,
        orders=True,
        explanation="Average share of opponents that the bot beats. A tie counts as half, so 50% "
        "is par. The score is corrected for the strength of the opponents, and the order of games "
        "doesn't matter. The interval is a 95% confidence interval.",
        legend="score = average share of opponents finished ahead of; 50% is par",
    ),
    LeaderboardColumn(
        "ranks",
        "ranks",
        "Ranks",
        lambda row: row.ranks,
        priority=2,
        explanation="The bot's possible ranks by score. For example, 1-2 means first or second. In "
        "95% of runs, the true ranks of all bots are in the ranges shown.",
        legend="ranks = possible ranks by score",
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
        explanation="Mean points per game, with the margin of error (95% confidence) if enough "
        "boards have been played.",
        legend="points = points per game",
    ),
    LeaderboardColumn(
        "win_share",
        "wins",
        "Wins",
        wins_text,
        priority=5,
        explanation="Share of games won by the bot or its team. The range is a 95% interval.",
        legend="wins = share of games won",
    ),
    LeaderboardColumn(
        "faults",
        "faults",
        "Faults",
        lambda row: str(row.faults),
        priority=3,
        explanation="Number of games with a crash, a timeout, an illegal action or a malformed "
        "message. The bot and its team lose such a game.",
    ),
)


def web_columns() -> list[LeaderboardColumn]:
    return [column for column in COLUMNS if column.title]


def web_text(key: str, row: LeaderboardRow) -> str:
    return next(column for column in COLUMNS if column.key == key).web(row)


EXPORTED = (*[name for name in LeaderboardRow.__struct_fields__ if name != "certainty"], "ranks")


def exported_values(row: LeaderboardRow) -> dict[str, object]:
    values = {name: getattr(row, name) for name in EXPORTED}
    return values | {"outscored_by": " ".join(row.outscored_by)}
