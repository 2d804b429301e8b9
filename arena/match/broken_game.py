"""Save exceptions raised by games, with everything needed to reproduce them."""

import random
from collections.abc import Sequence
from typing import Literal

import msgspec

from arena.base.errors import ArenaError, GameError
from arena.base.protocol import printable
from arena.base.record import Game
from arena.match.referee import referee, start_game
from arena.match.seats import ActionSource, Answer

BROKEN_GAME = "broken-game.json"
"""Name of the file in which a run stores a game that raised an exception."""


class BrokenGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal[2]
    title: str
    """The variant, board and rotation, as displayed to the user."""
    variant: str
    deal: msgspec.Raw
    actions: tuple[str, ...]
    error: str
    dice: tuple[int, ...] = ()
    """State of the random generator before the deal, if dealing raised the exception.
    """

    @property
    def where(self) -> str:
        return "the deal" if self.dice else f"move {max(1, len(self.actions))}"


class _Recorder(ActionSource):
    def __init__(self) -> None:
        self.actions: list[str] = []

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        self.actions.append(super().action(move, answer, legal))
        return self.actions[-1]


def game_error(game: Game, answers: Sequence[Answer], error: Exception) -> ArenaError:
    """Convert an exception from a game's code into an `ArenaError` with the data to reproduce it.

    If the exception is already an `ArenaError`, it is returned unchanged.
    """
    if isinstance(error, ArenaError):
        return error
    recorder = _Recorder()
    try:
        asking = referee(start_game(game.variant, game.deal), recorder)
        next(asking)
        for answer in answers:
            asking.send(answer)
    except Exception:  # the same as before
        pass
    actions, said = tuple(recorder.actions), describe_error(error)
    return _as_error(BrokenGame(2, game.title, game.variant, game.deal, actions, said))


def deal_error(variant: str, board: int, dice: random.Random, error: Exception) -> GameError:
    """Convert an exception from drawing a deal into a `GameError` with the data to reproduce it.

    `dice` is the random generator in its state before the deal.
    """
    _, state, _ = dice.getstate()
    title = f"{variant} board {board}"
    no_deal, said = msgspec.Raw(b"null"), describe_error(error)
    return _as_error(BrokenGame(2, title, variant, no_deal, (), said, state))


def _as_error(broken: BrokenGame) -> GameError:
    text = f"the game broke in {broken.title}, {broken.where}: {broken.error}"
    return GameError(text, msgspec.json.encode(broken))


def describe_error(error: BaseException) -> str:
    """Return the type, message and source location of an exception in one line."""
    import traceback  # not above: a run starts faster

    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return printable(" ".join(f"{type(error).__name__}: {error}".split()) + at)
