"""A state can be sent to another process, compiled or not."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

from engine import State, variants


@pytest.mark.parametrize(
    "duplicate",
    [lambda state: pickle.loads(pickle.dumps(state)), copy.deepcopy],
    ids=["pickle", "deepcopy"],
)
def test_pickled_copy_is_independent(duplicate: Callable[[State], State]) -> None:
    def seen(state: State) -> list[Any]:
        seats = range(state.variant.seats)
        return [state.legal_actions(), *[(state.view(s), state.events(s)) for s in seats]]

    rng = random.Random(1)
    for variant in variants().values():
        state = variant.start(variant.deal(rng))
        for _ in range(3):
            copied = duplicate(state)
            before = seen(state)
            assert seen(copied) == before
            copied.play_out(rng)
            copied.outcome()
            assert seen(state) == before
            for _ in range(12):
                state.apply(rng.choice(state.legal_actions()))
