"""Parameters of the Bribery variants [2, 3.1, 4]."""
# compiled: see setup.py

from collections.abc import Iterable
from itertools import islice
from typing import Final, TypeVar

from engine.bribery.cards import BRIBES, JOKER_1, JOKER_4, JOKERS, OFFICIALS
from engine.bribery.control import SideTable
from engine.fields import VariantRow

GAME: Final = "bribery"

HAND_SIZE: Final = 3

SUITED_OFFICIALS: Final = tuple([card for card in OFFICIALS if card not in JOKERS])

Rest = tuple[int, tuple[int, ...]]  # bribes left in a deck; positions of officials from the top
_Card = TypeVar("_Card")


class Parameters:
    def __init__(self, name: str, row: VariantRow, advanced: bool) -> None:
        self._made_of = name, row, advanced
        n: int = row["seats"]
        self.variant_id = f"{GAME}/{name}-advanced" if advanced else f"{GAME}/{name}"
        self.seats = n
        self.jokers: int = row["jokers"]
        self.board_size: int = row["board"]
        self.advanced = advanced
        self.side_table = SideTable(row.get("teams") or n)
        self.side_of_seat = tuple([seat % self.side_table.count for seat in range(n)])
        self.teams = _list_teams(n, row["teams"]) if row.get("teams") else None
        self.sides = self.teams or _list_teams(n, n)
        tracked = range(len(OFFICIALS)) if advanced else (JOKER_1, JOKER_4)
        # By official: whether its controller can affect the game, and not only the final score.
        self.is_tracked = tuple([official in tracked for official in range(len(OFFICIALS))])

        dealt: int = len(SUITED_OFFICIALS) + row["jokers"] - row["board"]
        self._patterns = [
            "".join(deck) for deck in build_decks(n, 0, "B" * len(BRIBES), "O" * dealt)
        ]
        sizes = list(map(len, self._patterns))
        self.plays = sum(sizes)
        self.rounds = -(-max(sizes) // HAND_SIZE)
        self._rests = [_list_rests(pattern, self.rounds) for pattern in self._patterns]
        self._deck_sizes = [_list_deck_sizes(sizes, start, self.rounds) for start in range(n)]
        order, rounds = _order_turns(sizes)
        self.orders = tuple([(*[(start + p) % n for p in order], None) for start in range(n)])
        """`orders[start][turn]` is the seat to act, or None after the last turn."""
        self.round_of = (*rounds, self.rounds)
        self.first_turns = tuple([rounds.index(number + 1) for number in range(self.rounds)])
        self.begins_round = tuple([turn in self.first_turns for turn in range(self.plays + 1)])

    def __reduce__(self) -> tuple[type["Parameters"], tuple[str, VariantRow, bool]]:
        return Parameters, self._made_of  # a compiled class has no default way to be pickled

    def leader(self, start: int, round_number: int) -> int:
        seat = self.orders[start][self.first_turns[round_number - 1]]
        assert seat is not None, "every round has a first turn"
        return seat

    def deck_sizes(self, start: int, round_number: int) -> tuple[int, ...]:
        """Return the number of cards left in each deck. Round 0 is before the first draw."""
        return self._deck_sizes[start][round_number]

    def pattern(self, seat: int, start: int) -> str:
        """Return a seat's deck as a string such as "OBBB", with the top card first [3.1].

        The letter O stands for an official, and B for a bribe.
        """
        return self._patterns[(seat - start) % self.seats]

    def rest_of_deck(self, seat: int, start: int, round_number: int) -> Rest:
        return self._rests[(seat - start) % self.seats][round_number]


def _list_rests(pattern: str, rounds: int) -> list[Rest]:
    rests = []
    for drawn in range(rounds + 1):
        rest = pattern[drawn * HAND_SIZE :]
        places = tuple([place for place, kind in enumerate(rest) if kind == "O"])
        rests.append((rest.count("B"), places))
    return rests


def _list_deck_sizes(sizes: list[int], start: int, rounds: int) -> list[tuple[int, ...]]:
    by_seat = [sizes[seat - start] for seat in range(len(sizes))]
    return [
        tuple([max(0, size - drawn * HAND_SIZE) for size in by_seat]) for drawn in range(rounds + 1)
    ]


def build_decks(
    seats: int, start: int, bribes: Iterable[_Card], officials: Iterable[_Card]
) -> tuple[tuple[_Card, ...], ...]:
    bribes, officials = iter(bribes), iter(officials)
    order = [(start + distance) % seats for distance in range(seats)]
    decks: list[list[_Card]] = [[] for _ in order]  # from the bottom up
    while True:
        size = sum(map(len, decks))
        for seat in order:
            decks[seat] += islice(bribes, HAND_SIZE)
        for seat in order:
            decks[seat] += islice(officials, 1)
        if sum(map(len, decks)) == size:
            return tuple([tuple(reversed(deck)) for deck in decks])


def _list_teams(seats: int, teams: int) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple(range(side, seats, teams)) for side in range(teams)])


def _order_turns(deck_sizes: list[int]) -> tuple[list[int], list[int]]:
    """Return two lists with the seat and the round number of each turn [4].

    The starting seat has the number 0.
    """
    n, leader, round_number = len(deck_sizes), 0, 0
    order: list[int] = []
    rounds: list[int] = []
    while any(deck_sizes):
        round_number += 1
        hands = [min(HAND_SIZE, size) for size in deck_sizes]
        deck_sizes = [size - hand for size, hand in zip(deck_sizes, hands, strict=True)]
        seat = leader
        while any(hands):
            if hands[seat]:  # a seat with an empty hand is skipped [R7]
                hands[seat] -= 1
                order.append(seat)
                rounds.append(round_number)
            seat = (seat + 1) % n
        leader = order[-1]
    return order, rounds
