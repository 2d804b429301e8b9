"""The chart of ratings from pairs: mean, Nash average and alpha-Rank beside each other."""

from collections.abc import Mapping, Sequence

from arena.base.protocol import printable
from arena.extras.learn.meta_ratings import LEVEL, meta_ratings, pair_counts
from arena.publish.charts import Chart
from arena.rating.complete_boards import BoardShares

MIN_BOTS, MAX_BOTS = 3, 50
"""In a chart. Two bots have no circle; the time grows with the cube of their number."""
PANELS = {"mean": ("mean", 0.0), "nash": ("Nash", 0.5), "alpha-rank": ("alpha-Rank", 0.0)}
"""By method its title, and what is added: bots in the best mixture have 1/2 against it."""
TEXT = (
    f"Three ratings from the pairs, with {LEVEL} % intervals: the mean share over all others "
    "(mean), the share against the best mixture of bots, which none beats (Nash: 50 % is the most, "
    "and copies of a bot change nothing), and the share of time of a population that changes to "
    "what beats it (alpha-Rank). In a field that is an order, they agree on the best bot. Where "
    "bots beat each other in a circle, or many are alike, Nash tells more than the mean."
)


def meta_chart(boards: Sequence[BoardShares], bots: Mapping[str, str]) -> Chart | None:
    """Return the chart of a table, or None for fewer than `MIN_BOTS` or more than `MAX_BOTS`.

    The same boards give the same chart.

    Args:
        boards: those of the table.
        bots: by id the names of its bots, in the order of the table.
    """
    counts = pair_counts(boards)
    if not MIN_BOTS <= len(counts.bots) <= MAX_BOTS:
        return None
    rated = {
        title: {
            bot: [value + more for value in values] for bot, *values in meta_ratings(counts, by)
        }
        for by, (title, more) in PANELS.items()
    }
    shown = [(bot, name) for bot, name in bots.items() if bot in counts.bots]
    numbers = [
        (name, title, *[f"{value:.4f}" for value in ratings[bot]])
        for bot, name in shown
        for title, ratings in rated.items()
    ]
    panels = [
        (title, [[round(value, 3) for value in ratings[bot]] for bot, _ in shown])
        for title, ratings in rated.items()
    ]
    names = [printable(name) for _, name in shown]
    return Chart(
        name="meta",
        title="More than a mean",
        text=TEXT,
        columns=("bot", *rated),
        rows=tuple(
            [(name, *[_text(*ratings[bot]) for ratings in rated.values()]) for bot, name in shown]
        ),
        drawing={"kind": "panels", "bots": names, "panels": panels},
        data=(("bot", "rating", "value", "low", "high"), *numbers),
    )


def _text(value: float, low: float, high: float) -> str:
    return f"{value:.1%} ({low:.1%} to {high:.1%})"
