"""Options of all learning environments."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TypeAlias

from arena.base.contracts import SandboxSettings
from arena.base.errors import SettingsError
from arena.base.protocol import Limits
from arena.bot import Bot
from arena.contest.entrants import find_entrant
from arena.extras.shared.process_agent import PATIENT, ProcessAgent
from arena.match.seats import lacks_worlds
from arena.plugins import bots
from arena.tournament.agents import Agent, ClassAgent
from arena.tournament.in_process import class_of
from engine import Variant

Opponent: TypeAlias = Agent | str | type[Bot]
Opponents: TypeAlias = Mapping[int, Opponent] | Sequence[Opponent]
"""Opponents by seat, or a list of opponents that is repeated until every seat is filled."""


def seated_opponents(variant: Variant, opponents: Opponents, learner: int = 0) -> dict[int, Agent]:
    """Return an agent for each opponent's seat.

    `opponents` is a mapping by seat, or a sequence that is repeated over all seats except
    `learner`. Agents, bot classes and registered Python bots play in the calling process. Other
    bots play in separate processes. Raise `BotError` if a bot does not exist. Raise
    `SettingsError` if a bot does not play the game, if a seat does not exist, or if all seats
    have opponents.
    """
    if isinstance(opponents, str):
        raise SettingsError(f"got opponents={opponents!r}, expected a list or a dict of bots")
    if not isinstance(opponents, Mapping):
        agents = [_agent_of(opponent, variant) for opponent in opponents]
        seats = [seat for seat in range(variant.seats) if seat != learner]
        return dict(zip(seats, cycle(agents), strict=False)) if agents else {}
    if wrong := [seat for seat in opponents if seat not in range(variant.seats)]:
        raise SettingsError(
            f"got an opponent at seat {wrong[0]!r}, expected 0 to {variant.seats - 1} in "
            f"{variant.id}"
        )
    if len(opponents) == variant.seats:
        raise SettingsError(f"all seats of {variant.id} have opponents, expected one to learn")
    return {seat: _agent_of(opponent, variant) for seat, opponent in opponents.items()}


def opponents_of(variant: Variant, opponents: Opponents, seat: int) -> dict[int, Agent]:
    """Return the learner's opponents as a dict from seats to agents.

    Raise `SettingsError` if an opponent is missing or has the learner's seat.
    """
    seated = seated_opponents(variant, opponents, seat)
    others = [other for other in range(variant.seats) if other != seat]
    if sorted(seated) != others or seat not in range(variant.seats):
        raise SettingsError(
            f"got seat={seat!r} and opponents at the seats {sorted(seated)}, expected opponents "
            f"at all seats of {variant.id} except the learner's"
        )
    return seated


def _agent_of(opponent: Opponent, variant: Variant) -> Agent:
    if not isinstance(opponent, str | type):
        return opponent
    if isinstance(opponent, str):
        if opponent not in bots():
            return as_agent(opponent)
        opponent = class_of(opponent)
    if opponent.games and variant.game not in opponent.games:
        raise SettingsError(
            f"{opponent.name} does not play {variant.game}, only {', '.join(opponent.games)}"
        )
    if opponent.worlds and not variant.has_worlds:
        raise lacks_worlds(opponent.name or opponent.__name__, [variant.id])
    return ClassAgent(opponent)


def as_agent(
    bot: str | Path | type[Bot],
    limits: Limits = PATIENT,
    sandbox: SandboxSettings | None = None,
) -> Agent:
    """Make a bot available as an agent in learning environments.

    `bot` is a bot class, the name of a registered bot, a folder with a `bot.toml`, or a Python
    file. A bot class runs in the calling process, without time limits. All other kinds of bots
    run in separate processes, without a sandbox by default. Raise `BotError` if the bot does not
    exist.
    """
    if isinstance(bot, type):
        return ClassAgent(bot)
    return ProcessAgent(find_entrant(str(bot)), limits, sandbox)
