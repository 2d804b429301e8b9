"""Find bots by id and start them as opponents for a person.

Bots from installed packages run in the server process if they are marked as quick. All other
bots run in separate processes. Students' bots always run in the contest's sandbox.
"""

from collections.abc import Callable
from typing import NamedTuple

from arena.base.contracts import AUTO, SandboxSettings
from arena.base.errors import BotError
from arena.base.record import Entrant
from arena.check.sandbox_probe import choose
from arena.contest.admission import rules_of
from arena.contest.entrants import find_registered
from arena.contest.inbox import Submission
from arena.contest.settings import Contest, chosen_variants
from arena.extras.serve.checker import with_server_sandbox
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.browser_game import Opponent
from arena.extras.shared.process_agent import ProcessAgent
from arena.plugins import bots
from arena.tournament.agents import Agent, ClassAgent
from arena.tournament.in_process import class_of
from engine import get_variant

REGISTERED, SUBMITTED = "bot", "student"
GRACE_MS = 5_000  # added to the time limits of bots, because the server may be busy
RANDOM = "random"


class OpponentChoice(NamedTuple):
    id: str
    name: str
    summary: str


class Opponents:
    def __init__(self, contest: Callable[[], Contest]) -> None:
        self._current = contest
        self._sandboxes: dict[str, SandboxSettings] = {}

    @property
    def _contest(self) -> Contest:
        return self._current()

    def choices_for(self, person: ContestPerson, game: str) -> list[OpponentChoice]:
        """Return the opponents that a person can choose, starting with the person's own bot."""
        own = []
        if self._newest(person.owner):
            own = [OpponentChoice(f"{SUBMITTED}:{person.owner}", person.bot_name, "")]
        registered = [
            OpponentChoice(f"{REGISTERED}:{bot.name}", bot.name, bot.summary)
            for bot in bots().values()
            if not bot.games or game in bot.games
        ]
        registered.sort(key=lambda bot: bot.name == RANDOM)
        return [*own, *registered]

    def opponent(self, chosen: OpponentChoice) -> Opponent:
        return Opponent(chosen.id, chosen.name, self._entrant(chosen.id).fingerprint)

    def agent(self, bot: str) -> Agent:
        """Return a new agent for a bot. Raise `BotError` if the bot no longer exists."""
        kind, _, name = bot.partition(":")
        if kind == REGISTERED and name in bots() and bots()[name].quick:
            try:
                return ClassAgent(class_of(name))
            except BotError:  # it is not a Python class
                pass
        entrant = self._entrant(bot)
        if kind == SUBMITTED:
            sandbox = self._sandbox(with_server_sandbox(self._contest).sandbox.level)
        else:
            sandbox = self._sandbox(AUTO)
        return ProcessAgent(entrant, self._contest.limits, sandbox, GRACE_MS)

    def _entrant(self, bot: str) -> Entrant:
        kind, _, name = bot.partition(":")
        if kind == REGISTERED:
            if found := find_registered(name):
                return found
            raise BotError(f"the bot {name!r} is no longer installed")
        rules, version = rules_of(self._contest), self._newest(name)
        if rules is None or version is None:
            raise BotError(f"{name} no longer has a version")
        return rules.inbox.bot_of(version).entrant

    def _newest(self, owner: str) -> Submission | None:
        rules = rules_of(self._contest)
        versions = rules.inbox.versions(owner) if rules else []
        return versions[-1] if versions else None

    def _sandbox(self, level: str) -> SandboxSettings:
        if level not in self._sandboxes:
            table = self._contest.sandbox
            chosen = choose(level, table.bounds, table.readable, lambda _: None)
            self._sandboxes[level] = chosen
        return self._sandboxes[level]


def trial_opponents(contest: Contest) -> list[str]:
    """Return the names of up to two quick, installed bots that play one of the contest's games."""
    chosen = chosen_variants(contest.variants, contest.games)
    games = {get_variant(variant_id).game for variant_id in chosen}
    quick = [
        bot.name
        for bot in bots().values()
        if bot.quick and (not bot.games or not games.isdisjoint(bot.games))
    ]
    return quick[:2]
