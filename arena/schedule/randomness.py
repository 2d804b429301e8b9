"""Create the random generators for the schedule, the deals and the bots of a run.

All randomness in a run is derived either from a secret, so that bots can't predict deals, or
from a seed (`--seed`), so that anyone can reproduce the run.

Each random generator is seeded with an HMAC-SHA-256, using the secret as the key. The HMAC is
computed over the JSON list `[purpose, variant, board, fingerprints]`, encoded in UTF-8 without
spaces. The list's sorted fingerprints identify the code of the bots that play the board.
"""

import hashlib
import hmac
import random
import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from arena.base.errors import SettingsError
from arena.schedule.plan import Board

# For a schedule or a run, the board is 0 and there are no fingerprints. For a run, whose secret is
# derived from the contest's secret, the name of the run is used as the variant.
Purpose = Literal["schedule", "deal", "dice", "run"]
MIN_SECRET_DIGITS = 32
"""Minimum length of a secret: 32 hexadecimal digits, or 128 bits."""
_HEX = re.compile(r"(?:[0-9a-f]{2})+")


class Secret:
    """The secret of a run. Its `repr` shows only a hash."""

    def __init__(self, text: str) -> None:
        """Parse a secret from hexadecimal digits, ignoring surrounding whitespace.

        Raises:
            SettingsError: The secret is too short or not hexadecimal.
        """
        self.text = text.strip().lower()
        if not _HEX.fullmatch(self.text) or len(self.text) < MIN_SECRET_DIGITS:
            raise SettingsError(
                f"got {len(self.text)} characters, expected a secret: an even number of at least "
                f"{MIN_SECRET_DIGITS} hexadecimal digits"
            )
        self._key = bytes.fromhex(self.text)

    def __repr__(self) -> str:
        return f"Secret(hash={self.hash!r})"

    @property
    def hash(self) -> str:
        """The SHA-256 hash of the secret, which can be published before the run."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def of_run(self, name: str) -> "Secret":
        return Secret(self.derive("run", name).hex())

    def derive(
        self, purpose: Purpose, variant: str, board: int = 0, fingerprints: Sequence[str] = ()
    ) -> bytes:
        """Return an HMAC-SHA-256 of the given values, with the secret as its key."""
        message = msgspec.json.encode([purpose, variant, board, sorted(fingerprints)])
        return hmac.digest(self._key, message, "sha256")


class SecretSettings(msgspec.Struct, frozen=True):
    hash: str
    with_fingerprints: bool = True
    """If True, a board gets a different deal when the code of one of its bots changes."""
    run: str | msgspec.UnsetType = msgspec.UNSET
    """Name of the run if the run's secret was derived from the contest's secret, otherwise
    unset."""


class Randomness(msgspec.Struct, frozen=True):
    source: int | Secret
    """The secret of the run, or a seed."""
    with_fingerprints: bool = True
    shares_deals: bool = False
    """Whether odd-numbered boards share their deals and bot seeds with the next board, so that two
    versions of a bot can be compared."""

    def schedule(self, variant: str) -> random.Random:
        return random.Random(self._seed("schedule", variant))

    def pairing(self, variant: str, number: int) -> random.Random:
        """Return the random generator for a pairing. Pairings are numbered from 0."""
        return random.Random(f"{self._seed('schedule', variant)} {number}")

    def deal(self, board: Board, fingerprints: Sequence[str]) -> random.Random:
        return random.Random(self._seed("deal", board.variant, self._deal_of(board), fingerprints))

    def dice(
        self, board: Board, fingerprints: Sequence[str], rotation: int, key: str
    ) -> random.Random:
        """Return the random generator for the bots' seeds in one game."""
        variant, deal = board.variant, self._deal_of(board)
        if isinstance(self.source, Secret):
            seed = self._seed("dice", variant, deal, fingerprints)
            return random.Random(f"{seed} {rotation}")
        own = f"{variant} {deal} {rotation}" if self.shares_deals else key
        return random.Random(f"bots: {self.source} {own}")

    def _deal_of(self, board: Board) -> int:
        return (board.number + 1) // 2 if self.shares_deals else board.number

    def _seed(
        self, purpose: Purpose, variant: str, number: int = 0, fingerprints: Sequence[str] = ()
    ) -> str:
        if isinstance(self.source, Secret):
            known = fingerprints if self.with_fingerprints and not self.shares_deals else ()
            return self.source.derive(purpose, variant, number, known).hex()
        of_run = f"{purpose} {self.source} {variant}"
        return of_run if purpose == "schedule" else f"{of_run} {number}"
