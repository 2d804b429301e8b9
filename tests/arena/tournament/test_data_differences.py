"""Differences of plain data, with the path to each."""

from typing import Any

import pytest

from arena.tournament.game_checks import MAX_SHOWN_CHARS, data_differences, shown


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (None, None),
        ("a", "a"),
        ([1, 2], [1, 2]),
        ({"a": {"b": [1, "x", None, True]}}, {"a": {"b": [1, "x", None, True]}}),
        (1, 1.0),
        (0.1 + 0.2, 0.3),
        ("0.30000000000000004", "0.3"),
        ("12", 12),
        (1_000_000_000.0, 1_000_000_000.5),
        ([{"name": "a", "points": 0.1 + 0.2}], [{"name": "a", "points": 0.3}]),
    ],
)
def test_equal_data_have_no_differences(got: Any, expected: Any) -> None:
    assert list(data_differences(got, expected)) == []


@pytest.mark.parametrize(
    ("got", "expected", "difference"),
    [
        ({"a": 1}, {"a": 2}, "a: got 1, expected 2"),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "a, b: got 1, expected 2"),
        ({}, {"a": 2}, "a: got nothing, expected 2"),
        ({"a": 1}, {}, "a: got 1, expected nothing"),
        ({"a": True}, {"a": 1}, "a: got True, expected 1"),
        ({"a": 1}, {"a": False}, "a: got 1, expected False"),
        ({"a": 1.0}, {"a": 1.00000001}, "a: got 1.0, expected 1.00000001"),
        ({"a": "x"}, {"a": 1}, "a: got x, expected 1"),
        ({"a": "x"}, {"a": "y"}, "a: got x, expected y"),
        ({"a": None}, {"a": 0}, "a: got None, expected 0"),
        ({"a": 10**400}, {"a": 1}, f"a: got {'1' + '0' * (MAX_SHOWN_CHARS - 1)}..., expected 1"),
        ({"a": [1, 2]}, {"a": [2, 1]}, "a: got [1, 2], expected [2, 1]"),
        ({"a": []}, {"a": [{"name": "x"}]}, "a: got [], expected [{'name': 'x'}]"),
        ({"a": {"b": 1}}, {"a": [1]}, "a: got {'b': 1}, expected [1]"),
    ],
)
def test_a_difference_has_its_path_and_both_values(
    got: Any, expected: Any, difference: str
) -> None:
    assert list(data_differences(got, expected)) == [difference]


def test_every_difference_is_named_in_the_order_of_the_keys() -> None:
    got, expected = {"b": 1, "a": {"y": 1, "x": 1}}, {"b": 2, "a": {"y": 2, "x": 2}}
    found = list(data_differences(got, expected, "table"))
    assert [one.partition(":")[0] for one in found] == ["table, a, x", "table, a, y", "table, b"]


@pytest.mark.parametrize("field", ["name", "bot"])
def test_objects_of_a_list_are_compared_by_name(field: str) -> None:
    got = [{field: "ann", "games": 3}, {field: "bob", "games": 3}]
    expected = [{field: "ann", "games": 3}, {field: "bob", "games": 4}]
    assert list(data_differences(got, expected, "rows")) == [
        "rows, bob, games: got 3, expected 4",
    ]


def test_a_missing_and_an_added_object_are_named() -> None:
    got = [{"name": "ann"}, {"name": "eve"}]
    expected = [{"name": "ann"}, {"name": "bob"}]
    assert list(data_differences(got, expected, "rows")) == [
        "rows, bob: got nothing, expected {'name': 'bob'}",
        "rows, eve: got {'name': 'eve'}, expected nothing",
    ]


def test_another_order_of_the_objects_is_a_difference() -> None:
    ann, bob, eve = ({"name": name} for name in ("ann", "bob", "eve"))
    assert list(data_differences([bob, ann], [ann, bob], "rows")) == [
        "rows, order: got ['bob', 'ann'], expected ['ann', 'bob']"
    ]
    found = list(data_differences([bob, eve, ann], [ann, bob], "rows"))
    assert found[-1] == "rows, order: got ['bob', 'eve', 'ann'], expected ['ann', 'bob']"
    assert len(list(data_differences([eve, ann, bob], [ann, bob], "rows"))) == 1, "same order"


def test_objects_with_the_same_name_twice_are_compared_as_a_whole() -> None:
    twice = [{"name": "ann", "bot": 1}, {"name": "ann", "bot": 1}]
    found = list(data_differences(twice, [{"name": "ann"}], "rows"))
    assert found == [f"rows: got {twice}, expected [{{'name': 'ann'}}]"]


def test_the_second_field_names_objects_if_the_first_does_not() -> None:
    got = [{"name": "x", "bot": "ann"}, {"name": "x", "bot": "bob", "games": 1}]
    expected = [{"name": "x", "bot": "ann"}, {"name": "x", "bot": "bob", "games": 2}]
    assert list(data_differences(got, expected, "rows")) == ["rows, bob, games: got 1, expected 2"]


def test_what_is_long_is_shortened() -> None:
    assert shown("x" * MAX_SHOWN_CHARS) == "x" * MAX_SHOWN_CHARS
    assert shown("x" * (MAX_SHOWN_CHARS + 1)) == "x" * MAX_SHOWN_CHARS + "..."
