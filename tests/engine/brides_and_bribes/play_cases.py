"""Cases of the table of abilities: a play in a position, and what it changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.engine.brides_and_bribes.play import (
    borough,
    bride,
    coins,
    couple,
    delegation,
    influence,
    players,
    resolution,
    run,
    window,
    workers,
)
from tests.engine.brides_and_bribes.positions import Layout, box, resolving


@dataclass(frozen=True)
class PlayCase:
    """A position with delegations in one borough, what is decided there, and what is found then."""

    layout: Layout
    decisions: str
    found: dict[str, Any]

    def check(self) -> None:
        (where,) = self.layout.delegations
        state = resolving(self.layout, where)
        run(state, self.decisions)
        assert {name: value(state, name) for name in self.found} == self.found


def case(name: str, layout: Layout, decisions: str, **found: Any) -> Any:
    """Return a case to be parametrized; `prestige__1` stands for the value `prestige 1`."""
    values = {key.replace("__", " "): wanted for key, wanted in found.items()}
    return pytest.param(PlayCase(layout, decisions, values), id=name)


def value(state: Any, name: str) -> Any:
    """Return what a case looks at: `coins`, `prestige 1`, `workers 0`, `bride citadel first`..."""
    head, _, rest = name.partition(" ")
    if head in ("prestige", "charm", "guide", "open", "closed"):
        return delegation(state, int(rest))[head]
    if head in ("lord_prestige", "bride_charm_change", "marriage_banned", "workers_banned"):
        return resolution(state)[head]
    read: dict[str, Callable[[], Any]] = {
        "coins": lambda: coins(state),
        "influence": lambda: influence(state),
        "workers": lambda: workers(state, int(rest)),
        "bride": lambda: bride(state, rest),
        "couple": lambda: couple(state, rest),
        "common": lambda: borough(state, rest)["common"],
        "box": lambda: box(state, rest),
        "used": lambda: players(state, "used_objects")[int(rest)],
        "alley": lambda: players(state, "alley_shown")[int(rest)],
        "asked": lambda: (state.seat_to_act, window(state)),
        "known": lambda: delegation(state, int(rest))["known"],
    }
    return read[head]()
