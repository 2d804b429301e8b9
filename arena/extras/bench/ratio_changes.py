"""Comparison of the ratios of `arena bench` with those of a report from before."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.errors import BenchError
from arena.extras.bench.figures import BenchReport, BenchRow, Better, Figure, Spread

REPEATS = 4
"""Further measurements of a row that seems worse, before it counts as worse."""

Measure = Callable[[Sequence[BenchRow]], Sequence[Figure]]
"""Measures some rows."""


class Change(NamedTuple):
    """A row whose ratio was measured before and now."""

    name: str
    what: str
    better: Better
    before: Spread
    now: Spread

    @property
    def change(self) -> Spread:
        """The ratio now over the ratio before, with the least and the most by both spreads."""
        before, now = self.before, self.now
        return Spread(now.low / before.high, now.median / before.median, now.high / before.low)

    def is_worse(self, tolerance: float) -> bool:
        """Return whether the median is worse by more than `tolerance`, a share of what it was."""
        change = self.change.median
        return change < 1 - tolerance if self.better == "more" else change > 1 + tolerance

    def is_better_than(self, other: "Change") -> bool:
        """Return whether this measurement of a row is better than another one."""
        own, theirs = self.now.median, other.now.median
        return own > theirs if self.better == "more" else own < theirs


class RatioChanges(NamedTuple):
    """The rows that were compared, and the reasons why others were not."""

    changes: list[Change]
    left_out: dict[str, str]
    """By the name of a row."""

    def worse(self, tolerance: float) -> list[Change]:
        """Return the rows that are worse by more than `tolerance`."""
        return [change for change in self.changes if change.is_worse(tolerance)]


def compare(
    before: BenchReport,
    rows: Sequence[BenchRow],
    measure: Measure,
    tolerance: float,
    repeats: int = REPEATS,
) -> RatioChanges:
    """Measure those of `rows` that `before` has, and return how their ratios have changed.

    A row that seems worse by more than `tolerance` is measured again, `repeats` times at most, and
    the best of its measurements counts: other work on the machine makes figures worse, not better.

    Raises:
        BenchError: `before` has none of the rows.
    """
    former = {figure.name: figure for figure in before.figures}
    by_name = {row.name: row for row in rows if row.name in former}
    if not by_name:
        raise BenchError(
            "the earlier figures have none of the chosen rows; "
            f"they have {', '.join(former) or 'no rows'}"
        )
    changes: dict[str, Change] = {}
    left_out = {row.name: "not measured before" for row in rows if row.name not in former}
    for figure in measure(list(by_name.values())):
        found = _change(former[figure.name], figure)
        if isinstance(found, Change):
            changes[figure.name] = found
        else:
            left_out[figure.name] = found
    for _ in range(repeats):
        worse = [by_name[name] for name, change in changes.items() if change.is_worse(tolerance)]
        for figure in measure(worse) if worse else ():
            again = _change(former[figure.name], figure)
            if isinstance(again, Change) and again.is_better_than(changes[figure.name]):
                changes[figure.name] = again
    return RatioChanges(list(changes.values()), left_out)


def _change(before: Figure, now: Figure) -> Change | str:
    """Return how a figure has changed, or why that can't be said."""
    if now.missing:
        return f"not measured now: {now.missing}"
    if before.ratio is None or now.ratio is None:
        return "not measured before"
    if before.reference != now.reference:
        return f"in units of {before.reference!r} before, and of {now.reference!r} now"
    return Change(now.name, now.what, now.better, before.ratio, now.ratio)
