"""States that are sent as JSON."""

import json
import random

import pytest

from engine import WrongWorld, get_variant, variants
from tests.engine.games import each_by_length


@each_by_length([*variants().values()])
def test_loaded_world_continues_like_the_dumped_world(variant) -> None:
    rng = random.Random(variant.id)
    state = variant.start(variant.deal(rng))
    while (seat := state.seat_to_act) is not None:
        if rng.random() < 0.1:
            world = state.determinize(seat, rng)
            loaded = variant.load(world.dump())
            seed = rng.random()
            assert loaded.play_out(random.Random(seed)) == world.play_out(random.Random(seed))
            assert loaded.outcome().points == world.outcome().points
        state.apply(rng.choice(state.legal_actions()))


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("schema", 99, "schema 99"),
        ("variant", "bribery/3", "bribery/3"),
        ("rules_version", 99, "rules version 99"),
        ("state", {"function": "os:system"}, "os:system"),
        ("state", {"class": "engine.plugins:no_such_class", "fields": {}}, "no_such_class"),
    ],
)
def test_rejects_world_of_another_game_or_version(field, value, named) -> None:
    variant = get_variant("bribery/2")
    world = json.loads(variant.start(variant.deal(random.Random(1))).dump())
    with pytest.raises(WrongWorld, match=named):
        variant.load(json.dumps({**world, field: value}).encode())


def test_rejects_invalid_json() -> None:
    with pytest.raises(WrongWorld, match="bribery/2"):
        get_variant("bribery/2").load(b"[1]")
