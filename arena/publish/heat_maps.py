"""Build heat maps of head-to-head results and of scores in each variant."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from arena.publish.layout import MANY_BOTS
from arena.publish.pages import in_words
from arena.rating.columns import LeaderboardRow
from arena.rating.pairs import Pair


class Cell(NamedTuple):
    # The color of the cell depends on how far the share is from 0.5.
    share: float | None = None
    """The value of the cell, between 0 and 1."""
    title: str = ""
    link: str = ""


class HeatMap(NamedTuple):
    name: str
    title: str
    text: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]


def pairs_map(
    pairs: Iterable[Pair], names: Sequence[str], link: Callable[[str, str], str]
) -> HeatMap:
    """Return a heat map of head-to-head results.

    `link` returns the URL of the page that compares two bots, or an empty string if there is
    none.
    """
    cells = {
        (pair.bot, pair.opponent): Cell(
            pair.ahead,
            f"{pair.bot} ranked ahead of {pair.opponent} on {pair.ahead:.0%} of "
            f"{pair.boards:,} boards",
            link(pair.bot, pair.opponent),
        )
        for pair in pairs
    }
    text = (
        "The percentage of boards on which the bot in the row ranked ahead of the bot in the "
        "column; ties count half."
    )
    rows = [(name, [cells.get((name, other), Cell()) for other in names]) for name in names]
    return HeatMap("pairs", "Pairs", text, names, rows)


def variants_map(
    variants: Mapping[str, Sequence[LeaderboardRow]],
    names: Sequence[str],
    link: Callable[[str], str],
) -> HeatMap:
    cells = {
        (row.bot, variant): Cell(
            row.score,
            f"{row.bot} in {in_words(variant)}: score {row.score:.0%}, rank {row.rank}",
            link(variant),
        )
        for variant, rows in variants.items()
        for row in rows
        if row.score is not None
    }
    text = "The score of each bot in each variant, as a percentage."
    if len(names) > MANY_BOTS:
        text += f" Only the first {MANY_BOTS} bots are shown."
    rows = [
        (name, [cells.get((name, variant), Cell()) for variant in variants])
        for name in names[:MANY_BOTS]
    ]
    columns = list(map(in_words, variants))
    return HeatMap("variants", "Strengths and weaknesses", text, columns, rows)
