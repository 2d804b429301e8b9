"""Memory of a seat: what the events that it was told prove about hidden tiles [10].

The rules note the same proofs in a position as a game goes on (see `Position.proofs`). A bot has
no such position, so its memory follows the events. A tile whose place is known, but not which it
is, is a *token*, a number below 0. When it is shown, the proofs about it are about that tile.
"""
# compiled: see setup.py

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position import CHARACTER, KILLER, OBJECTS
from engine.brides_and_bribes.tiles import BRIDE_TYPE, BRIDES, KIND, NONE, NUMBER

Told = Mapping[str, Any]
"""An event, with lists and objects of JSON."""

_LASTING = frozenset(["start", "round", "switched", "married", "murdered", "moved_up", "bride"])
"""The kinds of events that are remembered beyond a round."""


class Memory:
    """What a seat remembers: tiles and tokens by place, and the proofs about them."""

    def __init__(self, parameters: Parameters, events: Sequence[object]) -> None:
        """Follow `events`, all that a seat was told; without the first ones, remember nothing."""
        self.parameters = parameters
        self.last_token = 0
        # -- the game
        self.seen: set[int] = set()
        """The commons that were face up at some time."""
        self.tails: tuple[list[int], list[int]] = ([], [])
        """By place: the brides at the back of its box whose order is known."""
        self._brides: dict[tuple[str, str], int] = {}
        """By borough and place."""
        self._wed: set[tuple[str, str]] = set()
        # -- the round
        self._sent: dict[tuple[int, str], list[int]] = {}
        self._begin_round()
        # -- the resolution of a borough
        self._begin_borough("")
        told: list[Told] = [
            event if isinstance(event, dict) else msgspec.to_builtins(event, str_keys=True)
            for event in events
        ]
        kinds = [event["event"] for event in told]
        if kinds and kinds[0] == "start":
            this_round = len(kinds) - 1 - kinds[::-1].index("round") if "round" in kinds else 0
            for number, kind in enumerate(kinds):
                if number >= this_round or kind in _LASTING:
                    self._follow(kind, told[number])

    def _begin_round(self) -> None:
        self.alleys: list[list[int]] = [[] for _ in range(self.parameters.seats)]
        """By seat: the tokens of its alley that were not shown, in the order of their coming."""
        self.proofs: list[tuple[str, list[int]]] = []
        self._sent.clear()

    def _begin_borough(self, borough: str) -> None:
        seats = self.parameters.seats
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        """By seat: the tiles and tokens of its borough hand."""
        self.exposed: set[int] = set()
        """Tiles of borough hands that all seats have seen."""
        self._borough = borough
        self._guides = [NONE] * seats
        self._is_used = [False] * seats
        self._is_married = [False] * seats
        self._active = NONE
        self._may_replace: list[int] = []
        """The seats that may be about to take another guide, in order."""

    def _follow(self, kind: str, event: Told) -> None:
        """Remember what an event of this kind tells."""
        if self._may_replace and kind != "guide_new":
            self.settle()
        if kind == "start":
            for borough, *brides in zip(
                event["boroughs"], event["first_brides"], event["second_brides"], strict=True
            ):
                self._brides[borough, "first"] = BRIDES.index(brides[0])
                self._brides[borough, "second"] = BRIDES.index(brides[1])
            self.seen.update([NUMBER[common] for common in event["commons"]])
        elif kind == "round":
            self._begin_round()
            self.seen.update([NUMBER[common] for common in event["commons"].values() if common])
        elif kind == "switched":
            self.seen.add(NUMBER[event["common"]])
        elif kind in ("sent", "reinforced"):
            tile = event["tile"]
            sent = self._sent.setdefault((event["seat"], event["place"]), [])
            sent.append(self._new_token() if tile is None else NUMBER[tile])
        elif kind == "passed":
            self.alleys[event["seat"]] += [self._new_token() for _ in range(event["tiles"])]
        elif kind == "ship":
            seat, shown = event["seat"], [NUMBER[tile] for tile in event["characters"]]
            sent = self._sent.get((seat, f"ship-{event['ship']}"), [])
            objects = [tile for tile in sent if tile not in shown][: event["objects"]]
            self.alleys[seat] += objects
            self._prove(OBJECTS, objects)
        elif kind in ("married", "murdered", "moved_up", "bride"):
            self._follow_brides(kind, event)
        else:
            self._follow_borough(kind, event)

    def _follow_borough(self, kind: str, event: Told) -> None:
        """Remember what an event of the resolution of a borough tells [7]."""
        if kind == "activated":
            self._begin_borough(event["borough"])
        elif kind == "guides":
            for name, guide in event["guides"].items():
                self._reveal_guide(int(name), guide)
        elif kind == "declared":
            seat = self._active = event["seat"]
            verb, _, place = event["action"].partition(" ")
            if verb == "marry" and (self._borough, place) in self._wed:
                self._prove(KILLER, self.hands[seat])
        elif kind == "played":
            if KIND[NUMBER[event["tile"]]] == "rat":
                self._prove_change(event["seat"])
            self._spend(event["seat"], event["tile"])
        elif kind == "countered":
            self._spend(event["seat"], event["tile"])
        elif kind == "effect":
            if KIND[NUMBER[event["tile"]]] == "rat":
                others = self._others(event["seat"])
                self._may_replace = [other for other in others if not self._is_married[other]]
        elif kind == "opened":
            for tile in event["tiles"]:
                self._show(event["seat"], NUMBER[tile])
                self.exposed.add(NUMBER[tile])
        elif kind == "guide_lost":
            seat = event["seat"]
            self._guides[seat] = NONE
            self._is_married[seat] = False
            self._may_replace = [seat]
        elif kind == "guide_new":
            self._replace_guide(event["seat"], NUMBER[event["tile"]])
        elif kind == "borough_end":
            for seat, hand in enumerate(self.hands):
                self.alleys[seat] += [token for token in hand if token < 0]
            self._begin_borough("")

    def _follow_brides(self, kind: str, event: Told) -> None:
        """Remember who is married, and which brides went to the back of a box [7.8]."""
        spot = event["borough"], event.get("place", "second")
        if kind == "married":
            self._wed.add(spot)
            self._is_married[event["seat"]] = True
        elif kind == "murdered":
            self._wed.discard(spot)
            self._put_back(self._brides.pop(spot, NONE))
        elif kind == "moved_up":
            first = (event["borough"], "first")
            self._wed.discard(spot)
            self._wed.add(first)
            if spot in self._brides:
                self._brides[first] = self._brides.pop(spot)
        else:
            old, new = self._brides.get(spot, NONE), BRIDES.index(event["bride"])
            self._brides[spot] = new
            tail = self.tails[BRIDE_TYPE[new]]
            if new in tail:
                tail.remove(new)
            if old not in self._brides.values():  # else two brides changed places
                self._put_back(old)

    def _put_back(self, bride: int) -> None:
        """Remember that a bride went to the back of her box."""
        if bride != NONE:
            self.tails[BRIDE_TYPE[bride]].append(bride)

    def _new_token(self) -> int:
        self.last_token -= 1
        return self.last_token

    def _others(self, seat: int) -> list[int]:
        """Return the present seats other than `seat`, clockwise from it."""
        return [other for other in self.parameters.after[seat] if self._guides[other] != NONE]

    def _prove(self, what: str, tiles: Sequence[int]) -> None:
        if tiles:
            self.proofs.append((what, list(tiles)))

    def _prove_change(self, seat: int) -> None:
        """Remember that a rat is only played where another seat can change its guide [7.6]."""
        others = self._others(seat) if self._active in (NONE, seat) else [self._active]
        hands = [self.hands[other] for other in others if not self._is_married[other]]
        self._prove(CHARACTER, [tile for hand in hands for tile in hand])

    def settle(self) -> None:
        """Remember that the seats that did not take another guide have objects only."""
        for seat in self._may_replace:
            self._prove(OBJECTS, self.hands[seat])
        self._may_replace = []

    def settle_before(self, seat: int) -> None:
        """Do so for those that were asked before `seat`, which is asked to take one."""
        if seat in self._may_replace:
            number = self._may_replace.index(seat)
            self._may_replace, later = self._may_replace[:number], self._may_replace[number + 1 :]
            self.settle()
            self._may_replace = later

    # -- borough hands ------------------------------------------------------------------------

    def _show(self, seat: int, tile: int) -> None:
        """Remember that `tile` is in the borough hand of a seat: one of its tokens is this tile."""
        hand = self.hands[seat]
        if tile not in hand:
            token = min(hand)
            for tiles in [hand, *[row for _, row in self.proofs]]:
                if token in tiles:
                    tiles[tiles.index(token)] = tile

    def _reveal_guide(self, seat: int, guide: str | None) -> None:
        hand = self.hands[seat] = self._sent.get((seat, self._borough), [])
        if guide is None:
            self._prove(OBJECTS, hand)
        else:
            self._guides[seat] = NUMBER[guide]
            self._show(seat, NUMBER[guide])
            hand.remove(NUMBER[guide])

    def _spend(self, seat: int, name: str) -> None:
        """Remember that a seat has spent a tile: its guide, or one of its borough hand."""
        tile = NUMBER[name]
        if tile == self._guides[seat]:
            self._is_used[seat] = True
        else:
            self._show(seat, tile)
            self.hands[seat].remove(tile)

    def _replace_guide(self, seat: int, guide: int) -> None:
        """Remember a new guide; the old one, if it was unused, is back in the hand [7.7]."""
        self.settle_before(seat)
        self._show(seat, guide)
        self.hands[seat].remove(guide)
        self.exposed.discard(guide)
        old, self._guides[seat] = self._guides[seat], guide
        if old != NONE and not self._is_used[seat]:
            self.hands[seat].append(old)
            self.exposed.add(old)
        self._is_used[seat] = False
