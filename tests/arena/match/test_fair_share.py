"""The table of fair shares: who took the time of a bot that is too late."""

import re
from collections.abc import Iterator

import pytest

from arena.match.verdict import ShareRuling, TimeShare, judge_share


def examples() -> Iterator[tuple[str, TimeShare, str]]:
    """Yield the examples of the docstring: what the bot does, its share, and the ruling."""
    for line in (judge_share.__doc__ or "").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 6 and re.fullmatch(r"\d+", cells[1]):
            title, cpu, wait, stalled, burner, ruling = cells
            yield title, TimeShare(1000, int(cpu), int(wait), int(stalled), burner == "yes"), ruling


def test_the_docstring_has_examples_of_each_ruling() -> None:
    assert {ruling for _, _, ruling in examples()} == {"fair", "stalled", "burned"}


@pytest.mark.parametrize(("title", "share", "ruling"), list(examples()))
def test_the_examples_are_judged_as_they_say(title: str, share: TimeShare, ruling: str) -> None:
    assert judge_share(share) == ruling, title


ALONE = TimeShare(limit_ms=400, cpu_ms=0, wait_ms=0, stalled_ms=0, has_burner=False)


@pytest.mark.parametrize(
    ("share", "ruling"),
    [
        (ALONE._replace(wait_ms=99), "fair"),
        (ALONE._replace(wait_ms=100), "stalled"),
        (ALONE._replace(stalled_ms=100), "stalled"),
        (ALONE._replace(stalled_ms=100, cpu_ms=1), "fair"),
        (ALONE._replace(wait_ms=60, stalled_ms=60), "fair"),  # they may be the same time
        (ALONE._replace(wait_ms=19, has_burner=True), "fair"),
        (ALONE._replace(wait_ms=20, has_burner=True), "burned"),
        (ALONE._replace(stalled_ms=120, cpu_ms=100, has_burner=True), "burned"),
    ],
)
def test_the_bounds_of_the_shares(share: TimeShare, ruling: ShareRuling) -> None:
    assert judge_share(share) == ruling
