"""Measures where the bot `learned` stands: against each bot of the ladder, as `ladder.py` does.

    python -m benchmarks.learned --write

writes the table into `docs/bots.md`. The bots play without a clock, on deals that no policy was
trained with, so the same weights give the same table.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from benchmarks.ladder import LADDERS, PAGE, Measured, Step, measure, table, with_tables
from bots.learned.policy import file_of
from engine import variants

MARK = "learned"

EXTRA = {"pot-de-vin": ("timid", "briber")}
"""By game: bots beside the ladder that are measured too."""


def steps() -> list[Step]:
    """Return what is measured: each variant with weights, and each other bot from the bottom."""
    return [
        Step(variant.id, "learned", bot)
        for variant in variants().values()
        if file_of(variant.id).exists()
        for bot in (*EXTRA.get(variant.game, ()), *LADDERS[variant.game])
    ]


def verdict(measured: Measured) -> str:
    """Return what is certain."""
    if not measured.is_over or measured.share.mean == 0.5:
        return "open"
    return "better" if measured.share.mean > 0.5 else "weaker"


def row(measured: Measured) -> tuple[str, ...]:
    """Return a row of the table."""
    share = f"{100 * measured.share.mean:.1f}% ± {100 * measured.half_width:.1f}"
    cells = (f"`{measured.step.variant}`", f"`{measured.step.worse}`", share)
    return *cells, str(measured.boards), verdict(measured)


def main() -> None:
    """Measure, and print or write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    parser.add_argument("--write", action="store_true", help="write the table to docs/bots.md")
    options = parser.parse_args()
    rows = []
    with ProcessPoolExecutor(options.workers) as pool:
        for measured in pool.map(partial(measure, seed=options.seed), steps()):
            print(" ".join(row(measured)), flush=True)
            rows.append(row(measured))
    heads = ("variant", "against", "placed before it", "boards", "`learned` is certainly")
    text = table(heads, rows)
    if options.write:
        PAGE.write_text(with_tables(PAGE.read_text("utf-8"), {MARK: text}), "utf-8")


if __name__ == "__main__":
    main()
