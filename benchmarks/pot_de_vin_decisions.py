"""What more simulated games gain for a decision of Pot de Vin, without playing whole tournaments.

    python -m benchmarks.pot_de_vin_decisions pot-de-vin/3 --iterations 400 --iterations 4000

asks `champion` with each number of simulated games in the same positions, of games that all seats
play as its guide lets them. Where it chooses different actions, each of them is played in the same
worlds, which explain all past actions, to the end of the game by the same guide. The table has what
an action is better than that of the first number, in places: 100% is the first place instead of the
last one. In most positions nothing differs, and luck is shared where it does, so some dozens of
positions tell as much as hundreds of games. It does not tell what a search gains beyond the present
action, or by knowing the opponents.

With `--true-cards` all searches but the first know the hidden cards, and the actions are played in
the true world. No bot can do that: it tells how much of the gain belief could bring at most.
"""

import argparse
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from statistics import fmean, stdev
from typing import NamedTuple

from arena.guide import Guide
from arena.search import Budget, Search
from benchmarks.ladder import table, variants_of
from bots.pot_de_vin.guide import PotDeVinGuide
from engine import State, Variant, get_variant
from engine.pot_de_vin.state import PotDeVinState

GAME = "pot-de-vin"
POSITION_SHARE = 0.15
"""The part of the decisions of a game that is looked at."""
NORMAL = 1.96
"""Half of a 95% interval, in standard errors."""
HEADS = ("variant", "simulated games", "better than with the first number", "another action")


def historian_of(variant: Variant) -> PotDeVinGuide:
    """Return a guide that judges worlds by all that was played, as seats of its play would have."""
    return PotDeVinGuide(variant, recalled_actions=100, belief_temperature=1.5)


class Varied(Guide):
    """Plays like the guide of Pot de Vin; a class that inherits may vary what it searches with.

    The guide itself may be compiled, and then no class can inherit from it.
    """

    max_worlds = PotDeVinGuide.max_worlds

    def __init__(self, variant: Variant) -> None:
        """Prepare to guide a search."""
        self._guide = PotDeVinGuide(variant)

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return how likely a seat plays each action."""
        return self._guide.priors(state, legal)

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        """Return an action of a simulated game."""
        return self._guide.play(state, legal, rng)

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Return the chances of the sides, or None to go on."""
        return self._guide.estimate(state, steps)

    def result(self, state: State) -> Sequence[float]:
        """Return the values of a finished game."""
        return self._guide.result(state)

    def likelihood(self, world: State) -> float:
        """Return how well a world explains what others have played."""
        return self._guide.likelihood(world)


class Clairvoyant(Varied):
    """Knows the hidden cards, as no bot can."""

    def draw(self, state: State, seat: int, rng: random.Random) -> State:
        """Return the true world."""
        return state.clone()


class Decision(NamedTuple):
    """The actions that were chosen in a position, and the mean place that each brings."""

    chosen: Sequence[str]
    """By search, in the order of the searches."""
    places: Mapping[str, float]
    """By action, from 0 to 1; it has no actions if all searches chose the same."""

    def gain(self, number: int) -> float:
        """Return what the action of a search is better than that of the first one."""
        if not self.places:
            return 0.0
        return self.places[self.chosen[number]] - self.places[self.chosen[0]]


class Gain(NamedTuple):
    """What a search gains over the first one."""

    positions: int
    mean: float
    error: float
    """The standard error of the mean."""
    others: float
    """The part of the positions in which it chooses another action."""

    def cells(self) -> tuple[str, str]:
        """Return the gain with its 95% interval, and how often the action is another one."""
        return f"{self.mean:+.2%} ± {100 * NORMAL * self.error:.2f}", f"{self.others:.0%}"


Searcher = tuple[Guide, int]
"""A guide, and a number of simulated games."""


def decisions(
    variant: Variant,
    searchers: Sequence[Searcher],
    games: int,
    seed: int,
    true_cards: bool = False,
) -> Iterator[Decision]:
    """Yield what is chosen in positions, without end; `games` try each action that is.

    They are in likely worlds, or with `true_cards` in the true one.
    """
    rng = random.Random(f"dec {variant.id} {seed}")
    policy, historian = PotDeVinGuide(variant), historian_of(variant)
    number = 0
    while True:
        state = variant.start(variant.deal(rng))
        assert isinstance(state, PotDeVinState)
        while (seat := state.seat_to_act) is not None:
            legal = state.legal_actions()
            if len(legal) > 1 and state.position.round and rng.random() < POSITION_SHARE:
                chosen = [
                    Search(seat, guide, random.Random(number)).choose(state, Budget(count)).action
                    for guide, count in searchers
                ]
                places = {}
                if len(set(chosen)) > 1:
                    seeds = [rng.getrandbits(32) for _ in range(games)]
                    worlds: list[State] = [state] * games
                    if not true_cards:
                        worlds = likely_worlds(historian, state, games, rng)
                    for action in sorted(set(chosen)):
                        places[action] = place_after(action, worlds, seeds, policy)
                yield Decision(chosen, places)
                number += 1
            state.apply(legal[0] if len(legal) == 1 else policy.play(state, legal, rng))


def likely_worlds(guide: Guide, state: State, count: int, rng: random.Random) -> list[State]:
    """Return worlds of the seat to act, the likelier ones more often."""
    assert state.seat_to_act is not None, "expected a seat to act"
    drawn = [state.determinize(state.seat_to_act, rng) for _ in range(count)]
    return rng.choices(drawn, [guide.likelihood(world) for world in drawn], k=count)


def place_after(action: str, worlds: Sequence[State], seeds: Sequence[int], policy: Guide) -> float:
    """Return the mean place of the side to act after `action`, in a game of each world."""
    places = []
    for world, seed in zip(worlds, seeds, strict=True):
        state, rng = world.clone(), random.Random(seed)
        sides = state.variant.sides
        seat = state.seat_to_act
        assert seat is not None, "expected a seat to act"
        state.apply(action)
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            state.apply(legal[0] if len(legal) == 1 else policy.play(state, legal, rng))
        ranks = state.outcome().ranks
        behind = sum([(ranks[seat] < ranks[one]) - (ranks[seat] > ranks[one]) for one, *_ in sides])
        places.append(0.5 + behind / 2 / (len(sides) - 1))
    return fmean(places)


def summarize(found: Sequence[Decision]) -> list[Gain]:
    """Return what each search gains over the first one."""
    summary = []
    for number in range(len(found[0].chosen)):
        gains = [one.gain(number) for one in found]
        others = fmean([one.chosen[number] != one.chosen[0] for one in found])
        error = stdev(gains) / math.sqrt(len(gains))
        summary.append(Gain(len(gains), fmean(gains), error, others))
    return summary


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variants", nargs="+", choices=variants_of(GAME))
    parser.add_argument("--iterations", type=int, action="append", required=True)
    parser.add_argument("--positions", type=int, default=100, help="default: %(default)s")
    parser.add_argument("--games", type=int, default=400, help="games that try an action")
    parser.add_argument("--exploration", type=float, default=PotDeVinGuide.exploration)
    parser.add_argument("--true-cards", action="store_true", help="later searches know all cards")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    options = parser.parse_args()
    known = Clairvoyant if options.true_cards else Varied
    guide_class = type("Guide", (known,), {"exploration": options.exploration})
    rows = []
    for variant_id in options.variants:
        variant = get_variant(variant_id)
        searchers: list[Searcher] = [(PotDeVinGuide(variant), options.iterations[0])]
        searchers += [(guide_class(variant), count) for count in options.iterations[1:]]
        found = decisions(variant, searchers, options.games, options.seed, options.true_cards)
        gains = summarize([*islice(found, options.positions)])
        for count, gain in zip(options.iterations, gains, strict=True):
            rows.append((f"`{variant_id}`", str(count), *gain.cells()))
    print(table(HEADS, rows))


if __name__ == "__main__":
    main()
