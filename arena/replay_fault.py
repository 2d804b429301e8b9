"""Brings a bot to the moment of a fault once more, as it is now."""

from typing import NamedTuple

from arena.errors import FaultFileError
from arena.fault_file import FaultFile, FaultGame
from arena.record import Entrant, Game
from arena.referee import Ask, Reply, start_game
from arena.retrace import Detour, Retrace
from arena.sandbox.contract import Walls
from arena.sitting import fault_in, sit, stay_in
from engine import EngineError

LEAVE_S = 5.0
"""A bot has so long to leave, as in `arena.check`."""


class Replayed(NamedTuple):
    """What the bot did this time."""

    again: FaultFile | None
    """What it did wrong; None when it is mended."""
    answer: str | None
    """What it answered at the moment of the fault; None when it did not come to that."""
    asked: int
    """How many answers it had to give before."""
    detours: tuple[tuple[str, Detour], ...]
    """Those of them that are not as they were, each with the title of the game."""


def replay_fault(
    file: FaultFile, entrant: Entrant, walls: Walls, *, leave_s: float = LEAVE_S
) -> Replayed:
    """Ask a bot again what it was asked until the fault, and return what it did.

    The games go on as they did then, whatever it answers on the way. So it comes to the same
    moment; but a bot that remembers its answers may remember what did not happen.

    Raises:
        FaultFileError: the games of the file cannot be played by this arena.
        SandboxError: the walls do not stand.
    """
    games = [_game(game, number, entrant.name) for number, game in enumerate(file.games)]
    retraces = [Retrace(game.seat, game.actions) for game in file.games]
    sitting = sit(
        entrant,
        games,
        file.limits,
        walls,
        tables=file.tables,
        people={name: _nobody for game in games for name in game.entrants if name != entrant.name},
        referees={game.key: one.referee for game, one in zip(games, retraces, strict=True)},
        grace_s=leave_s,
    )
    again = fault_in(sitting, entrant, file.limits, walls, file.tables)
    if again is None and file.fault.kind == "stays":
        again = stay_in(sitting, entrant, file.limits, walls, file.tables)
    return Replayed(
        again,
        retraces[file.faulty].answer if retraces else None,
        sum([one.asked for one in retraces]),
        tuple(
            [
                (game.title, detour)
                for game, one in zip(file.games, retraces, strict=True)
                for detour in one.detours
            ]
        ),
    )


def _game(game: FaultGame, number: int, name: str) -> Game:
    """Return a game to be played; raises `FaultFileError` if its actions cannot be taken."""
    try:
        state = start_game(game.variant, game.deal)
        variant = state.variant
        if game.rules_version != variant.rules_version:
            raise FaultFileError(
                f"{game.title} was played by version {game.rules_version} of the rules; here is "
                f"version {variant.rules_version}"
            )
        if game.seat >= variant.seats:
            raise FaultFileError(f"{game.title} has {variant.seats} seats, none is {game.seat}")
        for action in game.actions:
            state.apply(action)
        if state.seat_to_act not in (None, game.seat):
            raise FaultFileError(f"{game.title} does not end where it is the bot's turn")
    except (EngineError, ValueError, RecursionError) as error:
        raise FaultFileError(f"{game.title} cannot be played again: {error}") from None
    names = [f"seat {seat}" for seat in range(variant.seats)]
    names[game.seat] = name
    return Game(
        key=f"{number}",
        variant=variant.id,
        board=number + 1,
        rotation=0,
        deal=game.deal,
        entrants=tuple(names),
        seeds=(game.seed,) * variant.seats,
    )


def _nobody(asked: Ask) -> Reply:
    raise AssertionError("only the bot is asked")
