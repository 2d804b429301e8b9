"""Changes, put together again, give what they were made from."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.publish.replays import SAME, delta
from tests.arena.publish.showing import patched

PLAIN = st.recursive(
    st.none() | st.integers(-2, 2) | st.sampled_from(["", "aldo-7", "__proto__"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=12,
)


@given(PLAIN, PLAIN)
def test_an_old_value_and_its_change_give_the_new_value(old: Any, new: Any) -> None:
    change = delta(old, new)
    assert patched(old, msgspec.json.decode(msgspec.json.encode(change))) == new
    assert (change is SAME) == (old == new)


class Seat(msgspec.Struct):
    """A piece of a view."""

    hand: tuple[str, ...]
    gems: int = 2


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (Seat(("a", "b", "c")), Seat(("a", "c")), {"hand": [1, 1]}),
        (Seat(("a",)), Seat(("a", "b"), 1), {"hand": [1, 0, "b"], "gems": [1]}),
        ([Seat(()), Seat(())], [Seat(()), Seat((), 1)], {"1": {"gems": [1]}}),
        ([Seat(())], [Seat(()), Seat(("a",))], [1, 0, {"hand": ["a"], "gems": 2}]),
        ({"a": 1}, {"b": 1}, [{"b": 1}]),
        (None, ("a",), [["a"]]),
    ],
)
def test_a_change_holds_what_has_changed_and_no_more(old: Any, new: Any, change: Any) -> None:
    assert msgspec.json.decode(msgspec.json.encode(delta(old, new))) == change
