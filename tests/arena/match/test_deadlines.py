"""Deadlines are due at their time, and the earliest time of a key counts."""

import math

from arena.match.request_queue import Deadlines


def test_keys_are_due_in_the_order_of_their_times() -> None:
    deadlines = Deadlines[str]()
    for key, time in (("b", 2.0), ("c", 3.0), ("a", 1.0)):
        deadlines.set(key, time)
    assert list(deadlines.due(0.9)) == []
    assert list(deadlines.due(2.0)) == ["a", "b"]
    assert list(deadlines.due(9.0)) == ["c"]
    assert list(deadlines.due(9.0)) == []


def test_the_earliest_time_is_known() -> None:
    deadlines = Deadlines[str]()
    assert deadlines.earliest == math.inf
    deadlines.set("a", 9.0)
    deadlines.set("b", 8.0)
    assert deadlines.earliest == 8.0
    assert list(deadlines.due(8.0)) == ["b"]
    assert deadlines.earliest == 9.0
    assert list(deadlines.due(9.0)) == ["a"]
    assert deadlines.earliest == math.inf


def test_a_later_time_does_not_replace_an_earlier_one() -> None:
    deadlines = Deadlines[str]()
    deadlines.set("a", 1.0)
    deadlines.set("a", 2.0)
    assert list(deadlines.due(1.0)) == ["a"]
    assert list(deadlines.due(9.0)) == []


def test_an_earlier_time_replaces_a_later_one_and_the_key_is_due_once() -> None:
    deadlines = Deadlines[str]()
    deadlines.set("a", 2.0)
    deadlines.set("a", 1.0)
    assert list(deadlines.due(1.0)) == ["a"]
    assert list(deadlines.due(9.0)) == []


def test_a_key_may_be_set_again_while_keys_are_due() -> None:
    deadlines = Deadlines[str]()
    deadlines.set("a", 1.0)
    seen = []
    for key in deadlines.due(3.0):
        seen.append(key)
        if len(seen) < 3:
            deadlines.set(key, float(len(seen) + 1))
    assert seen == ["a"] * 3
