"""Encoding of Pot de Vin for learning: the actions by number, and views as vectors.

Actions: `play` of each card in canonical order, `pass`, and in `/6-teams` then `discard` of each
card.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from engine.encoding import (
    MAX_VALUE,
    Enumerated,
    EventTable,
    HasViews,
    Layout,
    distances,
    relative_seats,
    relative_sides,
)
from engine.pot_de_vin.actions import CARD, DISCARD, PASS, PLAYS
from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS, GUILDS, INDEX, KIND
from engine.pot_de_vin.encoding.seen import Seen, seen_in_position, seen_in_view
from engine.pot_de_vin.parameters import PILE_SIZE, PILE_USES, Parameters
from engine.pot_de_vin.position import PastRound
from engine.pot_de_vin.result import tally
from engine.pot_de_vin.scoring import Tally, score_side
from engine.pot_de_vin.state import PotDeVinState
from engine.pot_de_vin.view import View

VERSION = 1
_PHASES = ("discard", "play", "over")
_DISCARD, _PLAY, _OVER = range(len(_PHASES))
_KINDS = (*GUILDS, "joker", "bonus", "penalty", "pot de vin")
"""By the number of a kind of card."""
MAX_KEPT = 4096
"""Kept vectors of finished rounds; enough for a few hundred games in progress."""
_EVENTS = ("start", "discard", "reshuffle", "trump", "play", "pass", "round_end", "gems_removed")
_CARDS = len(CARDS)
_TURNS = _CARDS + 1
"""The number of actions in a round: a card or a pass."""
_PLAYED = {action: INDEX[card] for action, card in CARD.items()} | {PASS: _CARDS}
_LED = {action: CHARACTER[card] for action, card in CARD.items()} | {PASS: -1}


class Past(NamedTuple):
    """The results of finished rounds, kept so as not to be computed for every vector."""

    rounds: tuple[PastRound, ...]
    trumps: tuple[str, ...]
    vectors: dict[int, "array[int]"]
    """By viewer: a vector with nothing but these rounds."""
    tallies: list[Tally]
    """By seat: what it has won."""


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
        self._sides = parameters.sides
        # By the id of the last of some rounds: what these tell each seat.
        self._kept: dict[int, Past] = {}
        self._event_table = EventTable((*_EVENTS, "over"), (*CARDS, *GUILDS), n)
        self._history = self._event_table.add_to(layout, history) if history else 0
        self._seat_from, self._side_from = distances(n), distances(len(parameters.sides))
        super().__init__(f"{parameters.variant_id} encoding {VERSION}", actions, layout, history)
        self._no_past = Past((), (), dict.fromkeys(range(n), self._zeros), [0] * n)

    def encode(self, view: msgspec.Struct, events: Sequence[object] = ()) -> "array[int]":
        """Return the vector of a view; see `Encoding.encode`."""
        assert isinstance(view, View), f"expected a view of {self.name}"
        seen = seen_in_view(view)
        return self._encode(seen, self._past(seen, [seen.seat], {}), events)

    def encode_state(
        self, state: HasViews, seat: int, events: Sequence[object] = ()
    ) -> "array[int]":
        """Return the vector of what `seat` sees of a state; see `Encoding.encode_state`."""
        assert isinstance(state, PotDeVinState), f"expected a state of {self.name}"
        seen = seen_in_position(state.position, seat)
        return self._encode(seen, self._past(seen, range(len(self._seat_from)), self._kept), events)

    def _encode(self, seen: Seen, past: Past, events: Sequence[object]) -> "array[int]":
        vector, seat_from = past.vectors[seen.seat][:], self._seat_from[seen.seat]
        self._write_round(vector, seen, seat_from)
        numbers = self._numbers
        for seat, distance in enumerate(seat_from):
            at = numbers + 4 * distance
            vector[at] = seen.hand_sizes[seat]
            vector[at + 1] = seen.gems[seat]
            vector[at + 3] = seen.gems_removed[seat]
        if self.history:
            self._event_table.write(vector, self._history, events[-self.history :], seen.seat)
        return vector

    def _write_round(self, vector: "array[int]", seen: Seen, seat_from: Sequence[int]) -> None:
        """Write what is under way: the cards of this seat, the trump card, the trick."""
        phase = _OVER if seen.to_act is None else _PLAY if seen.round else _DISCARD
        vector[self._phase + phase] = 1
        vector[self._round] = seen.round
        if seen.to_act is not None:
            vector[self._to_act + seat_from[seen.to_act]] = 1
        hand = self._hand
        for plays, suit in zip(PLAYS, seen.hand, strict=True):
            for play in plays[suit]:
                vector[hand + _PLAYED[play]] = 1
        if seen.discarded is not None:
            vector[self._discarded + INDEX[seen.discarded]] = 1
        if seen.trump is not None:
            vector[self._leader + seat_from[seen.active[0]]] = 1
            vector[self._trump + CHARACTER[seen.trump]] = 1
            vector[self._trump_card + INDEX[seen.trump]] = 1
        trick = seen.trick
        if trick:
            led = _LED[trick[0]]
            vector[self._led + led] = 1
            for seat, action in zip(seen.active, trick, strict=False):
                at = seat_from[seat]
                vector[self._trick + _TURNS * at + _PLAYED[action]] = 1
                if _LED[action] not in (led, -1):
                    vector[self._void + len(CHARACTERS) * at + led] = 1

    def _past(self, seen: Seen, viewers: Iterable[int], kept: dict[int, Past]) -> Past:
        """Return what the finished rounds tell.

        Args:
            seen: what a seat sees; of the finished rounds, all seats see the same.
            viewers: the seats for which vectors are written.
            kept: by the id of the last of some rounds, what was told before; it is added to.
        """
        rounds, trumps = seen.past_rounds, seen.past_trumps
        past, known = self._no_past, 0
        for count in range(len(rounds), 0, -1):
            found = kept.get(id(rounds[count - 1]))
            if found and found.rounds == rounds[:count] and found.trumps == trumps[:count]:
                past, known = found, count
                break
        for count in range(known + 1, len(rounds) + 1):
            if len(kept) >= MAX_KEPT:
                kept.clear()
            past = self._add_round(past, rounds[:count], trumps[:count], viewers)
            kept[id(rounds[count - 1])] = past
        return past

    def _add_round(
        self,
        past: Past,
        rounds: tuple[PastRound, ...],
        trumps: tuple[str, ...],
        viewers: Iterable[int],
    ) -> Past:
        """Return `past` with the last of `rounds` added."""
        _, trick, winner = rounds[-1]
        cards = [] if self._recycled else [trumps[-1]]
        cards += [CARD[action] for action in trick if action != PASS]
        gems, count = trick.count(PASS), len(self._sides)
        tallies = [*past.tallies]
        tallies[winner] += tally(cards, gems)
        side = winner % count
        points, _, _ = score_side([tallies[seat] for seat in self._sides[side]])
        vectors = {}
        for viewer in viewers:
            vectors[viewer] = vector = past.vectors[viewer][:]
            self._write_past(vector, rounds, trumps[-1], self._seat_from[viewer])
            at = self._seat_from[viewer][winner]
            for card in cards:
                vector[self._area + _CARDS * at + INDEX[card]] = 1
                vector[self._kinds + len(_KINDS) * at + KIND[card]] += 1
            vector[self._numbers + 4 * at + 2] += gems
            vector[self._score + self._side_from[viewer % count][side]] = points
        return Past(rounds, trumps, vectors, tallies)

    def _write_past(
        self,
        vector: "array[int]",
        rounds: Sequence[PastRound],
        trump: str,
        seat_from: Sequence[int],
    ) -> None:
        """Write what was played in the last of `rounds`, and its trump card."""
        (active, trick, _), number = rounds[-1], len(rounds)
        use = (number - 1) // PILE_SIZE if self._recycled else 0
        vector[self._trumps + _CARDS * use + INDEX[trump]] = number
        led = _LED[trick[0]]
        for seat, action in zip(active, trick, strict=True):
            at = seat_from[seat]
            if action == PASS:
                vector[self._passed + self._rounds * at + number - 1] = 1
                continue
            vector[self._played + _CARDS * at + _PLAYED[action]] = number
            if _LED[action] != led:
                vector[self._void + len(CHARACTERS) * at + led] = 1
