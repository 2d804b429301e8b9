"""What can be played (sections 7.5 and 7.6): every list that games ask is that of the table.

The table of abilities is written down once more here, to be compared with these lists.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import State
from tests.engine.brides_and_bribes.play import VARIANTS, delegation, random_game
from tests.engine.brides_and_bribes.table import COLOURS, PLACES, is_character, kind_of
from tests.engine.games import Json, as_json


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
        """Return what the active seat must pay for the bride that it has declared to marry."""
        assert self.active is not None
        place = self.local["declared"].split(" ")[1]
        charm: int = self.here["brides"][place]["charm"] + self.local["bride_charm_change"]
        own: int = self.rows[self.active]["charm"]
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


def robbed(m: Moment, seats: list[int]) -> list[int]:
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


# -- games ask for it --------------------------------------------------------------------------

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
    """R5: after the last decision of a turn no present seat had a play for the declaration."""
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
