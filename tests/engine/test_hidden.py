"""What seats cannot know, in every game: it is drawn by the generator, and public facts stay."""

import random

from engine import State, Variant, variants
from tests.engine.games import each_by_length, sent_world

each_variant = each_by_length([*variants().values()])


def some_moment(variant: Variant, seed: int) -> State:
    """Return a state after some actions, in which every seat still has something hidden."""
    rng = random.Random(seed)
    state = variant.start(variant.deal(rng))
    for _ in range(rng.randrange(5 * variant.seats)):
        state.apply(rng.choice(state.legal_actions()))
    return state


def views_of(state: State) -> list[object]:
    return [state.view(seat) for seat in range(state.variant.seats)]


@each_variant
def test_the_generator_decides_what_is_drawn(variant: Variant) -> None:
    state = some_moment(variant, 0)
    for seat in range(variant.seats):
        drawn, same, other = (
            [views_of(state.determinize(seat, random.Random(seed))) for seed in seeds]
            for seeds in (range(5), range(5), range(5, 10))
        )
        assert drawn == same != other


@each_variant
def test_what_all_were_told_and_see_stays(variant: Variant) -> None:
    for seed in range(6):
        rng, state = random.Random(seed), some_moment(variant, seed)
        for seat in range(variant.seats):
            drawn = state.determinize(seat, rng)
            assert drawn.events(None) == state.events(None)
            assert drawn.view(None) == state.view(None)
            if state.seat_to_act == seat:
                assert sent_world(state, seat, rng).seat_to_act == seat
