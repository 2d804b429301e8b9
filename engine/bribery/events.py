"""What the seats are told as a game goes on [10.2]; `State.events` tells it.

Every seat is told the same events in the same order, but `draw` is for the drawing seat's eyes
only. In JSON the field `event` names the kind. A state that was imagined from a view tells what
has happened since then: a view does not say in which order things came to be.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from engine.bribery.cards import CARDS, OFFICIALS, SEATS
from engine.bribery.control import evaluate
from engine.bribery.deal import HAND
from engine.bribery.result import Result, describe

if TYPE_CHECKING:
    from engine.bribery.abilities import Settled
    from engine.bribery.state import BriberyState

PHASE = {
    "bribe": "play",
    "official": "play",
    "discard": "play",
    "ability": "ability",
    "no-ability": "ability",
    "protect": "protect",
    "allow": "protect",
    "swindle": "swindle",
}
"""The phase in which each kind of action is done [9]."""


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that a seat is told."""


class GameStarted(Event, frozen=True, tag="start"):
    """The game begins; `deck_sizes` are those before the first draw."""

    variant: str
    jokers: tuple[str, ...]
    board: tuple[str, ...]
    start: int
    deck_sizes: tuple[int, ...]


class RoundBegan(Event, frozen=True, tag="round"):
    """A round begins; the sizes are those after the draw."""

    round: int
    leader: int
    hand_sizes: tuple[int, ...]
    deck_sizes: tuple[int, ...]


class CardsDrawn(Event, frozen=True, tag="draw"):
    """The own cards for a round; nothing is told when the deck was empty."""

    round: int
    cards: tuple[str, ...]


class Acted(Event, frozen=True, tag="action"):
    """A seat decided."""

    seat: int
    phase: str
    action: str


class AbilitySettled(Event, frozen=True, tag="ability"):
    """An ability took effect, or seat `by` cancelled it."""

    seat: int
    kind: str
    source: str
    spent: str
    target: str
    cancelled: bool
    by: int | None
    discarded: tuple[str, ...]
    """The bribes that the target of an assassination lost."""


class GameEnded(Event, frozen=True, tag="over"):
    """The game is over."""

    result: Result


def events_for(state: "BriberyState", seat: int | None, since: int) -> list[Event]:
    """Return what a seat, or a spectator (None), was told, from event number `since` on."""
    return list(_tell(state, seat))[since:]


def _tell(state: "BriberyState", seat: int | None) -> Iterator[Event]:
    variant, turn = state.variant, state.first_turn
    if state.first_board is not None:
        sizes = tuple(map(len, state.decks))
        yield GameStarted(variant.id, state.jokers, state.first_board, state.start, sizes)
        yield from _round(state, seat, turn)
    asked, settled = iter(state.asked), iter(state.settled)
    next_settled = next(settled, None)
    for number, action in enumerate(state.log, 1):
        phase = PHASE[action.partition(" ")[0]]
        actor = next(asked) if phase == "protect" else state.order[turn]
        assert actor is not None, "actions are done before the game is over"
        yield Acted(actor, phase, action)
        if next_settled is not None and next_settled.actions == number:
            yield _ability(next_settled)
            next_settled = next(settled, None)
        if phase == "play":
            turn += 1
            if variant.begins_round[turn]:
                yield from _round(state, seat, turn)
    if state.seat_to_act is None:
        points = evaluate(state.piles, variant.side_table).points
        yield GameEnded(describe(points, variant.side_of_seat))


def _round(state: "BriberyState", seat: int | None, turn: int) -> Iterator[Event]:
    """Tell that a round begins with this turn."""
    variant = state.variant
    number = variant.round_of[turn]
    drawn = [state.drawn(each, number) for each in range(variant.seats)]
    left = [max(0, len(deck) - number * HAND) for deck in state.decks]
    yield RoundBegan(
        number, variant.leader(state.start, number), tuple(map(len, drawn)), tuple(left)
    )
    if seat is not None and drawn[seat]:
        yield CardsDrawn(number, tuple([CARDS[card] for card in drawn[seat]]))


def _ability(settled: "Settled") -> AbilitySettled:
    ability = settled.ability
    return AbilitySettled(
        seat=ability.seat,
        kind=ability.kind,
        source=OFFICIALS[ability.source],
        spent=CARDS[ability.spent // SEATS],
        target=OFFICIALS[ability.target],
        cancelled=settled.by is not None,
        by=settled.by,
        discarded=tuple([CARDS[bribe // SEATS] for bribe in settled.discarded]),
    )
