"""Programs that are alike, by the passages that two of them share and most others lack."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from arena.contest.entrants import is_registered
from arena.contest.fingerprint import code_of
from arena.contest.reader import Reader
from arena.contest.snapshots import Snapshots
from arena.errors import BotError
from arena.extras.audit.findings import LeftOut, ProgramCoverage, ProgramLikeness
from arena.extras.audit.passages import passages, program_passages
from arena.record import Entrant

SUFFIX = ".py"

MIN_SHARED = 0.5
"""The part of the shorter program that like programs share. Bundled bots share at most a fifth."""
MIN_PASSAGES = 60
"""Passages of its own below which nothing is said of a program."""
MIN_COMMON_BOTS = 6
"""Programs from which a passage in more than half of them is taken for that of a lesson."""


class RunPrograms(NamedTuple):
    """The programs of the bots of a run."""

    passages: Mapping[str, frozenset[int]]
    """By bot: hashes of passages, without those of public programs."""
    left_out: Mapping[str, str]
    """By bot: why its program cannot be compared."""

    def own(self) -> dict[str, frozenset[int]]:
        """Return by bot the passages that are not common, of bots with enough of them."""
        counts = Counter([each for passages in self.passages.values() for each in passages])
        number = len(self.passages)
        common = {
            passage
            for passage, bots in counts.items()
            if number >= MIN_COMMON_BOTS and bots > number / 2
        }
        own = {name: passages - common for name, passages in self.passages.items()}
        return {name: passages for name, passages in own.items() if len(passages) >= MIN_PASSAGES}

    def coverage(self) -> ProgramCoverage:
        """Return which programs are compared."""
        compared = self.own().keys()
        left_out = dict(self.left_out)
        left_out |= dict.fromkeys(self.passages.keys() - compared, "too little that is its own")
        without = tuple([LeftOut(*pair) for pair in sorted(left_out.items())])
        return ProgramCoverage(tuple(sorted(compared)), without)

    def likenesses(self) -> tuple[ProgramLikeness, ...]:
        """Return the pairs of bots with like programs, the most alike first."""
        found = []
        for (name, first), (other, second) in combinations(sorted(self.own().items()), 2):
            shorter = min(len(first), len(second))
            shared = len(first & second) / shorter
            if shared >= MIN_SHARED:
                found.append(ProgramLikeness((name, other), shared, shorter))
        return tuple(sorted(found, key=lambda like: (-like.shared, like.bots)))


def programs_of(entrants: Iterable[Entrant], run: Path) -> RunPrograms:
    """Return the programs of bots, from the copies of their files in the folder `run` of a run.

    Installed bots are left out: their programs are public.
    """
    known: dict[str, frozenset[int]] = {}
    left_out: dict[str, str] = {}
    with Reader() as reader, Snapshots(run) as snapshots:
        for entrant in entrants:
            if is_registered(entrant):
                continue
            try:
                known[entrant.name] = _passages(snapshots.find(entrant), reader) - _public()
            except BotError as error:
                left_out[entrant.name] = str(error)
    return RunPrograms(known, left_out)


def _passages(copy: Entrant | None, reader: Reader) -> frozenset[int]:
    if copy is None:
        raise BotError("the run has no copy of its files as they were")
    folder = Path(copy.folder)
    names = sorted([file.relative_to(folder).as_posix() for file in code_of(copy)])
    python = tuple([name for name in names if name.endswith(SUFFIX)])
    if not python:
        raise BotError("it has no Python files")
    return reader.run(copy.name, program_passages, folder, python)


@cache
def _public() -> frozenset[int]:
    """Return the passages of the installed bots and of the templates of `arena new`."""
    installed = Path(str(files("bots"))).rglob(f"*{SUFFIX}")
    return passages([file.read_text("utf-8") for file in installed])
