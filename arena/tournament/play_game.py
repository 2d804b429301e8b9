"""Play a single game between bots."""

import random
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from os import PathLike, fspath
from typing import TypeAlias

import msgspec

from arena.base.contracts import AUTO, Bounds
from arena.base.errors import BotError, SettingsError
from arena.base.protocol import DEFAULT_LIMITS, Limits
from arena.base.record import Entrant, Game, GameRecord
from arena.check.sandbox_probe import choose
from arena.check.trial import one_game
from arena.contest.entrants import introduce, named_bots, only_bot
from arena.match.driver import Driver
from arena.match.referee import start_message
from arena.match.seats import Decision, Player, Reply, Script
from arena.match.settings import MatchSettings
from arena.sdk.bot_class import Bot
from arena.tournament.agents import Agent, ClassAgent, Seated
from engine import EngineError, Variant, get_variant

Playable: TypeAlias = str | PathLike[str] | type[Bot] | Bot | Agent
"""A bot's name or path, or a Python class or object that runs in the current process."""


def play(
    variant: str,
    bots: Sequence[Playable],
    *,
    seed: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
    sandbox: str = AUTO,
) -> GameRecord:
    """Play one game and return its record. The record contains `points` and `ranks` by seat, and
    all `faults` and `actions`.

    The variant is an id such as `pot-de-vin/3`. Every seat needs a bot. If a bot is given as a
    name or path, it runs in its own process with the given limits. Bot classes, bot objects and
    agents (`arena.tournament.agents.Agent`) run in the current process, without time limits and
    without a sandbox. Playing a game overwrites the `table` and `rng` attributes of bot objects.

    The seed determines the deal and the bots' random generators. Without a seed, every call
    plays a different game. The sandbox can be `isolated`, `none` or `auto`. The default is
    `auto`, which selects `isolated` if the machine supports it.

    Raises:
        SettingsError: The variant doesn't exist, the number of bots is wrong, or a bot doesn't play
            this game.
        BotError: A bot doesn't exist, fails to start, or raises an exception in the current
            process.
    """
    chosen = known_variant(variant)
    if isinstance(bots, str) or len(bots) != chosen.seats:
        given = repr(bots) if isinstance(bots, str) else f"a list of {len(bots)}"
        raise SettingsError(f"got {given}, expected a list of {chosen.seats} bots for {chosen.id}")
    programs = list(dict.fromkeys([fspath(bot) for bot in bots if isinstance(bot, str | PathLike)]))
    settings = MatchSettings(limits, tables=1, always_charge=True)
    with ExitStack() as unpacked:
        found: dict[str, Entrant] = {}
        if programs:
            level = choose(sandbox, Bounds(), (), lambda _: None)
            settings = msgspec.structs.replace(settings, sandbox=level)
            named = [(unpacked.enter_context(named_bots([name])), name) for name in programs]
            entrants = introduce(
                [only_bot(*pair) for pair in named], limits, level, variants=[chosen.id]
            )
            found = dict(zip(programs, entrants, strict=True))
        seats: list[_Seat] = []
        for number, bot in enumerate(bots):
            if isinstance(bot, str | PathLike):
                entrant, agent = found[fspath(bot)], None
            else:
                entrant, agent = _in_process(bot)
            if not entrant.plays(chosen.game):
                raise SettingsError(
                    f"{entrant.name} does not play {chosen.game}, only {', '.join(entrant.games)}"
                )
            if any(entrant.name == other.name for other, _ in seats):
                name = f"{entrant.name}-{number}"
                entrant = msgspec.structs.replace(entrant, name=name)
            seats.append((entrant, agent))
        seated = [entrant for entrant, _ in seats]
        return _play(one_game(chosen, seated, random.Random(seed), limits), seats, settings)


def known_variant(variant: str) -> Variant:
    """Return the variant with an id. Raise `SettingsError` if the variant doesn't exist."""
    try:
        return get_variant(variant)
    except EngineError as error:
        raise SettingsError(str(error)) from None


_Seat = tuple[Entrant, Agent | None]


def _in_process(bot: type[Bot] | Bot | Agent) -> _Seat:
    name = bot.__name__ if isinstance(bot, type) else type(bot).__name__
    if isinstance(bot, Bot) or (isinstance(bot, type) and issubclass(bot, Bot)):
        agent = ClassAgent(bot if isinstance(bot, type) else lambda: bot)
        return Entrant(bot.name or name, (), "", "", games=tuple(bot.games)), agent
    if isinstance(bot, type) or not callable(getattr(bot, "sit", None)):
        raise SettingsError(
            f"got {bot!r:.80} as a bot, expected a name, a path, a class of `arena.bot.Bot` or an "
            "object of one"
        )
    return Entrant(name, (), "", ""), bot


def _play(game: Game, seats: Sequence[_Seat], settings: MatchSettings) -> GameRecord:
    variant = get_variant(game.variant)
    players: dict[str, Player] = {}
    seated: list[Seated] = []
    for seat, (entrant, agent) in enumerate(seats):
        players[entrant.name] = entrant
        if agent:
            seated.append(agent.sit(start_message(variant, seat, game.seeds[seat])))
            players[entrant.name] = Script(partial(_answer, entrant.name, seated[-1]))
    with Driver(players, settings) as driver:
        ((record, _),) = driver.play_all([game])
    for sitting in seated:
        sitting.end(record.points, record.ranks)
    return record


def _answer(name: str, seated: Seated, decision: Decision) -> Reply:
    try:
        return Reply(seated.act(decision))
    except Exception as error:
        text = f"{name} raised {type(error).__name__} in move {decision.move + 1}: {error}"
        raise BotError(text) from error
