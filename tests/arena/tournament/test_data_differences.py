"""Differences of plain data, with the path to each."""

from typing import Any

import pytest

from arena.tournament.game_checks import MAX_SHOWN_CHARS, data_differences, shown


@pytest.mark.parametrize(
    ("got", "expected", "differences"),
    [
        (1, 1.0, []),
        (0.1 + 0.2, 0.3, []),
        ("0.30000000000000004", "0.3", []),
        ("12", 12, []),
        (1_000_000_000.0, 1_000_000_000.5, []),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, ["a, b: got 1, expected 2"]),
        ({}, {"a": 2}, ["a: got nothing, expected 2"]),
        ({"a": 1}, {}, ["a: got 1, expected nothing"]),
        ({"a": True}, {"a": 1}, ["a: got True, expected 1"]),
        ({"a": 1.0}, {"a": 1.00000001}, ["a: got 1.0, expected 1.00000001"]),
        ({"a": 10**400}, {"a": 1}, [f"a: got 1{'0' * (MAX_SHOWN_CHARS - 1)}..., expected 1"]),
        ({"a": [1, 2]}, {"a": [2, 1]}, ["a, 1: got 1, expected 2", "a, 2: got 2, expected 1"]),
        (
            {"b": 1, "a": {"x": 1}},
            {"b": 2, "a": {"x": 2}},
            ["b: got 1, expected 2", "a, x: got 1, expected 2"],
        ),
        (
            [{"bot": "ann"}, {"bot": "bob", "games": 3}],
            [{"bot": "ann"}, {"bot": "bob", "games": 4}],
            ["2, games: got 3, expected 4"],
        ),
        ([{"bot": "ann"}], [], ["1: got {'bot': 'ann'}, expected nothing"]),
        ([1], {"1": 1}, ["got [1], expected {'1': 1}"]),
    ],
)
def test_a_difference_has_its_path_and_both_values(
    got: Any, expected: Any, differences: list[str]
) -> None:
    found = list(data_differences(got, expected, "data"))
    assert [text.removeprefix("data").lstrip(",: ") for text in found] == differences


def test_what_is_long_is_shortened() -> None:
    assert shown("x" * MAX_SHOWN_CHARS) == "x" * MAX_SHOWN_CHARS
    assert shown("x" * (MAX_SHOWN_CHARS + 1)) == "x" * MAX_SHOWN_CHARS + "..."
