"""The tables of verdicts: who took the time of a late bot, and what becomes of its games."""

from importlib.resources import files
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.protocol import FaultKind
from arena.match.verdict import (
    MAX_STALL_REPLAYS,
    Cause,
    Facts,
    Ruling,
    ShareRuling,
    TimeShare,
    judge,
    judge_share,
)

LATER = Facts(
    cause="crash",
    was_ready=True,
    share="fair",
    is_only_game=False,
    always_charge=False,
    stall_replays=[0],
)
CAUSES: tuple[Cause, ...] = ("crash", "flood", "malformed", "timeout", "excess")
SHARES: tuple[ShareRuling, ...] = ("fair", "stalled", "burned")
RULINGS: tuple[Ruling, ...] = ("charge", "replay", "stalled")


def rows(columns: int) -> list[list[str]]:
    """Return the rows of the tables in the docstrings, also if the module is compiled."""
    source = files("arena.match").joinpath("verdict.py").read_text("utf-8")
    lines = [line.strip().strip("|").split("|") for line in source.splitlines() if " | " in line]
    table = [[cell.strip() for cell in cells] for cells in lines if len(cells) == columns]
    return [cells for cells in table if cells[-1] in (*SHARES, *RULINGS)]


@pytest.mark.parametrize("cause", [*CAUSES, "burned"])
def test_the_first_row_of_the_docstring_that_fits_is_the_ruling(cause: Cause) -> None:
    table = rows(7)
    assert {row[-1] for row in table} == {*RULINGS}
    excusers = {"fair": "nobody", "stalled": "the host", "burned": "a bot"}
    for share, replays, always, ready, only in product(
        SHARES, range(MAX_STALL_REPLAYS + 1), *[(True, False)] * 3
    ):
        is_left = "yes" if replays < MAX_STALL_REPLAYS else "no"
        case = (
            cause,
            excusers[share],
            is_left,
            *["yes" if is_so else "no" for is_so in (always, ready, only)],
        )
        expected = next(
            row[-1]
            for row in table
            if all(
                cell in (value, "any", "any other") for cell, value in zip(row, case, strict=False)
            )
        )
        facts = Facts(cause, ready, share, only, always, [replays])
        assert judge(facts).rulings == [expected], case


@given(
    st.builds(
        Facts,
        cause=st.sampled_from((*CAUSES, "burned")),
        was_ready=st.booleans(),
        share=st.sampled_from(SHARES),
        is_only_game=st.booleans(),
        always_charge=st.booleans(),
        stall_replays=st.lists(st.integers(0, MAX_STALL_REPLAYS + 1), max_size=4),
    )
)
def test_the_ruling_on_a_game_depends_on_no_other_game(facts: Facts) -> None:
    """Else it would depend on which games happened to be under way together."""
    verdict = judge(facts)
    assert verdict.rulings == [
        judge(facts._replace(stall_replays=[replays])).rulings[0] for replays in facts.stall_replays
    ]


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        ("crash", "crash"),
        ("excess", "crash"),
        ("flood", "flood"),
        ("malformed", "malformed"),
        ("timeout", "timeout"),
        ("burned", "timeout"),
    ],
)
def test_the_kind_is_the_cause_and_start_before_the_process_was_ready(
    cause: Cause, kind: FaultKind
) -> None:
    for was_ready, share in product((True, False), SHARES):
        verdict = judge(LATER._replace(cause=cause, was_ready=was_ready, share=share))
        assert verdict.kind == (kind if was_ready else "start")
        is_excused = share != "fair" and cause == "timeout"
        assert verdict.is_failed_start == (not was_ready and not is_excused)


# -- fair shares -------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows(6))
def test_the_examples_are_judged_as_they_say(row: list[str]) -> None:
    title, cpu, wait, stalled, burner, ruling = row
    share = TimeShare(1000, int(cpu), int(wait), int(stalled), burner == "yes")
    assert judge_share(share) == ruling, title


ALONE = TimeShare(limit_ms=400, cpu_ms=0, wait_ms=0, stalled_ms=0, has_burner=False)


@pytest.mark.parametrize(
    ("share", "ruling"),
    [
        (ALONE._replace(wait_ms=99), "fair"),
        (ALONE._replace(wait_ms=100), "stalled"),
        (ALONE._replace(wait_ms=100, granted_ms=1), "fair"),
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
