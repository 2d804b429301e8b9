"""What the seats are told as a game goes on [9]; `State.events` tells it.

Every seat is told the same events in the same order; only the hand in `start` and the card of a
`discard` are for their own seat's eyes. In JSON the field `event` names the kind.

The story of the set-up and the finished rounds is kept, so that it is not told anew at every turn.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from engine.pot_de_vin.cards import GUILD_OF, in_order
from engine.pot_de_vin.deal import PLACES
from engine.pot_de_vin.rounds import CARD, PASS
from engine.pot_de_vin.scoring import Result, describe

if TYPE_CHECKING:
    from engine.pot_de_vin.state import PotDeVinState


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that a seat is told."""


class GameStarted(Event, frozen=True, tag="start"):
    """The game begins: the table, and the own hand (None for a spectator)."""

    variant: str
    seat: int | None
    n: int
    teams: tuple[tuple[int, ...], ...]
    start: int
    rounds: int
    gems: int
    deck: dict[str, str]
    """The guild of each guild card."""
    hand: tuple[str, ...] | None


class Discarded(Event, frozen=True, tag="discard"):
    """A seat put away a card in the set-up of `/6-teams`; the card is None for the others."""

    seat: int
    card: str | None


class Reshuffled(Event, frozen=True, tag="reshuffle"):
    """The four trump cards of `/6-teams` were turned down and reshuffled."""


class TrumpTurned(Event, frozen=True, tag="trump"):
    """A round begins: its trump card, and how many trump cards are still face down."""

    round: int
    trump: str
    trump_pile: int


class Played(Event, frozen=True, tag="play"):
    """A seat played a card."""

    seat: int
    card: str


class Passed(Event, frozen=True, tag="pass"):
    """A seat passed: the gems that it still holds."""

    seat: int
    gems: int


class RoundEnded(Event, frozen=True, tag="round_end"):
    """A round is over: what its winner took."""

    round: int
    winner: int
    cards: tuple[str, ...]
    gems: int


class GemsRemoved(Event, frozen=True, tag="gems_removed"):
    """A seat without cards lost its gems."""

    seat: int
    gems: int


class GameEnded(Event, frozen=True, tag="over"):
    """The game is over."""

    result: Result


class Story(NamedTuple):
    """What has been told to all of the set-up and so many finished rounds."""

    events: tuple[Event, ...]
    rounds: int
    gems: tuple[int, ...]
    """Those that each seat had left of its own after these rounds."""


def events_for(state: "PotDeVinState", seat: int | None, since: int) -> list[msgspec.Struct]:
    """Return what a seat, or a spectator (None), was told, from event number `since` on."""
    told = _told_to_all(state, since)
    if seat is not None:
        for number in range(since, min(since + len(told), PLACES)):  # the start, the discards
            told[number - since] = _as_told_to(seat, told[number - since], state)
    return told


def _told_to_all(state: "PotDeVinState", since: int) -> list[msgspec.Struct]:
    """Return the events as a spectator is told them, from number `since` on."""
    if not state.round:
        return [*_set_up(state)[since:]]
    story = state.story
    if story is None:
        variant = state.variant
        story = Story(tuple(_set_up(state)), rounds=0, gems=(variant.gems,) * variant.seats)
    if story.rounds < len(state.past):
        story = _go_on(state, story)
    state.story = story
    events = story.events
    if state.seat_to_act is None:
        now: list[Event] = [GameEnded(describe(state.variant.sides, *state.taken()))]
    else:
        now = [*_begun_round(state, state.round)]
        now += _turns(zip(state.active, state.trick, strict=False), state.gems)
    if since < len(events):
        return [*events[since:], *now]
    return [*now[since - len(events) :]]


def _set_up(state: "PotDeVinState") -> list[Event]:
    variant = state.variant
    start = GameStarted(
        variant=variant.id,
        seat=None,
        n=variant.seats,
        teams=variant.sides,
        start=state.start,
        rounds=variant.rounds,
        gems=variant.gems,
        deck=GUILD_OF,
        hand=None,
    )
    order = variant.clockwise[state.start]
    return [start, *(Discarded(s, None) for s in order if state.discards[s] is not None)]


def _begun_round(state: "PotDeVinState", number: int) -> Iterator[Event]:
    variant = state.variant
    if variant.recycled_trumps and number > 1 and number % PLACES == 1:
        yield Reshuffled()
    trump = state.trumps[number - 1]
    yield TrumpTurned(number, trump, variant.face_down_trumps(number))


def _turns(turns: Iterable[tuple[int, str]], gems: list[int]) -> Iterator[Event]:
    """Tell what the seats did, each once; `gems[seat]` is what a seat holds after its turn."""
    for seat, action in turns:
        yield Passed(seat, gems[seat]) if action == PASS else Played(seat, CARD[action])


def _go_on(state: "PotDeVinState", story: Story) -> Story:
    """Tell the rounds that have been finished since."""
    events, gems = [*story.events], [*story.gems]
    for number in range(story.rounds + 1, len(state.past) + 1):
        active, trick, winner = state.past[number - 1]
        for seat, action in zip(active, trick, strict=True):
            gems[seat] -= action == PASS
        cards, gems_won = state.loot(number)
        events += _begun_round(state, number)
        events += _turns(zip(active, trick, strict=True), gems)
        events.append(RoundEnded(number, winner, tuple(in_order(cards)), gems_won))
        # A seat that still holds cards now holds more than gems for the rounds to come [5.6].
        left = state.variant.rounds - number
        events += [GemsRemoved(seat, left) for seat in active if gems[seat] == left > 0]
    return Story(tuple(events), len(state.past), tuple(gems))


def _as_told_to(seat: int, event: msgspec.Struct, state: "PotDeVinState") -> msgspec.Struct:
    """Return an event of the set-up with what only this seat may know."""
    if isinstance(event, GameStarted):
        return msgspec.structs.replace(event, seat=seat, hand=_dealt_hand(seat, state))
    if isinstance(event, Discarded) and event.seat == seat:
        return Discarded(seat, state.discards[seat])
    return event


def _dealt_hand(seat: int, state: "PotDeVinState") -> tuple[str, ...]:
    """Return the cards that a seat was dealt: those that it holds, put away and played."""
    hand = list(state.hand_of(seat))
    discarded = state.discards[seat]
    if discarded is not None:
        hand.append(discarded)
    for active, trick, _ in [*state.past, (state.active, state.trick, None)]:
        for actor, action in zip(active, trick, strict=False):
            if actor == seat and action != PASS:
                hand.append(CARD[action])
    return tuple(in_order(hand))
