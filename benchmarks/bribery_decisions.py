"""What more simulated games gain for a decision of Bribery, as `pot_de_vin_decisions.py` has it.

    python -m benchmarks.bribery_decisions bribery/2 --iterations 300 --iterations 3000

asks `champion` with each number of simulated games in the same positions, of games that all seats
play as its guide lets them, with some errors. It knows what was played in the round. Where it
chooses different actions, each of them is played in the same worlds to the end of the game, all
seats playing as the guide does. The table has what an action is better than that of the first
number, in places, how often it is another one, and how many actions deep the tree is on average.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import fmean
from typing import NamedTuple

from tqdm import tqdm

from arena.search import Budget, Search
from benchmarks.ladder import table, variants_of
from benchmarks.pot_de_vin_decisions import Decision, likely_worlds, place_after, summarize
from bots.bribery.guide import BriberyGuide
from engine import State, Variant, get_variant

GAME = "bribery"
POSITION_SHARE = 0.15
"""The part of the decisions of a game that is looked at."""
ERRORS = 0.1
"""The part of random actions in the games, which brings more kinds of positions."""
HEADS = ("variant", "games", "better than with the first number", "another action", "depth")


class Looked(NamedTuple):
    """What the searches chose in a position, and how many actions deep their trees are."""

    decision: Decision
    depths: Sequence[float]


def look(variant: Variant, counts: Sequence[int], games: int, seed: int) -> Iterator[Looked]:
    """Yield what is chosen in positions, without end; `games` try each action that is."""
    rng = random.Random(f"dec {variant.id} {seed}")
    policy = BriberyGuide(variant)
    while True:
        state = variant.start(variant.deal(rng))
        told: list[dict[str, str]] = []
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            if len(legal) > 1 and rng.random() < POSITION_SHARE:
                yield look_at(state, told, counts, [rng.getrandbits(32) for _ in range(games)])
            usual = legal[0] if len(legal) == 1 else policy.play(state, legal, rng)
            action = rng.choice(legal) if rng.random() < ERRORS else usual
            told.append({"event": "action", "action": action})
            state.apply(action)


def look_at(
    state: State, told: Sequence[dict[str, str]], counts: Sequence[int], seeds: Sequence[int]
) -> Looked:
    """Search a position with each number of simulated games, and try what was chosen."""
    chosen, depths = [], []
    for number, count in enumerate(counts):
        guide = BriberyGuide(state.variant)
        guide.observe(state, told)
        assert state.seat_to_act is not None, "expected a seat to act"
        search = Search(state.seat_to_act, guide, random.Random(f"{seeds[0]} {number}"))
        chosen.append(search.choose(state, Budget(count)).action)
        depths.append(depth_of(search, count))
    places = {}
    if len(set(chosen)) > 1:
        worlds = likely_worlds(guide, state, len(seeds), random.Random(seeds[0]))
        for action in sorted(set(chosen)):
            places[action] = place_after(action, worlds, seeds, guide)
    return Looked(Decision(chosen, places), depths)


def depth_of(search: Search, games: int) -> float:
    """Return how many actions a simulated game plays in the tree, on average."""
    visits, waiting = 0, [search._root]
    while waiting:
        children = waiting.pop().children.values()
        visits += sum([child.visits for child in children])
        waiting += children
    return visits / games


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variants", nargs="+", choices=variants_of(GAME))
    parser.add_argument("--iterations", type=int, action="append", required=True)
    parser.add_argument("--positions", type=int, default=100, help="default: %(default)s")
    parser.add_argument("--games", type=int, default=400, help="games that try an action")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    options = parser.parse_args()
    rows = []
    for variant_id in options.variants:
        found = []
        looked = look(get_variant(variant_id), options.iterations, options.games, options.seed)
        for one in tqdm(islice(looked, options.positions), variant_id, options.positions):
            found.append(one)
        gains = summarize([one.decision for one in found])
        for number, (count, gain) in enumerate(zip(options.iterations, gains, strict=True)):
            depth = f"{fmean([one.depths[number] for one in found]):.1f}"
            rows.append((f"`{variant_id}`", str(count), *gain.cells(), depth))
    print(table(HEADS, rows))


if __name__ == "__main__":
    main()
