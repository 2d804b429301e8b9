"""Attribute a player's result in a game to mistakes, luck and other causes.

A player's result is the fraction of opponents that the player beats. On average, it is `EVEN`,
which is 0.5. A review attributes the difference from this average to luck, mistakes and the other
players:

    result - EVEN = luck + others - lost

`lost` is the total cost of the player's mistakes. `luck` is the effect of the deal and the seat
on the expected result, assuming that the game's guide (a heuristic player) plays in all seats.
Like the correction terms of AIVAT, `luck` depends only on chance, and has a mean of 0 over all
deals and seats. `others` is the remainder: how much better or worse than the guide the opponents
played, luck in their decisions, and losses that are not significant.

A decision is a mistake if its estimated cost is significantly higher than a threshold
(`SLIGHT`). The significance level is 5% per game, with Holm's correction for the number of
decisions. If all players decide like the guide, the probability that a review reports a false
mistake is at most 5%.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter

import msgspec

from arena.base.errors import SettingsError, StoreError
from arena.base.record import GameRecord
from arena.extras.review.judging import EVEN, Judge, Judgement, share_of
from arena.match.referee import start_game
from arena.match.seats import Decision
from arena.narration.telling import counted, telling_of
from arena.plugins import guides
from engine import get_variant

UNCERTAINTY = 0.05  # significance level per game
TWICE = (
    "Because this game can count twice, a win is worth up to 150 points and a loss as little as "
    "-50 points."
)


class JudgedDecision(Judgement, frozen=True, kw_only=True):
    """An estimate of how much a decision cost the player."""

    move: int
    """The move at which the decision was made, counting from 1."""
    chapter: str
    is_mistake: bool = False

    @property
    def margin(self) -> float:
        """Half the width of the 95% confidence interval for the decision's cost."""
        return 1.96 * self.error


class GameReview(msgspec.Struct, frozen=True, tag_field="schema", tag=2):
    """An analysis of a player's decisions and luck in a game."""

    key: str
    title: str
    variant: str
    bot: str
    seat: int
    decisions: tuple[JudgedDecision, ...]
    result: float
    lost: float
    luck: float
    others: float
    is_whole: bool = True

    @property
    def mistakes(self) -> list[JudgedDecision]:
        return sorted(
            [decision for decision in self.decisions if decision.is_mistake],
            key=lambda decision: -decision.loss,
        )

    @property
    def counts_twice(self) -> bool:
        shares = [self.result, *[decision.share for decision in self.decisions]]
        return min(shares) < 0 or max(shares) > 1


def seat_of(record: GameRecord, bot: str) -> int:
    """Return a bot's seat. Raise `StoreError` if the bot did not play in the game."""
    if bot not in record.entrants:
        raise StoreError(
            f"{bot!r} does not play in {record.title}: expected {', '.join(record.entrants)}"
        )
    return record.entrants.index(bot)


def review_game(
    record: GameRecord,
    seat: int,
    rng: random.Random,
    note: Callable[[int], bool | None] = lambda _: None,
) -> GameReview:
    """Judge a player's decisions in a recorded game, and measure their effect on the result.

    Moves with a single legal action and moves after the player's first fault are not judged.
    Raise `SettingsError` if the variant can't generate random game states.
    """
    if not get_variant(record.variant).has_worlds:
        raise SettingsError(
            f"cannot review games of {record.variant}: the variant has no worlds, which are "
            "needed to judge decisions"
        )
    judged: list[JudgedDecision] = []
    done, is_late = 0, False
    for decision in _judged(record, seat, rng):
        judged.append(decision)
        is_late, done = bool(note(decision.move - done)), decision.move
        if is_late:
            break
    else:
        note(len(record.actions) - done)
    decisions = with_mistakes(judged)
    start = start_game(record.variant, record.deal)
    result = share_of(record.ranks, record.win_weight, start.variant, seat)
    lost = math.fsum([decision.loss for decision in decisions if decision.is_mistake])
    luck = Judge(start.variant, seat, rng).dealt(start) - EVEN
    others = result - EVEN - luck + lost
    return GameReview(
        record.key, record.title, record.variant, record.entrants[seat], seat,
        tuple(decisions), result, lost, luck, others, not is_late,
    )  # fmt: skip


def _judged(record: GameRecord, seat: int, rng: random.Random) -> Iterator[JudgedDecision]:
    state = start_game(record.variant, record.deal)
    judge, telling = Judge(state.variant, seat, rng), telling_of(state.variant.game)
    worlds, observed, turn, chapter = rng.getrandbits(64), 0, 0, ""
    share: float | None = None  # what the seat may expect, while no other seat acts
    first_fault = min(
        [fault.action for fault in record.faults if fault.seat == seat], default=math.inf
    )
    for at, action in enumerate(record.actions):
        if at >= first_fault:
            return
        before = chapter
        chapter = telling.chapter(msgspec.structs.asdict(state.view(None))) or chapter
        if chapter != before or state.seat_to_act != seat:
            share = None
        legal = state.legal_actions() if state.seat_to_act == seat else []
        if len(legal) > 1:
            events: list[object] = msgspec.to_builtins(state.events(seat))
            decision = Decision(seat, turn + 1, state, (), legal, at, worlds)
            known = state.variant.load(decision.world)
            judge.guide.observe(known, events[observed:])
            observed = len(events)
            judged = judge.judge(known, action, share)
            share = judged.share
            fields = msgspec.structs.astuple(judged)
            yield JudgedDecision(*fields, move=at + 1, chapter=chapter)
        turn += bool(legal)
        state.apply(action)


def with_mistakes(judged: Sequence[JudgedDecision]) -> list[JudgedDecision]:
    """Return copies of the decisions in which significantly worse actions are marked as mistakes.

    The significance test uses Holm's method. If two consecutive decisions are mistakes with the
    same best action, only the second one counts.
    """
    mistakes = set()
    for rank, decision in enumerate(sorted(judged, key=attrgetter("chance"))):
        if decision.chance > UNCERTAINTY / (len(judged) - rank):
            break
        mistakes.add(decision.move)
    for decision, following in pairwise(judged):
        # After the earlier decision, the player could still have played the best action.
        if decision.best == following.best and following.move in mistakes:
            mistakes.discard(decision.move)
    return [
        msgspec.structs.replace(decision, is_mistake=decision.move in mistakes)
        for decision in judged
    ]


def in_a_sentence(review: GameReview) -> str:
    mistakes = counted(len(review.mistakes), "mistake")
    cost = f"{mistakes} cost {_points(review.lost)}" if review.lost else "no significant mistakes"
    rest = f"the others' play and small losses {_changed(review.others)}"
    return f"{cost}; {_kind_of_luck(review.variant)} {_changed(review.luck)}; {rest}"


def _kind_of_luck(variant_id: str) -> str:
    variant = get_variant(variant_id)
    if variant.has_one_deal:
        return "the seat"
    return "luck of the deal" if guides.find(variant.game) else "chance and the seat"


def what_players_do(review: GameReview) -> str:
    """Describe how simulated players choose their actions."""
    has_guide = guides.find(review.variant.partition("/")[0])
    return "follow the champion bot's heuristics" if has_guide else "play at random"


def _changed(share: float) -> str:
    return f"{'cost' if share < 0 else 'brought'} {_points(abs(share))}"


def _points(share: float) -> str:
    return counted(round(100 * share), "point")
