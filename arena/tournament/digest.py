"""The digest of a run: a hash of its public settings, records, leaderboard and shown names.

It covers what the same bots give again, so it is the same for any number of workers and after any
stop. It can be published, and compared with that of the records at any later time. Observations,
which differ whenever a game is played again, are not covered.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from arena.base.contracts import SandboxSettings
from arena.rating.leaderboard import Leaderboard
from arena.rating.leaderboard_files import facts_of
from arena.tournament.settings import Settings

DIGITS = 64
"""Hexadecimal digits of a digest."""
DIGITS_OF_NUMBERS = 9
"""Significant digits of a number of the leaderboard, and most decimals. What follows may depend on
the machine."""


DIGEST_FACTS = (
    *("overall", "variants", "by_game", "games", "games_left_out", "result"),
    *("duplicate_gain", "interplay", "certificate"),
)
"""The fields of a leaderboard that a digest covers, with `ROW_FACTS` of each row."""
FactsVersion = Literal[1, 2, 3, 4]
FACTS_VERSION: FactsVersion = 4
"""The version of what a leaderboard says; digests of other versions can't be compared with it.

Before version 2, all boards of several games counted alike. Before 3, ratings depended on the order
of boards, and points separated sides placed alike. Before 4, a row held its certainty over
every other bot, not only over opponents and neighbours in the table."""


class RunDigest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The parts of a run's digest, each a SHA-256 in hexadecimal digits."""

    games: int
    """The number of records."""
    settings: str
    records: str
    leaderboard: str
    facts: FactsVersion = 1
    """Its `FACTS_VERSION`."""
    names: str = ""
    """That of the names shown instead of ids; empty if there are none."""

    @property
    def value(self) -> str:
        """The digest of the run: `DIGITS` hexadecimal digits."""
        return sha256(canonical(self)).hex()


def run_digest(
    settings: Settings,
    records: Iterable[bytes],
    board: Leaderboard | None,
    names: Mapping[str, str] = {},
) -> RunDigest:
    """Return the digest of a run.

    Args:
        settings: the settings to publish, as `public` returns them.
        records: the SHA-256 of each record, in schedule order.
        board: the leaderboard of these records. None leaves its part of the digest empty.
        names: by id, the names that are shown instead.
    """
    games, whole = 0, hashlib.sha256()
    for digest in records:
        games += 1
        whole.update(digest)
    return RunDigest(
        games=games,
        settings=sha256(canonical(settings)).hex(),
        records=whole.hexdigest(),
        leaderboard=sha256(_essence(board)).hex() if board else "",
        facts=FACTS_VERSION,
        names=digest_of_names(names),
    )


def digest_of_names(names: Mapping[str, str]) -> str:
    """Return the part of a digest for the names that are shown instead of ids."""
    return sha256(canonical(names)).hex() if names else ""


def public(settings: Settings, *, is_over: bool) -> Settings:
    """Return what may be published of the settings of a run.

    Paths and commands belong to the machine. The seed determines all deals, so it is left out
    before the run `is_over`. The order in which bots are named does not matter, except that of
    guests: the first ones take the empty seats.
    """
    ordered = sorted(settings.entrants, key=lambda bot: (bot.guest, "" if bot.guest else bot.name))
    return msgspec.structs.replace(
        settings,
        seed=settings.seed if is_over else None,
        entrants=tuple(
            [
                msgspec.structs.replace(bot, command=(), folder="", files=(), source="")
                for bot in ordered
            ]
        ),
        challengers=tuple(sorted(settings.challengers)),
        sandbox=SandboxSettings(settings.sandbox.level, bounds=settings.sandbox.bounds),
    )


def sha256(data: bytes) -> bytes:
    """Return the SHA-256 of some bytes."""
    return hashlib.sha256(data).digest()


def canonical(value: object) -> bytes:
    """Return JSON without spaces, whose keys are sorted."""
    return msgspec.json.encode(value, order="sorted")


def _essence(board: Leaderboard) -> bytes:
    """Return the facts of a leaderboard as JSON, with 0 games that do not count yet."""
    data = facts_of(msgspec.to_builtins(board))
    counted = {name: data[name] for name in DIGEST_FACTS if name in data}
    return canonical(rounded({**counted, "games_left_out": 0}))


def rounded(value: Any) -> Any:
    """Return plain data whose floats are rounded to `DIGITS_OF_NUMBERS`."""
    if isinstance(value, float):
        return round(float(f"{value:.{DIGITS_OF_NUMBERS}g}"), DIGITS_OF_NUMBERS) + 0.0  # no -0.0
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return value


def read_digest(text: str) -> str:
    """Return the digest that a person has typed, without spaces and in small letters.

    Raises:
        ValueError: `text` is no digest.
    """
    digest = "".join(text.split()).lower()
    if len(digest) != DIGITS or not set(digest) <= set("0123456789abcdef"):
        raise ValueError(
            f"got {len(digest)} characters {text[:80]!r}, expected a digest: {DIGITS} digits from "
            "0 to 9 and a to f"
        )
    return digest


def digest_lines(digest: str) -> list[str]:
    """Return a digest for people, in two lines of 35 columns. `read_digest` reads them again."""
    groups = [digest[first : first + 8] for first in range(0, len(digest), 8)]
    return [" ".join(groups[:4]), " ".join(groups[4:])]
