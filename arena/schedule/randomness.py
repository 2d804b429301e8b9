"""The randomness of a run: generators for its schedule, its deals and the dice of its bots.

All chance of a run follows from a secret, so that no bot can compute a deal, or from a number
(`--seed`), so that anybody can repeat an experiment.

A secret gives outputs by HMAC-SHA-256. The key is the secret as bytes. The message is the list
[purpose, variant, board, fingerprints] as JSON without spaces, in UTF-8. The fingerprints are those
of the board's bots, sorted, so the boards of a bot whose code has changed have new deals. From some
outputs no other one can be computed.
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
"""The purpose of an output.

The schedule of a variant is not of one board, so it has the number 0 and no fingerprints. `run`
gives the secret of a run from that of its contest, with the name of the run in place of the
variant.
"""
MIN_SECRET_DIGITS = 32
"""Hexadecimal digits of the shortest secret, which are 128 bits."""
_HEX = re.compile(r"(?:[0-9a-f]{2})+")


class Secret:
    """The secret of a run. Its `repr` shows its hash only."""

    def __init__(self, text: str) -> None:
        """Take a secret as hexadecimal digits. White space around them does not matter.

        Raises:
            SettingsError: `text` is something else, or is too short.
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
        """The SHA-256 of the text, in hexadecimal digits. It can be public from the start."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def of_run(self, name: str) -> "Secret":
        """Return the secret of a run of the contest whose secret this is."""
        return Secret(self.derive("run", name).hex())

    def derive(
        self, purpose: Purpose, variant: str, board: int = 0, fingerprints: Sequence[str] = ()
    ) -> bytes:
        """Return the output for a purpose, 32 bytes. The order of `fingerprints` is irrelevant."""
        message = msgspec.json.encode([purpose, variant, board, sorted(fingerprints)])
        return hmac.digest(self._key, message, "sha256")


class SecretSettings(msgspec.Struct, frozen=True):
    """The settings of the secret of a run. All of them can be public."""

    hash: str
    """The SHA-256 of the secret."""
    with_fingerprints: bool = True
    """Whether deals depend on the code of the bots. If not, two versions of a bot play the same."""
    run: str | msgspec.UnsetType = msgspec.UNSET
    """The name by which it was derived from the secret of the contest, if it was."""


class Randomness(msgspec.Struct, frozen=True):
    """The chance of a run. Each call returns a fresh random generator."""

    source: int | Secret
    """A number may be guessed by bots, which then know every deal."""
    with_fingerprints: bool = True
    """Whether deals and dice from a secret depend on the code of the bots."""
    boards_per_deal: int = 1
    """Consecutive boards of a variant that share a deal, and the seeds by seat. If there are
    several, the code of the bots does not matter, so that bots with different code share them."""

    def schedule(self, variant: str) -> random.Random:
        """Return the generator of the schedule of a variant, which no bot's code changes."""
        return random.Random(self._seed("schedule", variant))

    def deal(self, board: Board, fingerprints: Sequence[str]) -> random.Random:
        """Return the generator of the deal of a board. `fingerprints` are those of its bots."""
        return random.Random(self._seed("deal", board.variant, self._deal_of(board), fingerprints))

    def dice(
        self, board: Board, fingerprints: Sequence[str], rotation: int, key: str
    ) -> random.Random:
        """Return the generator of the seeds that the bots of a game get.

        The game has the content key `key` and is played in `rotation` of the board.
        """
        variant, deal = board.variant, self._deal_of(board)
        if isinstance(self.source, Secret):
            seed = self._seed("dice", variant, deal, fingerprints)
            return random.Random(f"{seed} {rotation}")
        own = key if self.boards_per_deal == 1 else f"{variant} {deal} {rotation}"
        return random.Random(f"bots: {self.source} {own}")

    def _deal_of(self, board: Board) -> int:
        """Return the number of the deal of a board, from 1."""
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
