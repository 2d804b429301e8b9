"""Check how far reviews of games can be trusted.

    python -m benchmarks.review_checks [--games 10] [--variant ID] [CHECK ...]

Each check prints a line per variant. The exit code is 1 if a target is missed. The same number of
games gives the same results. `endgames` and `luck` play ten times as many games.

- `champion`: at most 2% of the champion's decisions against a good bot are called mistakes.
- `random`: at least 10% of random decisions are called mistakes.
- `blunder`: once per game, from round 2 on, the champion plays its third-best action where that is
  a blunder: at least 10 points of score worse by its own search, and 20 points in each of two
  comparisons in other worlds. In 9 of 10 games the review calls it the heaviest mistake.
- `endgames`: at the end of random games, 95% of the losses found by a review have the same sign in
  an exhaustive search over all worlds.
- `luck`: results of equal bots vary less once the luck named by the review is removed.
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
"""The bot that plays the other seats, by variant."""
SIMULATED = {"pot-de-vin/3": 500, "bribery/2": 500, "brides-and-bribes/3": 200}
"""Number of games the champion simulates per decision, fewer than in a run."""
LAST_PLIES = {"pot-de-vin/3": 6, "bribery/2": 4}
"""Number of final actions that are searched exhaustively."""
WORLDS = 30
"""Number of worlds in an exhaustive search of a game with hidden hands."""
CLEARLY_WORSE = 0.1
"""Minimum loss of a blunder by the champion's own search."""
BLUNDER, DOUBT = 0.2, 1e-4
"""Minimum loss of a blunder in each comparison, and the probability of such a loss if the action
were as good as the best one."""
PLANTED = "planted"
"""The note that marks a blunder in the record."""


# -- games ---------------------------------------------------------------------------------------


def played(variant_id: str, bot: type[Bot], others: type[Bot], number: int) -> GameRecord:
    """Play a game. The bot's seat is `number` modulo the number of seats."""
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
    return record.board % len(record.entrants)


def reviewed(record: GameRecord) -> GameReview:
    return review_game(record, seat_in(record), random.Random(record.key))


def champion_of(variant_id: str) -> type[ChampionBot]:
    class FixedChampion(ChampionBot):
        iterations: ClassVar[int | None] = SIMULATED[variant_id]

    return FixedChampion


# -- checks --------------------------------------------------------------------------------------


def part_of_mistakes(variant_id: str, bot: type[Bot], games: int) -> float:
    """Return and print the share of a bot's decisions that are called mistakes."""
    reviews = [reviewed(played(variant_id, bot, GOOD[variant_id], at)) for at in range(games)]
    decisions = sum([len(one.decisions) for one in reviews])
    mistakes = sum([len(one.mistakes) for one in reviews])
    points, part = 100 * fmean([one.lost for one in reviews]), mistakes / decisions
    print(f"{mistakes} of {decisions} decisions, {part:.1%}; {points:.0f} points a game")
    return part


def check_champion(variant_id: str, games: int) -> bool:
    return part_of_mistakes(variant_id, champion_of(variant_id), games) <= 0.02


def check_random(variant_id: str, games: int) -> bool:
    return part_of_mistakes(variant_id, RandomBot, games) >= 0.1


class ThirdBest:
    """A search that chooses its third-best action once, where that is a blunder."""

    _seat: int
    planted: str | None = None
    """The blunder, once it has been played."""
    judge: Judge
    """Compares the third-best action with the best one in other worlds."""
    told: Sequence[object] = ()
    """The seat's events since its last decision."""

    def choose(self, state: State, budget: Budget) -> Choice:
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
    """A tree search that blunders once."""


class ThirdBestInRace(ThirdBest, Race):
    """A race that blunders once."""


def blunderer_of(variant_id: str) -> type[Bot]:
    """Return a champion that blunders once per game and marks it with a note."""

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
    """Compare mistakes in endgames with an exhaustive search."""
    losses = []
    for number in range(10 * games):
        losses += list(exact_losses(played(variant_id, RandomBot, RandomBot, number)))
    agreeing = sum([loss > 0 for loss in losses])
    contrary = sum([loss < 0 for loss in losses])
    print(f"of {len(losses)} mistakes, {agreeing} lose by an exhaustive search and {contrary} win")
    return agreeing >= 0.95 * (agreeing + contrary)


def exact_losses(record: GameRecord) -> Iterator[float]:
    """Yield the loss of each mistake among a game's last actions, by exhaustive search."""
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
    """Return each seat's share after an action if all seats know all cards and play their best.

    A seat with several best actions chooses among them at random.
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
"""Each check with its variants."""


def main() -> None:
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
