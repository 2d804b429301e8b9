"""What each decision of a seat was worth, by what the seat knew then.

Each decision is judged in worlds that agree with the view of the seat and with all that it was
told; the true cards of the others play no part. A world is played on from several actions with the
same dice, and all seats play as the guide of the game does (by chance, where there is none). The
best action is chosen in some worlds and compared with the one that was played in others, so the
choice flatters nobody.
"""

import importlib
import math
import random
from collections.abc import Iterator, Sequence
from operator import itemgetter
from statistics import fmean, stdev

import msgspec

from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.match.referee import start_game
from arena.plugins import guides
from arena.sdk.search import Guide, play_out, sides_of
from engine import State, Variant

TRIED = 6
"""The actions that are tried beside the one played, the likeliest ones."""
CHOOSING, COMPARING = 16, 48
"""The worlds in which the best action is chosen, and those in which it is compared."""
MAX_COST = 4
"""Where simulated games are long, as the guide says, worlds are fewer by this factor at most."""
CERTAINTY = 2.7
"""Standard errors by which the best is better at a mistake: 99 %, as a game has many decisions."""
MIN_LOSS = 0.01
"""The loss of a mistake, at least."""


class JudgedDecision(msgspec.Struct, frozen=True):
    """A decision of a seat with several legal actions, and what it cost."""

    move: int
    """The number of the action in the game, from 1."""
    action: str
    best: str
    """The best action that was found; `action` if none was better."""
    loss: float
    """The share of opponents placed before, 0 to 1, with the best less with the action.

    It is the mean of what the guide gives to the ends of simulated games.
    """
    error: float
    """The standard error of the loss."""
    is_mistake: bool
    """Whether the best is certainly better."""


def guide_of(variant: Variant) -> Guide:
    """Return a guide for a game: that of its plugin, or one that knows the rules only."""
    found = guides.find(variant.game)
    if found is None:
        return Guide()
    module, _, function = found.make.partition(":")
    guide: Guide = getattr(importlib.import_module(module), function)(variant)
    return guide


def review(record: GameRecord, seat: int, rng: random.Random) -> Iterator[JudgedDecision]:
    """Yield the decisions of a seat in a recorded game, but for those with one legal action only.

    Actions of a stand-in, after a fault of the seat, are not decisions of its bot.
    """
    state = start_game(record.variant, record.deal)
    guide, heard = guide_of(state.variant), 0
    fault = min([one.action for one in record.faults if one.seat == seat], default=math.inf)
    for at, action in enumerate(record.actions):
        if at >= fault:
            return
        if state.seat_to_act == seat and len(state.legal_actions()) > 1:
            told: list[object] = msgspec.to_builtins(state.events(seat))
            known = state.variant.imagine(state.view(seat), rng, told)
            guide.observe(known, told[heard:])
            heard = len(told)
            yield _judge(known, action, at + 1, guide, rng)
        state.apply(action)


def seat_of(record: GameRecord, bot: str) -> int:
    """Return the seat of a bot. Raises `StoreError` if it has none."""
    if bot not in record.entrants:
        raise StoreError(
            f"{bot!r} does not play in {record.title}: expected {', '.join(record.entrants)}"
        )
    return record.entrants.index(bot)


def _judge(
    known: State, action: str, move: int, guide: Guide, rng: random.Random
) -> JudgedDecision:
    """Judge an action of the seat to act in a state that agrees with what the seat knows."""
    legal = known.legal_actions()
    order = sorted(zip(legal, guide.priors(known, legal), strict=True), key=itemgetter(1))
    likely = [other for other, _ in reversed(order) if other != action][:TRIED]
    guide.prepare(_never)
    tried, cost = [action, *likely], min(guide.cost(known), MAX_COST)
    totals = [0.0] * len(tried)
    for _ in range(CHOOSING // cost):
        values = _values(known, tried, guide, rng)
        totals = [total + value for total, value in zip(totals, values, strict=True)]
    best = tried[totals.index(max(totals))]
    if best == action:
        return JudgedDecision(move, action, action, 0.0, 0.0, is_mistake=False)
    losses = []
    for _ in range(COMPARING // cost):
        own, other = _values(known, [action, best], guide, rng)
        losses.append(other - own)
    loss, error = fmean(losses), stdev(losses) / math.sqrt(len(losses))
    is_mistake = loss >= MIN_LOSS and loss > CERTAINTY * error
    return JudgedDecision(move, action, best, loss, error, is_mistake)


def _values(known: State, actions: Sequence[str], guide: Guide, rng: random.Random) -> list[float]:
    """Return what each action leads to in a world that is drawn, for the side of its seat."""
    seat = known.seat_to_act
    assert seat is not None
    world, seed = guide.draw(known, seat, rng), rng.getrandbits(32)
    side, values = sides_of(known.variant)[seat], []
    for action in actions:
        after = world.clone()
        after.apply(action)
        values.append(play_out(after, guide, random.Random(seed), _never)[side])
    return values


def _never() -> None:
    """Do not end a simulated game before its end."""
