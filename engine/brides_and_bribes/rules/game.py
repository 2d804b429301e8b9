"""Entry points of the rules: start a game, list legal actions, apply one."""
# compiled: see setup.py

import random

from engine.brides_and_bribes.deal import Deal
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position import Position, empty_position
from engine.brides_and_bribes.rules.set_up import set_up
from engine.errors import IllegalAction


def start(parameters: Parameters, deal: Deal) -> Position:
    """Return the position before the first decision [4]."""
    position = empty_position(parameters)
    set_up(position, deal)
    position.advance()
    return position


def legal_actions(position: Position) -> list[str]:
    """Return the legal actions in ASCII order [5]."""
    return [*position.options]


def apply(position: Position, action: str) -> None:
    """Apply `action` for the seat to act, and continue to the next decision.

    Raises:
        IllegalAction: `action` is not legal. The position is unchanged.
    """
    if action not in position.options:
        raise IllegalAction(action, position.seat_to_act, position.options)
    _carry_out(position, action)


def _carry_out(position: Position, action: str) -> None:
    position.seat_to_act = None
    answer, argument = position.stack.pop()
    answer(position, action, argument)
    position.advance()


def play_out(position: Position, rng: random.Random) -> int:
    """Play random legal actions until the game is over and return how many."""
    chance, actions = rng.random, 0
    while position.seat_to_act is not None:
        options = position.options
        _carry_out(position, options[int(chance() * len(options))])
        actions += 1
    return actions
