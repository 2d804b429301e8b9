"""Files of games that a person played, in the folder of all runs."""

from pathlib import Path
from typing import Literal

import msgspec

from arena import __version__
from arena.base.atomic_file import read_struct
from arena.base.errors import StoreError
from arena.base.record import GameRecord

FORMAT: Literal[1] = 1
FOLDER = "played"
"""The folder of the files, in that of all runs."""
LAST = "last"
"""The word that a person types for the newest file."""
START = b'{"format":'
"""The start of each file, of all versions."""


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that a person played."""

    format: Literal[1]
    """Of this file."""
    arena: str
    """The version of the arena that wrote it."""
    played: GameRecord


def write_game(record: GameRecord, path: Path) -> None:
    """Write the file of a game. Raises `OSError` if there is one, or it cannot be written."""
    with path.open("xb") as file:
        file.write(game_json(record))


def game_json(record: GameRecord) -> bytes:
    """Return what the file of a game holds."""
    return msgspec.json.encode(GameFile(FORMAT, __version__, record))


def find_game_file(results: Path, source: str) -> Path | None:
    """Return the file of a played game that `source` names: `last` or a path; else None.

    Raises:
        StoreError: there is no last game, as none was played.
    """
    if source == LAST:
        found = sorted(played_files(results / FOLDER), key=number_of)
        if not found:
            raise StoreError(f"no game was played yet in {results}; play one with `arena play`")
        return found[-1]
    path = Path(source)
    if path.suffix != ".json" or not path.is_file():
        return None
    with path.open("rb") as file:  # else it is an exported run
        return path if file.read(len(START)) == START else None


def read_game(path: Path) -> GameRecord:
    """Return the record in the file of a game.

    Raises:
        StoreError: the file cannot be read, is no such file or one of another version.
    """
    expected = "a game saved by `arena play` of this version"
    return read_struct(path, GameFile, expected, StoreError).played


def played_files(folder: Path) -> list[Path]:
    """Return the files of played games in a folder."""
    return list(folder.glob("[0-9]*-*.json"))


def number_of(path: Path) -> int:
    """Return the number in the name of the file of a game."""
    number = path.name.partition("-")[0]
    return int(number) if number.isdecimal() else 0
