"""A bot for any game that searches ahead for as long as its time limit allows.

To make the bot's play reproducible, limit the number of simulated games per decision:

    python -P -m bots.champion.champion --iterations 500
"""

import gc
import importlib
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from arena.bot import Bot, Start, run
from arena.sdk.race import Race
from arena.sdk.search import Budget, Choice, Guide, Search
from bots.any_game.options import with_options
from bots.start import GUIDES, RACES
from engine import Variant, get_variant, variants

MIN_RACE_MS = 20
MAX_MILLISECONDS = 1000  # more time hardly improves play
MAX_CLOCK_SHARE = 0.6  # of the time limit
RESERVE_MS = 30
SHOWN_ACTIONS = 3

ActionsIn = Callable[[Sequence[Any]], list[str] | None]


class ChampionBot(Bot):
    """Simulates games from random states that are consistent with what the bot knows."""

    name = "champion"
    detail = "none"
    worlds = True
    iterations: ClassVar[int | None] = None
    """Number of simulated games per decision, or None for as many as time allows."""
    milliseconds: ClassVar[int] = MAX_MILLISECONDS
    clock = staticmethod(time.process_time)

    _variant: Variant
    _guide: Guide
    _search: Search | Race
    _actions_in: ActionsIn
    _new_events: list[Any]  # what happened since the last decision
    _requested_at: float | None  # when the present decision was requested

    def start(self, table: Start) -> None:
        self._variant = get_variant(table.variant)
        self._guide, self._actions_in = _guide_of(self._variant)
        searching = Race if self._variant.game in RACES else Search
        self._search = searching(table.seat, self._guide, self.rng)
        self._new_events = []
        self._requested_at = None

    def events(self, events: list[Any]) -> None:
        self._requested_at = self.clock()
        self._new_events += events
        if isinstance(self._search, Race):
            return
        actions = self._actions_in(events)
        if actions is None:
            self._search.forget()
        else:
            self._search.advance(actions)

    def act(self, view: Any, legal: list[str]) -> str:
        if len(legal) == 1:
            return legal[0]
        requested_at = self.clock() if self._requested_at is None else self._requested_at
        self._requested_at = None
        state = self.world
        limit_s = self._time_limit_s()
        iterations = self.iterations
        if isinstance(self._search, Race) and limit_s < MIN_RACE_MS / 1000:
            iterations = 0
        self._guide.observe(state, self._new_events)
        self._new_events = []
        budget = Budget(iterations, requested_at + limit_s, self.clock)
        choice = self._search.choose(state, budget)
        self.note = describe(choice)
        return choice.action

    def _time_limit_s(self) -> float:
        limit_ms = min(MAX_CLOCK_SHARE * self.clock_ms, self.clock_ms - RESERVE_MS)
        if self.iterations is None:
            limit_ms = min(limit_ms, self.milliseconds)
        return limit_ms / 1000


def _guide_of(variant: Variant) -> tuple[Guide, ActionsIn]:
    if variant.game not in GUIDES:
        return Guide(), lambda events: None
    module = importlib.import_module(GUIDES[variant.game])
    return module.make_guide(variant), module.actions_in


def describe(choice: Choice) -> str:
    best = [tried for tried in choice.best(SHOWN_ACTIONS) if tried.visits]
    shown = [f"{tried.action} {tried.value:.0%} in {tried.visits}" for tried in best]
    return "; ".join(shown) or f"{choice.action} without search"


def from_command_line(arguments: Sequence[str] | None = None) -> type[ChampionBot]:
    return with_options(ChampionBot, "A bot that thinks ahead in any game.", arguments)


def prepare() -> None:
    """Import the games' modules and disable garbage collection before the first game."""
    # A single run of the garbage collector can exceed the time limit for a move.
    gc.disable()
    variants()
    for module in GUIDES.values():
        importlib.import_module(module)


if __name__ == "__main__":
    chosen = from_command_line()
    prepare()
    run(chosen)
