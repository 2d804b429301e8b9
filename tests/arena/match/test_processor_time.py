"""The processor time of a process: for an answer, between answers, and while it is frozen."""

from arena.match.processor_time import (
    BETWEEN_SHARE,
    BETWEEN_TEXT,
    FROZEN_TEXT,
    MAX_FROZEN_MS,
    ProcessorAccount,
    Reading,
)

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
