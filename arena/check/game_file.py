"""Save and load games that people have played against bots."""

from pathlib import Path
from typing import Literal

import msgspec

from arena import __version__
from arena.base.atomic_file import read_struct
from arena.base.errors import StoreError
from arena.base.record import GameRecord

FORMAT: Literal[1] = 1
FOLDER = "played"
LAST = "last"
# Saved games of every format version begin with these bytes.
START = b'{"format":'


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal[1]
    arena: str
    played: GameRecord


def write_game(record: GameRecord, path: Path) -> None:
    """Write a game to a new file.

    Raises:
        OSError: The file exists or can't be written.
    """
    with path.open("xb") as file:
        file.write(game_json(record))


def game_json(record: GameRecord) -> bytes:
    return msgspec.json.encode(GameFile(FORMAT, __version__, record))


def find_game_file(results: Path, source: str) -> Path | None:
    """Return the path of a saved game, or None if `source` isn't a saved game.

    If `source` is "last", return the most recently saved game. Raise `StoreError` if no game has
    been saved.
    """
    if source == LAST:
        saved = sorted(played_files(results / FOLDER), key=number_of)
        if not saved:
            raise StoreError(f"{results} contains no saved games; play one with `arena play`")
        return saved[-1]
    path = Path(source)
    if path.suffix != ".json" or not path.is_file():
        return None
    with path.open("rb") as file:  # otherwise it is an exported run
        return path if file.read(len(START)) == START else None


def read_game(path: Path) -> GameRecord:
    """Read the record of a saved game.

    Raises:
        StoreError: The file can't be read, or its format or version isn't supported.
    """
    expected = "a game saved by `arena play` of this version"
    return read_struct(path, GameFile, expected, StoreError).played


def played_files(folder: Path) -> list[Path]:
    return list(folder.glob("[0-9]*-*.json"))


def number_of(path: Path) -> int:
    number = path.name.partition("-")[0]
    return int(number) if number.isdecimal() else 0
