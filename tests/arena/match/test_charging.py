"""Who is charged: who took the time of a late bot, what becomes of its games, what it may use."""

from importlib.resources import files
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.protocol import FaultKind
from arena.match.charging import (
    BETWEEN_SHARE,
    BETWEEN_TEXT,
    FROZEN_TEXT,
    MAX_FROZEN_MS,
    MAX_STALL_REPLAYS,
    Cause,
    Facts,
    ProcessorAccount,
    Reading,
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
    source = files("arena.match").joinpath("charging.py").read_text("utf-8")
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


# -- processor time -----------------------------------------------------------------------------

LIMIT_MS = 1000
OF_ANSWER = "used more than 1000 ms of processor time for an answer"


def account(cpu_ms: int = 0) -> ProcessorAccount:
    """Return the account of a process that has used this before it was asked."""
    made = ProcessorAccount(LIMIT_MS)
    made.measure(Reading(cpu_ms, now=100.0, asked_s=1.0))
    return made


def test_an_answer_may_use_the_limit_and_no_more() -> None:
    one = account(5_000)
    one.ask()
    one.measure(Reading(5_010, now=100.05, asked_s=1.05))
    one.sample()
    one.measure(Reading(6_010, now=101.0, asked_s=2.0))
    assert one.excess is None
    assert one.excess_of_answer(6_011) == OF_ANSWER
    one.measure(Reading(6_011, now=101.0, asked_s=2.0))
    assert one.excess == OF_ANSWER
    one.ask()
    assert one.excess is None, "the next answer begins again"


def test_an_answer_that_was_not_measured_at_its_begin_is_not_judged() -> None:
    one = account()
    one.ask()
    assert one.excess_of_answer(9_000) is None
    assert one.excess_of_answer(None) is None


def test_the_time_between_answers_has_a_budget_that_grows_by_a_share_of_the_time() -> None:
    one = account()
    one.measure(Reading(LIMIT_MS, now=100.0, asked_s=1.0))
    assert one.excess is None
    grown_ms = round(1000 * BETWEEN_SHARE)
    one.measure(Reading(LIMIT_MS + grown_ms, now=101.0, asked_s=1.0))
    assert one.excess is None
    one.measure(Reading(LIMIT_MS + grown_ms + 1, now=101.0, asked_s=1.0))
    assert one.excess == BETWEEN_TEXT


def test_time_that_is_not_used_does_not_add_up() -> None:
    one = account()
    one.measure(Reading(0, now=900.0, asked_s=1.0))
    one.measure(Reading(LIMIT_MS + 1, now=900.0, asked_s=1.0))
    assert one.excess == BETWEEN_TEXT


def test_what_was_used_while_it_was_asked_is_not_from_between_on_as_many_cores_as_it_has() -> None:
    for cores, excess in ((1, BETWEEN_TEXT), (2, None)):
        one = account()
        one.measure(Reading(8_000, now=100.0, cores=cores, asked_s=5.0))
        assert one.excess == excess


def test_a_frozen_process_that_computes_runs_on() -> None:
    one = account(3_000)
    one.freeze()
    one.measure(Reading(3_000 + MAX_FROZEN_MS, now=160.0, asked_s=1.0))
    assert one.excess is None
    one.measure(Reading(3_001 + MAX_FROZEN_MS, now=160.0, asked_s=1.0))
    assert one.excess == FROZEN_TEXT
    one.thaw(is_measured=False)
    one.measure(Reading(3_001 + MAX_FROZEN_MS, now=160.0, asked_s=1.0))
    assert one.excess is None
