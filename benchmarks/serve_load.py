"""Measure how long a class waits for pages and verdicts of a contest server.

    pip install '.[serve]' locust
    python -m benchmarks.serve_load [--students 200] [--uploads 50] [--minutes 5] [--short]

The benchmark starts `arena serve` for a new contest with one ladder worker, and Locust on the
same machine. Each student requests a page every five seconds on average, and some students
upload a bot, spread evenly over time. The exit code is 1 if a target is missed. `--short` only
requires that there are no errors and each bot gets a verdict.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from arena.extras.serve.server_database import sign_in_link
from benchmarks.serve_kills import enrol

USERS = Path(__file__).with_name("serve_load_users.py")
LOOK_EVERY_S = 5.0
SIGN_INS_PER_S = "5"
MAX_PAGE_P95_MS = 200
MAX_VERDICT_S = 60.0
PROMPT_VERDICTS = 0.8
"""Share of the uploads, from the first, whose verdicts must come within `MAX_VERDICT_S`."""
CONTEST = """\
name = "load"
games = ["pot-de-vin"]
rounds = 1000
until = "certain"

[entrants]
inbox = "."
bots = ["random", "greedy"]
fill = true

[machine]
workers = 1
"""


class Load(NamedTuple):
    students: int
    uploads: int
    minutes: float
    after_s: float = 60.0
    """Seconds that students wait for verdicts after the last upload."""


class Figures(NamedTuple):
    """Response times and verdict times that the simulated students measured."""

    pages: dict[str, dict[int, int]]
    """Number of responses by page and response time in milliseconds."""
    verdicts_s: list[float]
    """Seconds from each upload to its first verdict."""
    errors: list[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--uploads", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=5.0, help="over which uploads are spread")
    parser.add_argument("--short", action="store_true", help="few students, for a minute")
    given = parser.parse_args()
    load = Load(given.students, given.uploads, given.minutes)
    if given.short:
        load = Load(12, 4, 0.25, 45.0)  # a verdict takes long where the machine is busy
    with tempfile.TemporaryDirectory(prefix="serve-load-") as folder:
        missed = run(load, Path(folder), has_aims=not given.short)
    for aim in missed:
        print(f"MISSED: {aim}")
    sys.exit(1 if missed else 0)


def run(load: Load, folder: Path, *, has_aims: bool) -> list[str]:
    """Run the benchmark, print the measurements, and return the missed targets."""
    contest = folder / "contest"
    contest.mkdir(parents=True)
    (contest / "contest.toml").write_text(CONTEST)
    links = enrol(contest, load.students, "link")
    with serving(contest) as address:
        plan = folder / "plan.json"
        gap_s = load.minutes * 60 / load.uploads
        job = {
            "links": [sign_in_link("", link) for link in links],
            "uploads_at_s": [gap_s * number for number in range(1, load.uploads + 1)],
            "look_every_s": LOOK_EVERY_S,
        }
        plan.write_text(json.dumps(job))
        figures = watch(load, address, plan)
    return report(load, figures, has_aims=has_aims)


@contextlib.contextmanager
def serving(contest: Path) -> Iterator[str]:
    """Run a contest server while the context is open, and yield the server's address."""
    command = [str(Path(sys.executable).with_name("arena")), "serve", str(contest), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        address = server.stdout.readline().split()[-1]
        try:
            yield address
        finally:
            server.terminate()
            server.communicate()


def watch(load: Load, address: str, plan: Path) -> Figures:
    """Run Locust, and return what the simulated students measured."""
    seconds = int(load.minutes * 60 + load.after_s)
    command = [
        *(sys.executable, "-m", "locust", "-f", str(USERS), "--headless", "--json"),
        *("--users", str(load.students), "--spawn-rate", SIGN_INS_PER_S, "--host", address),
        *("--run-time", f"{seconds}s", "--stop-timeout", "5", "--loglevel", "WARNING"),
        *("--exit-code-on-error", "0"),
    ]
    environment = {**os.environ, "SERVE_LOAD_PLAN": str(plan)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    pages, verdicts, errors = {}, [], []
    for entry in json.loads(done.stdout):
        times = {int(ms): int(number) for ms, number in entry["response_times"].items()}
        name = f"{entry['method']} {entry['name']}"
        if entry["method"] == "CHECK":
            verdicts = [ms / 1000 for ms, number in times.items() for _ in range(number)]
        else:
            pages[name] = times
        if entry["num_failures"]:
            errors.append(f"{name}: {entry['num_failures']} of {entry['num_requests']}")
    return Figures(pages, verdicts, errors)


def report(load: Load, figures: Figures, *, has_aims: bool) -> list[str]:
    """Print the measurements, and return the missed targets."""
    whole: dict[int, int] = {}
    print(f"{load.students} students, {load.uploads} uploads in {load.minutes:g} minutes")
    print(f"{'page':<30} {'answers':>8} {'median':>8} {'p95':>8} {'worst':>8}")
    for name, times in sorted(figures.pages.items()):
        print(_row(name, times))
        for ms, number in times.items():
            whole[ms] = whole.get(ms, 0) + number
    print(_row("all", whole))
    ordered = sorted(figures.verdicts_s)
    shown = f"median {median(ordered):.1f} s, worst {ordered[-1]:.1f} s" if ordered else "none"
    print(f"first verdicts: {len(ordered)} of {load.uploads}, {shown}")
    missed = [f"error: {error}" for error in figures.errors]
    if len(ordered) < load.uploads:
        missed.append(f"{load.uploads - len(ordered)} bots without a verdict")
    if not has_aims:
        return missed
    p95 = percentile(whole, 0.95)
    if p95 >= MAX_PAGE_P95_MS:
        missed.append(f"95 % of the pages in {p95} ms, expected below {MAX_PAGE_P95_MS} ms")
    prompt = sum([seconds_waited <= MAX_VERDICT_S for seconds_waited in ordered])
    if prompt < PROMPT_VERDICTS * load.uploads:
        missed.append(f"{prompt} verdicts within {MAX_VERDICT_S:g} s of {load.uploads}")
    return missed


def _row(name: str, times: Mapping[int, int]) -> str:
    middle, high = percentile(times, 0.5), percentile(times, 0.95)
    return f"{name:<30} {sum(times.values()):>8} {middle:>8} {high:>8} {max(times):>8}"


def percentile(times: Mapping[int, int], share: float) -> int:
    """Return a percentile of response times in milliseconds."""
    left = share * sum(times.values())
    for ms in sorted(times):
        left -= times[ms]
        if left <= 0:
            return ms
    return max(times)


if __name__ == "__main__":
    main()
