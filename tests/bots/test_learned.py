"""The bot that learned from games: its weights, and who plays where there are none."""

import numpy as np
import pytest

from arena.match.in_process import class_of, play_in_process
from arena.plugins import bots
from bots.learned.policy import FOLDER, Policy, file_of
from engine import get_variant
from tests.bots.boards import make_game

LEARNED = class_of("learned")
MAX_BYTES = 2_000_000
TRAINED = ("pot-de-vin/3", "bribery/2")


@pytest.mark.parametrize("variant_id", TRAINED)
def test_its_weights_are_small_and_of_the_current_encoding(variant_id: str) -> None:
    file = file_of(variant_id)
    assert file.stat().st_size < MAX_BYTES
    with np.load(file) as arrays:
        assert str(arrays["encoding"]) == get_variant(variant_id).encoding().name


def test_weights_of_another_encoding_are_refused() -> None:
    with pytest.raises(ValueError, match=r"for 'pot-de-vin/3 .* expected 'pot-de-vin/4"):
        Policy(file_of("pot-de-vin/3"), get_variant("pot-de-vin/4").encoding())


def test_there_are_weights_for_these_variants_only() -> None:
    assert sorted(FOLDER.glob("*.npz")) == sorted(map(file_of, TRAINED))


@pytest.mark.parametrize(
    ("variant_id", "teacher"), [("pot-de-vin/4-teams", "planner"), ("bribery/3", "fixer")]
)
def test_without_weights_it_plays_as_its_teacher(variant_id: str, teacher: str) -> None:
    game = make_game(variant_id, 1)
    seats = get_variant(variant_id).seats
    records = [play_in_process(game, [bot] * seats) for bot in (LEARNED, class_of(teacher))]
    assert records[0].actions == records[1].actions


def test_it_enters_a_run_only_by_its_name() -> None:
    learned = bots()["learned"]
    assert not learned.quick
    assert learned.games == ("pot-de-vin", "bribery")
