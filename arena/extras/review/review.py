"""What each decision of a seat was worth, by what the seat knew then, and what the rest brought.

Each decision is judged in worlds that agree with the view of the seat and with all that it was
told; the true cards of the others play no part. A world is played on from several actions with the
same dice, and all seats play as the guide of the game does (by chance, where there is none). The
best action is chosen in some worlds and compared with the one that was played in others, so the
choice flatters nobody.

The expected share is a graph over the moves that starts at an even one and ends at the result. It
falls at a mistake by its loss. All other changes lie between the decisions: cards that come to
light, and what the others play. So for a game

    result - EVEN = luck + others - lost

`lost` is the sum of the losses of mistakes. `luck` is what a simulated game with the true cards
and the guide at all seats brings: it depends on the deal and the seat only, and its mean over deals
is 0, as that of the terms by which AIVAT takes the luck out of a result. `others` is what is left:
how the others play, compared with the guide, and small losses that are not certain.
"""

import importlib
import math
import random
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from statistics import fmean, stdev

import msgspec

from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.match.referee import start_game
from arena.narration.telling import counted, telling_of
from arena.plugins import guides
from arena.sdk.search import Guide, play_out, sides_of
from engine import State, Variant

SCHEMA = 1
"""The version of a `GameReview`."""
EVEN = 0.5
"""The share before anything is known."""
TRIED = 6
"""The actions that are tried beside the one played, the likeliest ones."""
CHOOSING, COMPARING, DEALING = 16, 48, 48
"""The worlds in which the best action is chosen, those in which it is compared, and the simulated
games that show the luck of the deal."""
MAX_COST = 4
"""Where simulated games are long, as the guide says, worlds are fewer by this factor at most."""
CERTAINTY = 2.7
"""Standard errors by which the best is better at a mistake: 99 %, as a game has many decisions."""
MIN_LOSS = 0.01
"""The loss of a mistake, at least."""
LINE = 6
"""The actions of the line that may follow the best action, at most."""


class JudgedDecision(msgspec.Struct, frozen=True):
    """A decision of a seat with several legal actions, and what it cost.

    A share is that of the opponents who are placed before at the end, from 0 to 1; a tie is half a
    place. In a game that counts twice it is twice as far from `EVEN`.
    """

    move: int
    """The number of the action in the game, from 1."""
    chapter: str
    """The part of the game, such as `Round 2`."""
    legal: int
    """The number of legal actions."""
    action: str
    best: str
    """The best action that was found; `action` if none was better."""
    share: float
    """The expected share after `action`."""
    loss: float
    """What the expected share after `best` is more."""
    error: float
    """The standard error of the loss."""
    is_mistake: bool
    """Whether the best is certainly better."""
    line: tuple[str, ...] = ()
    """Of a mistake, what follows after `best` with the true cards, if all play as the guide."""


class GameReview(msgspec.Struct, frozen=True):
    """The decisions of a seat in a game, and where the result came from: see the module."""

    schema: int
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


def guide_of(variant: Variant) -> Guide:
    """Return a guide for a game: that of its plugin, or one that knows the rules only."""
    found = guides.find(variant.game)
    if found is None:
        return Guide()
    module, _, function = found.make.partition(":")
    guide: Guide = getattr(importlib.import_module(module), function)(variant)
    return guide


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
    note: Callable[[int], object] = lambda _: None,
    is_late: Callable[[], bool] = lambda: False,
) -> GameReview:
    """Judge the decisions of a seat in a recorded game, and find where its result came from.

    `note` is called after each decision, with the number of actions since the one before. Once
    `is_late` returns True, no further decision is judged.
    """
    decisions: list[JudgedDecision] = []
    is_whole = True
    for decision in judged_decisions(record, seat, rng):
        note(decision.move - (decisions[-1].move if decisions else 0))
        decisions.append(decision)
        if is_late():
            is_whole = False
            break
    start = start_game(record.variant, record.deal)
    guide = guide_of(start.variant)
    dealt = [_end(start.clone(), guide, rng, seat) for _ in range(_worlds(DEALING, guide, start))]
    result = _share(record.ranks, record.win_weight, start.variant, seat)
    lost = math.fsum([one.loss for one in decisions if one.is_mistake])
    luck = fmean(dealt) - EVEN
    return GameReview(
        SCHEMA,
        record.key,
        record.title,
        record.variant,
        record.entrants[seat],
        seat,
        tuple(decisions),
        result,
        lost,
        luck,
        result - EVEN - luck + lost,
        is_whole,
    )


def judged_decisions(record: GameRecord, seat: int, rng: random.Random) -> Iterator[JudgedDecision]:
    """Yield the decisions of a seat in a recorded game, but for those with one legal action only.

    Actions of a stand-in, after a fault of the seat, are not decisions of its bot.
    """
    state = start_game(record.variant, record.deal)
    guide, heard, chapter = guide_of(state.variant), 0, ""
    telling = telling_of(state.variant.game)
    fault = min([one.action for one in record.faults if one.seat == seat], default=math.inf)
    for at, action in enumerate(record.actions):
        if at >= fault:
            return
        chapter = telling.chapter(msgspec.to_builtins(state.view(None))) or chapter
        if state.seat_to_act == seat and len(state.legal_actions()) > 1:
            told: list[object] = msgspec.to_builtins(state.events(seat))
            known = state.variant.imagine(state.view(seat), rng, told)
            guide.observe(known, told[heard:])
            heard = len(told)
            yield _judge(known, state, action, at + 1, chapter, guide, rng)
        state.apply(action)


def in_a_sentence(review: GameReview) -> str:
    """Return where a result came from: `lost 31 points by 4 mistakes; ...`."""
    count = len(review.mistakes)
    lost = f"lost {_points(review.lost)} by {counted(count, 'mistake')}"
    parts = [
        lost if count else "no decision was certainly a mistake",
        f"luck of the deal {_changed(review.luck)}",
        f"the others' play {_changed(review.others)}",
    ]
    return "; ".join(parts)


def _changed(share: float) -> str:
    return f"{'cost' if share < 0 else 'brought'} {_points(abs(share))}"


def _points(share: float) -> str:
    return counted(round(100 * share), "point")


def _judge(  # noqa: PLR0913  # a decision and what it is judged with
    known: State,
    state: State,
    action: str,
    move: int,
    chapter: str,
    guide: Guide,
    rng: random.Random,
) -> JudgedDecision:
    """Judge an action of the seat to act in `known`, a state that agrees with what it knows.

    `state` has the true cards, with which only the line of a mistake is played.
    """
    legal = known.legal_actions()
    order = sorted(zip(legal, guide.priors(known, legal), strict=True), key=itemgetter(1))
    likely = [other for other, _ in reversed(order) if other != action][:TRIED]
    guide.prepare(_never)
    tried = [action, *likely]
    chosen_by = [_shares(known, tried, guide, rng) for _ in range(_worlds(CHOOSING, guide, known))]
    totals = [sum(column) for column in zip(*chosen_by, strict=True)]
    best = tried[totals.index(max(totals))]
    compared = [
        _shares(known, [action, best], guide, rng) for _ in range(_worlds(COMPARING, guide, known))
    ]
    losses = [other - own for own, other in compared]
    loss, error = fmean(losses), stdev(losses) / math.sqrt(len(losses))
    is_mistake = loss >= MIN_LOSS and loss > CERTAINTY * error
    share = fmean([own for own, _ in compared])
    line = _line(state, best, guide, rng) if is_mistake else ()
    return JudgedDecision(
        move, chapter, len(legal), action, best, share, loss, error, is_mistake, line
    )


def _worlds(count: int, guide: Guide, state: State) -> int:
    """Return how many of `count` worlds are drawn, as simulated games from `state` take time."""
    return count // min(guide.cost(state), MAX_COST)


def _shares(known: State, actions: Sequence[str], guide: Guide, rng: random.Random) -> list[float]:
    """Return what each action leads to in a world that is drawn, for the seat to act."""
    seat = known.seat_to_act
    assert seat is not None
    world, seed = guide.draw(known, seat, rng), rng.getrandbits(32)
    shares = []
    for action in actions:
        after = world.clone()
        after.apply(action)
        shares.append(_end(after, guide, random.Random(seed), seat))
    return shares


def _end(state: State, guide: Guide, rng: random.Random, seat: int) -> float:
    """Play on as the guide does, and return the share of the seat."""
    return play_out(state, guide, rng, _never)[sides_of(state.variant)[seat]]


def _share(ranks: Sequence[int], weight: int, variant: Variant, seat: int) -> float:
    """Return the share of a seat with these ranks by seat; see `JudgedDecision`."""
    own, side = ranks[seat], sides_of(variant)[seat]
    others = [ranks[seats[0]] for at, seats in enumerate(variant.sides) if at != side]
    placed = fmean([1.0 if own < other else 0.5 if own == other else 0.0 for other in others])
    return EVEN + weight * (placed - EVEN)


def _line(state: State, action: str, guide: Guide, rng: random.Random) -> tuple[str, ...]:
    """Return what follows after `action`, at most `LINE` actions, if all play as the guide does."""
    state = state.clone()
    line: list[str] = []
    state.apply(action)
    while state.seat_to_act is not None and len(line) < LINE:
        legal = state.legal_actions()
        line.append(legal[0] if len(legal) == 1 else guide.play(state, legal, rng))
        state.apply(line[-1])
    return tuple(line)


def _never() -> None:
    """Do not end what a guide does before it is done."""
