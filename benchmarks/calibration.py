"""Check that scores, certificates and comparisons are right as often as they claim.

    python -m benchmarks.calibration [--parts coverage certificates compare]
        [--tournaments 2000] [--short]

Plays simulated tournaments of bots with known strengths and prints tables of how often each
statement was true. The exit code is 1 if a target is missed.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.rating.sequential_test import DELTA
from benchmarks.calibration_lines import (
    Line,
    certificate_line,
    compare_line,
    coverage_line,
)
from benchmarks.simulated import simulated_fields


class Size(NamedTuple):
    bots: int
    seats: int
    team_size: int = 1
    part: int = 1
    """Divisor of the number of tournaments, larger for sizes that take long."""


SIZES = {
    "2/2": Size(2, 2),
    "4/3": Size(4, 3),
    "10/2": Size(10, 2),
    "10/3": Size(10, 3),
    "10/4-teams": Size(10, 4, 2),
    "30/3": Size(30, 3, part=10),
}
COVERAGE: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "4/3": ("equal gaps cyclic faults", (15, 75)),
    "10/3": ("equal gaps uneven cyclic top3cyc faults faulty deal-crash", (20, 100)),
    "10/2": ("gaps cyclic", (20, 100)),
    "10/4-teams": ("gaps", (20, 100)),
    "30/3": ("equal uneven faults", (20, 100)),
}
"""Names of fields and numbers of boards per bot, by field size."""
CERTIFICATES: Mapping[str, str] = {
    "2/2": "equal rare-crash",
    "4/3": "equal gaps pairs cyclic faults",
    "10/3": "equal gaps uneven cyclic top3cyc pairs clusters faulty deal-crash",
    "30/3": "equal",
}
COMPARISONS = [
    *[(3, float(effect), 0.0) for effect in (0, DELTA / 2, DELTA, 2 * DELTA)],
    (3, 0.0, 0.077),
    (2, 0.0, 0.0),
    (2, float(DELTA), 0.0),
    (4, 0.0, 0.0),
    (4, float(DELTA), 0.0),
]
"""Number of seats, true difference, and share of boards that the new bot version loses completely.
"""

HEADS = {
    "coverage": "field|size|boards a bot|tournaments|score 93-97 (worst bot)|gap 93-97|"
    "all ranks >= 95|mean width",
    "certificates": "field|size|tournaments|boards|certain|false|bound <= 5",
    "compare": "seats|true difference|comparisons|boards|% better|% not better|wrong|bound <= 5",
}
PARTS = tuple(HEADS)


def lines_of(
    part: str, tournaments: int, sizes: Sequence[str], fields: Sequence[str]
) -> Iterator[Line]:
    """Yield the lines of a table, heading first, for all sizes or fields if none are given."""
    yield Line(tuple(HEADS[part].split("|")))
    if part == "compare":
        for seats, effect, crash in COMPARISONS:
            yield compare_line(seats, effect, crash, tournaments)
        return
    for name, size in SIZES.items():
        if sizes and name not in sizes:
            continue
        number = max(1, tournaments // size.part)
        in_coverage, boards = COVERAGE.get(name, ("", ()))
        chosen = {
            "coverage": in_coverage.split(),
            "certificates": CERTIFICATES.get(name, "").split(),
        }[part]
        known = simulated_fields(size.bots, size.seats, size.team_size) if chosen else {}
        for field in [known[name] for name in chosen if not fields or name in fields]:
            if part == "certificates":
                yield certificate_line(field, number)
            else:
                for boards_each in boards:
                    yield coverage_line(field, boards_each, number)


SHORT: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "coverage": (("4/3",), ("cyclic", "faults")),
    "certificates": (("4/3",), ("pairs", "cyclic", "faults")),
    "compare": ((), ()),
}
SHORT_TOURNAMENTS = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--tournaments", type=int, default=2_000, help="tournaments of each line")
    parser.add_argument("--short", action="store_true", help="a few fields and tournaments")
    options = parser.parse_args()
    if options.short:
        options.tournaments = SHORT_TOURNAMENTS
    missed = 0
    for part in options.parts:
        began = time.monotonic()
        print(f"\n{part}\n")
        sizes, fields = SHORT[part] if options.short else ((), ())
        lines = lines_of(part, options.tournaments, sizes, fields)
        for number, line in enumerate(lines):
            print(
                f"| {' | '.join(line.cells)} |", *map("MISSED: {}".format, line.missed), flush=True
            )
            if not number:
                print("|---" * len(line.cells) + "|")
            missed += len(line.missed)
        print(f"\n{time.monotonic() - began:,.0f} s", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
