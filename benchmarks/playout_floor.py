"""Random games of the engine over their floor: programs that do only what such a game takes.

    python benchmarks/playout_floor.py
    python benchmarks/playout_floor.py bribery/3 --rounds 500

`bare_pot_de_vin.py` and `bare_bribery.py` play the same games, with the same results. Where the
installed games are compiled, the two are compiled first, by the same mypyc, which they then need.
`README.md` has figures.
"""

import argparse
import importlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import engine
from arena.extras.bench.engine_workloads import build_of_games, play_out
from arena.extras.bench.figures import COMPILED
from engine import Variant, get_variant

BARE = {"pot-de-vin": "bare_pot_de_vin", "bribery": "bare_bribery"}
"""The modules of the floor, by game."""
VARIANTS = ("pot-de-vin/3", "pot-de-vin/4", "pot-de-vin/5", "bribery/2", "bribery/3", "bribery/4")
CHECKED = 300
"""Games that are compared before anything is measured."""

Work = Callable[[], int]
"""Plays some games, and returns the number of actions."""


def play_bare(bare: Any, dealt: Sequence[Any], rng: random.Random) -> int:
    """Play each deal by the floor."""
    chance, actions = rng.random, 0
    for one in dealt:
        count, _, _ = bare.play(one, chance)
        actions += count
    return actions


def play_by_loop(variant: Variant, deals: Sequence[Any], rng: random.Random) -> int:
    """Play each deal by a loop, as any program can, to its outcome."""
    chance, actions = rng.random, 0
    for deal in deals:
        state = variant.start(deal)
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            state.apply(legal[int(chance() * len(legal))])
            actions += 1
        state.outcome()
    return actions


def check_same_games(variant: Variant, bare: Any, games: int) -> None:
    """Play `games` games by both.

    Raises:
        SystemExit: they differ.
    """
    for seed in range(games):
        deal = variant.deal(random.Random(seed))
        state = variant.start(deal)
        actions = state.play_out(random.Random(seed))
        outcome = state.outcome()
        ours = actions, [*outcome.points], [*outcome.ranks]
        floor = bare.play(bare.prepare(variant, deal), random.Random(seed).random)
        if floor != ours:
            sys.exit(f"{variant.id}, seed {seed}: the floor plays {floor}, the engine {ours}")


def best_ns(works: dict[str, Work], rounds: int) -> dict[str, float]:
    """Return the least processor time of an action in nanoseconds, by work, measured in turn."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            begin = time.process_time_ns()
            actions = work()
            best[name] = min(best[name], (time.process_time_ns() - begin) / actions)
    return best


def row(variant: Variant, bare: Any, rounds: int, games: int) -> str:
    """Return the line of the table for a variant."""
    check_same_games(variant, bare, CHECKED)
    deals = [variant.deal(random.Random(seed)) for seed in range(games)]
    dealt = [bare.prepare(variant, deal) for deal in deals]
    rng = random.Random(1)
    best = best_ns(
        {
            "floor": lambda: play_bare(bare, dealt, rng),
            "play_out": lambda: play_out(variant, deals, rng),
            "loop": lambda: play_by_loop(variant, deals, rng),
        },
        rounds,
    )
    floor = best["floor"]
    return (
        f"{variant.id:14}  {floor:8,.0f}  {best['play_out']:8,.0f}  {best['play_out'] / floor:5.2f}"
        f"  {best['loop']:8,.0f}  {best['loop'] / floor:5.2f}"
    )


@contextmanager
def floors(*, compiled: bool) -> Iterator[None]:
    """Let the modules of the floor be imported in this context, compiled on request."""
    here = Path(__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        if compiled:
            for name in BARE.values():
                Path(folder, f"{name}.py").write_bytes((here / f"{name}.py").read_bytes())
            mypyc = [sys.executable, "-m", "mypyc", *[f"{name}.py" for name in BARE.values()]]
            types = Path(engine.__file__).parents[1]  # mypy finds what is installed by itself
            elsewhere = {} if types.name == "site-packages" else {"MYPYPATH": str(types)}
            subprocess.run(
                mypyc,
                check=True,
                cwd=folder,
                env=os.environ | elsewhere,
                stdout=subprocess.DEVNULL,
            )
        sys.path.insert(0, folder if compiled else str(here))
        try:
            yield
        finally:
            del sys.path[0]


def main() -> None:
    """Print a line for each variant."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("variants", nargs="*", help=f"of {', '.join(VARIANTS)}; default: all")
    parser.add_argument("--rounds", type=int, default=300, help="rounds, of which the best counts")
    parser.add_argument("--games", type=int, default=4, help="games in a round")
    options = parser.parse_args()
    chosen = options.variants or VARIANTS
    for name in chosen:
        if name not in VARIANTS:
            parser.error(f"{name} has no floor; these have one: {', '.join(VARIANTS)}")

    build = build_of_games()
    print(f"{build}; ns an action, the best round")
    print(f"{'variant':14}  {'floor':>8}  {'play_out':>8}  {'ratio':>5}  {'loop':>8}  {'ratio':>5}")
    with floors(compiled=build == COMPILED):
        for name in chosen:
            variant = get_variant(name)
            bare = importlib.import_module(BARE[variant.game])
            print(row(variant, bare, options.rounds, options.games), flush=True)


if __name__ == "__main__":
    main()
