"""A bot that has learned from games: a small network, with weights for two variants.

In the other variants of the two games, for which there are no weights, it plays as the bot that
taught it.
"""

import functools
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from arena.bot import Bot, Start, run
from bots.bribery.fixer import FixerBot
from bots.learned.policy import Policy, file_of
from bots.pot_de_vin.planner import PlannerBot
from engine import get_variant

TEACHERS: dict[str, type[Bot]] = {"pot-de-vin": PlannerBot, "bribery": FixerBot}
"""By game: the bot that taught it."""


@functools.cache
def _policy(variant_id: str) -> Policy:
    """Return the policy for a variant, which is the same in all games."""
    return Policy(file_of(variant_id), get_variant(variant_id).encoding())


class LearnedBot(Bot):
    """Plays the action that its network prefers."""

    name = "learned"
    games: ClassVar[Sequence[str]] = tuple(TEACHERS)

    _policy: Policy | None = None
    _teacher: Bot | None = None
    _view_type: Any

    def start(self, table: Start) -> None:
        """Read the weights for the variant, or ask its teacher if there are none."""
        if file_of(table.variant).exists():
            self._policy = _policy(table.variant)
            self._view_type = get_variant(table.variant).view_type
            return
        self._teacher = teacher = TEACHERS[table.game]()
        teacher.table, teacher.rng = table, self.rng
        teacher.start(table)
        self._view_type = teacher.view_type

    def events(self, events: list[Any]) -> None:
        """Tell the teacher, who remembers; the network sees all in the view."""
        if self._teacher:
            self._teacher.events(events)

    def act(self, view: Any, legal: list[str]) -> str:
        """Return the action that the network prefers."""
        if len(legal) == 1:
            return legal[0]
        player = self._policy or self._teacher
        assert player, "expected the start of a game"
        return player.act(msgspec.convert(view, self._view_type), legal)


if __name__ == "__main__":
    run(LearnedBot)
