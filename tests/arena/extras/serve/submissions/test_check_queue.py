"""No bot waits for more than one check of a bot with many submissions."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from arena.extras.serve.submissions.submission_store import Waiting, order_checks

FLOOD = [Waiting(number, "flood") for number in range(1, 101)]


def test_the_first_check_of_another_comes_before_a_flood() -> None:
    others = [Waiting(200, "ann"), Waiting(201, "ben")]
    assert list(islice(order_checks([*FLOOD, *others], {"flood": 7}), 3)) == [200, 201, 1]


def test_bots_take_turns_and_each_keeps_its_order() -> None:
    waiting = [Waiting(9, "ann"), *FLOOD[:3], Waiting(8, "ann"), Waiting(10, "ben")]
    assert list(order_checks(waiting, {})) == [1, 8, 10, 2, 9, 3]


def test_the_bot_checked_longest_ago_is_next() -> None:
    waiting = [Waiting(1, "ann"), Waiting(2, "ben"), Waiting(3, "cem")]
    assert list(order_checks(waiting, {"ann": 3, "ben": 1, "cem": 2})) == [2, 3, 1]


def test_nothing_waits() -> None:
    assert list(order_checks([], {"ann": 1})) == []


@given(st.lists(st.sampled_from("abcd")), st.dictionaries(st.sampled_from("abcd"), st.integers(1)))
def test_between_two_checks_of_a_bot_each_other_that_waits_has_one(
    bots: list[str], last_turns: dict[str, int]
) -> None:
    waiting = [Waiting(number, bot) for number, bot in enumerate(bots)]
    order = [bots[one] for one in order_checks(waiting, last_turns)]
    assert sorted(order) == sorted(bots)
    for place, bot in enumerate(order):
        if bot in order[:place]:
            before = place - 1 - order[:place][::-1].index(bot)
            assert set(order[place:]) <= set(order[before:place])
