"""The table of verdicts: what becomes of the games of a broken process."""

from itertools import product

import pytest

from arena.match.verdict import MAX_STALL_REPLAYS, Cause, Facts, GameFacts, Ruling, judge
from arena.protocol import FaultKind

ALONE = Facts(
    cause="crash",
    was_ready=True,
    has_stalled=False,
    is_first_game=False,
    has_answered=False,
    always_charge=False,
    games=[GameFacts(True, 0)],
)
TWO = [GameFacts(True, 0), GameFacts(False, 0)]


@pytest.mark.parametrize(
    ("facts", "rulings"),
    [
        # One game under way: it is certain in the first game, or after an answer in this one.
        (ALONE._replace(is_first_game=True), ["charge"]),
        (ALONE._replace(has_answered=True), ["charge"]),
        (ALONE, ["suspect"]),
        (ALONE._replace(games=[GameFacts(False, 0)]), ["void"]),
        # Several games: it is not certain.
        (ALONE._replace(games=TWO), ["suspect", "void"]),
        (ALONE._replace(games=TWO, is_first_game=True), ["suspect", "void"]),
        (ALONE._replace(games=TWO, has_answered=True), ["suspect", "void"]),
        # Before it was ready, and where it is charged in any case, it is.
        (ALONE._replace(games=TWO, was_ready=False), ["charge", "charge"]),
        (ALONE._replace(games=TWO, always_charge=True), ["charge", "charge"]),
        # No game under way.
        (ALONE._replace(games=[]), []),
        (ALONE._replace(games=[], was_ready=False), []),
    ],
)
def test_a_bot_is_charged_where_it_is_certain(facts: Facts, rulings: list[Ruling]) -> None:
    assert judge(facts).rulings == rulings


@pytest.mark.parametrize(
    ("replays", "ruling"),
    [(0, "stalled"), (MAX_STALL_REPLAYS - 1, "stalled"), (MAX_STALL_REPLAYS, "charge")],
)
def test_a_stalled_time_out_is_excused_while_replays_are_left(replays: int, ruling: Ruling) -> None:
    facts = ALONE._replace(cause="timeout", has_stalled=True, has_answered=True)
    games = [GameFacts(True, replays), GameFacts(False, 0)]
    assert judge(facts._replace(games=games[:1])).rulings == [ruling]
    late = judge(facts._replace(games=games, always_charge=True))
    assert late.rulings == [ruling, "stalled"]


@pytest.mark.parametrize("cause", ["crash", "flood", "malformed", "excess"])
def test_a_stall_excuses_nothing_but_a_time_out(cause: Cause) -> None:
    assert judge(ALONE._replace(cause=cause, has_stalled=True)).rulings == ["suspect"]


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        ("crash", "crash"),
        ("excess", "crash"),
        ("flood", "flood"),
        ("malformed", "malformed"),
        ("timeout", "timeout"),
    ],
)
def test_the_kind_is_the_cause_and_start_before_the_process_was_ready(
    cause: Cause, kind: FaultKind
) -> None:
    for was_ready, has_stalled in product((True, False), repeat=2):
        verdict = judge(ALONE._replace(cause=cause, was_ready=was_ready, has_stalled=has_stalled))
        assert verdict.kind == (kind if was_ready else "start")
        is_excused = has_stalled and cause == "timeout"
        assert verdict.is_failed_start == (not was_ready and not is_excused)
