"""Sizes of portions: they double, up to the largest."""

import msgspec
import pytest

from arena.tournament.settings import PortionSizes, Settings
from tests.arena.runs import in_portions, made_up_settings

SETTINGS = made_up_settings(3, "pot-de-vin/3")


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        (PortionSizes(), [25, 50, 100, 200, 400, 800, 1_600, 1_600, 1_600]),
        (PortionSizes(1, 2), [1, 2, 2, 2]),
        (PortionSizes(2, 2), [2, 2, 2]),
        (PortionSizes(3, 7), [3, 6, 7, 7]),
    ],
)
def test_each_portion_is_twice_as_large_as_the_one_before(
    sizes: PortionSizes, expected: list[int]
) -> None:
    boards, found = 0, []
    for _ in expected:
        found.append(sizes.after(boards))
        boards += found[-1]
    assert found == expected


def test_the_default_sizes_are_not_stored_and_others_are() -> None:
    assert SETTINGS.sizes == PortionSizes()
    assert b"portion" not in msgspec.json.encode(SETTINGS)
    small = in_portions(SETTINGS, 3, 9)
    assert msgspec.json.decode(msgspec.json.encode(small), type=Settings) == small
