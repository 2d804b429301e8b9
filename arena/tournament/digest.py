"""Compute the digest of a run: a hash of its settings, records, leaderboard and display names.

Except for the display names, the digest covers only reproducible data.
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
# Significant digits of the floating-point numbers in a digest. Further digits may depend on the
# machine.
DIGITS_OF_NUMBERS = 9


DIGEST_FACTS = (
    *("overall", "variants", "by_game", "games", "games_left_out", "result"),
    *("duplicate_gain", "interplay", "certificate"),
)
"""Leaderboard fields that are included in a run's digest."""
FactsVersion = Literal[1, 2, 3, 4]
FACTS_VERSION: FactsVersion = 4
"""Version of the fields in a run's digest. Digests with different versions can't be compared."""


class RunDigest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The SHA-256 hashes that make up the digest of a run, in hexadecimal."""

    games: int
    settings: str
    records: str
    leaderboard: str
    facts: FactsVersion = 1
    names: str = ""

    @property
    def value(self) -> str:
        return sha256(canonical(self)).hex()


def records_hash(digests: Iterable[bytes]) -> tuple[int, str]:
    """Hash the SHA-256 digests of records. Return the number of records and the hash."""
    games, whole = 0, hashlib.sha256()
    for digest in digests:
        games += 1
        whole.update(digest)
    return games, whole.hexdigest()


def run_digest(
    settings: Settings,
    records: tuple[int, str],
    board: Leaderboard | None,
    names: Mapping[str, str] = {},
) -> RunDigest:
    """Compute a run's digest from its public settings, the hash of its records, its leaderboard and
    the display names.
    """
    return RunDigest(
        games=records[0],
        settings=sha256(canonical(settings)).hex(),
        records=records[1],
        leaderboard=sha256(_essence(board)).hex() if board else "",
        facts=FACTS_VERSION,
        names=digest_of_names(names),
    )


def digest_of_names(names: Mapping[str, str]) -> str:
    return sha256(canonical(names)).hex() if names else ""


def public(settings: Settings, *, is_over: bool) -> Settings:
    """Return a run's settings without paths and commands. If the run isn't over, the seed is also
    removed.
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
    return hashlib.sha256(data).digest()


def canonical(value: object) -> bytes:
    """Encode as compact JSON with sorted keys."""
    return msgspec.json.encode(value, order="sorted")


def _essence(board: Leaderboard) -> bytes:
    data = facts_of(msgspec.to_builtins(board))
    counted = {name: data[name] for name in DIGEST_FACTS if name in data}
    return canonical(rounded({**counted, "games_left_out": 0}))


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(float(f"{value:.{DIGITS_OF_NUMBERS}g}"), DIGITS_OF_NUMBERS) + 0.0  # avoid -0.0
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return value


def read_digest(text: str) -> str:
    """Normalize a digest typed by a user. Raise `ValueError` if `text` isn't a digest."""
    digest = "".join(text.split()).lower()
    if len(digest) != DIGITS or not set(digest) <= set("0123456789abcdef"):
        raise ValueError(
            f"got {len(digest)} characters {text[:80]!r}, expected a digest of {DIGITS} "
            "hexadecimal digits"
        )
    return digest


def digest_lines(digest: str) -> list[str]:
    groups = [digest[first : first + 8] for first in range(0, len(digest), 8)]
    return [" ".join(groups[:4]), " ".join(groups[4:])]
