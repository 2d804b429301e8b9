"""The table of abilities (section 7.6): what can be played when, and what it does.

What can be played is written down once more here, from the table, and compared with every list
that games ask. What each row does is tried in a position of its own.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from engine import State
from tests.engine.brides_and_bribes.play import (
    VARIANTS,
    Json,
    as_json,
    asked,
    borough,
    bride,
    coins,
    couple,
    delegation,
    events,
    influence,
    players,
    public,
    random_game,
    resolution,
    run,
    window,
    workers,
)
from tests.engine.brides_and_bribes.positions import Layout, box, position_a, resolving
from tests.engine.brides_and_bribes.table import COLOURS, PLACES, is_character, kind_of

# -- what can be played [7.5, 7.6] -----------------------------------------------------------------


@dataclass
class Moment:
    """A decision in a borough, with all that the table asks about."""

    state: State
    seat: int
    window: str
    view: Json
    rows: dict[int, Json]
    """The delegations by seat, in the order D."""
    hands: dict[int, list[str]]
    """The borough hands of all."""

    @property
    def local(self) -> Json:
        found: Json = self.view["resolution"]
        return found

    @property
    def here(self) -> Json:
        return next(b for b in self.view["boroughs"] if b["borough"] == self.local["borough"])

    @property
    def elsewhere(self) -> list[Json]:
        return [b for b in self.view["boroughs"] if b["borough"] != self.local["borough"]]

    @property
    def active(self) -> int | None:
        seat: int | None = self.local["active_seat"]
        return seat

    @property
    def others(self) -> list[int]:
        """Return the present seats other than the playing one, clockwise from it."""
        n = len(self.view["players"])
        clockwise = [(self.seat + k) % n for k in range(1, n)]
        return [s for s in clockwise if s in self.rows and self.rows[s]["guide"]]

    def player(self, seat: int) -> Json:
        found: Json = self.view["players"][seat]
        return found

    def can_change(self, seat: int) -> bool:
        row = self.rows[seat]
        unmarried = row["guide"] and not row["guide_married"]
        return bool(unmarried and any(map(is_character, self.hands[seat])))

    def declares(self, action: str) -> bool:
        """The declared action, or the completed one, is this one; `any` is not `ducato`."""
        declared = self.local["declared"]
        if action == "any":
            return bool(declared != "ducato")
        return bool(declared.split(" ")[0] == action)

    def bribe(self) -> int:
        place = self.local["declared"].split(" ")[1]
        charm = self.here["brides"][place]["charm"] + self.local["bride_charm_change"]
        own = self.rows[self.active]["charm"]
        return max(0, charm - own)


def moment_of(state: State) -> Moment | None:
    """Return the moment, if the seat to act is asked in a borough."""
    seat = state.seat_to_act
    if seat is None:
        return None
    view = as_json(state.view(seat))
    if view["resolution"] is None:
        return None
    rows = {row["seat"]: row for row in view["resolution"]["delegations"]}
    hands = {s: delegation(state, s, viewer=s)["known"] for s in rows}
    return Moment(state, seat, view["window"], view, rows, hands)


Rule = Callable[[Moment], list[str]]
"""The legal arguments of a kind; an empty text stands for none."""

YES = [""]


def when(condition: object) -> list[str]:
    return YES if condition else []


def with_coins(m: Moment, seats: list[int]) -> list[str]:
    return [f"seat-{s}" for s in seats if m.player(s)["coins"] > 0]


def thief(m: Moment) -> list[str]:
    most = max((m.player(s)["coins"] for s in m.others), default=0)
    richest = [s for s in m.others if m.player(s)["coins"] == most]
    return with_coins(m, robbed(m, richest))


def robbed(m: Moment, seats: list[int]) -> list[str]:
    """Return whom a thief or gabriele may aim at: as a reaction only A, if it must bribe."""
    if m.window != "react":
        return seats
    return [s for s in seats if s == m.active and m.bribe() > 0]


def places(m: Moment) -> list[str]:
    """Return the places that beguiler and tutor may change."""
    free = [p for p in PLACES if m.here["brides"][p] and not is_wed(m.here, p)]
    if m.window == "after":
        return free
    return [p for p in free if m.local["declared"] == f"marry {p}"]


def is_wed(there: Json, place: str) -> bool:
    return there["brides"][place]["married_seat"] is not None


def beguiler(m: Moment) -> list[str]:
    return [
        f"{p} {b['borough']}"
        for p in places(m)
        for b in m.elsewhere
        if b["brides"][p] and not is_wed(b, p)
    ]


def tutor(m: Moment) -> list[str]:
    return [bride for p in places(m) for bride in m.view["bride_box"][p]]


def merchant(m: Moment) -> list[str]:
    if not m.view["supply"]["coins"]:
        return []
    own = m.player(m.seat)
    return [c for c in COLOURS if own["workers"][c]] + ["influence"] * (own["influence"] > 0)


def mediator(m: Moment) -> list[str]:
    done = [event for event in as_json(m.state.events(None)) if event["event"] == "done"][-1]
    own, supply = m.player(m.seat)["workers"], m.view["supply"]["workers"]
    taken = [gain["what"] for gain in done["gains"] if gain["what"] in COLOURS]
    return [c for c in COLOURS if supply[c] and any(own[x] for x in taken if x != c)]


def assassin(m: Moment) -> list[str]:
    if m.window == "react":
        return [f"seat-{m.active}"]
    if m.window == "before":
        return [m.local["declared"].split(" ")[1]]
    brides = [p for p in PLACES if m.here["brides"][p]]
    return brides + [f"seat-{s}" for s in m.others if not m.rows[s]["guide_married"]]


def rat(m: Moment) -> list[str]:
    if m.window == "react":
        return when(m.can_change(m.active or 0))
    return when(any(map(m.can_change, m.others)))


def falconer(m: Moment) -> list[str]:
    closed = [s for s in m.rows if s != m.seat and not m.rows[s]["open"]]
    return when(any(m.rows[s]["hand"] for s in closed))


def own_worker_left(m: Moment) -> list[str]:
    return when(m.view["supply"]["workers"][m.here["colour"]])


def swap_commons(m: Moment) -> list[str]:
    return [b["borough"] for b in m.elsewhere if b["common"]]


def swap_workers(m: Moment) -> list[str]:
    return [b["borough"] for b in m.elsewhere if any(b["workers"].values())]


ABILITIES: dict[str, tuple[str, Rule]] = {
    "extra-worker": ("after employ", own_worker_left),
    "two-ducati": ("after marry", lambda m: when(m.view["supply"]["coins"])),
    "raineo": ("after", lambda m: when(m.view["supply"]["coins"])),
    "giovanni": ("react employ, before employ", swap_workers),
    "antonio": ("react hire, before hire", swap_commons),
    "jester": ("react hire, before hire", swap_commons),
    "ansaldo": ("react hire, before hire", lambda m: when(m.here["deck"])),
    "double": ("react hire, before hire", lambda m: when(m.here["deck"])),
    "gabriele": ("react marry, before marry, after", lambda m: with_coins(m, robbed(m, m.others))),
    "thief": ("react marry, before marry, after", thief),
    "merchant": ("before marry, after", merchant),
    "ring": ("before marry", lambda m: YES),
    "bard": ("before marry", lambda m: YES),
    "suit": ("order, before marry", lambda m: YES),
    "archivist": ("order, before marry", lambda m: YES),
    "edict": ("order", lambda m: when(not m.rows[m.seat]["edict"])),
    "magistrate": ("order, react marry, after", lambda m: when(m.others)),
    "defamer": (
        "order, react marry, after",
        lambda m: [f"seat-{s}" for s in m.others if m.window != "react" or s == m.active],
    ),
    "falconer": ("order, after", falconer),
    "rat": ("order, react marry, after", rat),
    "hag": ("react marry", lambda m: YES),
    "plague-spreader": ("react marry", lambda m: YES),
    "damsel": ("react marry", lambda m: YES),
    "crook": ("react marry", lambda m: YES),
    "barker": ("react employ", lambda m: YES),
    "charmer": ("react any", lambda m: YES),
    "beguiler": ("react marry, before marry, after", beguiler),
    "tutor": ("react marry, before marry, after", tutor),
    "groomsman": ("wedding, after marry", lambda m: when(with_coins(m, m.others))),
    "lover": ("wedding", lambda m: YES),
    "mediator": ("after employ", mediator),
    "wine": (
        "after",
        lambda m: [] if m.local["workers_banned"] else own_worker_left(m),
    ),
    "assassin": ("react any, before marry, after", assassin),
    "poison": ("react any, before marry, after", assassin),
    "guard": ("", lambda m: []),
    "antidote": ("", lambda m: []),
}


def usable(m: Moment) -> list[str]:
    row = m.rows[m.seat]
    return m.hands[m.seat] + ([] if row["guide_used"] else [row["guide"]])


def expected(m: Moment) -> list[str]:
    """Return the legal list of a play window."""
    found = ["decline"]
    for tile in usable(m):
        windows, arguments = ABILITIES[kind_of(tile)]
        for entry in windows.split(", "):
            name, _, action = entry.partition(" ")
            if name == m.window and (not action or m.declares(action)):
                found += [f"play {tile} {argument}".strip() for argument in arguments(m)]
    return sorted(set(found))


def expected_counters(m: Moment) -> list[str]:
    """Return the legal list in `counter` and `save` [7.5]."""
    pending = m.local["pending"]
    tile, player = pending["tile"], pending["seat"]
    guide = m.rows[player]["guide"] == tile and m.rows[player]["guide_married"]
    stops = is_character(tile) and kind_of(tile) != "assassin" and not guide
    guards = m.window == "save" or victim(m, pending) == m.seat
    kinds = ("assassin", "poison") * (stops and m.window == "counter")
    kinds += ("guard", "antidote") * guards
    return sorted(["decline", *[f"counter {t}" for t in usable(m) if kind_of(t) in kinds]])


def victim(m: Moment, pending: Json) -> int | None:
    if kind_of(pending["tile"]) not in ("assassin", "poison"):
        return None
    target: str = pending["target"]
    if target.startswith("seat-"):
        return int(target[-1])
    owner: int | None = m.here["brides"][target]["married_seat"]
    return None if owner == pending["seat"] else owner


def expected_declarations(m: Moment) -> list[str]:
    """Return the legal list in `declare` [7.3]."""
    found = ["ducato"]
    if any(m.here["workers"].values()) and not m.local["workers_banned"]:
        found.append("employ")
    if m.here["common"]:
        found.append("hire")
    if m.here["influence_tokens"]:
        found.append("influence")
    row = m.rows[m.seat]
    murderer = any(kind_of(tile) in ("assassin", "poison") for tile in m.hands[m.seat])
    for place in PLACES:
        there = m.here["brides"][place]
        open_to_all = there and not is_wed(m.here, place)
        can_marry = row["charm"] is not None and not m.local["marriage_banned"]
        if there and can_marry and (murderer or open_to_all):
            found.append(f"marry {place}")
    return sorted(set(found) - set(row["closed"]))


PLAY_WINDOWS = ("order", "react", "before", "wedding", "after")


def test_every_list_that_is_asked_in_a_borough_is_that_of_the_table() -> None:
    asked_in, listed = Counter[str](), Counter[tuple[str, str]]()
    for seed in range(24):
        game = random_game(VARIANTS[seed % 3], seed, lively_share=0.9)
        for state in game.moments():
            m = moment_of(state)
            if m is None:
                continue
            if m.window in PLAY_WINDOWS:
                assert state.legal_actions() == expected(m), (seed, m.window, usable(m))
            elif m.window in ("counter", "save"):
                assert state.legal_actions() == expected_counters(m), (seed, m.window)
            elif m.window == "declare":
                assert state.legal_actions() == expected_declarations(m), seed
            asked_in[m.window] += 1
            for action in state.legal_actions():
                if action.startswith("play "):
                    listed[kind_of(action.split(" ")[1]), m.window] += 1
    assert {*PLAY_WINDOWS, "counter", "save", "declare"} <= set(asked_in)
    assert len(listed) > 45  # of 62 pairs


def test_a_seat_is_passed_over_only_if_it_has_nothing_to_play() -> None:
    """R5: after the last decision of a turn nobody present had a play for the declaration."""
    for seed in range(6):
        game = random_game(VARIANTS[seed % 3], seed)
        for state in game.moments():
            m = moment_of(state)
            if m is None or m.window != "react":
                continue
            first = (m.active or 0) + 1
            n = game.variant.seats
            between = [(first + k) % n for k in range((m.seat - first) % n)]
            for seat in between:  # asked before, or with nothing to play
                if seat in m.rows and m.rows[seat]["guide"]:
                    one = Moment(state, seat, "react", m.view, m.rows, m.hands)
                    assert expected(one) == ["decline"] or was_asked(game, state, seat)


def was_asked(game: Any, state: State, seat: int) -> bool:
    """Whether a seat declined or played since the declaration; then it may have tiles left."""
    told = [event["event"] for event in as_json(state.events(None))]
    since = len(told) - told[::-1].index("declared")
    replay = game.variant.start(game.deal)
    for who, action in zip(game.seats, game.actions, strict=True):
        if len(replay.events(None)) >= since and who == seat:
            return True
        if len(replay.events(None)) > len(told):
            return False
        replay.apply(action)
    return False


# -- what a play does ------------------------------------------------------------------------------


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
        "there": lambda: {c: k for c, k in borough(state, rest)["workers"].items() if k},
        "box": lambda: box(state, rest),
        "used": lambda: players(state, "used_objects")[int(rest)],
        "alley": lambda: players(state, "alley_shown")[int(rest)],
        "asked": lambda: (state.seat_to_act, window(state)),
        "known": lambda: delegation(state, int(rest))["known"],
    }
    return read[head]()


def case(name: str, layout: Layout, where: str, decisions: str, **found: Any) -> Any:
    checks = {key.replace("__", " "): wanted for key, wanted in found.items()}
    return pytest.param(layout, where, decisions, checks, id=name)


def market(*delegations: str, **changes: Any) -> Layout:
    """Return position A with delegations of seats 0, 1, ... in the market."""
    tiles = {seat: row for seat, row in enumerate(delegations) if row}
    return position_a(delegations={"market": tiles}, **changes)


def citadel(*delegations: str, **changes: Any) -> Layout:
    tiles = {seat: row for seat, row in enumerate(delegations) if row}
    return position_a(delegations={"citadel": tiles}, **changes)


RICH = {"coins": {0: 9, 1: 9, 2: 9}, "influence": {0: 9, 1: 9, 2: 9}}

CASES = [
    case("raineo", market("raineo"), "market", "0:influence, 0:play raineo", coins=[1, 0, 0]),
    case(
        "raineo finds an empty pile",
        market("raineo", coins={1: 42}),
        "market",
        "0:influence",
        asked=(0, "activate"),
        coins=[0, 42, 0],
    ),
    case(
        "antonio and jester",
        market("luciano", "enrico jester"),
        "market",
        "1:guide enrico, 1:hire, 1:play jester citadel",
        common__citadel="merchant-1",
        alley__1=["tutor", "jester"],
        asked=(0, "declare"),
    ),
    case(
        "jester as a reaction",
        market("luciano jester", "enrico"),
        "market",
        "0:guide luciano, 1:hire, 0:play jester port",
        common__port="merchant-1",
    ),
    case(
        "ansaldo leaves it",
        market("", "enrico", "ansaldo"),
        "market",
        "1:hire, 2:play ansaldo, 2:leave",
        alley__1=["jester"],
    ),
    case(
        "ansaldo switches",
        market("", "enrico", "ansaldo"),
        "market",
        "1:hire, 2:play ansaldo, 2:switch",
        alley__1=["merchant-1"],
    ),
    case(
        "gabriele as a reaction",
        market("luciano", "enrico gabriele", coins={0: 2, 1: 3}),
        "market",
        "1:guide gabriele, 0:marry first, 1:play gabriele seat-0",
        coins=[1, 4, 0],
    ),
    case(
        "thief takes the only coin",
        market("luciano thief-1", "enrico", coins={1: 1}),
        "market",
        "0:guide luciano, 1:ducato, 0:ducato, 0:play thief-1 seat-1",
        coins=[3, 0, 0],
    ),
    case(
        "merchant sells influence",
        market("luciano merchant-1", influence={0: 2}),
        "market",
        "0:guide luciano, 0:ducato, 0:play merchant-1 influence",
        coins=[6, 0, 0],
        influence=[1, 0, 0],
    ),
    case(
        "merchant before a marriage",
        citadel("luciano merchant-1", workers={0: "red"}),
        "citadel",
        "0:guide luciano, 0:marry first, 0:play merchant-1 red",
        coins=[3, 0, 0],
        workers__0={},
        closed__0=["marry first"],
    ),
    case(
        "ring",
        citadel("luciano ring-1"),
        "citadel",
        "0:marry first, 0:play ring-1",
        influence=[5, 0, 0],
        used__0=["ring-1"],
    ),
    case(
        "bard",
        citadel("luciano bard", coins={0: 1}),
        "citadel",
        "0:guide luciano, 0:marry first, 0:play bard",
        influence=[5, 0, 0],
    ),
    case(
        "suit in the order window",
        market("luciano suit-1", "enrico"),
        "market",
        "0:play suit-1",
        prestige__0=7,
        asked=(0, "declare"),
    ),
    case(
        "suit before a marriage",
        market("luciano suit-1"),
        "market",
        "0:decline, 0:marry second, 0:play suit-1",
        influence=[3, 0, 0],
    ),
    case(
        "archivist",
        market("luciano archivist-1", "enrico"),
        "market",
        "0:guide luciano, 0:play archivist-1",
        prestige__0=6,
        asked=(0, "declare"),
    ),
    case(
        "a second edict is not playable",
        market("luciano edict-1 edict-2"),
        "market",
        "0:play edict-1",
        asked=(0, "declare"),
    ),
    case(
        "magistrate in the order window",
        market("magistrate", "enrico", "taddeo"),
        "market",
        "0:play magistrate",
        prestige__1=3,
        prestige__2=3,
        prestige__0=6,
    ),
    case(
        "magistrate also against who is not present",
        market("magistrate", "poison-1", "taddeo"),
        "market",
        "0:play magistrate",
        prestige__2=3,
    ),
    case("defamer", market("defamer", "enrico"), "market", "0:play defamer seat-1", prestige__1=2),
    case(
        "defamer as a reaction against A only",
        market("luciano defamer", "enrico", "franco", **RICH),
        "market",
        "0:guide luciano, 0:decline, 1:marry first, 0:play defamer seat-1",
        influence=[9, 12, 9],
    ),
    case(
        "falconer",
        market("falconer", "enrico giorgio", "taddeo"),
        "market",
        "1:guide enrico, 0:play falconer",
        known__1=["giorgio"],
        open__1=True,
        open__2=True,
        open__0=False,
    ),
    case(
        "rat as a reaction",
        market("luciano rat", "enrico merchant-1", **RICH),
        "market",
        "0:guide luciano, 1:guide enrico, 0:decline, 1:marry first, 0:play rat",
        guide__1="merchant-1",
        closed__1=["marry first"],
    ),
    case(
        "rat after an action",
        market("luciano", "giorgio rat", "taddeo oberto"),
        "market",
        "2:guide taddeo, 1:guide giorgio, 1:decline, 2:ducato, 0:ducato, 1:ducato, 1:play rat",
        asked=(0, "activate"),
    ),
    case(
        "hag",
        market("luciano hag", "enrico"),
        "market",
        "0:guide luciano, 1:marry first, 0:play hag",
        marriage_banned=True,
        closed__1=["marry first"],
    ),
    case(
        "plague-spreader",
        market("luciano plague-spreader-1", "enrico", "franco", **RICH),
        "market",
        "0:guide luciano, 1:marry first, 0:play plague-spreader-1",
        charm__1=2,
        charm__2=2,
        charm__0=5,
        coins=[9, 9 - 6 + 2, 9],
    ),
    case(
        "damsel",
        market("luciano damsel-1", "enrico", **RICH),
        "market",
        "0:guide luciano, 1:marry first, 0:play damsel-1",
        bride_charm_change=3,
        coins=[9, 9 - 6 + 2, 9],
    ),
    case(
        "crook",
        market("luciano crook", "enrico", **RICH),
        "market",
        "0:guide luciano, 1:marry first, 0:play crook",
        lord_prestige=7,
        influence=[9, 9 - 3 + 5, 9],
    ),
    case(
        "barker",
        market("luciano barker", "enrico"),
        "market",
        "0:guide luciano, 1:employ, 0:play barker",
        workers_banned=True,
        closed__1=["employ"],
    ),
    case(
        "charmer",
        market("luciano charmer", "enrico"),
        "market",
        "0:guide luciano, 1:hire, 0:play charmer",
        closed__1=["hire"],
        asked=(1, "declare"),
    ),
    case(
        "beguiler before a marriage",
        citadel("luciano beguiler", coins={0: 3}),
        "citadel",
        "0:guide luciano, 0:marry first, 0:play beguiler first market",
        couple__citadel__first=("caterina", 0, "luciano"),
        coins=[2, 0, 0],
    ),
    case(
        "beguiler after an action",
        citadel("luciano beguiler"),
        "citadel",
        "0:guide luciano, 0:ducato, 0:play beguiler second port",
        bride__citadel__second="paola",
        bride__port__second="livia",
    ),
    case(
        "tutor as a reaction",
        citadel("luciano tutor", "enrico", **RICH),
        "citadel",
        "0:guide luciano, 1:marry first, 0:play tutor vittoria",
        couple__citadel__first=("vittoria", 1, "enrico"),
        box__first=["bianca", "ginevra", "lucrezia", "eleonora"],
    ),
    case(
        "tutor after an action",
        citadel("luciano tutor"),
        "citadel",
        "0:guide luciano, 0:ducato, 0:play tutor chiara",
        bride__citadel__second="chiara",
        box__second=["fiammetta", "margherita", "teresa", "livia"],
    ),
    case(
        "groomsman after a marriage",
        citadel("luciano groomsman", "enrico", "franco", coins={0: 4, 1: 2, 2: 2}),
        "citadel",
        "0:guide luciano, 1:ducato, 0:marry first, 0:play groomsman",
        coins=[3, 2, 1],
    ),
    case(
        "lover",
        citadel("luciano lover", "enrico", coins={1: 4}),
        "citadel",
        "0:guide luciano, 1:marry first, 0:play lover",
        coins=[1, 0, 0],
    ),
    case(
        "wine after any action",
        market("luciano wine-1"),
        "market",
        "0:ducato, 0:play wine-1",
        workers__0={"green": 1},
        used__0=["wine-1"],
    ),
    case(
        "poison as a reaction",
        market("luciano poison-1", "niccolo merchant-1", favor=(1, 0, 2)),
        "market",
        "1:guide niccolo, 1:employ, 0:play poison-1 seat-1",
        guide__1="merchant-1",
        workers__1={"green": 1},
    ),
    case(
        "assassin after an action: a guide",
        market("luciano assassin-2", "giorgio"),
        "market",
        "0:guide luciano, 0:ducato, 0:play assassin-2 seat-1",
        asked=(0, "activate"),
    ),
    case(
        "assassin after an action: an unwed bride",
        market("luciano assassin-2"),
        "market",
        "0:guide luciano, 0:ducato, 0:play assassin-2 second",
        bride__market__second="chiara",
    ),
    case(
        "a used dowry object returns to the stock",
        market("luciano poison-5"),
        "market",
        "0:ducato, 0:play poison-5 first",
        used__0=[],
        bride__market__first="bianca",
    ),
    case(
        "extra-worker needs the supply",
        market("luciano", borough_workers={"market": " ".join(["green"] * 11)}),
        "market",
        "0:employ",
        asked=(0, "activate"),
        workers__0={"green": 11},
    ),
]


@pytest.mark.parametrize(("layout", "where", "decisions", "checks"), CASES)
def test_what_a_play_does(layout: Layout, where: str, decisions: str, checks: Json) -> None:
    state = resolving(layout, where)
    run(state, decisions)
    assert {name: value(state, name) for name in checks} == checks


# -- exchanges [7.5] -------------------------------------------------------------------------------


def test_an_antidote_protects_like_a_guard() -> None:
    layout = market("luciano assassin-2", "enrico antidote-1")
    state = resolving(layout, "market")
    run(state, "0:guide luciano, 1:employ, 0:play assassin-2 seat-1")
    asked(state, 1, "counter antidote-1, counter enrico, decline")
    run(state, "1:counter antidote-1")
    assert workers(state, 1) == {"green": 1}
    assert players(state, "used_objects")[1] == ["antidote-1"]


def test_a_guide_that_is_stopped_is_lost() -> None:
    """[7.5]: t is eliminated; if it is the guide, the seat has lost it."""
    layout = market("luciano poison-1", "merchant-1 niccolo", influence={1: 3})
    state = resolving(layout, "market")
    run(state, "1:guide merchant-1, 1:ducato, 1:play merchant-1 influence, 0:counter poison-1")
    assert (influence(state), coins(state)) == ([0, 3, 0], [0, 1, 0])
    assert delegation(state, 1)["guide"] == "niccolo"
    assert "merchant-1" in players(state, "alley_shown")[1]


def test_assassins_and_objects_are_not_stopped() -> None:
    layout = market("luciano assassin-1", "enrico assassin-2 wine-1")
    state = resolving(layout, "market")
    run(state, "0:guide luciano, 1:guide enrico, 1:ducato, 1:play wine-1")
    asked(
        state, 1, "decline, play assassin-2 first, play assassin-2 seat-0, play assassin-2 second"
    )
    run(state, "1:play assassin-2 first")
    assert bride(state, "market first") == "bianca"
    assert (state.seat_to_act, window(state)) == (0, "declare")


def test_a_married_guide_cannot_be_stopped_and_is_no_target() -> None:
    """R32: it keeps its ability; an assassin can only aim at its bride."""
    layout = citadel("mario suit-1", "enrico poison-1", coins={0: 9}, influence={0: 9})
    state = resolving(layout, "citadel")
    run(state, "0:play suit-1, 0:marry first, 1:decline")
    asked(state, 0, "decline, play mario")
    run(state, "0:play mario")
    assert coins(state)[0] == 9 - 4 + 1 + 2
    run(state, "1:ducato")
    asked(state, 1, "decline, play poison-1 first, play poison-1 second")
    run(state, "1:play poison-1 first")
    assert delegation_or_none(state, 0) is None
    assert influence(state)[0] == 9 + 5 - 3


def test_a_rat_leaves_a_married_guide_alone() -> None:
    """R39: seat 2 must change; seat 0 could, but its guide is married."""
    layout = citadel("mario matteo", "niccolo rat", "franco oberto", coins={0: 4})
    state = resolving(layout, "citadel")
    run(state, "2:guide franco, 0:guide mario, 1:guide niccolo, 1:decline, 0:marry first")
    asked(state, 1, "decline, play rat")
    run(state, "1:decline, 0:decline, 1:ducato")
    asked(state, 1, "decline, play rat")
    run(state, "1:play rat")
    assert [delegation(state, seat)["guide"] for seat in range(3)] == ["mario", "niccolo", "oberto"]
    assert (state.seat_to_act, window(state)) == (2, "declare")


def test_a_rat_that_nobody_minds_is_not_playable() -> None:
    """R39: the only other guide is married, or has no character beside it."""
    state = resolving(citadel("mario matteo", "niccolo rat", coins={0: 4}), "citadel")
    run(state, "0:guide mario, 1:guide niccolo, 1:decline, 0:marry first, 1:decline, 0:decline")
    run(state, "1:ducato")
    assert (state.seat_to_act, window(state)) == (0, "activate")
    state = resolving(citadel("mario ring-1", "niccolo rat"), "citadel")
    run(state, "1:guide niccolo")
    assert (state.seat_to_act, window(state)) == (0, "declare")


def delegation_or_none(state: State, seat: int) -> str | None:
    local = public(state)["resolution"]
    if local is None:
        return None
    guide: str | None = next(r["guide"] for r in local["delegations"] if r["seat"] == seat)
    return guide


def test_a_saved_tile_works() -> None:
    layout = market("luciano poison-1", "enrico merchant-1 antidote-1", influence={1: 3})
    state = resolving(layout, "market")
    run(state, "1:guide enrico, 1:ducato, 1:play merchant-1 influence, 0:counter poison-1")
    asked(state, 1, "counter antidote-1, counter enrico, decline")
    run(state, "1:counter enrico")
    assert delegation_or_none(state, 1) == "enrico"
    assert coins(state)[1] == 6
    assert [event["how"] for event in events(state, "countered")] == ["stop", "save"]


def test_all_others_may_counter_the_active_seat() -> None:
    """[7.5]: in `after` the others are asked in turn, and one stop is enough."""
    layout = market("luciano poison-1", "enrico merchant-1", "franco poison-2", influence={1: 3})
    state = resolving(layout, "market")
    run(state, "1:guide enrico, 1:ducato, 1:play merchant-1 influence")
    asked(state, 2, "counter poison-2, decline")
    run(state, "2:decline")
    asked(state, 0, "counter poison-1, decline")
    run(state, "0:counter poison-1")
    assert influence(state)[1] == 3
