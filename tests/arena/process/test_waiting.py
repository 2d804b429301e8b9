"""Time for which a bot waits for a core: its own threads wait for each other, which counts not."""

import pytest

from arena.process.usage import TaskTime, waited_for_others_ns

NEW: dict[int, TaskTime] = {}


@pytest.mark.parametrize(
    ("after", "cpu_ns", "waited_ns"),
    [
        ({}, 0, 0),
        ({1: TaskTime(900, 0)}, 900, 0),
        ({1: TaskTime(100, 800)}, 100, 800),
        # Two threads of the bot share a core, which no other uses.
        ({1: TaskTime(500, 500), 2: TaskTime(500, 500)}, 1_000, 0),
        # Three spinners do, and sleep for a part of the time.
        ({1: TaskTime(200, 400), 2: TaskTime(200, 400), 3: TaskTime(200, 400)}, 600, 0),
        # Two threads share a core with another program.
        ({1: TaskTime(250, 750), 2: TaskTime(250, 750)}, 500, 500),
        # One waits for a child that has ended.
        ({1: TaskTime(10, 600)}, 610, 0),
        # The system has rounded.
        ({1: TaskTime(100, 50)}, 90, 50),
    ],
)
def test_waiting_for_threads_of_its_own_does_not_count(
    after: dict[int, TaskTime], cpu_ns: int, waited_ns: int
) -> None:
    assert waited_for_others_ns(NEW, after, cpu_ns) == waited_ns


def test_only_the_time_since_the_last_measurement_counts() -> None:
    before = {1: TaskTime(1_000, 9_000), 3: TaskTime(5, 5)}
    after = {1: TaskTime(1_200, 9_500), 2: TaskTime(100, 0)}
    assert waited_for_others_ns(before, after, 300) == 400
