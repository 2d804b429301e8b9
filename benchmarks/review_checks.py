"""How far reviews of games can be trusted.

    python -m benchmarks.review_checks [--games 10] [--variant ID] [CHECK ...]

Each check prints a line for each variant, and the command ends with exit code 1 when an aim is
missed. The same number of games gives the same figures. Endgames and luck take ten times as many.

- `champion`: reviews of the champion, who plays one seat against a good bot, find next to nothing:
  at most 2 % of its decisions are mistakes.
- `random`: reviews of random play find a lot: at least 10 %.
- `blunder`: the champion plays its third best action once, at the first decision from round 2 on
  at which that is a blunder: 10 points of score worse than the best by its own search, and 20
  in each of two comparisons, in worlds that the review does not see. It is the heaviest
  mistake in 9 of 10 games.
- `endgames`: the last decisions of games played by chance. A mistake there is one by an exhaustive
  search, too, in all worlds in turn: 95 % of the losses have its sign.
- `luck`: without the luck of the deal that a review names, the results of equal bots differ less.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean, pvariance
from typing import Any, ClassVar

import msgspec

from arena.base.protocol import raw
from arena.base.record import Game, GameRecord
from arena.bot import Bot, Start
from arena.extras.review.judging import Judge, share_of
from arena.extras.review.review import UNCERTAINTY, GameReview, review_game
from arena.match.referee import start_game
from arena.sdk.race import Race
from arena.sdk.search import Budget, Choice, Search
from arena.tournament.in_process import play_in_process
from benchmarks.head_to_head import PATIENT
from bots.any_game.random import RandomBot
from bots.bribery.fixer import FixerBot
from bots.brides_and_bribes.styles import DogeBot
from bots.champion.champion import ChampionBot
from bots.pot_de_vin.planner import PlannerBot
from engine import State, get_variant

GOOD: dict[str, type[Bot]] = {
    "pot-de-vin/3": PlannerBot,
    "bribery/2": FixerBot,
    "brides-and-bribes/3": DogeBot,
}
"""A bot that plays the other seats, by variant."""
SIMULATED = {"pot-de-vin/3": 500, "bribery/2": 500, "brides-and-bribes/3": 200}
"""The simulated games of the champion for a decision: less than it has in a run."""
LAST_PLIES = {"pot-de-vin/3": 6, "bribery/2": 4}
"""The last actions that are searched exhaustively."""
WORLDS = 30
"""The worlds of an exhaustive search where hands are hidden."""
CLEARLY_WORSE = 0.1
"""What a blunder is worth less than the best action by the champion's own search, at least."""
BLUNDER, DOUBT = 0.2, 1e-4
"""The share that it loses in the worlds of a comparison, at least, and the chance of such a loss if
it were as good."""
PLANTED = "planted"
"""The note on a blunder."""


# -- games ---------------------------------------------------------------------------------------


def played(variant_id: str, bot: type[Bot], others: type[Bot], number: int) -> GameRecord:
    """Play a game of a bot, whose seat is `number` modulo the seats, against another bot."""
    variant, rng = get_variant(variant_id), random.Random(f"review {variant_id} {number}")
    seat = number % variant.seats
    seated = [bot if at == seat else others for at in range(variant.seats)]
    names = tuple([f"{one.name}-{at}" for at, one in enumerate(seated)])
    seeds = tuple([rng.getrandbits(32) for _ in seated])
    game = Game(
        f"{variant_id} {number}", variant_id, number, 0, raw(variant.deal(rng)), names, seeds
    )
    return play_in_process(game, seated, PATIENT)


def seat_in(record: GameRecord) -> int:
    """Return the seat of the bot in a game of `played`."""
    return record.board % len(record.entrants)


def reviewed(record: GameRecord) -> GameReview:
    """Return the review of the bot in a game of `played`."""
    return review_game(record, seat_in(record), random.Random(record.key))


def champion_of(variant_id: str) -> type[ChampionBot]:
    """Return the champion with a fixed number of simulated games."""

    class FixedChampion(ChampionBot):
        iterations: ClassVar[int | None] = SIMULATED[variant_id]

    return FixedChampion


# -- checks --------------------------------------------------------------------------------------


def part_of_mistakes(variant_id: str, bot: type[Bot], games: int) -> float:
    """Return the part of the decisions of a bot that are mistakes, and print it."""
    reviews = [reviewed(played(variant_id, bot, GOOD[variant_id], at)) for at in range(games)]
    decisions = sum([len(one.decisions) for one in reviews])
    mistakes = sum([len(one.mistakes) for one in reviews])
    points, part = 100 * fmean([one.lost for one in reviews]), mistakes / decisions
    print(f"{mistakes} of {decisions} decisions, {part:.1%}; {points:.0f} points a game")
    return part


def check_champion(variant_id: str, games: int) -> bool:
    """Review the champion."""
    return part_of_mistakes(variant_id, champion_of(variant_id), games) <= 0.02


def check_random(variant_id: str, games: int) -> bool:
    """Review random play."""
    return part_of_mistakes(variant_id, RandomBot, games) >= 0.1


class ThirdBest:
    """A search that once chooses its third best action, where that is a blunder."""

    _seat: int
    planted: str | None = None
    """The action that was chosen so."""
    judge: Judge
    """Compares the third best action with the best in worlds of its own."""
    told: Sequence[object] = ()
    """What the seat was told since its last decision."""

    def choose(self, state: State, budget: Budget) -> Choice:
        """Return the best action, or once the third best."""
        choice: Choice = super().choose(state, budget)  # type: ignore[misc]  # of a search
        view: Any = state.view(self._seat)
        best = choice.best(3)
        self.judge.guide.observe(state, self.told)
        if self.planted or view.round < 2 or len(best) < 3:
            return choice
        first, _, third = best
        if first.value - third.value < CLEARLY_WORSE or not third.visits:
            return choice
        for _ in range(2):  # the second time without the luck that the first may owe its result to
            found = self.judge.compare(state, third.action, first.action)
            if found.loss < BLUNDER or found.chance > DOUBT:
                return choice
        self.planted = third.action
        return choice._replace(action=self.planted)


class ThirdBestInTree(ThirdBest, Search):
    """A tree that once chooses its third best action."""


class ThirdBestInRace(ThirdBest, Race):
    """A race that is once won by its third best action."""


def blunderer_of(variant_id: str) -> type[Bot]:
    """Return a champion that blunders once, and notes it."""

    class Blunderer(champion_of(variant_id)):  # type: ignore[misc]  # a class of its own
        _search: Any

        def start(self, table: Start) -> None:
            super().start(table)
            searching = ThirdBestInRace if isinstance(self._search, Race) else ThirdBestInTree
            self._search = searching(table.seat, self._guide, self.rng)
            self._search.judge = Judge(self._variant, table.seat, random.Random(table.seed))

        def act(self, view: Any, legal: list[str]) -> str:
            before, self._search.told = self._search.planted, self._told
            action: str = super().act(view, legal)
            if self._search.planted != before:
                self.note = PLANTED
            return action

    return Blunderer


def check_blunder(variant_id: str, games: int) -> bool:
    """Review a champion that blunders once."""
    blunderer = blunderer_of(variant_id)
    first = planted = 0
    for number in range(games):
        record = played(variant_id, blunderer, GOOD[variant_id], number)
        moves = [note.action + 1 for note in record.notes if note.text == PLANTED]
        if moves:
            planted += 1
            first += [one.move for one in reviewed(record).mistakes][:1] == moves
    print(f"the heaviest mistake in {first} of {planted} games")
    return first >= 0.9 * planted


def check_endgames(variant_id: str, games: int) -> bool:
    """Compare what is called a mistake in endgames with an exhaustive search."""
    losses = []
    for number in range(10 * games):
        losses += list(exact_losses(played(variant_id, RandomBot, RandomBot, number)))
    agreeing = sum([loss > 0 for loss in losses])
    contrary = sum([loss < 0 for loss in losses])
    print(f"of {len(losses)} mistakes, {agreeing} lose by an exhaustive search and {contrary} win")
    return agreeing >= 0.95 * (agreeing + contrary)


def exact_losses(record: GameRecord) -> Iterator[float]:
    """Yield by an exhaustive search the loss of each mistake among the last actions of a game."""
    plies = LAST_PLIES[record.variant]
    state, rng = start_game(record.variant, record.deal), random.Random(record.key)
    for at, action in enumerate(record.actions):
        seat = state.seat_to_act
        assert seat is not None
        if at >= len(record.actions) - plies and len(state.legal_actions()) > 1:
            told: list[object] = msgspec.to_builtins(state.events(seat))
            known = state.determinize(seat, rng)
            judge = Judge(state.variant, seat, rng)
            judge.guide.observe(known, told)
            found = judge.judge(known, action)
            if found.chance <= UNCERTAINTY / plies:
                worlds = [known.determinize(seat, rng) for _ in range(WORLDS)]
                yield fmean([exact(w, found.best)[seat] - exact(w, action)[seat] for w in worlds])
        state.apply(action)


def exact(state: State, action: str) -> list[float]:
    """Return the share of each seat after an action if all see all cards and play their best.

    A seat with several best actions chooses by chance.
    """
    after = state.clone()
    after.apply(action)
    seat = after.seat_to_act
    if seat is None:
        outcome, variant = after.outcome(), after.variant
        ends = outcome.ranks, outcome.win_weight, variant
        return [share_of(*ends, each) for each in range(variant.seats)]
    shares = [exact(after, each) for each in after.legal_actions()]
    best = max([share[seat] for share in shares])
    chosen = [share for share in shares if share[seat] == best]
    return list(map(fmean, zip(*chosen, strict=True)))


def check_luck(variant_id: str, games: int) -> bool:
    """Compare the results of equal bots with and without the luck of the deal."""
    results, lucks = [], []
    for number in range(10 * games):
        record = played(variant_id, GOOD[variant_id], GOOD[variant_id], number)
        start, seat = start_game(record.variant, record.deal), seat_in(record)
        results.append(share_of(record.ranks, record.win_weight, start.variant, seat))
        lucks.append(Judge(start.variant, seat, random.Random(record.key)).dealt(start))
    rest = pvariance([result - luck for result, luck in zip(results, lucks, strict=True)])
    print(f"{rest / pvariance(results):.2f} of the variance of {len(results)} results is left")
    return rest < pvariance(results)


CHECKS: dict[str, tuple[Callable[[str, int], bool], Sequence[str]]] = {
    "champion": (check_champion, tuple(GOOD)),
    "random": (check_random, tuple(GOOD)),
    "blunder": (check_blunder, tuple(GOOD)),
    "endgames": (check_endgames, tuple(LAST_PLIES)),
    "luck": (check_luck, tuple(GOOD)),
}
"""Each with its variants."""


def main() -> None:
    """Make the checks that are named, or all."""
    parser = argparse.ArgumentParser(description="How far reviews of games can be trusted.")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(CHECKS))
    parser.add_argument("--variant", choices=tuple(GOOD), help="Only this variant.")
    parser.add_argument("--games", type=int, default=10)
    arguments = parser.parse_args()
    if unknown := set(arguments.checks) - set(CHECKS):
        parser.error(f"got {', '.join(unknown)}; expected {', '.join(CHECKS)}")
    missed = []
    for name in arguments.checks or CHECKS:
        check, variants = CHECKS[name]
        for variant_id in variants:
            if arguments.variant in (None, variant_id):
                print(f"{variant_id} {name}: ", end="", flush=True)
                if not check(variant_id, arguments.games):
                    missed.append(f"{variant_id} {name}")
    if missed:
        sys.exit(f"missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
