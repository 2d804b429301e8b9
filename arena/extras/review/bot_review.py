"""Find patterns in a bot's mistakes over many games.

Decisions are grouped by phase of the game, kind of action, action, number of legal actions and
time used. The clearest pattern is the group of decisions whose mean loss exceeds the overall
mean by the most standard errors. The search for further patterns ignores mistakes that earlier
patterns explain.
"""

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean, median

import msgspec

from arena.base.record import GameRecord, Observations
from arena.extras.review.review import GameReview, JudgedDecision, review_game, seat_of
from arena.narration.telling import counted
from arena.narration.words import Words

FINDINGS = 3
MIN_MISTAKES = 3
FEW_LEGAL, MANY_LEGAL = 3, 8
"""Thresholds for decisions with few and with many legal actions."""
QUICK, SLOW = 0.5, 2.0
"""Thresholds for quick and slow decisions, as multiples of the bot's usual time."""


class Finding(msgspec.Struct, frozen=True):
    text: str
    decisions: int
    mistakes: int
    lost: float
    key: str
    title: str
    move: int


class BotReview(msgspec.Struct, frozen=True):
    """The reviews of a bot's games, and the patterns in its mistakes, clearest first."""

    bot: str
    games: tuple[GameReview, ...]
    findings: tuple[Finding, ...]


class _Decision(msgspec.Struct, frozen=True):
    one: JudgedDecision
    game: GameReview
    groups: tuple[str, ...]

    @property
    def lost(self) -> float:
        return self.one.loss if self.one.is_mistake else 0.0


PlayedGame = tuple[GameRecord, Observations]


def review_bot(
    games: Sequence[PlayedGame], bot: str, note: Callable[[int], None] = lambda _: None
) -> BotReview:
    """Review a bot's games and find patterns in its mistakes."""
    reviews, decisions = [], []
    for record, seen in games:
        seat = seat_of(record, bot)
        review = review_game(record, seat, random.Random(record.key), note)
        reviews.append(review)
        taken = seen.timings[seat].each_ms if seen.timings else ()
        usual = median(taken) if taken else 0.0
        # which of the others a card is played on says little of a bot, and changes with the game
        names = ["itself" if at == seat else "another bot" for at in range(len(record.entrants))]
        words = Words(record.variant.partition("/")[0], names)
        for one in review.decisions:
            part = taken[one.turn] / usual if usual and one.turn < len(taken) else 1.0
            decisions.append(_Decision(one, review, tuple(_groups(one, words, part))))
    return BotReview(bot, tuple(reviews), tuple(_findings(decisions)))


def _groups(one: JudgedDecision, words: Words, part: float) -> Iterator[str]:
    kind, action = words.kind(one.action), words.action(one.action).text
    where = f"in {one.chapter[:1].lower()}{one.chapter[1:]}"
    yield where
    for what in dict.fromkeys([kind, action]):
        yield f"when it {what}"
        yield f"{where}, when it {what}"
    if one.legal <= FEW_LEGAL:
        yield f"with {FEW_LEGAL} legal actions or fewer"
    elif one.legal >= MANY_LEGAL:
        yield f"with {MANY_LEGAL} legal actions or more"
    if part < QUICK:
        yield f"in less than {QUICK:.0%} of its usual time"
    elif part > SLOW:
        yield f"in more than {SLOW:.0%} of its usual time"


def _findings(decisions: Sequence[_Decision]) -> Iterator[Finding]:
    left = list(decisions)
    for _ in range(FINDINGS):
        groups: dict[str, list[_Decision]] = defaultdict(list)
        for decision in left:
            for group in decision.groups:
                groups[group].append(decision)
        mean = fmean([decision.lost for decision in left]) if left else 0.0
        excess = {group: _excess(members, mean) for group, members in groups.items()}
        clearest = max(excess, key=lambda group: excess[group], default="")
        if not excess.get(clearest):
            return
        yield _finding(clearest, groups[clearest])
        left = [one for one in left if not (one.lost and clearest in one.groups)]


def _excess(members: Sequence[_Decision], mean: float) -> float:
    losses = [decision.lost for decision in members if decision.lost]
    if len(losses) < MIN_MISTAKES:
        return 0.0
    return max(0.0, (sum(losses) / len(members) - mean) * math.sqrt(len(members)))


def _finding(group: str, members: Sequence[_Decision]) -> Finding:
    mistakes = [decision for decision in members if decision.lost]
    lost = math.fsum([decision.lost for decision in mistakes])
    worst = max(mistakes, key=lambda decision: decision.lost)
    text = (
        f"{group[0].upper()}{group[1:]}: {len(mistakes)} of {counted(len(members), 'decision')} "
        f"were mistakes, {100 * lost / len(mistakes):.1f} points each"
    )
    game = worst.game
    return Finding(text, len(members), len(mistakes), lost, game.key, game.title, worst.one.move)
