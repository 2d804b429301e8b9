"""Measure the speed of the games, or compare it with another source tree.

    python -m benchmarks.playouts [VARIANT ...]
    python -m benchmarks.playouts --before HEAD~1 [VARIANT ...]

Random games, played action by action and by `State.play_out`, are measured in decisions per
second, and `clone`, `determinize`, `view` and `events` in calls per second. Two source trees
take turns with the same deals, because the speed of a shared machine drifts. The median ratio of
the speeds of the two source trees is printed with its 95% interval. The exit code is 1 if an
interval is entirely below 0.97 or if the source trees don't play the same games. `--before`
takes a git revision, or a folder such as one into which a compiled wheel was installed with `pip
install --target`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import comb
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from engine import variants

ROOT = Path(__file__).resolve().parents[1]
ACCEPTED_RATIO = 0.97
"""Ratio of speeds that the interval of a call's median ratio must reach."""
CONFIDENCE = 0.95
SEED = 1
CALLS = ("playouts", "play_out", "clone", "determinize", "view", "events")
"""Names of all measurements, where `playouts` means random games played action by action."""

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

def play_out(variant, deals, rng):
    decisions = 0
    begin = time.process_time()
    for deal in deals:
        state = variant.start(deal)
        decisions += state.play_out(rng)
        state.outcome()
    return decisions, time.process_time() - begin, [decisions, rng.random()]

def calls(name, variant, deals, rng):
    moments = []
    for deal in deals[:3]:
        events_sent = [0] * variant.seats
        state = variant.start(deal)
        while (seat := state.seat_to_act) is not None:
            moments.append((state.clone(), seat, events_sent[seat]))
            state.view(seat)
            events_sent[seat] += len(state.events(seat, events_sent[seat]))
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
    if what in ("playouts", "play_out"):
        count, seconds, played = globals()[what](variant, deals, rng)
    else:
        count, seconds, played = calls(what, variant, deals, rng)
    digest = hashlib.sha256(repr(played).encode()).hexdigest()
    print(json.dumps([count, seconds, digest]), flush=True)
"""


class Ratio(NamedTuple):
    """Median ratio of the speeds after and before a change, with its interval."""

    low: float
    median: float
    high: float

    @property
    def is_worse(self) -> bool:
        return self.high < ACCEPTED_RATIO


def median_interval(values: Sequence[float]) -> Ratio:
    """Return the median and its confidence interval.

    The interval reaches from the k-th smallest to the k-th largest value, with the largest k for
    which the sign test has the confidence level `CONFIDENCE`.
    """
    ordered, n = sorted(values), len(values)
    k, outside = 0, 0.0
    while (outside := outside + comb(n, k) / 2**n) * 2 <= 1 - CONFIDENCE:
        k += 1
    k = max(k - 1, 0)
    return Ratio(ordered[k], median(ordered), ordered[n - 1 - k])


class Tree:
    """Measures a source tree in a separate process."""

    def __init__(self, folder: Path, program: str = DRIVER) -> None:
        """Start `program`, which must print a line for each line of its input."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder), "PYTHONHASHSEED": "0"},
        )

    def ask(self, *question: str | int) -> list[Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: list[Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        self._process.communicate()


class Call(NamedTuple):
    """One of `CALLS`, in a variant."""

    what: str
    variant: str
    games: int

    def speed(self, tree: Tree, seed: int) -> tuple[float, str]:
        """Return calls or decisions per second, and a digest of the games played."""
        count, seconds, digest = tree.ask(*self, seed)
        return count / seconds, digest


def compare(before: Path, call: Call, rounds: int) -> tuple[float, Ratio]:
    """Return the speed of the current source tree, and its ratio to the speed of `before`.

    Raise `SystemExit` if the two source trees don't play the same games.
    """
    trees = Tree(before), Tree(ROOT)
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
def checked_out(what: str) -> Iterator[Path]:
    """Yield a folder with the packages of a git revision or folder."""
    if Path(what).is_dir():
        yield Path(what).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "-C", str(ROOT), "archive", what], check=True, stdout=subprocess.PIPE
        )
        subprocess.run(["tar", "-x", "-C", folder], check=True, input=archive.stdout)
        yield Path(folder)


def print_speeds(chosen: Sequence[str], rounds: int, games: int) -> None:
    tree = Tree(ROOT)
    print(f"{'variant':28}  {'what':11}  {'a second':>11}")
    for variant in chosen:
        for what in CALLS:
            call = Call(what, variant, games)
            speeds = [call.speed(tree, SEED + number)[0] for number in range(rounds + 1)]
            print(f"{variant:28}  {what:11}  {median(speeds[1:]):11,.0f}", flush=True)
    tree.close()


def print_pairs(before: Path, chosen: Sequence[str], size: tuple[int, int]) -> bool:
    """Print the ratios of speeds of each variant, and return whether no ratio has become worse.

    `size` is the number of rounds and the number of games per round.
    """
    rounds, games = size
    worse = []
    print(f"{'variant':28}  {'what':11}  {'a second':>11}  after/before (95 % interval)")
    for variant in chosen:
        for what in CALLS:
            speed, ratio = compare(before, Call(what, variant, games), rounds)
            mark = "  WORSE" if ratio.is_worse else ""
            worse += [variant] * ratio.is_worse
            print(
                f"{variant:28}  {what:11}  {speed:11,.0f}  "
                f"{ratio.median:.3f} ({ratio.low:.3f}-{ratio.high:.3f}){mark}",
                flush=True,
            )
    return not worse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("variants", nargs="*", help="variants to measure; default: all")
    parser.add_argument("--rounds", type=int, default=21, help="rounds of each median")
    parser.add_argument("--games", type=int, default=100, help="playouts in a round")
    parser.add_argument("--before", metavar="TREE", help="compare with this folder or revision")
    options = parser.parse_args()
    chosen, size = options.variants or list(variants()), (options.rounds, options.games)
    if not options.before:
        print_speeds(chosen, *size)
        return
    with checked_out(options.before) as old:
        sys.exit(not print_pairs(old, chosen, size))


if __name__ == "__main__":
    main()
