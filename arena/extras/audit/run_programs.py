"""The Python programs of the bots of a run, read for a comparison."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from arena.contest.entrants import code_of, is_registered
from arena.contest.passages import passages
from arena.contest.reader import Reader
from arena.contest.reading_jobs import Program
from arena.contest.snapshots import Snapshots
from arena.errors import BotError
from arena.extras.audit.programs import Programs
from arena.record import Entrant

SUFFIX = ".py"


def programs_of(entrants: Iterable[Entrant], run: Path) -> Programs:
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
    return Programs(known, left_out)


def _passages(copy: Entrant | None, reader: Reader) -> frozenset[int]:
    if copy is None:
        raise BotError("the run has no copy of its files as they were")
    folder = Path(copy.folder)
    names = sorted([one.relative_to(folder).as_posix() for one in code_of(copy)])
    python = tuple([name for name in names if name.endswith(SUFFIX)])
    if not python:
        raise BotError("it has no Python files")
    return reader.passages(Program(str(folder), python), copy.name)


@cache
def _public() -> frozenset[int]:
    """Return the passages of the installed bots and of the templates of `arena new`."""
    return passages([file.read_text("utf-8") for file in _python_files(files("bots"))])


def _python_files(folder: Traversable) -> Iterator[Traversable]:
    for child in folder.iterdir():
        if child.is_dir():
            yield from _python_files(child)
        elif child.name.endswith(SUFFIX):
            yield child
