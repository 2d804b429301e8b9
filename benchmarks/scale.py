"""How the cost of a run grows with the number of bots and games.

    python -m benchmarks.scale                              # both tables
    python -m benchmarks.scale --bots 10 100 --games 10000  # smaller tables
    python -m benchmarks.scale --keep runs                  # keep the runs and sites

The bots play `pot-de-vin/3` in the process of the run, so the tables show the costs of the arena
without those of bot processes. The first table has 24 rounds for each number of bots. The second
table has 10 bots. The tables show the processor time in seconds and the peak memory of each
step. The last row is the exponent of growth: 1 means proportional to the number of bots or
games.
"""

import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from itertools import cycle
from pathlib import Path

import msgspec

from arena.base.protocol import DEFAULT_LIMITS
from arena.contest.entrants import find_entrants
from arena.publish.build import publish
from arena.publish.site_folder import Site
from arena.rating.leaderboard_files import as_json
from arena.tournament.export import export_lines, open_exported_run
from arena.tournament.in_process import InProcess, class_of
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import rank
from arena.tournament.store import Store
from arena.tournament.verification import verify

VARIANT, SEATS = "pot-de-vin/3", 3
KINDS = ("random", "greedy", "collector", "briber")
ROUNDS = 24
BOTS = (10, 30, 100, 300, 1_000)
GAMES = (10_000, 30_000, 100_000, 300_000)
BOTS_OF_GAMES = 10
LEADERBOARD = "leaderboard.json"


class Cost(msgspec.Struct, frozen=True):
    seconds: float
    mib: float


# -- steps -----------------------------------------------------------------------------------------


def run(folder: Path, bots: int, rounds: int) -> None:
    makers, entrants = {}, []
    for number, kind in zip(range(bots), cycle(find_entrants(KINDS))):
        name, fingerprint = f"{kind.name}-{number:04}", f"{kind.fingerprint}-{number}"
        entrants.append(msgspec.structs.replace(kind, name=name, fingerprint=fingerprint))
        makers[name] = class_of(kind.name)
    settings = Settings(rounds, 1, (VARIANT,), tuple(entrants), DEFAULT_LIMITS)
    with closing(open_or_create(folder / "run", settings, print)) as store:
        play_missing(store, settings, InProcess(makers), lambda _: None)
        finish(store)


def leaderboard(folder: Path) -> None:
    with Store.open(folder / "run") as store:
        (folder / LEADERBOARD).write_text(as_json(rank(store)))


def verify_run(folder: Path) -> None:
    with Store.open(folder / "run") as store, store.snapshot():
        verify(store)


def export(folder: Path) -> None:
    with Store.open(folder / "run") as store, (folder / "run.jsonl").open("wb") as file:
        file.writelines(line + b"\n" for line in export_lines(store))


def verify_file(folder: Path) -> None:
    with open_exported_run(folder / "run.jsonl") as store:
        verify(store)


def publish_site(folder: Path) -> None:
    with Store.open(folder / "run") as store, Site(folder / "site") as site:
        publish(store, site, print)


STEPS: Mapping[str, Callable[[Path], None]] = {
    "leaderboard": leaderboard,
    "verify": verify_run,
    "export": export,
    "verify file": verify_file,
    "publish": publish_site,
}


def cost_of(step: str, folder: Path, *sizes: int) -> Cost:
    command = [sys.executable, "-m", "benchmarks.scale", "--step", step, str(folder)]
    done = subprocess.run(
        [*command, *map(str, sizes)],
        stdout=subprocess.PIPE,
        # Waiting threads of numpy would use processor time while the machine is busy.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        check=True,
    )
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=Cost)


# -- tables ----------------------------------------------------------------------------------------


Line = dict[str, float]


def measure(folder: Path, bots: int, games: int) -> Line:
    """Play a run of about `games` games in `folder`, and measure each step of the benchmark."""
    folder.mkdir(parents=True, exist_ok=True)
    rounds = max(1, round(games * SEATS / bots))
    costs = {"run": cost_of("run", folder, bots, rounds)}
    costs |= {step: cost_of(step, folder) for step in STEPS}
    with Store.open(folder / "run") as store:
        played = store.count()
    files = [file for file in (folder / "site").rglob("*") if file.is_file()]
    line: Line = {"bots": bots, "games": played}
    for step, cost in costs.items():
        line |= {f"{step} s": cost.seconds, f"{step} MiB": cost.mib}
    line["site MB"] = sum([file.stat().st_size for file in files]) / 1e6
    line["files"] = len(files)
    line["leaderboard kB"] = (folder / LEADERBOARD).stat().st_size / 1e3
    return line


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope of `values` over `sizes` in logarithms, by least squares."""
    x, y = list(map(math.log, sizes)), [math.log(max(value, 1e-3)) for value in values]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum([(own - mean_x) ** 2 for own in x])
    return sum([(a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)]) / spread


def table(lines: Sequence[Line], by: str) -> str:
    """Return a Markdown table whose last row has the exponents of growth with the column `by`."""
    columns = list(lines[0])
    rows = [[_number(line[column]) for column in columns] for line in lines]
    if len(lines) > 1:
        sizes = [line[by] for line in lines]
        found = [exponent(sizes, [line[column] for line in lines]) for column in columns]
        rows.append([f"^{value:.2f}" for value in found])
    head = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join([*head, *["| " + " | ".join(row) + " |" for row in rows]])


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bots", type=int, nargs="*", default=BOTS)
    parser.add_argument("--games", type=int, nargs="*", default=GAMES)
    parser.add_argument("--keep", type=Path, help="keep the runs and sites in this folder")
    parser.add_argument("--step", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        step, folder, *sizes = given.step
        if step == "run":
            run(Path(folder), *map(int, sizes))
        else:
            STEPS[step](Path(folder))
        used = resource.getrusage(resource.RUSAGE_SELF)
        cost = Cost(time.process_time(), used.ru_maxrss / 1024)
        print(msgspec.json.encode(cost).decode())
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        for by, sizes, games_of in (
            ("bots", given.bots, lambda bots: (bots, bots * ROUNDS // SEATS)),
            ("games", given.games, lambda games: (BOTS_OF_GAMES, games)),
        ):
            lines = []
            for size in sizes:
                lines.append(measure(folder / f"{size}-{by}", *games_of(size)))
                print(table(lines[-1:], by), file=sys.stderr, flush=True)
            if lines:
                print(table(lines, by), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
