"""News interrupts where it may, and a stop everywhere."""

import os
import signal
from collections.abc import Callable, Iterator

import pytest

from arena.extras.serve.ladder.ladder_player import NEWS_SIGNAL, Interrupts
from tests.arena.extras.serve.visiting import Clock


@pytest.fixture
def time() -> Clock:
    return Clock()


@pytest.fixture
def interrupts(time: Clock) -> Iterator[Interrupts]:
    made = Interrupts(time)
    with made.listening():
        yield made


def tell(number: int) -> None:
    """Send this process a signal, which is handled at once."""
    os.kill(os.getpid(), number)


def is_interrupted(
    interrupts: Interrupts, act: Callable[[], object] = lambda: None, after_s: float = 0
) -> bool:
    """Return whether something is interrupted that news may interrupt."""
    try:
        with interrupts.allowed(after_s):
            act()
    except KeyboardInterrupt:
        return True
    return False


def test_news_is_kept_where_it_may_not_interrupt(interrupts: Interrupts) -> None:
    tell(NEWS_SIGNAL)
    assert interrupts.has_news
    assert is_interrupted(interrupts)
    interrupts.take_news()
    with interrupts.allowed():
        assert not interrupts.has_news


def test_news_interrupts_where_it_may(interrupts: Interrupts) -> None:
    assert is_interrupted(interrupts, lambda: tell(NEWS_SIGNAL))


def test_news_waits_for_its_time(interrupts: Interrupts, time: Clock) -> None:
    tell(NEWS_SIGNAL)
    assert not is_interrupted(interrupts, lambda: tell(NEWS_SIGNAL), after_s=10)

    def ten_seconds_later() -> None:
        time.now += 10
        tell(NEWS_SIGNAL)

    assert is_interrupted(interrupts, ten_seconds_later, after_s=10)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_interrupts_once(interrupts: Interrupts, number: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        tell(number)
    assert interrupts.must_stop
    tell(number)  # as what is being ended must not be disturbed
    assert is_interrupted(interrupts, after_s=10), "nothing may begin any more"


def test_waiting_ends_with_news_or_the_time(interrupts: Interrupts) -> None:
    interrupts.wait(0)
    tell(NEWS_SIGNAL)
    interrupts.wait(None)
    assert interrupts.has_news


def test_handlers_are_those_of_before_afterwards() -> None:
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, NEWS_SIGNAL)]
    with Interrupts().listening():
        pass
    assert before == [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, NEWS_SIGNAL)]
