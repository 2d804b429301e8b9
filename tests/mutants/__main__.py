"""The command that tests a fixed sample of mutants.

    python -m tests.mutants [--sample 100] [--room rating] [--jobs 2]

Cosmic Ray makes the mutants: copies of a module in which one operator or constant differs. Each is
judged by the tests beside its module, as `mutants.toml` lists them. The sample is fixed: a mutant
stays in it until its line changes. The exit code is 1 if too few mutants are killed.
"""

import argparse
import math
import os
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.mutants.mutations import Change, Mutant, make_mutant, module_changes
from tests.mutants.workspace import Workspace

ROOT = Path(__file__).parents[2]


class Room(NamedTuple):
    """Represents modules that are judged by the same tests."""

    name: str
    modules: tuple[Path, ...]
    """Relative to the root of the project."""
    tests: tuple[str, ...]

    def changes(self) -> Iterator[Change]:
        """Yield the changes of all modules."""
        for module in self.modules:
            yield from module_changes(module, (ROOT / module).read_text("utf-8"))


class Configuration(NamedTuple):
    """Represents `mutants.toml`."""

    min_killed: float
    """The least share of the mutants that are not equivalent."""
    rooms: tuple[Room, ...]
    equivalent: Mapping[tuple[str, str, str], str]
    """Why a mutant changes nothing that a caller can see, by its key."""


def read_configuration() -> Configuration:
    """Read the rooms and the equivalent mutants from `mutants.toml`."""
    table = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))
    rooms = tuple(
        Room(room["name"], tuple(_modules(room["modules"])), tuple(room["tests"]))
        for room in table["rooms"]
    )
    equivalent = {
        (entry["module"], entry["line"], entry["mutant"]): entry["why"]
        for entry in table.get("equivalent", ())
    }
    return Configuration(table["min_killed"], rooms, equivalent)


def _modules(patterns: Sequence[str]) -> Iterator[Path]:
    for pattern in patterns:
        found = sorted(ROOT.glob(pattern))
        if not found:
            raise SystemExit(f"mutants.toml: no module matches {pattern!r}")
        yield from (path.relative_to(ROOT) for path in found)


def tests_beside(module: Path) -> list[str]:
    """Return the test of the same name as a module, in the same folder or the one above."""
    folder = Path("tests", module.parent)
    name = f"test_{module.stem}.py"
    found = [path for path in (folder / name, folder.parent / name) if (ROOT / path).is_file()]
    return [path.as_posix() for path in found[:1]]


def draw_sample(changes: Sequence[Change], size: int) -> list[Mutant]:
    """Return the mutants of the `size` changes with the lowest digests."""
    ordered = sorted(changes, key=lambda change: change.digest)
    mutants = (make_mutant(change, (ROOT / change.module).read_text("utf-8")) for change in ordered)
    return list(islice(filter(None, mutants), size))


def judge(
    sample: Sequence[tuple[Room, Mutant]], jobs: int, folder: Path
) -> Iterator[tuple[Mutant, str]]:
    """Yield the mutants of `sample` with "killed", "survived" or "timeout".

    `jobs` mutants are tested side by side, in copies of the project under `folder`.
    """
    workspaces = SimpleQueue[Workspace]()
    for number in range(jobs):
        workspaces.put(Workspace.copy(ROOT, folder / f"copy-{number}"))
    rooms = {room.name: room for room, _ in sample}

    def measure(room: Room) -> float:
        workspace = workspaces.get()
        try:
            return workspace.time_limit_s(room.tests)
        finally:
            workspaces.put(workspace)

    with ThreadPoolExecutor(jobs) as pool:
        limits = dict(zip(rooms, pool.map(measure, rooms.values()), strict=True))

        def try_mutant(room: Room, mutant: Mutant) -> tuple[Mutant, str]:
            workspace = workspaces.get()
            try:
                tests = (*tests_beside(Path(mutant.module)), *room.tests)
                return mutant, workspace.judge(mutant, tests, limits[room.name])
            finally:
                workspaces.put(workspace)

        yield from pool.map(lambda pair: try_mutant(*pair), sample)


def main() -> int:
    """Test the sample, print the survivors and return the exit code."""
    configuration = read_configuration()
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--sample", type=int, default=100, help="mutants to test (default: 100)")
    parser.add_argument("--room", choices=[room.name for room in configuration.rooms])
    parser.add_argument("--module", help="only this module, e.g. arena/rating/pairs.py")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()

    owners = {
        module.as_posix(): room
        for room in configuration.rooms
        if options.room in (None, room.name)
        for module in room.modules
        if options.module in (None, module.as_posix())
    }
    rooms = {room.name: room for room in owners.values()}
    changes = [
        change for room in rooms.values() for change in room.changes() if change.module in owners
    ]
    sample = draw_sample(changes, options.sample)
    print(f"{len(sample)} of {len(changes)} mutants, {options.jobs} side by side", flush=True)
    equivalent = [mutant for mutant in sample if mutant.key in configuration.equivalent]
    judged = [(owners[mutant.module], mutant) for mutant in sample if mutant not in equivalent]
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (mutant, result) in enumerate(judge(judged, options.jobs, Path(folder)), 1):
            print(f"{number:4} {result:8} {mutant}", flush=True)
            if result == "survived":
                survivors.append(mutant)

    print(f"\n{len(judged) - len(survivors)} killed, {len(survivors)} survived,", end=" ")
    print(f"{len(equivalent)} equivalent")
    for title, mutants in (("survived", survivors), ("equivalent", equivalent)):
        for mutant in mutants:
            print(f"{title}: {mutant}")
            if mutant.key in configuration.equivalent:
                print(f"    {configuration.equivalent[mutant.key]}")
    required = math.ceil(configuration.min_killed * len(judged))
    if len(judged) - len(survivors) < required:
        print(f"too few mutants are killed: got {len(judged) - len(survivors)}, need {required}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
