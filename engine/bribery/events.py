"""What the seats are told as a game goes on [10.2]; `State.events` tells it.

Every seat is told the same events in the same order, but `draw` is for the drawing seat's eyes
only. In JSON the field `event` names the kind. A state that was imagined from a view tells what
has happened since then: a view does not say in which order things came to be.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

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


class Story(NamedTuple):
    """What a seat, or a spectator, was told of so many actions, abilities and protections."""

    events: tuple[Event, ...]
    actions: int
    settled: int
    asked: int
    turn: int


def events_for(state: "BriberyState", seat: int | None, since: int) -> list[Event]:
    """Return what a seat, or a spectator (None), was told, from event number `since` on."""
    story = state.stories.get(seat)
    if story is None or story.actions < len(state.log):
        story = state.stories[seat] = _go_on(state, seat, story or _begin(state, seat))
    told = [*story.events[since:]]
    if state.seat_to_act is None and since <= len(story.events):
        points = evaluate(state.piles, state.variant.side_table).points
        told.append(GameEnded(describe(points, state.variant.side_of_seat)))
    return told


def _begin(state: "BriberyState", seat: int | None) -> Story:
    events: list[Event] = []
    turn = state.first_turn
    if state.first_board is not None:
        sizes = tuple(map(len, state.decks))
        events.append(
            GameStarted(state.variant.id, state.jokers, state.first_board, state.start, sizes)
        )
        events += _round(state, seat, turn)
    return Story(tuple(events), actions=0, settled=0, asked=0, turn=turn)


def _go_on(state: "BriberyState", seat: int | None, story: Story) -> Story:
    """Tell the actions since a story was told."""
    told, done, settled, asked, turn = story
    events: list[Event] = []
    for action in state.log[done:]:
        done += 1
        phase = PHASE[action.partition(" ")[0]]
        if phase == "protect":
            actor: int | None = state.asked[asked]
            asked += 1
        else:
            actor = state.order[turn]
        assert actor is not None, "actions are done before the game is over"
        events.append(Acted(actor, phase, action))
        if settled < len(state.settled) and state.settled[settled].actions == done:
            events.append(_ability(state.settled[settled]))
            settled += 1
        if phase == "play":
            turn += 1
            if state.variant.begins_round[turn]:
                events += _round(state, seat, turn)
    return Story((*told, *events), done, settled, asked, turn)


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
