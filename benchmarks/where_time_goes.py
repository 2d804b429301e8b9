"""Where the processor time of `arena run` goes, by process and part.

    python -m benchmarks.where_time_goes

Everything is `arena run` as users type it, and unchanged. Python lets a module of ours begin each
process (`sampler/sitecustomize.py`): it samples the main process and the workers by their processor
time, and bots note what they have used. What all processes have used together comes from the
system, so that a part that is not sampled shows as such. `where-time-goes.md` explains the parts.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from arena import __version__
from arena.extras.bench.match_workloads import quick_bots
from arena.extras.bench.watched_run import start_s
from arena.protocol import PROTOCOL, Hello, Limits, write
from arena.tournament.store import DATABASE, Store

SAMPLER = Path(__file__).with_name("sampler")
ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main()")
WORKER, MAIN = "worker", "main"
POLL_S = 0.01
STARTS = 5
"""Starts of each bot that are measured."""
TICKS = os.sysconf("SC_CLK_TCK")

RUNS = {
    "Pot de Vin": ("--game", "pot-de-vin"),
    "all games": (),
}

ANYWHERE: dict[str, list[tuple[str, str]]] = {
    WORKER: [
        ("imports", r"importlib\._bootstrap"),
        ("ending bots: thawing", r"process_tree:resume.*bot_process:hang_up"),
        ("ending bots: searching what they left behind", r"process_tree:.*bot_process:(end|kill)"),
        ("ending bots", r"bot_process:(hang_up|wait|kill|exit_text)|:dismiss"),
    ],
    MAIN: [("imports", r"importlib\._bootstrap")],
}
"""By role, parts to which all belongs that is called from there."""

PARTS: dict[str, list[tuple[str, str]]] = {
    WORKER: [
        ("starting bots", r"subprocess:|process\.bot_process:__init__|match\.bots:|local:start"),
        ("freezing", r"match\.freezing:|:(freeze|thaw|is_frozen)\b"),
        ("accounting of processor time and memory",
         r"process\.usage:|processor_time:|sandbox\.(memory|proc_memory|process_tree)|family:"),
        ("waiting for bots (system)", r"process\.pipes:wait"),
        ("reading (system)", r"bot_process:read_lines|line_buffer:"),
        ("writing (system)", r"bot_process:flush|pipes:flush"),
        ("encoding and decoding", r"arena\.protocol:|seat_messages:|match\.answers:|msgspec"),
        ("rules of the game", r"engine\."),
        ("referee", r"match\.(referee|seats|game_seats|retrace|in_progress):"),
        ("decisions of the dispatcher", r"arena\.match\.|arena\.process\."),
        ("orders and reports", r"executors\."),
    ],
    MAIN: [
        ("storing: transactions", r"tournament\.(store|database):"),
        ("storing: hashes", r"tournament\.journal:"),
        ("rating and printing at the end",
         r"arena\.rating\.|tournament\.(standings|digest|run_leaderboard):|arena\.terminal|run:finish"),
        ("schedule, deals, keys",
         r"arena\.schedule|tournament\.(portions|games|rotations):|engine\.|record:key_of"),
        ("backlog and withdrawals", r"tournament\.(backlog|withdrawal):"),
        ("before the first game",
         r"arena\.(check|contest)\.|arena\.commands|arena\.cli|click"),
        ("progress bar", r"tqdm"),
        ("batches and reports", r"executors\.|tournament\.run:"),
    ],
}  # fmt: skip
"""By role, parts and the calls that belong to them. The innermost call that any part has decides;
of two parts that have it the first does."""


class Profile(NamedTuple):
    """What a run has used, in seconds of processor time."""

    games: int
    record_bytes: float
    """Size of the database, over its games."""
    parts: dict[tuple[str, str], float]
    """By process and part."""
    processes: Counter[str]
    """The number of processes by role."""
    total_s: float
    system_s: float
    """The part of `total_s` that passed in the system."""
    first_game_s: float
    """Processor time of all processes until the first game was stored."""
    first_game_wall_s: float


def profile(folder: Path, choice: Sequence[str]) -> Profile:
    """Return the profile of `arena run` with some options, in a new `folder`."""
    samples = folder / "samples"
    samples.mkdir(parents=True)
    environment = _environment(folder) | {"ARENA_SAMPLES": str(samples)}
    place = ("--results", str(folder), "--name", "run", "--seed", "0", "--sandbox", "none")
    began = time.perf_counter()
    with open(folder / "output", "wb") as output:
        process = subprocess.Popen(
            [*ARENA, "run", *place, *choice], stdout=output, stderr=output, env=environment
        )
        log = folder / "run" / f"{DATABASE}-wal"
        while not (log.exists() and log.stat().st_size) and process.returncode is None:
            time.sleep(POLL_S)
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
        first_game_wall_s, first_game_s = time.perf_counter() - began, _tree_s(process.pid)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit((folder / "output").read_text())
    with Store.open(folder / "run") as store:
        games = store.count()
    size = (folder / "run" / DATABASE).stat().st_size / games
    parts, processes = _parts(samples)
    total_s = used.ru_utime + used.ru_stime
    parts["not sampled", "other programs, ends of processes"] = total_s - sum(parts.values())
    return Profile(
        games, size, parts, processes, total_s, used.ru_stime, first_game_s, first_game_wall_s
    )


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of a run in `folder`: Python keeps compiled modules beside it."""
    ours = {"PYTHONPATH": str(SAMPLER), "PYTHONPYCACHEPREFIX": str(folder.parent / "compiled")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return kept | ours


def _parts(samples: Path) -> tuple[dict[tuple[str, str], float], Counter[str]]:
    """Return seconds by process and part, and the number of processes by role."""
    noted = [ast.literal_eval(one.read_text()) for one in samples.glob("*.txt")]
    workers = {one["pid"] for one in noted if one["role"] == WORKER}
    parts: defaultdict[tuple[str, str], float] = defaultdict(float)
    processes: Counter[str] = Counter()
    for one in noted:
        role = one["role"]
        if role not in (MAIN, WORKER):
            role = f"bot {role.rpartition('.')[2]}" if one["parent"] in workers else "try-outs"
        processes[role] += 1
        for stack, seconds in one["stacks"].items():
            parts[role, _part(role, stack)] += seconds
    return dict(parts), processes


def _part(role: str, stack: str) -> str:
    """Return the part of a process that a stack of calls belongs to, innermost first."""
    if role not in PARTS:
        return "all"
    for name, pattern in ANYWHERE[role]:
        if re.search(pattern, stack):
            return name
    for call in stack.split(";"):
        for name, pattern in PARTS[role]:
            if re.search(pattern, call):
                return name
    return stack if stack in ("the interpreter", "the end") else "the rest"


def _tree_s(root: int) -> float:
    """Return the processor time so far of a process, its descendants, and those it reaped."""
    ticks: dict[int, tuple[int, int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        ticks[int(stat.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    ours = {root}
    while more := {pid for pid, (parent, _) in ticks.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks[pid][1] for pid in ours if pid in ticks) / TICKS


def table(profiles: Sequence[Profile]) -> Iterator[str]:
    """Yield the lines of the table of some profiles of the same run, with their medians."""
    names = sorted({name for one in profiles for name in one.parts})
    ms = {name: median([1e3 * one.parts.get(name, 0.0) / one.games for one in profiles])
          for name in names}  # fmt: skip
    whole = median([1e3 * one.total_s / one.games for one in profiles])
    yield "| process | part | s a run | ms a game | share |"
    yield "|---|---|---|---|---|"
    by_role: defaultdict[str, float] = defaultdict(float)
    for (role, _), one in ms.items():
        by_role[role] += one
    games = profiles[0].games
    number = {role: median([one.processes[role] for one in profiles]) for role in by_role}
    for role in sorted(by_role, key=lambda role: -by_role[role]):
        many = f" ({number[role]:.0f} processes)" if number[role] > 1 else ""
        yield _row(f"**{role}**{many}", "", by_role[role], whole, games)
        inner = sorted([(-one, part) for (of, part), one in ms.items() if of == role])
        for one, part in inner if len(inner) > 1 else ():
            yield _row("", part, -one, whole, games)
    yield _row("**everything**", "", whole, whole, games)


def _row(role: str, part: str, ms: float, whole: float, games: int) -> str:
    return f"| {role} | {part} | {ms * games / 1e3:.2f} | {ms:.3f} | {ms / whole:.1%} |"


def report(
    folder: Path, runs: Mapping[str, Sequence[str]], rounds: int, repeats: int
) -> Iterator[str]:
    """Yield the lines of the page's tables."""
    profile(folder / "warm-up", ["--rounds", "1"])  # compiles all modules
    for name, choice in runs.items():
        options = [*choice, "--rounds", str(rounds)]
        found = [profile(folder / f"{name}{each}", options) for each in range(repeats)]
        yield f"### {name}, {found[0].games} games"
        yield ""
        yield from table(found)
        yield ""
        for text, values in {
            "from Enter to the first game, processor time of everything": (
                [one.first_game_s for one in found], "s"),
            "the same on the clock": ([one.first_game_wall_s for one in found], "s"),
            "of all processor time, in the system": (
                [100 * one.system_s / one.total_s for one in found], "%"),
            "a game on disk": ([one.record_bytes for one in found], "bytes"),
        }.items():  # fmt: skip
            yield f"- {text}: {_spread(*values)}"
        yield ""
    yield "### Start of a bot, to `ready`"
    yield ""
    yield from _starts(_environment(folder / "starts"))


def _starts(environment: Mapping[str, str]) -> Iterator[str]:
    hello = write(Hello(PROTOCOL, __version__, "bot", Limits()))
    for bot in quick_bots():
        start = bot.command, bot.folder, hello, environment
        ms = [1e3 * start_s(*start) for _ in range(STARTS)]
        yield f"- {bot.name}: {_spread(ms, 'ms')}"


def _spread(values: Sequence[float], unit: str) -> str:
    return f"{median(values):.3g} {unit} ({min(values):.3g} to {max(values):.3g})"


def main() -> None:
    """Print the tables of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--run", choices=RUNS, help="only this one")
    chosen = parser.parse_args()
    runs = {chosen.run: RUNS[chosen.run]} if chosen.run else RUNS
    with tempfile.TemporaryDirectory() as folder:
        for line in report(Path(folder), runs, chosen.rounds, chosen.repeats):
            print(line, flush=True)


if __name__ == "__main__":
    main()
