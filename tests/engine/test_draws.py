"""Draws: the same results as `random.Random`, and the same state of the generator afterwards."""

import random
from itertools import product

import pytest

from engine.draws import sample, shuffle

SEEDS = range(20)


def test_shuffle_equals_random_shuffle() -> None:
    for size, seed in product([0, 1, 2, 3, 8, 31, 32, 33, 100], SEEDS):
        ours, theirs = random.Random(seed), random.Random(seed)
        items, expected = list(range(size)), list(range(size))
        shuffle(items, ours)
        theirs.shuffle(expected)
        assert items == expected
        assert ours.getstate() == theirs.getstate()


def test_sample_equals_random_sample() -> None:
    for size, seed in product([0, 1, 2, 5, 16, 20, 21, 22, 24, 39, 40, 85, 86, 300], SEEDS):
        ours, theirs = random.Random(seed), random.Random(seed)
        for count in sorted({0, 1, 4, 5, 6, 7, size // 2, size}):
            if count <= size:
                assert sample(range(size), count, ours) == theirs.sample(range(size), count)
        assert ours.getstate() == theirs.getstate()


def test_rejects_sample_larger_than_population() -> None:
    with pytest.raises(ValueError, match="larger than population"):
        sample([1, 2], 3, random.Random(1))
