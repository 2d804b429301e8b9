"""Where the result of a seat in a game came from: its mistakes, the deal, and everything else.

The expected share of opponents placed before is a graph over the moves. It starts at an even share,
ends at the result, and falls at a mistake by its loss. All other changes lie between the decisions:
cards that come to light, and what the others play. So for a game

    result - EVEN = luck + others - lost

`lost` is the sum of the losses of mistakes. `luck` is what the deal and the seat bring if the guide
plays at all seats. As the terms by which AIVAT takes the luck out of a result, it depends on chance
only, and its mean over deals and seats is 0. Hidden cards are dealt at the start in games with a
deal, so there is no later chance whose part could be measured apart. `others` is what is left: how
the others play, compared with the guide, luck in how they decide, and losses that are not certain.

A decision is a mistake when it is certain that its loss is more than `SLIGHT`: of all decisions of
a game, by Holm's method, at 95 %. So of 20 games without a mistake at most one is said to have any,
as far as all seats play on as the guide does.
"""

import logging
import math
import os
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from statistics import fmean
from typing import Any

import msgspec

from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.extras.review.judging import EVEN, Judge, Judgement, share_of
from arena.match.referee import start_game
from arena.narration.telling import counted, telling_of
from arena.played_run import Run, data_frame
from arena.tournament.display_names import names_of
from arena.tournament.finished_boards import find_finished_game
from arena.tournament.runs import open_source
from engine import State

log = logging.getLogger("arena")
UNCERTAINTY = 0.05
"""The probability that a game without a mistake is said to have one."""
TWICE = "A win that counts twice ends at 150, and losing such a game at -50."
LINE = 6
"""The actions of the line that may follow the best action, at most."""


class JudgedDecision(Judgement, frozen=True, kw_only=True):
    """A decision of a seat with several legal actions, and what it cost."""

    move: int
    """The number of the action in the game, from 1."""
    chapter: str
    """The part of the game, such as `Round 2`."""
    turn: int
    """The number of turns that the seat had before."""
    legal: int
    """The number of legal actions."""
    is_mistake: bool = False
    """Whether the best is certainly better by more than `SLIGHT`."""
    line: tuple[str, ...] = ()
    """If another action is best: what follows with the true cards, if all play as the guide."""

    @property
    def margin(self) -> float:
        """Half of the 95 % interval of the loss."""
        return 1.96 * self.error


class GameReview(msgspec.Struct, frozen=True, tag_field="schema", tag=1):
    """The decisions of a seat in a game, and where the result came from: see the module."""

    key: str
    title: str
    variant: str
    bot: str
    seat: int
    decisions: tuple[JudgedDecision, ...]
    result: float
    """The share at the end."""
    lost: float
    """What the mistakes cost."""
    luck: float
    """What the deal and the seat brought."""
    others: float
    """What everything else brought."""
    is_whole: bool = True
    """Whether all decisions are judged; False if the time was over before."""

    @property
    def mistakes(self) -> list[JudgedDecision]:
        """The mistakes, the heaviest first."""
        return sorted([one for one in self.decisions if one.is_mistake], key=lambda one: -one.loss)

    @property
    def counts_twice(self) -> bool:
        """Whether it goes beyond 0 or 1, as in a game of Bribery whose win may count twice."""
        shares = [self.result, *[one.share for one in self.decisions]]
        return min(shares) < 0 or max(shares) > 1

    def to_pandas(self) -> Any:
        """Return the decisions as a `pandas.DataFrame`, with the fields of `JudgedDecision`.

        Raises:
            ArenaError: pandas is not installed.
        """
        rows = map(msgspec.structs.asdict, self.decisions)
        return data_frame(rows, JudgedDecision.__struct_fields__)


def review_in_run(run: Run, key: str, *, bot: str) -> GameReview:
    """Review a game of a run.

    Args:
        run: the run.
        key: the title of a game, or the start of its key.
        bot: the bot whose decisions are judged.

    Raises:
        ArenaError: there is no such bot or game, its board is not over, or the bot is not in it.
    """
    source = os.path.join(os.curdir, run.source)
    with open_source(run.source.parent, source, log.info) as store:
        name, record = names_of(store).find(bot), find_finished_game(store, key)
    return review_game(record, seat_of(record, name), random.Random(record.key))


def seat_of(record: GameRecord, bot: str) -> int:
    """Return the seat of a bot. Raises `StoreError` if it has none."""
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
    """Judge the decisions of a seat in a recorded game, and find where its result came from.

    Decisions with one legal action are left out, and those of a stand-in after a fault. `note` is
    called after each decision, with the number of actions since the one before. Once it returns
    True, no further decision is judged.
    """
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
    lost = math.fsum([one.loss for one in decisions if one.is_mistake])
    luck = Judge(start.variant, seat, rng).dealt(start) - EVEN
    others = result - EVEN - luck + lost
    return GameReview(
        record.key, record.title, record.variant, record.entrants[seat], seat,
        tuple(decisions), result, lost, luck, others, not is_late,
    )  # fmt: skip


def _judged(record: GameRecord, seat: int, rng: random.Random) -> Iterator[JudgedDecision]:
    """Yield the decisions of a seat, before it is known which are mistakes."""
    state = start_game(record.variant, record.deal)
    judge, telling = Judge(state.variant, seat, rng), telling_of(state.variant.game)
    heard, turn, chapter = 0, 0, ""
    share: float | None = None  # what the seat may expect, while no other seat acts
    fault = min([one.action for one in record.faults if one.seat == seat], default=math.inf)
    for at, action in enumerate(record.actions):
        if at >= fault:
            return
        before = chapter
        chapter = telling.chapter(msgspec.structs.asdict(state.view(None))) or chapter
        if chapter != before or state.seat_to_act != seat:
            share = None
        legal = state.legal_actions() if state.seat_to_act == seat else []
        if len(legal) > 1:
            told: list[object] = msgspec.to_builtins(state.events(seat))
            known = state.determinize(seat, rng)
            judge.guide.observe(known, told[heard:])
            heard = len(told)
            judged = judge.judge(known, action, share)
            share = judged.share
            line = _line(state, judged.best, judge, rng) if judged.best != action else ()
            yield JudgedDecision(
                *msgspec.structs.astuple(judged),
                move=at + 1, chapter=chapter, turn=turn, legal=len(legal), line=line,
            )  # fmt: skip
        turn += bool(legal)
        state.apply(action)


def _line(state: State, action: str, judge: Judge, rng: random.Random) -> tuple[str, ...]:
    """Return what follows after `action`, at most `LINE` actions, if all play as the guide does."""
    state = state.clone()
    state.apply(action)
    line: list[str] = []
    while state.seat_to_act is not None and len(line) < LINE:
        legal = state.legal_actions()
        line.append(legal[0] if len(legal) == 1 else judge.guide.play(state, legal, rng))
        state.apply(line[-1])
    return tuple(line)


def with_mistakes(judged: Sequence[JudgedDecision]) -> list[JudgedDecision]:
    """Return the decisions, of which those are mistakes whose losses are certain, as by Holm.

    If the best action is put off, and that is a mistake again at the next decision, nothing was
    lost before: the guide would not have made up for it, but the seat could.
    """
    mistakes = set()
    for rank, one in enumerate(sorted(judged, key=attrgetter("chance"))):
        if one.chance > UNCERTAINTY / (len(judged) - rank):
            break
        mistakes.add(one.move)
    for one, following in pairwise(judged):
        if one.best == following.best and following.move in mistakes:
            mistakes.discard(one.move)
    return [msgspec.structs.replace(one, is_mistake=one.move in mistakes) for one in judged]


def in_a_sentence(*reviews: GameReview) -> str:
    """Return where results came from, in points a game: `lost 31 points by 4 mistakes; ...`."""
    mistakes = counted(sum([len(review.mistakes) for review in reviews]), "mistake")
    lost, luck, others = [
        fmean([getattr(review, part) for review in reviews]) for part in ("lost", "luck", "others")
    ]
    lost_by = f"lost {_points(lost)} by {mistakes}" if lost else "no certain mistake"
    rest = f"the others' play and small losses {_changed(others)}"
    return f"{lost_by}; luck of the deal {_changed(luck)}; {rest}"


def _changed(share: float) -> str:
    return f"{'cost' if share < 0 else 'brought'} {_points(abs(share))}"


def _points(share: float) -> str:
    return counted(round(100 * share), "point")
