"""Rows of a leaderboard, made by hand."""

from arena.rating.columns import LeaderboardRow


def row(bot: str, best: int, worst: int, mu: float = 25.0, sigma: float = 2.0) -> LeaderboardRow:
    """Return the row of a bot with these ranks."""
    return LeaderboardRow(
        rank=best, best_rank=best, worst_rank=worst, bot=bot, games=9, faults=0,
        mu=mu, sigma=sigma, rating=mu - 3 * sigma, score=0.5, score_low=0.4, score_high=0.6,
        points_per_game=4.0, points_low=None, points_high=None,
        win_share=0.5, wins_low=None, wins_high=None,
    )  # fmt: skip
