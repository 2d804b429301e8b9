"""What each play does in each window: the order, reactions, the own turn (section 7.6)."""

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
    events,
    influence,
    players,
    resolution,
    run,
    window,
    workers,
)
from tests.engine.brides_and_bribes.positions import Layout, box, citadel, market, resolving


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
        "told": lambda: told_changes(state),
        "known": lambda: delegation(state, int(rest))["known"],
    }
    return read[head]()


def told_changes(state: Any) -> list[tuple[str, str, int]]:
    """Return the changes that the only effect of a play told."""
    (effect,) = events(state, "effect")
    return [(change["where"], change["what"], change["amount"]) for change in effect["changes"]]


RICH = {"coins": {0: 9, 1: 9, 2: 9}, "influence": {0: 9, 1: 9, 2: 9}}

CASES = [
    case("raineo", market("raineo"), "0:influence, 0:play raineo", coins=[1, 0, 0]),
    case(
        "raineo finds an empty pile",
        market("raineo", coins={1: 42}),
        "0:influence",
        asked=(0, "activate"),
        coins=[0, 42, 0],
    ),
    case(
        "antonio and jester",
        market("luciano", "enrico jester"),
        "1:guide enrico, 1:hire, 1:play jester citadel",
        common__citadel="merchant-1",
        alley__1=["tutor", "jester"],
        asked=(0, "declare"),
    ),
    case(
        "thief takes the only coin",
        market("luciano thief-1", "enrico", coins={1: 1}),
        "0:guide luciano, 1:ducato, 0:ducato, 0:play thief-1 seat-1",
        coins=[3, 0, 0],
    ),
    case(
        "merchant sells influence",
        market("luciano merchant-1", influence={0: 2}),
        "0:guide luciano, 0:ducato, 0:play merchant-1 influence",
        coins=[6, 0, 0],
        influence=[1, 0, 0],
        told=[("seat-0", "influence", -1), ("seat-0", "coins", 5)],
    ),
    case(
        "merchant before a marriage",
        citadel("luciano merchant-1", workers={0: "red"}),
        "0:guide luciano, 0:marry first, 0:play merchant-1 red",
        coins=[3, 0, 0],
        told=[("seat-0", "red", -1), ("seat-0", "coins", 3)],
        workers__0={},
        closed__0=["marry first"],
    ),
    case(
        "ring",
        citadel("luciano ring-1"),
        "0:marry first, 0:play ring-1",
        influence=[5, 0, 0],
        used__0=["ring-1"],
    ),
    case(
        "bard",
        citadel("luciano bard", coins={0: 1}),
        "0:guide luciano, 0:marry first, 0:play bard",
        influence=[5, 0, 0],
    ),
    case(
        "suit in the order window",
        market("luciano suit-1", "enrico"),
        "0:play suit-1",
        prestige__0=7,
        asked=(0, "declare"),
    ),
    case(
        "suit before a marriage",
        market("luciano suit-1"),
        "0:decline, 0:marry second, 0:play suit-1",
        influence=[3, 0, 0],
    ),
    case(
        "archivist",
        market("luciano archivist-1", "enrico"),
        "0:guide luciano, 0:play archivist-1",
        prestige__0=6,
        asked=(0, "declare"),
    ),
    case(
        "a second edict is not playable",
        market("luciano edict-1 edict-2"),
        "0:play edict-1",
        asked=(0, "declare"),
    ),
    case(
        "magistrate in the order window",
        market("magistrate", "enrico", "taddeo"),
        "0:play magistrate",
        prestige__1=3,
        prestige__2=3,
        prestige__0=6,
    ),
    case(
        "magistrate also against who is not present",
        market("magistrate", "poison-1", "taddeo"),
        "0:play magistrate",
        prestige__2=3,
    ),
    case("defamer", market("defamer", "enrico"), "0:play defamer seat-1", prestige__1=2),
    case(
        "falconer",
        market("falconer", "enrico giorgio", "taddeo"),
        "1:guide enrico, 0:play falconer",
        known__1=["giorgio"],
        open__1=True,
        open__2=True,
        open__0=False,
    ),
    case(
        "rat after an action",
        market("luciano", "giorgio rat", "taddeo oberto"),
        "2:guide taddeo, 1:guide giorgio, 1:decline, 2:ducato, 0:ducato, 1:ducato, 1:play rat",
        asked=(0, "activate"),
    ),
    case(
        "beguiler before a marriage",
        citadel("luciano beguiler", coins={0: 3}),
        "0:guide luciano, 0:marry first, 0:play beguiler first market",
        couple__citadel__first=("caterina", 0, "luciano"),
        coins=[2, 0, 0],
    ),
    case(
        "beguiler after an action",
        citadel("luciano beguiler"),
        "0:guide luciano, 0:ducato, 0:play beguiler second port",
        bride__citadel__second="paola",
        bride__port__second="livia",
    ),
    case(
        "tutor after an action",
        citadel("luciano tutor"),
        "0:guide luciano, 0:ducato, 0:play tutor chiara",
        bride__citadel__second="chiara",
        box__second=["fiammetta", "margherita", "teresa", "livia"],
    ),
    case(
        "groomsman after a marriage",
        citadel("luciano groomsman", "enrico", "franco", coins={0: 4, 1: 2, 2: 2}),
        "0:guide luciano, 1:ducato, 0:marry first, 0:play groomsman",
        coins=[3, 2, 1],
    ),
    case(
        "wine after any action",
        market("luciano wine-1"),
        "0:ducato, 0:play wine-1",
        workers__0={"green": 1},
        used__0=["wine-1"],
    ),
    case(
        "assassin after an action: a guide",
        market("luciano assassin-2", "giorgio"),
        "0:guide luciano, 0:ducato, 0:play assassin-2 seat-1",
        asked=(0, "activate"),
    ),
    case(
        "assassin after an action: an unwed bride",
        market("luciano assassin-2"),
        "0:guide luciano, 0:ducato, 0:play assassin-2 second",
        bride__market__second="chiara",
    ),
    case(
        "a used dowry object returns to the stock",
        market("luciano poison-5"),
        "0:ducato, 0:play poison-5 first",
        used__0=[],
        bride__market__first="bianca",
    ),
    case(
        "extra-worker needs the supply",
        market("luciano", borough_workers={"market": " ".join(["green"] * 11)}),
        "0:employ",
        asked=(0, "activate"),
        workers__0={"green": 11},
    ),
    # -- as a reaction to what another seat does
    case(
        "jester as a reaction",
        market("luciano jester", "enrico"),
        "0:guide luciano, 1:hire, 0:play jester port",
        common__port="merchant-1",
    ),
    case(
        "ansaldo leaves it",
        market("", "enrico", "ansaldo"),
        "1:hire, 2:play ansaldo, 2:leave",
        alley__1=["jester"],
    ),
    case(
        "ansaldo switches",
        market("", "enrico", "ansaldo"),
        "1:hire, 2:play ansaldo, 2:switch",
        alley__1=["merchant-1"],
    ),
    case(
        "gabriele as a reaction",
        market("luciano", "enrico gabriele", coins={0: 2, 1: 3}),
        "1:guide gabriele, 0:marry first, 1:play gabriele seat-0",
        coins=[1, 4, 0],
    ),
    case(
        "defamer as a reaction against A only",
        market("luciano defamer", "enrico", "franco", **RICH),
        "0:guide luciano, 0:decline, 1:marry first, 0:play defamer seat-1",
        influence=[9, 12, 9],
    ),
    case(
        "rat as a reaction",
        market("luciano rat", "enrico merchant-1", **RICH),
        "0:guide luciano, 1:guide enrico, 0:decline, 1:marry first, 0:play rat",
        guide__1="merchant-1",
        closed__1=["marry first"],
    ),
    case(
        "hag",
        market("luciano hag", "enrico"),
        "0:guide luciano, 1:marry first, 0:play hag",
        marriage_banned=True,
        closed__1=["marry first"],
    ),
    case(
        "plague-spreader",
        market("luciano plague-spreader-1", "enrico", "franco", **RICH),
        "0:guide luciano, 1:marry first, 0:play plague-spreader-1",
        charm__1=2,
        charm__2=2,
        charm__0=5,
        coins=[9, 9 - 6 + 2, 9],
    ),
    case(
        "damsel",
        market("luciano damsel-1", "enrico", **RICH),
        "0:guide luciano, 1:marry first, 0:play damsel-1",
        bride_charm_change=3,
        coins=[9, 9 - 6 + 2, 9],
    ),
    case(
        "crook",
        market("luciano crook", "enrico", **RICH),
        "0:guide luciano, 1:marry first, 0:play crook",
        lord_prestige=7,
        influence=[9, 9 - 3 + 5, 9],
    ),
    case(
        "barker",
        market("luciano barker", "enrico"),
        "0:guide luciano, 1:employ, 0:play barker",
        workers_banned=True,
        closed__1=["employ"],
    ),
    case(
        "charmer",
        market("luciano charmer", "enrico"),
        "0:guide luciano, 1:hire, 0:play charmer",
        closed__1=["hire"],
        asked=(1, "declare"),
    ),
    case(
        "tutor as a reaction",
        citadel("luciano tutor", "enrico", **RICH),
        "0:guide luciano, 1:marry first, 0:play tutor vittoria",
        couple__citadel__first=("vittoria", 1, "enrico"),
        box__first=["bianca", "ginevra", "lucrezia", "eleonora"],
    ),
    case(
        "lover",
        citadel("luciano lover", "enrico", coins={1: 4}),
        "0:guide luciano, 1:marry first, 0:play lover",
        coins=[1, 0, 0],
    ),
    case(
        "poison as a reaction",
        market("luciano poison-1", "niccolo merchant-1", favor=(1, 0, 2)),
        "1:guide niccolo, 1:employ, 0:play poison-1 seat-1",
        guide__1="merchant-1",
        workers__1={"green": 1},
    ),
]


@pytest.mark.parametrize("case", CASES)
def test_what_a_play_does(case: PlayCase) -> None:
    case.check()
