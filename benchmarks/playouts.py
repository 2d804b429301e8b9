"""Random games a second: of this tree, or of two trees of the project in interleaved pairs.

    python -m benchmarks.playouts [VARIANT ...]
    python -m benchmarks.playouts --before HEAD~1 [--compiled] [VARIANT ...]

The first prints decisions and games a second, by the public loop and by `State.play_out`.
The second has a process for each tree. The two take turns with the same deals, since the speed of a
shared machine drifts. A line gives the speed of this tree and the median ratio to the speed before,
with its 95 % interval, for playouts, `clone`, `determinize`, `view` and `events`. It ends with exit
code 1 when a whole interval is below 0.97, or when the trees do not play the same games. `--before`
and `--after` take a git revision or a folder; `--compiled` compiles both trees first.
"""

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import comb
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.timing import Workload, in_turn, timed
from engine import State, Variant, get_variant, variants

ROOT = Path(__file__).resolve().parents[1]
ACCEPTED_RATIO = 0.97
"""A speed has become worse if the whole interval of its median ratio is below this."""
CONFIDENCE = 0.95
SEED = 1

DRIVER = """
import hashlib, json, random, sys, time
from engine import get_variant

def playouts(variant, deals, rng):
    decisions, actions = 0, []
    begin = time.process_time()
    for deal in deals:
        state = variant.start(deal)
        while state.seat_to_act is not None:
            action = rng.choice(state.legal_actions())
            state.apply(action)
            decisions += 1
        state.outcome()
        actions.append(action)
    return decisions, time.process_time() - begin, actions

def calls(name, variant, deals, rng):
    moments = []
    for deal in deals[:3]:
        told = [0] * variant.seats
        state = variant.start(deal)
        while (seat := state.seat_to_act) is not None:
            moments.append((state.clone(), seat, told[seat]))
            state.view(seat)
            told[seat] += len(state.events(seat, told[seat]))
            state.apply(rng.choice(state.legal_actions()))
    call = {
        "clone": lambda state, seat, since: state.clone(),
        "determinize": lambda state, seat, since: state.determinize(seat, rng),
        "view": lambda state, seat, since: state.view(seat),
        "events": lambda state, seat, since: state.events(seat, since),
    }[name]
    begin = time.process_time()
    for state, seat, since in moments:
        call(state, seat, since)
    return len(moments), time.process_time() - begin, [rng.random()]

for line in sys.stdin:
    what, name, games, seed = json.loads(line)
    variant, rng = get_variant(name), random.Random(seed)
    deals = [variant.deal(rng) for _ in range(games)]
    if what == "playouts":
        count, seconds, played = playouts(variant, deals, rng)
    else:
        count, seconds, played = calls(what, variant, deals, rng)
    digest = hashlib.sha256(repr(played).encode()).hexdigest()
    print(json.dumps([count, seconds, digest]), flush=True)
"""


# -- workloads -----------------------------------------------------------------------------------


def build_of_games() -> str:
    """Return how the games were built: compiled, or plain Python."""
    variant = next(iter(variants().values()))
    state = variant.start(variant.deal(random.Random(1)))
    file = sys.modules[type(state).__module__].__file__ or ""
    return "plain Python" if file.endswith(".py") else "compiled"


def play_at_random(variant: Variant, deals: Sequence[Any], rng: random.Random) -> int:
    """Play each deal at random to its outcome, and return the number of decisions."""
    decisions = 0
    for deal in deals:
        state = variant.start(deal)
        while state.seat_to_act is not None:
            state.apply(rng.choice(state.legal_actions()))
            decisions += 1
        state.outcome()
    return decisions


def play_out(variant: Variant, deals: Sequence[Any], rng: random.Random) -> int:
    """Play each deal by `State.play_out` to its outcome, and return the number of decisions."""
    decisions = 0
    for state in map(variant.start, deals):
        decisions += state.play_out(rng)
        state.outcome()
    return decisions


def playouts(variant: Variant, number: int, play: Callable[..., int] = play_at_random) -> Workload:
    """Return `number` random games in the engine, timed per decision."""
    deals, rng = _deals(variant, number), random.Random(1)
    return timed(lambda: play(variant, deals, rng))


def decisions_of_a_game(variant: Variant, games: int) -> float:
    """Return the mean number of decisions of random games."""
    return play_at_random(variant, _deals(variant, games), random.Random(1)) / games


def _deals(variant: Variant, number: int) -> list[Any]:
    return [variant.deal(random.Random(each)) for each in range(number)]


def determinize(variant: Variant, games: int) -> Workload:
    """Return calls of `determinize` at each decision of random games, timed per call."""
    seen = [moment for each in range(games) for moment in moments(variant, random.Random(each))]
    rng = random.Random(1)

    def work() -> int:
        for state, seat in seen:
            state.determinize(seat, rng)
        return len(seen)

    return timed(work)


def moments(variant: Variant, rng: random.Random) -> list[tuple[State, int]]:
    """Return the state and the seat of each decision of a random game.

    Each seat gets its view and its events at its turns, as from a referee. So the states hold what
    they keep from one turn to the next.
    """
    told = [0] * variant.seats
    found = []
    state = variant.start(variant.deal(rng))
    while (seat := state.seat_to_act) is not None:
        found.append((state.clone(), seat))
        state.view(seat)
        told[seat] += len(state.events(seat, told[seat]))
        state.apply(rng.choice(state.legal_actions()))
    return found


# -- two trees -----------------------------------------------------------------------------------


class Ratio(NamedTuple):
    """The median ratio of the speeds, after to before, and its interval."""

    low: float
    median: float
    high: float

    @property
    def is_worse(self) -> bool:
        """Whether the speed has certainly become worse than is accepted."""
        return self.high < ACCEPTED_RATIO


def median_interval(values: Sequence[float]) -> Ratio:
    """Return the median of `values` and its confidence interval, by order statistics.

    The interval reaches from the k-th smallest to the k-th greatest value, with the greatest k
    for which the sign test keeps `CONFIDENCE`.
    """
    ordered, n = sorted(values), len(values)
    k, outside = 0, 0.0
    while (outside := outside + comb(n, k) / 2**n) * 2 <= 1 - CONFIDENCE:
        k += 1
    k = max(k - 1, 0)
    return Ratio(ordered[k], median(ordered), ordered[n - 1 - k])


class Tree:
    """A tree of the project that is measured, in a process of its own."""

    def __init__(self, folder: Path, program: str = DRIVER) -> None:
        """Start `program` with the packages in `folder`. It answers each line with a line."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder), "PYTHONHASHSEED": "0"},
        )

    def ask(self, *question: str | int) -> list[Any]:
        """Return the answer of the program to a question."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: list[Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


class Call(NamedTuple):
    """The measured work: a call, or whole playouts, in a variant."""

    what: str
    variant: str
    games: int

    def speed(self, tree: Tree, seed: int) -> tuple[float, str]:
        """Return calls or decisions a second in a tree, and a digest of what was played."""
        count, seconds, digest = tree.ask(*self, seed)
        return count / seconds, digest


def compare(before: Path, after: Path, call: Call, rounds: int) -> tuple[float, Ratio]:
    """Return the speed of `after` and its ratio to `before`, over interleaved pairs.

    Raises:
        SystemExit: the two trees do not play the same games.
    """
    trees = Tree(before), Tree(after)
    try:
        speeds, ratios = [], []
        for number in range(rounds + 1):
            seed = SEED + number
            # Which goes first changes from pair to pair, so that neither profits from it.
            order = trees if number % 2 else trees[::-1]
            got = {tree: call.speed(tree, seed) for tree in order}
            (slow, old), (fast, new) = got[trees[0]], got[trees[1]]
            if old != new:
                sys.exit(f"{call.variant}, {call.what}: the two trees differ from seed {seed} on")
            if number:  # the first pair warms up
                speeds.append(fast)
                ratios.append(fast / slow)
        return median(speeds), median_interval(ratios)
    finally:
        for tree in trees:
            tree.close()


@contextmanager
def checked_out(what: str, *, compiled: bool) -> Iterator[Path]:
    """Yield a folder with the packages of a folder or git revision, compiled on request."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(what)
        if not folder.is_dir():
            folder = Path(scratch, "tree")
            folder.mkdir()
            archive = subprocess.run(
                ["git", "-C", str(ROOT), "archive", what], check=True, stdout=subprocess.PIPE
            )
            subprocess.run(["tar", "-x", "-C", str(folder)], check=True, input=archive.stdout)
        if compiled:
            target = Path(scratch, "compiled")
            pip: list[Any] = [sys.executable, "-m", "pip", "install", "-q", "--no-deps"]
            subprocess.run(
                [*pip, "--target", target, folder.resolve()],
                check=True,
                env=os.environ | {"BRIBE_ARENA_COMPILE": "1"},
            )
            folder = target
        yield folder.resolve()


def print_speeds(chosen: Sequence[str], rounds: int, games: int) -> None:
    """Print the medians of the rounds for each variant."""
    print(f"Python {platform.python_version()}, {build_of_games()}")
    print(f"{'variant':28}  {'decisions/s':>11}  {'games/s':>8}  {'play_out':>11}")
    for name in chosen:
        variant = get_variant(name)
        loops = {"loop": playouts(variant, games), "play_out": playouts(variant, games, play_out)}
        loop, out = [1 / median(times) for times in in_turn(loops, rounds).values()]
        length = decisions_of_a_game(variant, games)
        print(f"{name:28}  {loop:11,.0f}  {loop / length:8,.0f}  {out:11,.0f}", flush=True)


def print_pairs(before: Path, after: Path, chosen: Sequence[str], size: tuple[int, int]) -> bool:
    """Print a line for each variant and call; return whether nothing has become worse.

    `size` has the number of rounds, and the games of each.
    """
    rounds, games = size
    worse = []
    print(f"{'variant':28}  {'what':11}  {'a second':>11}  after/before (95 % interval)")
    for variant in chosen:
        for what in ("playouts", "clone", "determinize", "view", "events"):
            speed, ratio = compare(before, after, Call(what, variant, games), rounds)
            mark = "  WORSE" if ratio.is_worse else ""
            worse += [variant] * ratio.is_worse
            print(
                f"{variant:28}  {what:11}  {speed:11,.0f}  "
                f"{ratio.median:.3f} ({ratio.low:.3f}-{ratio.high:.3f}){mark}",
                flush=True,
            )
    return not worse


def main() -> None:
    """Print a line for each variant."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("variants", nargs="*", help="variants to measure; default: all")
    parser.add_argument("--rounds", type=int, default=21, help="rounds of each median")
    parser.add_argument("--games", type=int, default=100, help="playouts in a round")
    parser.add_argument("--before", metavar="TREE", help="compare with this folder or revision")
    parser.add_argument("--after", metavar="TREE", default=str(ROOT), help="default: this tree")
    parser.add_argument("--compiled", action="store_true", help="compile both trees first")
    options = parser.parse_args()
    chosen = options.variants or list(variants())
    if not options.before:
        print_speeds(chosen, options.rounds, options.games)
        return
    with (
        checked_out(options.before, compiled=options.compiled) as old,
        checked_out(options.after, compiled=options.compiled) as new,
    ):
        sys.exit(not print_pairs(old, new, chosen, (options.rounds, options.games)))


if __name__ == "__main__":
    main()
