"""Whole games of Pot de Vin for the tests: played at random, or towards a position that is wanted.

Everything here goes through the public contract, so the rules that tests rely on are those of
the rules page and not those of the engine's own helpers.
"""

import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import State, Variant, get_variant
from tests.engine.games import SEEDS, Chooser, Game, each_by_length, play

CHARACTERS = ("aldo", "pietra", "enzo", "ugo")
GUILDS = ("nobles", "artists", "traders", "workmen", "knights", "assassins")
CARDS = [f"{character}-{value}" for character in CHARACTERS for value in range(1, 14)]

VARIANTS = [get_variant(f"pot-de-vin/{name}") for name in ("3", "4", "5", "4-teams", "6-teams")]
each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
each_usual_variant = each_by_length(VARIANTS)


@dataclass(frozen=True)
class Table:
    rounds: int
    hand: int
    gems: int
    recycled: bool = False
    """Whether there are set-up discards and a trump pile that is used three times."""


TABLE = {
    "pot-de-vin/3": Table(rounds=16, hand=12, gems=4),
    "pot-de-vin/4": Table(rounds=12, hand=10, gems=2),
    "pot-de-vin/5": Table(rounds=12, hand=8, gems=4),
    "pot-de-vin/4-teams": Table(rounds=12, hand=10, gems=2),
    "pot-de-vin/6-teams": Table(rounds=12, hand=8, gems=4, recycled=True),
}


def character(card: str) -> str:
    return card.partition("-")[0]


def value(card: str) -> int:
    return int(card.partition("-")[2])


def in_order(cards: Sequence[str]) -> list[str]:
    return sorted(cards, key=CARDS.index)


def area_of(view: Any, seat: int) -> list[str]:
    columns = [card for column in view.columns[seat].values() for card in column]
    return in_order([*columns, *view.neutral[seat]])


# -- games --------------------------------------------------------------------------------------


def table_of(game: Game) -> Table:
    return TABLE[game.variant.id]


def random_game(variant: Variant, seed: int) -> Game:
    """Return a game among seats of different tempers.

    Some seats never pass, others whenever they can; some play anything, others their lowest or
    highest card. So seats run out of cards at different times, and a few win most of the tricks.
    """
    rng = random.Random(seed)
    eager = [rng.choice((0.0, 0.0, 0.2, 0.6, 1.0)) for _ in range(variant.seats)]
    taste = [rng.choice((None, min, max)) for _ in range(variant.seats)]

    def choose(state: State) -> str:
        legal, seat = state.legal_actions(), state.seat_to_act
        assert seat is not None
        if legal[-1] == "pass" and rng.random() < eager[seat]:
            return "pass"
        cards = [action for action in legal if action != "pass"]
        pick = taste[seat]
        return pick(cards, key=value) if pick is not None else rng.choice(cards)

    return play(variant, variant.deal(rng), choose)


def random_games() -> st.SearchStrategy[Game]:
    return st.builds(random_game, st.sampled_from(VARIANTS), SEEDS)


def every_game(test: Callable[[Game], None]) -> Callable[[], None]:
    return settings(max_examples=40)(given(game=random_games())(test))


RECORDS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("records.toml").read_text(encoding="utf-8")
)


def replay(record: Mapping[str, Any]) -> Game:
    raw = {"start": record["start"], "cards": record["cards"].split()}
    if "trump_orders" in record:
        raw["trump_orders"] = record["trump_orders"]
    variant = get_variant(record["variant"])
    actions = iter(split(record["actions"]))
    game = play(variant, variant.read_deal(raw), lambda state: next(actions))
    assert next(actions, None) is None, "the game is over before the last action"
    return game


def split(actions: str) -> list[str]:
    return actions.replace("\n", " ").strip().split(", ")


# -- positions that are wanted ------------------------------------------------------------------


@dataclass
class Wish:
    """What the deal and the seats do so that a position arises.

    The seats of `holds` are dealt these cards and keep them as long as they can; the seats of
    `lacks` are dealt no card of these characters. Seats pass exactly as often as `passes` says,
    at any time; a seat that it does not mention passes when it likes.
    """

    variant: Variant
    start: int | None = None
    trumps: Mapping[int, str] = field(default_factory=dict)  # by round
    holds: Mapping[int, Sequence[str]] = field(default_factory=dict)
    lacks: Mapping[int, str] = field(default_factory=dict)
    passes: Mapping[int, int] = field(default_factory=dict)

    def deal(self, rng: random.Random) -> msgspec.Struct:
        n, table = self.variant.seats, TABLE[self.variant.id]
        start = rng.randrange(n) if self.start is None else self.start
        pile = 1 if table.recycled else table.rounds
        room = {(start + j) % n: table.hand + (table.recycled and j >= 3) for j in range(n)}
        hands = {seat: list(self.holds.get(seat, ())) for seat in room}
        trumps = [self.trumps.get(number) for number in range(1, pile + 1)]
        taken = {*trumps, *(card for hand in hands.values() for card in hand)}
        left = [card for card in CARDS if card not in taken]
        rng.shuffle(left)
        for seat in sorted(room, key=lambda seat: seat not in self.lacks):
            while len(hands[seat]) < room[seat]:
                lacked = self.lacks.get(seat)
                card = next(card for card in left if character(card) != lacked)
                left.remove(card)
                hands[seat].append(card)
        cards = [trump or left.pop() for trump in trumps]
        for seat in room:  # from the starting seat on
            cards += hands[seat]
        raw: dict[str, Any] = {"start": start, "cards": cards}
        if table.recycled:
            raw["trump_orders"] = [[0, 1, 2, 3]] * 3
        return self.variant.read_deal(raw)

    def chooser(self, rng: random.Random) -> Chooser:
        left = dict(self.passes)

        def choose(state: State) -> str:
            legal, seat = state.legal_actions(), state.seat_to_act
            assert seat is not None
            if legal[-1] == "pass" and rng.random() < (0.7 if left.get(seat, 1) else 0):
                if seat in left:
                    left[seat] -= 1
                return "pass"
            kept = self.holds.get(seat, ())
            cards = [action for action in legal if action != "pass"]
            return rng.choice([a for a in cards if a.partition(" ")[2] not in kept] or cards)

        return choose


def find(wish: Wish, reached: Callable[[State], bool], tries: int = 3000) -> State:
    for seed in range(tries):
        rng = random.Random(seed)
        state = wish.variant.start(wish.deal(rng))
        choose = wish.chooser(rng)
        while not reached(state):
            if state.seat_to_act is None:
                break
            state.apply(choose(state))
        else:
            return state
    raise AssertionError(f"not found in {tries} games: {wish}")
