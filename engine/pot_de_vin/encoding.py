"""Encode Pot de Vin actions and positions for machine learning."""

from array import array
from collections.abc import Sequence

from engine.encoding import (
    EventTable,
    PositionEncoding,
    distances,
    relative_seats,
    relative_sides,
)
from engine.fields import read_layout
from engine.pot_de_vin.actions import CARD, DISCARD, PASS, PLAYS
from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS, GUILDS, INDEX, KIND
from engine.pot_de_vin.parameters import PILE_SIZE, PILE_USES, Parameters
from engine.pot_de_vin.position import PastRound, Position
from engine.pot_de_vin.result import tally
from engine.pot_de_vin.scoring import Tally, score_side

_PHASES = ("discard", "play", "over")
_DISCARD, _PLAY, _OVER = range(len(_PHASES))
_KINDS = (*GUILDS, "joker", "bonus", "penalty", "pot de vin")
MAX_KEPT = 4096
_EVENTS = (
    *("start", "discard", "reshuffle", "trump", "play", "pass"),
    *("round_end", "gems_removed", "over"),
)
_CARDS = len(CARDS)
_TURNS = _CARDS + 1
_PLAYED = {action: INDEX[card] for action, card in CARD.items()} | {PASS: _CARDS}
_LED = {action: CHARACTER[card] for action, card in CARD.items()} | {PASS: -1}


class PastRounds:
    """A cached encoding of the completed rounds."""

    def __init__(self, before: "PastRounds | None", seats: int) -> None:
        self.before = before
        self.rounds: tuple[PastRound, ...] = ()
        self.trumps: tuple[str, ...] = ()
        self.tallies: list[Tally] = [0] * seats if before is None else [*before.tallies]
        self.vectors: dict[int, array[int]] = {}


class PotDeVinEncoding(PositionEncoding):
    """The encoding of one variant."""

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        n, sides, recycled = parameters.seats, len(parameters.sides), parameters.recycled_trumps
        words = {
            "phases": _PHASES,
            "seats": relative_seats(n),
            "sides": relative_sides(sides),
            "cards": CARDS,
            "characters": CHARACTERS,
            "kinds": _KINDS,
            "rounds": [f"round {number}" for number in range(1, parameters.rounds + 1)],
            "uses": [f"use {use + 1}" for use in range(PILE_USES if recycled else 1)],
        }
        held = max(n * parameters.gems, parameters.hand_size + 1)
        layout = read_layout(__package__, words, {"rounds": parameters.rounds, "held": held})
        self._parameters, self._side_from = parameters, distances(sides)
        # Maps the id of the last finished round to the encoding of all rounds so far.
        self._kept: dict[int, PastRounds] = {}
        self._no_past = PastRounds(None, n)
        actions = [*CARD, PASS, *(DISCARD.values() if recycled else ())]
        events = EventTable(_EVENTS, (*CARDS, *GUILDS), n)
        super().__init__(parameters.variant_id, n, actions, layout, events, history)

    def write(self, position: Position, seat: int) -> "array[int]":
        seat_from, at = self._seat_from[seat], self._at
        vector = self._vector_of(self._past(position), seat)[:]
        self._write_round(vector, position, seat, seat_from)
        hand, discarded = at["hand"], position.discards[seat]
        for plays, suit in zip(PLAYS, position.hands[seat], strict=True):
            for play in plays[suit]:
                vector[hand + _PLAYED[play]] = 1
        if discarded is not None:
            vector[at["discarded"] + INDEX[discarded]] = 1
        for distance, cards, gems, removed in zip(
            seat_from, position.hand_sizes(), position.gems, position.gems_removed, strict=True
        ):
            place = at["numbers"] + 4 * distance
            vector[place], vector[place + 1], vector[place + 3] = cards, gems, removed
        return vector

    def _write_round(
        self, vector: "array[int]", position: Position, seat: int, seat_from: Sequence[int]
    ) -> None:
        at, number, to_act = self._at, position.round, position.seat_to_act
        phase = _OVER if to_act is None else _PLAY if number else _DISCARD
        vector[at["phase"] + phase] = 1
        vector[at["round"]] = number
        if to_act is None:
            return
        vector[at["to_act"] + seat_from[to_act]] = 1
        if not number:
            return
        trump, trick = position.trumps[number - 1], position.trick
        vector[at["leader"] + seat_from[position.active[0]]] = 1
        vector[at["trump"] + CHARACTER[trump]] = 1
        vector[at["trump_card"] + INDEX[trump]] = 1
        if trick:
            led = _LED[trick[0]]
            vector[at["led"] + led] = 1
            for actor, action in zip(position.active, trick, strict=False):
                distance = seat_from[actor]
                vector[at["trick"] + _TURNS * distance + _PLAYED[action]] = 1
                if _LED[action] not in (led, -1):
                    vector[at["void"] + len(CHARACTERS) * distance + led] = 1

    # -- finished rounds --------------------------------------------------------------------------

    def _past(self, position: Position) -> PastRounds:
        rounds, kept = position.past_rounds, self._kept
        trumps = position.trumps[: len(rounds)]
        past, known = self._no_past, 0
        for count in range(len(rounds), 0, -1):
            cached = kept.get(id(rounds[count - 1]))
            if cached and cached.rounds == rounds[:count] and cached.trumps == trumps[:count]:
                past, known = cached, count
                break
        for count in range(known + 1, len(rounds) + 1):
            if len(kept) >= MAX_KEPT:
                kept.clear()
            past = PastRounds(past, len(past.tallies))
            past.rounds, past.trumps = rounds[:count], trumps[:count]
            _, _, winner = rounds[count - 1]
            past.tallies[winner] += tally(*self._won(past))
            kept[id(rounds[count - 1])] = past
        return past

    def _won(self, past: PastRounds) -> tuple[list[str], int]:
        _, trick, _ = past.rounds[-1]
        cards = [] if self._parameters.recycled_trumps else [past.trumps[-1]]
        cards += [CARD[action] for action in trick if action != PASS]
        return cards, trick.count(PASS)

    def _vector_of(self, past: PastRounds, viewer: int) -> "array[int]":
        if past.before is None:
            return self._zeros
        vector = past.vectors.get(viewer)
        if vector is None:
            vector = past.vectors[viewer] = self._vector_of(past.before, viewer)[:]
            self._write_last(vector, past, viewer)
        return vector

    def _write_last(self, vector: "array[int]", past: PastRounds, viewer: int) -> None:
        at, seat_from, sides = self._at, self._seat_from[viewer], self._parameters.sides
        (active, trick, winner), number = past.rounds[-1], len(past.rounds)
        use = (number - 1) // PILE_SIZE if self._parameters.recycled_trumps else 0
        vector[at["trumps"] + _CARDS * use + INDEX[past.trumps[-1]]] = number
        led = _LED[trick[0]]
        for seat, action in zip(active, trick, strict=True):
            distance = seat_from[seat]
            if action == PASS:
                vector[at["passed"] + self._parameters.rounds * distance + number - 1] = 1
                continue
            vector[at["played"] + _CARDS * distance + _PLAYED[action]] = number
            if _LED[action] != led:
                vector[at["void"] + len(CHARACTERS) * distance + led] = 1
        cards, gems = self._won(past)
        distance, side = seat_from[winner], winner % len(sides)
        for card in cards:
            vector[at["area"] + _CARDS * distance + INDEX[card]] = 1
            vector[at["kinds"] + len(_KINDS) * distance + KIND[card]] += 1
        vector[at["numbers"] + 4 * distance + 2] += gems
        points, _, _ = score_side([past.tallies[seat] for seat in sides[side]])
        vector[at["score"] + self._side_from[viewer % len(sides)][side]] = points
