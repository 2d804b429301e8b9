"""The figures of a leaderboard row as text."""

from arena.rating.leaderboard import Row


def ranks_text(row: Row) -> str:
    """Return the ranks among which a bot may be by its score: `2-4`."""
    if row.best_rank == row.worst_rank:
        return str(row.best_rank)
    return f"{row.best_rank}-{row.worst_rank}"


def score_text(row: Row) -> str:
    """Return the score in percent, with half of its interval, or `-` before the first board.

    An interval that is cut at 0 or 100 % has the half that is not cut.
    """
    if row.score is None:
        return "-"
    if row.score_low is None or row.score_high is None:
        return f"{row.score:.1%}"
    half = 100 * max(row.score - row.score_low, row.score_high - row.score)
    return f"{row.score:.1%} ±{half:.1f}" if half < 9.95 else f"{row.score:.1%} ±{half:.0f}"


def rating_text(row: Row) -> str:
    """Return the rating, or `-` before the first board: it would be that of the prior."""
    return f"{row.rating:.2f}" if row.games else "-"


def points_text(row: Row) -> str:
    """Return the points a game, with half of their interval, or `-` before the first board."""
    if not row.games:
        return "-"
    if row.points_low is None or row.points_high is None:
        return f"{row.points_per_game:.2f}"
    return f"{row.points_per_game:.2f} ±{(row.points_high - row.points_low) / 2:.2f}"


def wins_text(row: Row) -> str:
    """Return the share of games won in percent, with the bounds of its interval.

    It is `-` before the first board.
    """
    if not row.games:
        return "-"
    if row.wins_low is None or row.wins_high is None:
        return f"{row.win_share:.1%}"
    return f"{row.win_share:.1%} {100 * row.wins_low:.0f}-{100 * row.wins_high:.0f}"
