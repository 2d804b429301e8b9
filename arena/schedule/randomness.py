"""Random generators for the schedule, the deals and the bots of a run.

All chance in a run follows either from a secret, so that no bot can predict a deal, or from a
number (`--seed`), so that anybody can repeat an experiment.

Outputs of a secret are computed by HMAC-SHA-256. The key is the secret as bytes. The message is
the list [purpose, variant, board, fingerprints] as JSON without spaces, in UTF-8. The
fingerprints are those of the bots at the board, sorted, so a bot whose code has changed gets new
deals. Knowing some outputs doesn't help to compute others.
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
"""What an output is used for.

A variant's schedule doesn't belong to a board, so its message has board 0 and no fingerprints.
`run` derives the secret of a run from that of its contest, with the run's name in place of the
variant."""
MIN_SECRET_DIGITS = 32
"""Minimum length of a secret in hexadecimal digits: 128 bits."""
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
        """SHA-256 of the text in hexadecimal digits. It can be published from the start."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def of_run(self, name: str) -> "Secret":
        """Return the secret of a run, if this is the secret of its contest."""
        return Secret(self.derive("run", name).hex())

    def derive(
        self, purpose: Purpose, variant: str, board: int = 0, fingerprints: Sequence[str] = ()
    ) -> bytes:
        """Return 32 bytes for a purpose. The order of `fingerprints` doesn't matter."""
        message = msgspec.json.encode([purpose, variant, board, sorted(fingerprints)])
        return hmac.digest(self._key, message, "sha256")


class SecretSettings(msgspec.Struct, frozen=True):
    """What is public about the secret of a run."""

    hash: str
    """The SHA-256 of the secret."""
    with_fingerprints: bool = True
    """Whether deals depend on the code of the bots. If not, two versions of a bot get the same
    deals."""
    run: str | msgspec.UnsetType = msgspec.UNSET
    """The run name used to derive it from the contest's secret, if it was derived."""


class Randomness(msgspec.Struct, frozen=True):
    """All chance in a run. Each call returns a new random generator."""

    source: int | Secret
    """A number can be guessed by bots, which then know every deal."""
    with_fingerprints: bool = True
    """Whether deals and dice from a secret depend on the code of the bots."""
    boards_per_deal: int = 1
    """Number of consecutive boards of a variant that share a deal and the seeds by seat. If it is
    more than 1, deals don't depend on the code of the bots, so that different bots share them."""

    def schedule(self, variant: str) -> random.Random:
        """Return the generator for a variant's schedule. It doesn't depend on any bot's code."""
        return random.Random(self._seed("schedule", variant))

    def pairing(self, variant: str, number: int) -> random.Random:
        """Return the generator for a variant's next pairing after `number` others."""
        return random.Random(f"{self._seed('schedule', variant)} {number}")

    def deal(self, board: Board, fingerprints: Sequence[str]) -> random.Random:
        """Return the generator for a board's deal, given the fingerprints of its bots."""
        return random.Random(self._seed("deal", board.variant, self._deal_of(board), fingerprints))

    def dice(
        self, board: Board, fingerprints: Sequence[str], rotation: int, key: str
    ) -> random.Random:
        """Return the generator for the seeds that the bots of a game get.

        `key` is the content key of the game, which is played in `rotation` of the board.
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
