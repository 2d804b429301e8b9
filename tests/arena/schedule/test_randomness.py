"""Secrets, and the random generators that follow from them or from a seed."""

import hashlib
import hmac
import json
import random
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.errors import SettingsError
from arena.schedule.plan import Board
from arena.schedule.randomness import Purpose, Randomness, Secret

TEXT = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
SECRET = Secret(TEXT)
BOARD = Board("pot-de-vin/3", 5, 12, ("e1", "e2", "e3"))
CODES = ("c3", "c1", "c2")

PURPOSES: tuple[Purpose, ...] = get_args(Purpose)
texts = st.text("0123456789abcdef", min_size=32, max_size=64).filter(lambda text: not len(text) % 2)
variants = st.sampled_from(["pot-de-vin/3", "bribery/2", "brides-and-bribes/5", "né/3"])
numbers = st.integers(0, 1_000)
codes = st.lists(st.text(max_size=4), max_size=6)


# -- the derivation ----------------------------------------------------------------------------


def test_hash_of_a_secret_is_known() -> None:
    assert SECRET.hash == "6c86c6aac5fb24bcf5d9939cb7d7d5645ce39418f449e03b262dd4fa14b4b92b"


@given(texts, st.sampled_from(PURPOSES), variants, numbers, codes)
def test_derivation_matches_the_docs(
    text: str, purpose: Purpose, variant: str, board: int, fingerprints: list[str]
) -> None:
    content = [purpose, variant, board, sorted(fingerprints)]
    message = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
    expected = hmac.new(bytes.fromhex(text), message, hashlib.sha256).digest()
    assert Secret(text).derive(purpose, variant, board, fingerprints) == expected


# -- secrets as text ---------------------------------------------------------------------------


def test_secret_ignores_case_and_surrounding_space() -> None:
    assert (
        Secret(f" {TEXT.upper()}\n").hash
        == SECRET.hash
        == hashlib.sha256(TEXT.encode()).hexdigest()
    )


@pytest.mark.parametrize("text", ["", "a" * 30, "a" * 33, "g" * 32, "a" * 16 + " " + "a" * 16])
def test_rejects_invalid_secret_without_printing_it(text: str) -> None:
    with pytest.raises(SettingsError, match="at least 32 hexadecimal digits") as caught:
        Secret(text)
    assert not text.strip() or text not in str(caught.value)


def test_repr_hides_the_secret() -> None:
    chance = Randomness(SECRET)
    for shown in (repr(SECRET), str(SECRET), f"{SECRET}", repr(chance), repr([SECRET])):
        assert TEXT not in shown
        assert SECRET.hash in shown


# -- generators --------------------------------------------------------------------------------


def test_each_purpose_has_its_own_generator() -> None:
    chance = Randomness(SECRET)
    other = Board(BOARD.variant, 6, 12, BOARD.entrants)
    generators = [
        chance.schedule("pot-de-vin/3"),
        chance.schedule("pot-de-vin/4"),
        chance.deal(BOARD, CODES),
        chance.deal(other, CODES),
        chance.deal(BOARD, ("c3", "c1", "other")),
        *[chance.dice(BOARD, CODES, rotation, "key") for rotation in range(3)],
        chance.dice(other, CODES, 0, "key"),
        chance.dice(BOARD, ("c3", "c1", "other"), 0, "key"),
    ]
    states = [generator.getstate() for generator in generators]
    assert all(state != another for state, another in combinations(states, 2))


def test_deal_generator_can_be_recomputed() -> None:
    """As the page about fair deals says, from the output as hexadecimal digits."""
    output = SECRET.derive("deal", BOARD.variant, BOARD.number, CODES).hex()
    assert Randomness(SECRET).deal(BOARD, CODES).getstate() == random.Random(output).getstate()


def test_schedule_uses_number_zero_without_fingerprints() -> None:
    output = SECRET.derive("schedule", "pot-de-vin/3", 0, ()).hex()
    ours = Randomness(SECRET).schedule("pot-de-vin/3")
    assert ours.getstate() == random.Random(output).getstate()


def test_versions_share_deals_without_fingerprints() -> None:
    chance = Randomness(SECRET, with_fingerprints=False)
    for other in (("c3", "c1", "other"), ()):
        assert chance.deal(BOARD, CODES).random() == chance.deal(BOARD, other).random()
        ours, theirs = (
            chance.dice(BOARD, code, 1, key) for code, key in ((CODES, "a"), (other, "b"))
        )
        assert ours.random() == theirs.random()
    assert chance.deal(BOARD, CODES).random() != Randomness(SECRET).deal(BOARD, CODES).random()


def test_seeds_give_stable_generators() -> None:
    """Stored runs and fixed-seed results depend on these texts."""
    chance = Randomness(7)
    for ours, text in (
        (chance.schedule("pot-de-vin/3"), "schedule 7 pot-de-vin/3"),
        (chance.deal(BOARD, CODES), "deal 7 pot-de-vin/3 5"),
        (chance.dice(BOARD, CODES, 1, "key"), "bots: 7 key"),
    ):
        assert ours.getstate() == random.Random(text).getstate()
