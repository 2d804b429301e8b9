"""Random generators for the schedule, the deals and the bots of a run.

All chance in a run follows from a secret, so that no bot can predict a deal, or from a number
(`--seed`), so that anyone can repeat an experiment.

A generator is seeded with an HMAC-SHA-256 of the secret. The message is the JSON list [purpose,
variant, board, fingerprints] without spaces, in UTF-8. The fingerprints of the bots at the board
are sorted. They change with the bots' code, which then gets new deals.
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

Purpose = Literal["schedule", "deal", "dice", "run"]
"""Purpose of a random generator. A variant's schedule has board 0 and no fingerprints.

`run` derives the secret of a run from its contest's secret, with the run's name in place of the
variant."""
MIN_SECRET_DIGITS = 32
"""Minimum number of hexadecimal digits in a secret: 128 bits."""
_HEX = re.compile(r"(?:[0-9a-f]{2})+")


class Secret:
    """The secret of a run. Its `repr` shows only its hash."""

    def __init__(self, text: str) -> None:
        """Parse hexadecimal digits, ignoring white space around them.

        Raises:
            SettingsError: `text` is not hexadecimal or too short.
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
        """SHA-256 of the secret in hexadecimal digits, which can be published before the run."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def of_run(self, name: str) -> "Secret":
        """Derive the secret of a run from this secret of its contest."""
        return Secret(self.derive("run", name).hex())

    def derive(
        self, purpose: Purpose, variant: str, board: int = 0, fingerprints: Sequence[str] = ()
    ) -> bytes:
        """Return 32 bytes for a purpose. The order of `fingerprints` doesn't matter."""
        message = msgspec.json.encode([purpose, variant, board, sorted(fingerprints)])
        return hmac.digest(self._key, message, "sha256")


class SecretSettings(msgspec.Struct, frozen=True):
    """The public part of a run's secret."""

    hash: str
    with_fingerprints: bool = True
    """Whether deals depend on the code of the bots. If not, two versions of a bot get the same
    deals."""
    run: str | msgspec.UnsetType = msgspec.UNSET
    """The run name with which the secret was derived from the contest's secret, if it was."""


class Randomness(msgspec.Struct, frozen=True):
    """Creates the random generators of a run."""

    source: int | Secret
    """The run's secret, or a seed, from which bots can predict every deal."""
    with_fingerprints: bool = True
    """Whether deals and dice from a secret depend on the code of the bots."""
    boards_per_deal: int = 1
    """Number of consecutive boards of a variant that share a deal and the bots' seeds.

        If it is more than 1, deals don't depend on the code of the bots."""

    def schedule(self, variant: str) -> random.Random:
        """Return the random generator for a variant's schedule."""
        return random.Random(self._seed("schedule", variant))

    def pairing(self, variant: str, number: int) -> random.Random:
        """Return the random generator for a variant's pairing, given the number of earlier
        pairings.
        """
        return random.Random(f"{self._seed('schedule', variant)} {number}")

    def deal(self, board: Board, fingerprints: Sequence[str]) -> random.Random:
        """Return the random generator for a board's deal, given its bots' fingerprints."""
        return random.Random(self._seed("deal", board.variant, self._deal_of(board), fingerprints))

    def dice(
        self, board: Board, fingerprints: Sequence[str], rotation: int, key: str
    ) -> random.Random:
        """Return the random generator for the bots' seeds in a game. `key` is the game's content
        key.
        """
        variant, deal = board.variant, self._deal_of(board)
        if isinstance(self.source, Secret):
            seed = self._seed("dice", variant, deal, fingerprints)
            return random.Random(f"{seed} {rotation}")
        own = key if self.boards_per_deal == 1 else f"{variant} {deal} {rotation}"
        return random.Random(f"bots: {self.source} {own}")

    def _deal_of(self, board: Board) -> int:
        return 1 + (board.number - 1) // self.boards_per_deal

    def _seed(
        self, purpose: Purpose, variant: str, number: int = 0, fingerprints: Sequence[str] = ()
    ) -> str:
        if isinstance(self.source, Secret):
            depends = self.with_fingerprints and self.boards_per_deal == 1
            known = fingerprints if depends else ()
            return self.source.derive(purpose, variant, number, known).hex()
        of_run = f"{purpose} {self.source} {variant}"
        return of_run if purpose == "schedule" else f"{of_run} {number}"
