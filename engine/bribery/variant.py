"""The eight variants of Bribery [2], and the course that a game of each takes [4]."""

import random
import tomllib
from collections.abc import Iterable
from importlib import resources
from typing import ClassVar

import msgspec

from engine.bribery.advanced import AdvancedState
from engine.bribery.cards import (
    BRIBES,
    FIRST_OFFICIAL,
    JOKER_1,
    JOKER_4,
    NUMBER,
    OFFICIALS,
    SLOT_ORDER,
)
from engine.bribery.control import Sides
from engine.bribery.deal import HAND, SUITED_OFFICIALS, Deal, build_decks, draw_deal, read_deal
from engine.bribery.hidden import imagine
from engine.bribery.state import BriberyState
from engine.bribery.tables import VariantRow
from engine.bribery.view import View
from engine.contract import RawJson, Variant

GAME = "bribery"


class Bribery(Variant):
    """One variant: the rules with a number of seats, jokers and teams."""

    game = GAME
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = View

    def __init__(self, name: str, row: VariantRow, *, advanced: bool) -> None:
        n = row.seats
        self.id = f"{GAME}/{name}-advanced" if advanced else f"{GAME}/{name}"
        self.seats = n
        self.teams = _teams(n, row.teams) if row.teams else None
        self.jokers = row.jokers
        """How many are in the game."""
        self.board_size = row.board
        """Officials on the board at the start."""
        self.advanced = advanced
        """Whether officials have abilities [8]."""
        self.side_table = Sides(row.teams or n)
        self.side_of_seat = tuple([seat % self.side_table.count for seat in range(n)])
        self.watched = tuple(range(len(OFFICIALS))) if advanced else (JOKER_4,)
        """The officials whose control matters before the end of the game."""
        self.watches = tuple([o in (*self.watched, JOKER_1) for o in range(len(OFFICIALS))])
        """By official: whether it matters when its bribes change; Joker #1 tips others [6]."""

        dealt = len(SUITED_OFFICIALS) + row.jokers - row.board
        self._patterns = [
            "".join(deck) for deck in build_decks(n, 0, "B" * len(BRIBES), "O" * dealt)
        ]
        self.plays = sum(map(len, self._patterns))
        """Card plays of a game."""
        self.rounds = -(-max(map(len, self._patterns)) // HAND)
        order, rounds = _course(list(map(len, self._patterns)))
        self.orders = tuple([(*[(start + p) % n for p in order], None) for start in range(n)])
        """By starting seat and turn, from 0: whose turn it is; None after the last."""
        self.round_of = (*rounds, self.rounds)
        """By turn: the number of its round, from 1."""
        self.first_turns = tuple([rounds.index(number + 1) for number in range(self.rounds)])
        """By round, from 0: its first turn."""
        self.begins_round = tuple([turn in self.first_turns for turn in range(self.plays + 1)])
        """By turn."""

    def leader(self, start: int, round_number: int) -> int:
        """Return the seat that leads a round, numbered from 1 [4]."""
        seat = self.orders[start][self.first_turns[round_number - 1]]
        assert seat is not None, "a round has a turn"
        return seat

    def pattern(self, seat: int, start: int) -> str:
        """Return where officials (O) and bribes (B) lie in a seat's deck, from the top [3.1]."""
        return self._patterns[(seat - start) % self.seats]

    def deal(self, rng: random.Random) -> Deal:
        """Draw a fair deal [3.2]."""
        return draw_deal(self, rng)

    def read_deal(self, raw: RawJson) -> Deal:
        """Return the deal that a JSON object describes [3.1]; raises `InvalidDeal`."""
        return read_deal(self, raw)

    def start(self, deal: msgspec.Struct) -> BriberyState:
        """Return the state before the first decision."""
        assert isinstance(deal, Deal), "a deal of another game"
        decks = tuple([tuple(map(NUMBER.__getitem__, deck)) for deck in deal.decks])
        board = [NUMBER[card] - FIRST_OFFICIAL for card in deal.board]
        state = self.lay_table(deal.start, deal.jokers, board, decks)
        state.first_board = tuple(sorted(deal.board, key=SLOT_ORDER.index))
        state.draw()
        return state

    def lay_table(
        self,
        start: int,
        jokers: tuple[str, ...],
        board: Iterable[int],
        decks: tuple[tuple[int, ...], ...],
    ) -> BriberyState:
        """Return a state with these officials on the board and these decks, and no hands yet."""
        state = AdvancedState() if self.advanced else BriberyState()
        state.lay_table(self, start, jokers, board, decks)
        return state

    def imagine(self, view: msgspec.Struct, rng: random.Random) -> BriberyState:
        """Return a state that the viewer cannot tell from the real one by its view."""
        assert isinstance(view, View), "a view of another game"
        return imagine(self, view, rng)


def _teams(seats: int, teams: int) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple(range(side, seats, teams)) for side in range(teams)])


def _course(decks: list[int]) -> tuple[list[int], list[int]]:
    """Return whose turn each turn is, and in which round, for decks of these sizes [4].

    Seats and their decks are numbered from the starting seat. All this is the same in every
    game, as each turn plays one card and hands are drawn only when all are empty.
    """
    n, leader, round_number = len(decks), 0, 0
    order: list[int] = []
    rounds: list[int] = []
    while any(decks):
        round_number += 1
        hands = [min(HAND, size) for size in decks]
        decks = [size - hand for size, hand in zip(decks, hands, strict=True)]
        seat = leader
        while any(hands):
            if hands[seat]:  # else it is skipped [R7]
                hands[seat] -= 1
                order.append(seat)
                rounds.append(round_number)
            seat = (seat + 1) % n
        leader = order[-1]
    return order, rounds


def read_variants(text: str) -> list[Bribery]:
    """Return the variants of a table file: the basic ones, then their advanced twins."""
    rows = msgspec.convert(tomllib.loads(text), dict[str, VariantRow])
    return [
        Bribery(name, row, advanced=advanced)
        for advanced in (False, True)
        for name, row in rows.items()
    ]


VARIANTS = read_variants(
    resources.files(__package__).joinpath("variants.toml").read_text(encoding="utf-8")
)
