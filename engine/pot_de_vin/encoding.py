"""Encoding of Pot de Vin for learning: the actions by number, and views as vectors.

Actions: `play` of each card in canonical order, `pass`, and in `/6-teams` then `discard` of each
card.
"""

from array import array
from collections.abc import Sequence

import msgspec

from engine.encoding import (
    MAX_VALUE,
    Enumerated,
    EventTable,
    Layout,
    distances,
    relative_seats,
    relative_sides,
)
from engine.pot_de_vin.actions import CARD, DISCARD, PASS
from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS, GUILDS, INDEX, KIND
from engine.pot_de_vin.parameters import PILE_SIZE, PILE_USES, Parameters
from engine.pot_de_vin.view import RoundView, View

VERSION = 1
_PHASES = ("discard", "play", "over")
_KINDS = (*GUILDS, "joker", "bonus", "penalty", "pot de vin")
"""By the number of a kind of card."""
MAX_KEPT = 4096
"""Kept vectors of finished rounds for each seat; enough for a few hundred games in progress."""
_EVENTS = ("start", "discard", "reshuffle", "trump", "play", "pass", "round_end", "gems_removed")
_CARDS = len(CARDS)
_TURNS = _CARDS + 1
"""The number of actions in a round: a card or a pass."""
_PLAYED = {action: INDEX[card] for action, card in CARD.items()} | {PASS: _CARDS}
_LED = {action: CHARACTER[card] for action, card in CARD.items()} | {PASS: -1}


class PotDeVinEncoding(Enumerated):
    """The encoding of one variant."""

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        """Make the encoding of a variant, with this number of last events."""
        n = parameters.seats
        actions = [*CARD, PASS, *(DISCARD.values() if parameters.recycled_trumps else ())]
        layout, seats = Layout(), relative_seats(n)
        add, add_numbers = layout.add, layout.add_numbers
        uses = PILE_USES if parameters.recycled_trumps else 1
        rounds = (0, parameters.rounds)
        self._phase = add("phase", "The phase of the game.", _PHASES)
        self._round = add_numbers("round", "The round, from 1; 0 in the set-up.", ["round"], rounds)
        self._to_act = add("to_act", "The seat to act.", seats)
        self._leader = add("leader", "The seat that leads this round.", seats)
        self._hand = add("hand", "Your cards.", CARDS)
        self._discarded = add("discarded", "Your own discard in the set-up.", CARDS)
        self._trump = add("trump", "The trump character of this round.", CHARACTERS)
        self._trump_card = add("trump_card", "The trump card of this round.", CARDS)
        self._led = add("led", "The character that was led.", CHARACTERS)
        self._trick = add("trick", "By seat: its action in this round.", (*CARDS, PASS), seats)
        self._numbers = add_numbers(
            "numbers",
            "By seat: cards and gems held, gems won, gems lost.",
            ("cards", "gems", "treasure", "gems removed"),
            (0, max(n * parameters.gems, parameters.hand_size + 1)),
            seats,
        )
        self._area = add("area", "By seat: the cards that it has taken.", CARDS, seats)
        self._kinds = add_numbers(
            "kinds", "By seat: how many cards of each kind it has taken.", _KINDS, (0, 8), seats
        )
        self._played = add_numbers(
            "played", "By seat: the finished round in which it played a card.", CARDS, rounds, seats
        )
        self._passed = add(
            "passed",
            "By seat: the finished rounds in which it passed.",
            [f"round {number}" for number in range(1, parameters.rounds + 1)],
            seats,
        )
        self._void = add(
            "void", "By seat: the characters that it did not follow.", CHARACTERS, seats
        )
        self._trumps = add_numbers(
            "trumps",
            "By use of the trump pile: the finished round in which a card was the trump card.",
            CARDS,
            rounds,
            [f"use {use + 1}" for use in range(uses)],
        )
        self._score = add_numbers(
            "score",
            "By side: points if the game ended now.",
            relative_sides(len(parameters.sides)),
            (-MAX_VALUE - 1, MAX_VALUE),
        )
        self._recycled, self._rounds = parameters.recycled_trumps, parameters.rounds
        # By seat, and by the id of the last of some rounds: the rounds, and their vector. So each
        # round is written once for each seat, and not again in every vector after it.
        self._kept: list[dict[int, tuple[tuple[RoundView, ...], array[int]]]]
        self._kept = [{} for _ in range(n)]
        self._event_table = EventTable((*_EVENTS, "over"), (*CARDS, *GUILDS), n)
        self._history = self._event_table.add_to(layout, history) if history else 0
        self._seat_from, self._side_from = distances(n), distances(len(parameters.sides))
        super().__init__(f"{parameters.variant_id} encoding {VERSION}", actions, layout, history)

    def encode(self, view: msgspec.Struct, events: Sequence[object] = ()) -> "array[int]":
        """Return the vector of a view; see `Encoding.encode`."""
        assert isinstance(view, View), f"expected a view of {self.name}"
        seat = view.seat
        assert seat is not None, "expected the view of a seat, got that of a spectator"
        vector, seat_from = self._past(view.history, seat)[:], self._seat_from[seat]
        self._write_round(vector, view, seat_from)
        self._write_seats(vector, view, seat_from)
        sides = len(view.teams)
        side_from = self._side_from[seat % sides]
        for side, standing in enumerate(view.score_now):
            vector[self._score + side_from[side]] = standing.points
        if self.history:
            self._event_table.write(vector, self._history, events[-self.history :], seat)
        return vector

    def _write_round(self, vector: "array[int]", view: View, seat_from: Sequence[int]) -> None:
        """Write what is under way: the cards of this seat, the trump card, the trick."""
        vector[self._phase + _PHASES.index(view.phase)] = 1
        vector[self._round] = view.round
        if view.to_act is not None:
            vector[self._to_act + seat_from[view.to_act]] = 1
        if view.leader is not None:
            vector[self._leader + seat_from[view.leader]] = 1
        for card in view.hand or ():
            vector[self._hand + INDEX[card]] = 1
        if view.discarded is not None:
            vector[self._discarded + INDEX[view.discarded]] = 1
        if view.trump is not None:
            vector[self._trump + CHARACTER[view.trump]] = 1
            vector[self._trump_card + INDEX[view.trump]] = 1
        if view.trick:
            led = _LED[view.trick[0].action]
            vector[self._led + led] = 1
            for turn in view.trick:
                at = seat_from[turn.seat]
                vector[self._trick + _TURNS * at + _PLAYED[turn.action]] = 1
                if _LED[turn.action] not in (led, -1):
                    vector[self._void + 4 * at + led] = 1

    def _write_seats(self, vector: "array[int]", view: View, seat_from: Sequence[int]) -> None:
        """Write what each seat holds and has taken."""
        numbers = zip(view.hand_sizes, view.gems, view.treasure, view.gems_removed, strict=True)
        for seat, four in enumerate(numbers):
            at = self._numbers + 4 * seat_from[seat]
            vector[at], vector[at + 1], vector[at + 2], vector[at + 3] = four

    def _past(self, history: tuple[RoundView, ...], seat: int) -> "array[int]":
        """Return the vector of the finished rounds only, as `seat` sees them; it is kept."""
        if not history:
            return self._zeros
        kept, last = self._kept[seat], history[-1]
        known = kept.get(id(last))
        if known is None or known[0] != history:
            vector = self._past(history[:-1], seat)[:]
            self._write_past(vector, last, self._seat_from[seat])
            if len(kept) >= MAX_KEPT:
                kept.clear()
            known = kept[id(last)] = history, vector
        return known[1]

    def _write_past(self, vector: "array[int]", past: RoundView, seat_from: Sequence[int]) -> None:
        """Write what happened in a finished round."""
        number = past.round
        use = (number - 1) // PILE_SIZE if self._recycled else 0
        vector[self._trumps + _CARDS * use + INDEX[past.trump]] = number
        led = _LED[past.trick[0].action]
        for turn in past.trick:
            at, action = seat_from[turn.seat], turn.action
            if action == PASS:
                vector[self._passed + self._rounds * at + number - 1] = 1
                continue
            vector[self._played + _CARDS * at + _PLAYED[action]] = number
            if _LED[action] != led:
                vector[self._void + len(CHARACTERS) * at + led] = 1
        winner = seat_from[past.winner]
        area, kinds = self._area + _CARDS * winner, self._kinds + len(_KINDS) * winner
        for card in past.cards:
            vector[area + INDEX[card]] = 1
            vector[kinds + KIND[card]] += 1
