"""Exact values of late positions: the last round of `bribery/2`, the last choices of Pot de Vin.

The value of an action is what the seat to act wins with it: 1 for the first place, -1 for the last,
evenly spaced between, times the weight of the win.

- **Bribery with two seats.** When both decks are empty, the hand of the other seat is all that was
  not seen. So nothing is hidden, and the game is zero-sum: minimax is exact (`solve_bribery`).
- **Pot de Vin.** Everybody has one card in the last round, so the last choices are those of the
  round before. Three seats and more have no value that all of them can rely on. So an action is
  worth its mean over all hands and trump cards that agree with what the seat has seen, each
  equally likely, while the others answer by a given policy (`solve_pot_de_vin`). The last seat of
  the round needs no policy: all others are forced from there on.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from math import inf
from statistics import fmean

from engine import State
from engine.bribery.state import BriberyState
from engine.pot_de_vin.cards import CARDS, CHARACTER
from engine.pot_de_vin.position import Position, lacking_bit
from engine.pot_de_vin.state import PotDeVinState

Values = dict[str, float]
"""By legal action: what the seat to act wins with it."""
Policy = Callable[[State], str]
"""Chooses an action for the seat to act."""

MAX_VALUE = 2.0
"""The value of a dominating win."""


def payoff(state: State, seat: int) -> float:
    """Return what `seat` wins in a finished game: from -1 to 1, times the weight of the win."""
    outcome = state.outcome()
    own = outcome.ranks[seat]
    others = [outcome.ranks[side[0]] for side in state.variant.sides if seat not in side]
    return outcome.win_weight * fmean([(rank > own) - (rank < own) for rank in others])


# -- Bribery --------------------------------------------------------------------------------------


def is_open(state: BriberyState) -> bool:
    """Return whether both seats know everything, since both have drawn their last cards."""
    position = state.position
    return state.variant.id == "bribery/2" and position.round == position.parameters.rounds


def solve_bribery(state: BriberyState) -> Values:
    """Return the minimax value of each action.

    Raises:
        ValueError: something is hidden from the seat to act.
    """
    seat = state.seat_to_act
    if seat is None or not is_open(state):
        raise ValueError(f"round {state.position.round} of {state.variant.id} has hidden cards")
    search = _Minimax(seat)
    return {action: search.after(state, action) for action in state.legal_actions()}


class _Minimax:
    """Alpha-beta search that knows positions again, in whatever order their cards were played."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._bounds: dict[frozenset[str], tuple[float, float]] = {}
        """The least and the greatest value, by the actions so far."""
        self._cutoffs: Counter[str] = Counter()
        """How often an action made all others needless to look at: it is tried early."""

    def after(self, state: State, action: str) -> float:
        """Return the value of the position after `action`."""
        return self._after(state, action, frozenset(), -MAX_VALUE, MAX_VALUE)

    def _after(
        self, state: State, action: str, played: frozenset[str], alpha: float, beta: float
    ) -> float:
        child = state.clone()
        child.apply(action)
        return self._value(child, played | {action}, alpha, beta)

    def _value(self, state: State, played: frozenset[str], alpha: float, beta: float) -> float:
        """Return the value, or a bound that is not between `alpha` and `beta`."""
        if state.seat_to_act is None:
            return payoff(state, self._seat)
        low, high = self._bounds.get(played, (-MAX_VALUE, MAX_VALUE))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        value = self._best(state, played, alpha, beta)
        if value < beta:
            high = value
        if value > alpha:
            low = value
        self._bounds[played] = low, high
        return value

    def _best(self, state: State, played: frozenset[str], alpha: float, beta: float) -> float:
        own = state.seat_to_act == self._seat
        best = -inf if own else inf
        for action in sorted(state.legal_actions(), key=self._cutoffs.__getitem__, reverse=True):
            value = self._after(state, action, played, alpha, beta)
            if own:
                best, alpha = max(best, value), max(alpha, value)
            else:
                best, beta = min(best, value), min(beta, value)
            if alpha >= beta:
                self._cutoffs[action] += 1
                break
        return best


# -- Pot de Vin -----------------------------------------------------------------------------------


def is_last_choice(state: PotDeVinState) -> bool:
    """Return whether the seat to act is the last one with a choice in the game."""
    return is_in_last_choices(state) and len(state.position.active) == len(state.position.trick) + 1


def is_in_last_choices(state: PotDeVinState) -> bool:
    """Return whether this is the last round in which seats choose."""
    return state.position.round == state.position.parameters.rounds - 1


def solve_pot_de_vin(state: PotDeVinState, reply: Policy | None = None) -> Values:
    """Return the mean value of each action over `consistent_worlds`.

    Args:
        state: a state in the last round in which seats choose.
        reply: chooses for the other seats; None if all of them are forced.

    Raises:
        ValueError: seats have choices in more than this round, or another one has a choice and
            there is no `reply`.
    """
    seat = state.seat_to_act
    if seat is None or not is_in_last_choices(state):
        raise ValueError(f"round {state.position.round} is not the last one with choices")
    worlds = list(consistent_worlds(state))
    return {
        action: fmean([_result(world, seat, action, reply) for world in worlds])
        for action in state.legal_actions()
    }


def _result(world: State, seat: int, action: str, reply: Policy | None) -> float:
    """Return what `seat` wins in `world` with `action`."""
    state = world.clone()
    state.apply(action)
    while state.seat_to_act is not None:
        legal = state.legal_actions()
        if len(legal) > 1 and reply is None:
            raise ValueError(f"seat {state.seat_to_act} still has a choice: expected a reply")
        state.apply(legal[0] if len(legal) == 1 or reply is None else reply(state))
    return payoff(state, seat)


def consistent_worlds(state: PotDeVinState) -> Iterator[PotDeVinState]:
    """Yield a copy of `state` for each way in which hidden cards can lie for the seat to act.

    The cards of other hands agree with what their seats could not follow. A trump card of
    `/6-teams` that was turned up before is no hidden card.
    """
    position, seat = state.position, state.seat_to_act
    assert seat is not None, "expected a game that is not over"
    others = [other for other, size in enumerate(position.hand_sizes()) if size and other != seat]
    yield from _deal_to(state, others, _unseen(position, seat))


def _unseen(position: Position, seat: int) -> tuple[str, ...]:
    """Return the cards in other hands and in the trump pile, unless these lay open before."""
    hidden = [card for other in range(len(position.hands)) for card in position.hand_of(other)]
    hidden += position.trumps[position.round :]
    known = {*position.hand_of(seat), *position.trumps[: position.round]}
    return tuple([card for card in CARDS if card in hidden and card not in known])


def _deal_to(
    state: PotDeVinState, seats: list[int], cards: tuple[str, ...]
) -> Iterator[PotDeVinState]:
    """Yield each way to deal `cards` to `seats`; what is left over is the trump card."""
    position = state.position
    if not seats:
        world = state.clone()
        if cards:
            world.position.trumps = (*position.trumps[: position.round], *cards)
        yield world
        return
    seat, *rest = seats
    size = sum([suit.bit_count() for suit in position.hands[seat]])
    possible = [card for card in cards if not position.lacking & _lacking(seat, card)]
    for hand in combinations(possible, size):
        world = state.clone()
        world.position.give_hand(seat, hand)
        yield from _deal_to(world, rest, tuple([card for card in cards if card not in hand]))


def _lacking(seat: int, card: str) -> int:
    return lacking_bit(seat, CHARACTER[card])
