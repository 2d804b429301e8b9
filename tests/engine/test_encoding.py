"""Encodings: every legal action has a number, and a vector says what its seat may know, no more."""

import random
from itertools import pairwise, product
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError, State, Variant, variants
from engine.default_encoding import ACTION_SLOTS
from engine.encoding import Encoding
from tests.engine.games import SEEDS, as_json, sent_world
from tests.engine.high_card import HighCard

VARIANTS = variants()
HASHED = HighCard()
HISTORY = 3
ALL = [*VARIANTS.values(), HASHED]

STABLE = {
    "pot-de-vin/3": (53, 802, 9728226),
    "pot-de-vin/4": (53, 980, 566130943),
    "pot-de-vin/5": (53, 1170, 1217623704),
    "pot-de-vin/4-teams": (53, 978, 3639205614),
    "pot-de-vin/6-teams": (105, 1461, 3249301675),
    "bribery/2": (776, 1185, 3635944171),
    "bribery/3": (776, 1282, 601054204),
    "bribery/4": (776, 1379, 2440407657),
    "bribery/4-teams": (776, 1267, 753633557),
    "bribery/2-advanced": (2830, 1268, 3469070032),
    "bribery/3-advanced": (2830, 1367, 3307712898),
    "bribery/4-advanced": (2830, 1466, 862438046),
    "bribery/4-teams-advanced": (2830, 1354, 2023050407),
    "brides-and-bribes/3": (1862, 3057, 1769722992),
    "brides-and-bribes/4": (1876, 3470, 967227138),
    "brides-and-bribes/5": (1890, 3883, 2178585436),
}
"""By variant: the number of actions, the length of a vector, and a checksum of both in words.

A change of an encoding increases its VERSION, and then these change: a policy that was trained with
the old one does not fit the new one.
"""


def checksum(encoding: Encoding) -> int:
    """Return a checksum of the vocabulary and of what each number of a vector means."""
    parts = [
        (part.name, part.start, part.rows, part.columns, part.high) for part in encoding.slices
    ]
    return crc32(repr((encoding.name, encoding.actions, parts)).encode())


def some_moment(variant: Variant, seed: int) -> State:
    """Return a position of a random game, at a random moment."""
    rng = random.Random(seed)
    state = variant.start(variant.deal(rng))
    for _ in range(rng.randrange(40 * variant.seats)):
        if state.seat_to_act is None:
            break
        state.apply(rng.choice(state.legal_actions()))
    return state


def play_and_number(variant: Variant, rng: random.Random) -> None:
    """Play a game at random, and number each list of legal actions."""
    encoding = variant.encoding()
    state = variant.start(variant.deal(rng))
    while state.seat_to_act is not None:
        legal = state.legal_actions()
        numbers = encoding.numbers(legal)
        assert len(set(numbers)) == len(legal)
        assert [encoding.action(number, legal) for number in numbers] == legal
        state.apply(rng.choice(legal))


def test_encoding_matches_its_version() -> None:
    encodings = {variant_id: variant.encoding() for variant_id, variant in VARIANTS.items()}
    measured = {
        variant_id: (len(encoding.actions), encoding.size, checksum(encoding))
        for variant_id, encoding in encodings.items()
    }
    assert measured == STABLE


@pytest.mark.parametrize("games", [1, pytest.param(300, marks=pytest.mark.long)])
def test_legal_actions_have_distinct_numbers(games: int) -> None:
    for variant, seed in product(ALL, range(games)):
        play_and_number(variant, random.Random(seed))


def test_slices_cover_the_vector() -> None:
    for variant, history in product(ALL, [0, HISTORY]):
        encoding = variant.encoding(history)
        slices = encoding.slices
        assert slices[0].start == 0
        assert all(part.start + part.length == other.start for part, other in pairwise(slices))
        assert slices[-1].start + slices[-1].length == encoding.size
        assert len({part.name for part in slices}) == len(slices)
        assert [part.name for part in slices].count("history") == bool(history)


@settings(max_examples=40)
@given(st.sampled_from(ALL), SEEDS)
def test_vector_values_are_within_bounds(variant: Variant, seed: int) -> None:
    state, encoding = some_moment(variant, seed), variant.encoding(HISTORY)
    for seat in range(variant.seats):
        vector = encoding.encode(state, seat, state.events(seat))
        assert len(vector) == encoding.size
        for part in encoding.slices:
            numbers = vector[part.start : part.start + part.length]
            assert part.low <= min(numbers) <= max(numbers) <= part.high, part.name


def test_cached_parts_stay_correct_in_clones() -> None:
    """The encoding of Pot de Vin keeps parts of its vectors, which copies of a game share."""
    variant, rng = VARIANTS["pot-de-vin/4"], random.Random(3)
    encoding = variant.encoding()
    for _ in range(2):
        games = [variant.start(variant.deal(rng))]
        games.append(games[0].clone())
        while all(game.seat_to_act is not None for game in games):
            for game in games:
                seat = rng.randrange(variant.seats)
                if not rng.randrange(4):
                    assert encoding.encode(game, seat) == variant.encoding().encode(game, seat)
                game.apply(rng.choice(game.legal_actions()))


def test_json_world_gives_the_same_vector() -> None:
    for variant in ALL:
        state, encoding = some_moment(variant, 8), variant.encoding(HISTORY)
        world, events = sent_world(state, 0, random.Random(1)), state.events(0)
        assert encoding.encode(world, 0, as_json(events)) == encoding.encode(state, 0, events)


def test_encoding_is_relative_to_the_seat() -> None:
    """The own hand is in the same place of the vector for every seat."""
    for variant in VARIANTS.values():
        state, encoding = some_moment(variant, 2), variant.encoding()
        (hand,) = [part for part in encoding.slices if part.name == "hand"]
        for seat in range(variant.seats):
            view = as_json(state.view(seat))
            held = view["own"]["hand"] if "own" in view else view["hand"]
            vector = encoding.encode(state, seat)
            places = range(hand.length)
            seen = [hand.label(place) for place in places if vector[hand.start + place]]
            assert sorted(held) == sorted(seen)


def test_describes_a_vector() -> None:
    variant = VARIANTS["pot-de-vin/3"]
    encoding = variant.encoding(history=2)
    state = variant.start(variant.deal(random.Random(1)))
    seat = state.seat_to_act
    assert seat is not None
    card = state.legal_actions()[0].removeprefix("play ")
    state.apply(f"play {card}")
    words = encoding.describe(encoding.encode(state, seat, state.events(seat)))
    lines = dict(line.split(": ", 1) for line in words.splitlines())
    assert lines["phase"] == "play"
    assert lines["round"] == "round=1"
    assert lines["to_act"] == "seat+1"
    assert lines["trick"] == f"you {card}"
    assert "you cards=11, you gems=4, seat+1 cards=12" in lines["numbers"]
    assert lines["history"].startswith(f"event -1 kind play, event -1 by you, event -1 {card}")
    assert "event -2 kind trump" in lines["history"]


def test_rejects_vector_of_wrong_length() -> None:
    encoding = VARIANTS["pot-de-vin/3"].encoding()
    with pytest.raises(EngineError, match="got an observation of 3 numbers, expected 802"):
        encoding.describe([0, 0, 0])


def test_rejects_unknown_action() -> None:
    encoding = VARIANTS["pot-de-vin/3"].encoding()
    with pytest.raises(EngineError, match="'discard aldo-1', which pot-de-vin/3 encoding 1"):
        encoding.numbers(["discard aldo-1"])


def test_colliding_actions_get_different_numbers() -> None:
    encoding = HASHED.encoding()
    legal = [f"hide {card}" for card in range(ACTION_SLOTS)]
    numbers = encoding.numbers(legal)
    assert sorted(numbers) == list(range(ACTION_SLOTS))
    assert encoding.action(numbers[-1], legal) == legal[-1]


def test_rejects_too_many_hashed_actions() -> None:
    encoding = HASHED.encoding()
    with pytest.raises(EngineError, match="list the `actions`"):
        encoding.numbers([f"hide {card}" for card in range(ACTION_SLOTS + 1)])
    with pytest.raises(EngineError, match="has no legal action"):
        encoding.action(encoding.numbers(["hide 1"])[0] ^ 1, ["hide 1"])
