"""Write a sentence that names the leading bots of a leaderboard.

A bot leads if, with 95% confidence, its true score is the highest.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from arena.rating.columns import LeaderboardRow

MAX_NAMES = 3
# Further digits are rounding errors.
RATING_DECIMALS, SCORE_DECIMALS = 3, 9


def and_list(names: Sequence[str]) -> str:
    """Join names as `a`, `a and b`, or `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def verdict(rows: Sequence[LeaderboardRow]) -> str:
    seated = [row for row in rows if row.score is not None]
    if not seated:
        return "No board is complete yet."
    first = _best(seated, [round(row.rating, RATING_DECIMALS) for row in seated])
    best = _best(seated, [round(row.score or 0.0, SCORE_DECIMALS) for row in seated])
    possible = [row.bot for row in seated if row.best_rank == _best_rank(seated)]
    rated = f"{_few(first)} {_has(first)} the best rating"
    if len(possible) == 1:
        (leader,) = possible
        if leader in first:
            return f"{leader} leads."
        return f"{leader} leads: its score is certainly the best, though {rated}."
    if not set(first) & set(possible):
        return f"{rated}, but certainly not the best score; {_few(possible)} may be the best."
    if not set(first) <= set(best):
        return (
            f"{rated}, {_few(best)} {_has(best)} the best score; {_few(possible)} may be the best."
        )
    rivals = [bot for bot in possible if bot not in first]
    ahead = f"{first[0]} is ahead" if len(first) == 1 else f"{_few(first)} are level"
    if not rivals:
        return f"{ahead}."
    others = _few(rivals, "others")
    return f"{ahead}, {'but' if len(first) == 1 else 'and'} {others} may be as good."


def shown_first(rows: Sequence[LeaderboardRow]) -> LeaderboardRow | None:
    """Return the row to highlight: the first bot with the best possible rank."""
    seated = [row for row in rows if row.score is not None]
    return next((row for row in seated if row.best_rank == _best_rank(seated)), None)


def _best_rank(rows: Sequence[LeaderboardRow]) -> int:
    return min([row.best_rank for row in rows])


def _best(rows: Sequence[LeaderboardRow], values: Sequence[float]) -> list[str]:
    return [row.bot for row, value in zip(rows, values, strict=True) if value == max(values)]


def _few(names: Sequence[str], noun: str = "bots") -> str:
    return and_list(names) if len(names) <= MAX_NAMES else f"{len(names)} {noun}"


def _has(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"


# -- what is drawn between rows --------------------------------------------------------------------


def lines_below(rows: Sequence[LeaderboardRow]) -> list[int]:
    """Return the indices of the leaderboard rows that are followed by a horizontal line. Every bot
    above such a line is significantly better than every bot below the line.
    """
    tiers = pairwise([row.tier for row in rows])
    return [place for place, (tier, below) in enumerate(tiers) if below and tier != below]


def brackets(rows: Sequence[LeaderboardRow]) -> Iterator[range]:
    start = 0
    for _, group in groupby(rows, key=lambda row: row.tier):
        end = start + len(own := list(group))
        if len(own) > 1 and all(row.open_tier for row in own):
            yield range(start, end)
        start = end
