"""Best responses to a bot: a lower bound of its exploitability, with an interval."""

import math
import random
from collections.abc import Callable
from statistics import fmean, stdev
from typing import NamedTuple

from arena.base.errors import SettingsError
from arena.base.protocol import DEFAULT_LIMITS
from arena.bot import Bot
from arena.extras.learn.options import Rewards, check_choices, rewards_of
from arena.match.in_process import Decider, class_of
from arena.match.referee import start_message
from arena.match.seats import Ask, Reply
from arena.rating.intervals import Estimate
from arena.sdk.games import new_bot
from engine import State, Variant, get_variant

CLOCK_MS = DEFAULT_LIMITS.move_ms


class BestResponse(NamedTuple):
    """The winnings of a responder against a bot."""

    value: float
    """The mean reward of the responder; with `ranks` from -1 to 1. Where rewards add up to 0, a bot
    that cannot be exploited allows 0 at most, so this is a lower bound of its exploitability."""
    low: float
    high: float
    """Bounds of the mean at 95 %."""
    games: int


def best_response(  # noqa: PLR0913
    bot: str | Callable[[], Bot],
    variant_id: str,
    budget: int = 100,
    *,
    rewards: Rewards = "ranks",
    rollouts: int = 16,
    seed: int = 0,
) -> BestResponse:
    """Return what a responder wins that knows the bot, but not the cards of others.

    For each of its legal actions the responder draws what it cannot know `rollouts` times, and lets
    the bot play all seats to the end; it takes the action with the best mean reward. It sits in
    each seat equally often, and the bot in all others, in this process.

    Args:
        bot: the name of a registered bot in Python, or what makes a bot, such as its class. It is
            made again during a game, so it should decide by its view and the events.
        variant_id: the variant; a bot that has partners plays with itself.
        budget: games, of which the interval gets narrower.
        rewards: what the responder wants most, as in environments: `points`, `ranks` or `win`.
        rollouts: a larger number gives a stronger responder, and takes as much longer.
        seed: of all chance.

    Raises:
        EngineError: the variant is unknown.
        BotError: the bot is unknown.
        SettingsError: the budget is less than two games, or there are no rollouts.
    """
    if budget < 2 or rollouts < 1:
        raise SettingsError(
            f"got {budget} games and {rollouts} rollouts, expected at least 2 and at least 1"
        )
    check_choices({"rewards": rewards})
    variant = get_variant(variant_id)
    make_bot = class_of(bot) if isinstance(bot, str) else bot
    responder = _Responder(variant, make_bot, rollouts, rewards)
    won = [
        responder.play(number % variant.seats, random.Random(f"best response {seed} {number}"))
        for number in range(budget)
    ]
    found = Estimate(fmean(won), stdev(won) / math.sqrt(budget), budget - 1)
    low, high = found.interval()
    return BestResponse(found.mean, low, high, budget)


class _Responder:
    def __init__(
        self, variant: Variant, make_bot: Callable[[], Bot], rollouts: int, rewards: Rewards
    ) -> None:
        self._variant, self._make_bot = variant, make_bot
        self._rollouts, self._rewards = rollouts, rewards

    def play(self, own: int, rng: random.Random) -> float:
        """Play a game in the seat `own`, and return its reward."""
        state = self._variant.start(self._variant.deal(rng))
        bots = _BotSeats(self._variant, self._make_bot, rng)
        while (seat := state.seat_to_act) is not None:
            state.apply(self._best(state, own, rng) if seat == own else bots.action(state))
        return self._reward(state, own)

    def _best(self, state: State, own: int, rng: random.Random) -> str:
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        totals = dict.fromkeys(legal, 0.0)
        for _ in range(self._rollouts):
            drawn, dice = state.determinize(own, rng), rng.getrandbits(32)
            for action in legal:  # all with the same cards and dice
                after = drawn.clone()
                after.apply(action)
                bots = _BotSeats(self._variant, self._make_bot, random.Random(dice))
                while after.seat_to_act is not None:
                    after.apply(bots.action(after))
                totals[action] += self._reward(after, own)
        return max(legal, key=totals.__getitem__)

    def _reward(self, state: State, own: int) -> float:
        return rewards_of(state.outcome(), self._variant.sides, self._rewards)[own]


class _BotSeats:
    """A bot in each seat, made when it is asked first."""

    def __init__(self, variant: Variant, make_bot: Callable[[], Bot], rng: random.Random) -> None:
        self._variant, self._make_bot, self._rng = variant, make_bot, rng
        self._deciders: dict[int, Callable[[Ask], Reply]] = {}
        self._told: dict[int, int] = {}

    def action(self, state: State) -> str:
        """Return the action of the bot of the seat to act; an illegal one becomes the first."""
        seat = state.seat_to_act
        assert seat is not None, "expected a game in progress"
        if seat not in self._deciders:
            table = start_message(self._variant, seat, self._rng.getrandbits(32))
            self._deciders[seat] = Decider(new_bot(self._make_bot, table), CLOCK_MS)
        begin, legal = self._told.get(seat, 0), state.legal_actions()
        events = state.events(seat, begin)
        self._told[seat] = begin + len(events)
        action = self._deciders[seat](Ask(seat, 1, state, events, legal)).action
        return action if action in legal else legal[0]
