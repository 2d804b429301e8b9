"""What a bot process pays for, and when that is too much."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.clock import (
    CREDIT,
    MAX_WALL_FACTOR,
    TICK_S,
    Budget,
    Judgement,
    next_interval_s,
)

LIMIT_S, IDLE_S = 2.0, 1.0


class Bot:
    """A bot process that was just asked, and its budget."""

    def __init__(self, *, is_exact: bool = True) -> None:
        self.budget = Budget(0.0, LIMIT_S, IDLE_S)
        self.budget.is_exact = is_exact
        self.now = self.clock_s = 0.0

    def spend(self, seconds: float, share: float = 0.0, *, is_able: bool = False) -> Judgement:
        """Use this share of the time, with a look at each tick; return the judgement."""
        for _ in range(round(seconds / TICK_S)):
            self.now += TICK_S
            self.clock_s += share * TICK_S
            state = is_able if self.budget.needs_state(self.now) else None
            self.budget.measure(self.now, self.clock_s, state)
        return self.budget.judge()

    def answer(self) -> float:
        """Answer, and return what is charged."""
        spent_s = self.budget.answer(self.now, self.clock_s)
        self.budget.restart()
        return spent_s

    def ask(self) -> None:
        """Be asked."""
        self.budget.start_request(self.now, LIMIT_S, IDLE_S)


@pytest.mark.parametrize(
    ("seconds", "share", "is_able", "judgement"),
    [
        (0.5 * LIMIT_S, 1.0, True, "wait"),
        (1.3 * LIMIT_S, 1.0, True, "cpu"),
        (0.2 * LIMIT_S, 4.0, True, "wait"),
        (0.3 * LIMIT_S, 8.0, True, "cpu"),
        (10 * LIMIT_S, 0.05, True, "wait"),
        (0.5 * IDLE_S, 0.0, False, "wait"),
        (1.3 * IDLE_S, 0.0, False, "idle"),
        (10 * IDLE_S, 0.0, True, "wait"),
        (MAX_WALL_FACTOR * (LIMIT_S + IDLE_S) + 1, 0.0, True, "wall"),
    ],
    ids=[
        "computes half of its limit",
        "computes too much",
        "in four processes",
        "in eight processes",
        "beside many others",
        "sleeps half of its limit",
        "sleeps too long",
        "waits for a core",
        "waits for a core for ever",
    ],
)
def test_judges_processor_and_idle_time(
    seconds: float, share: float, is_able: bool, judgement: Judgement
) -> None:
    assert Bot().spend(seconds, share, is_able=is_able) == judgement


def test_without_an_exact_clock_the_wall_limit_is_lower() -> None:
    assert Bot(is_exact=False).spend(19 * LIMIT_S, is_able=True) == "wait"
    assert Bot(is_exact=False).spend(21 * LIMIT_S, is_able=True) == "wall"


def test_suspension_of_the_machine_is_not_charged() -> None:
    bot = Bot()
    bot.spend(0.2)
    bot.now += 3_600.0
    assert bot.spend(0.2) == "wait"


def test_processor_time_between_answers_counts() -> None:
    bot = Bot()
    bot.spend(1.5, share=1.0)
    assert bot.answer() == pytest.approx(1.5)
    assert bot.spend(1.9, share=1.0) == "ok"
    bot.ask()
    bot.spend(0.3, share=1.0)
    assert bot.answer() == pytest.approx(1.9 * (1 - CREDIT) + 0.3)


def test_limits_processor_time_without_requests() -> None:
    bot = Bot()
    bot.answer()
    assert bot.spend(1.1 * LIMIT_S, share=1.0) == "cpu"


def test_waiting_process_may_use_one_percent() -> None:
    bot = Bot()
    bot.answer()
    bot.spend(100.0, share=CREDIT)
    assert bot.answer() == pytest.approx(0)


def test_unused_credit_expires() -> None:
    bot = Bot()
    bot.answer()
    bot.spend(1_000.0)
    bot.ask()
    assert bot.spend(1.1 * LIMIT_S, share=1.0) == "cpu"


def test_each_answer_resets_the_budget() -> None:
    bot = Bot()
    for _ in range(10):
        bot.spend(0.6 * LIMIT_S, share=1.0)
        assert bot.spend(0.6 * IDLE_S) == "wait"
        assert bot.answer() == pytest.approx(0.6 * LIMIT_S)
        bot.ask()


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), max_size=9))
def test_charge_does_not_depend_on_clock_readings(steps: list[tuple[float, float]]) -> None:
    often, once = Bot(), Bot()
    for seconds, used_s in steps:
        often.now += seconds
        often.clock_s += used_s
        often.budget.measure(often.now, often.clock_s)
    once.now, once.clock_s = often.now, often.clock_s
    assert often.answer() == pytest.approx(once.answer())


@given(st.integers(), st.floats(0.002, 1.0), st.floats(0.0, 0.2), st.floats(0.0, 1.0))
def test_bot_cannot_hide_sleep_by_running_at_regular_times(
    seed: int, period_s: float, share: float, phase: float
) -> None:
    rng, bot = random.Random(seed), Bot()
    while bot.budget.judge() == "wait":
        bot.now += next_interval_s(rng)
        cycles = bot.now / period_s + phase
        is_able = cycles % 1.0 < share
        bot.clock_s = (cycles // 1.0 * share + min(cycles % 1.0, share)) * period_s
        bot.budget.measure(
            bot.now, bot.clock_s, is_able if bot.budget.needs_state(bot.now) else None
        )
    assert bot.budget.judge() == "idle"
    assert bot.now < 3 * IDLE_S


def test_next_check_comes_before_a_budget_can_be_exceeded() -> None:
    bot = Bot()
    bot.budget.cores = 4
    bot.spend(0.1, share=16.0)
    assert bot.budget.spent_at(bot.now) == pytest.approx(0.2)
