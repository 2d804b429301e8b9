"""Exceptions of games, with all that is needed to bring them about again."""

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
"""The file in a run's folder of a game that raised an exception."""


class BrokenGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game up to the exception that it raised."""

    format: Literal[2]
    """Of this struct as a file."""
    title: str
    """Variant, board and rotation, as people call them."""
    variant: str
    deal: msgspec.Raw
    actions: tuple[str, ...]
    """Those that were done, or begun: the last one may be the one that failed."""
    error: str
    """The exception in one line."""
    dice: tuple[int, ...] = ()
    """If drawing the deal raised the exception, the state of its generator before."""

    @property
    def where(self) -> str:
        """The move, numbered from 1, or the deal."""
        return "the deal" if self.dice else f"move {max(1, len(self.actions))}"


class _Recorder(ActionSource):
    """Notes the actions of a game."""

    def __init__(self) -> None:
        self.actions: list[str] = []

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        self.actions.append(super().action(move, answer, legal))
        return self.actions[-1]


def game_error(game: Game, answers: Sequence[Answer], error: Exception) -> ArenaError:
    """Return the error to raise for an exception of a game after these answers of its seats.

    An `ArenaError` is no exception of a game, and is returned as it is.
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
    """Return the error to raise for an exception of a game that makes the deal of a board.

    `dice` is the generator of the deal as it was before.
    """
    _, state, _ = dice.getstate()
    title = f"{variant} board {board}"
    no_deal, said = msgspec.Raw(b"null"), describe_error(error)
    return _as_error(BrokenGame(2, title, variant, no_deal, (), said, state))


def _as_error(broken: BrokenGame) -> GameError:
    text = f"the game broke in {broken.title}, {broken.where}: {broken.error}"
    return GameError(text, msgspec.json.encode(broken))


def describe_error(error: BaseException) -> str:
    """Return an exception in one line: its type, its text, and where it was raised."""
    import traceback  # not above: a run starts faster

    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return printable(" ".join(f"{type(error).__name__}: {error}".split()) + at)
