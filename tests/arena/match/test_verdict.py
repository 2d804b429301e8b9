"""The tables of verdicts: who took the time of a late bot, and what becomes of its games."""

import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from arena.protocol import FaultKind

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


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize(
    ("facts", "ruling"),
    [
        # Only what a process has heard besides the game is a reason not to charge it.
        (LATER, "replay"),
        (LATER._replace(is_only_game=True), "charge"),
        (LATER._replace(was_ready=False), "charge"),
        (LATER._replace(always_charge=True), "charge"),
    ],
)
def test_a_bot_is_charged_where_it_is_certain(cause: Cause, facts: Facts, ruling: Ruling) -> None:
    for games in range(3):
        verdict = judge(facts._replace(cause=cause, stall_replays=[0] * games))
        assert verdict.rulings == [ruling] * games


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


@given(st.permutations([0, 1, MAX_STALL_REPLAYS]), st.booleans(), st.sampled_from(CAUSES))
def test_a_process_that_heard_one_game_is_never_replayed_unless_the_host_stalled(
    stall_replays: list[int], has_stalled: bool, cause: Cause
) -> None:
    """So a game is replayed once at most for each broken process that had others, and ends."""
    share: ShareRuling = "stalled" if has_stalled else "fair"
    facts = LATER._replace(is_only_game=True, share=share, cause=cause)
    for replays in stall_replays:
        (ruling,) = judge(facts._replace(stall_replays=[replays])).rulings
        is_excused = has_stalled and cause == "timeout" and replays < MAX_STALL_REPLAYS
        assert ruling == ("stalled" if is_excused else "charge")


@pytest.mark.parametrize(
    ("replays", "ruling"),
    [(0, "stalled"), (MAX_STALL_REPLAYS - 1, "stalled"), (MAX_STALL_REPLAYS, "charge")],
)
def test_a_stalled_time_out_is_excused_while_replays_are_left(replays: int, ruling: Ruling) -> None:
    facts = LATER._replace(cause="timeout", share="stalled", is_only_game=True)
    assert judge(facts._replace(stall_replays=[replays])).rulings == [ruling]
    late = judge(facts._replace(stall_replays=[replays, 0], always_charge=True))
    assert late.rulings == [ruling, "stalled"]


@pytest.mark.parametrize("cause", ["crash", "flood", "malformed", "excess"])
@pytest.mark.parametrize("share", ["stalled", "burned"])
def test_an_unfair_share_excuses_nothing_but_a_time_out(cause: Cause, share: ShareRuling) -> None:
    assert judge(LATER._replace(cause=cause, share=share)).rulings == ["replay"]
    alone = LATER._replace(cause=cause, share=share, is_only_game=True)
    assert judge(alone).rulings == ["charge"]


@pytest.mark.parametrize("replays", [0, MAX_STALL_REPLAYS, 99])
def test_a_time_out_for_which_another_bot_has_burned_the_time_is_never_charged(
    replays: int,
) -> None:
    facts = LATER._replace(cause="timeout", share="burned", stall_replays=[replays])
    for is_certain in (True, False):
        certain = facts._replace(is_only_game=is_certain, always_charge=is_certain)
        assert judge(certain).rulings == ["replay"]


def test_a_bot_that_has_burned_processor_time_is_charged_also_in_company() -> None:
    assert judge(LATER._replace(cause="burned", stall_replays=[0, 0])).rulings == ["charge"] * 2


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


def test_a_game_is_replayed_twice_after_stalls_before_a_time_out_counts() -> None:
    facts = LATER._replace(cause="timeout", share="stalled", is_only_game=True)
    judged = judge(facts._replace(stall_replays=range(4)))
    assert judged.rulings == ["stalled", "stalled", "charge", "charge"]


# -- fair shares -------------------------------------------------------------------------------


def examples() -> Iterator[tuple[str, TimeShare, str]]:
    """Yield the examples of the docstring: what the bot does, its share, and the ruling."""
    source = files("arena.match").joinpath("verdict.py").read_text("utf-8")  # also if compiled
    for line in source.splitlines():
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
