"""Table of abilities: when each can be played, at which targets, and its effect [7.6].

Whether a tile can be stopped or guarded against is in `tile_plays`.
"""
# compiled: see setup.py

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.brides_and_bribes.actions import DECLARE, DECLINE, PLAY
from engine.brides_and_bribes.position import Changes, Position
from engine.brides_and_bribes.rules import effects, targets
from engine.brides_and_bribes.tiles import KIND

Targets = Callable[[Position, int], Sequence[int]]
Effect = Callable[[Position, int, int], Changes]
Declared = str
"""The declared action that a use is for: `any`, or the first word of the action."""


class Ability(NamedTuple):
    """The effect of a kind of tile and, by window, the declared action and the legal targets."""

    effect: Effect
    uses: Mapping[str, tuple[Declared, Targets]]


ABILITIES: Final[Mapping[str, Ability]] = {
    "extra-worker": Ability(effects.gain_worker, {"after": ("employ", targets.worker_in_supply)}),
    "two-ducati": Ability(effects.gain_two_coins, {"after": ("marry", targets.coin_in_pile)}),
    "raineo": Ability(effects.gain_coin, {"after": ("any", targets.coin_in_pile)}),
    "giovanni": Ability(
        effects.exchange_workers,
        {
            "react": ("employ", targets.borough_with_worker),
            "before": ("employ", targets.borough_with_worker),
        },
    ),
    **dict.fromkeys(
        ("antonio", "jester"),
        Ability(
            effects.exchange_commons,
            {
                "react": ("hire", targets.borough_with_common),
                "before": ("hire", targets.borough_with_common),
            },
        ),
    ),
    **dict.fromkeys(
        ("ansaldo", "double"),
        Ability(
            effects.look_below,
            {"react": ("hire", targets.deck_left), "before": ("hire", targets.deck_left)},
        ),
    ),
    "gabriele": Ability(
        effects.steal_coin,
        {
            "react": ("marry", targets.bribing_seat),
            "before": ("marry", targets.seat_with_coin),
            "after": ("any", targets.seat_with_coin),
        },
    ),
    "thief": Ability(
        effects.steal_two_coins,
        {
            "react": ("marry", targets.richest_bribing_seat),
            "before": ("marry", targets.richest_seat),
            "after": ("any", targets.richest_seat),
        },
    ),
    "merchant": Ability(
        effects.sell, {"before": ("marry", targets.goods), "after": ("any", targets.goods)}
    ),
    "ring": Ability(effects.wear_ring, {"before": ("marry", targets.always)}),
    "bard": Ability(effects.sing, {"before": ("marry", targets.always)}),
    "suit": Ability(
        effects.wear_suit,
        {"order": ("any", targets.always), "before": ("marry", targets.always)},
    ),
    "archivist": Ability(
        effects.find_records,
        {"order": ("any", targets.always), "before": ("marry", targets.always)},
    ),
    "edict": Ability(effects.use_edict, {"order": ("any", targets.no_edict)}),
    "magistrate": Ability(
        effects.judge_others,
        {
            "order": ("any", targets.other_present),
            "react": ("marry", targets.other_present),
            "after": ("any", targets.other_present),
        },
    ),
    "defamer": Ability(
        effects.defame,
        {
            "order": ("any", targets.other_seat),
            "react": ("marry", targets.active_seat),
            "after": ("any", targets.other_seat),
        },
    ),
    "falconer": Ability(
        effects.open_hands,
        {"order": ("any", targets.closed_hands), "after": ("any", targets.closed_hands)},
    ),
    "rat": Ability(
        effects.send_rat,
        {
            "order": ("any", targets.other_can_change),
            "react": ("marry", targets.active_can_change),
            "after": ("any", targets.other_can_change),
        },
    ),
    "hag": Ability(effects.ban_marriage, {"react": ("marry", targets.always)}),
    "plague-spreader": Ability(effects.spread_plague, {"react": ("marry", targets.always)}),
    "damsel": Ability(effects.advise_brides, {"react": ("marry", targets.always)}),
    "crook": Ability(effects.warn_lord, {"react": ("marry", targets.always)}),
    "barker": Ability(effects.ban_workers, {"react": ("employ", targets.always)}),
    "charmer": Ability(effects.charm_away, {"react": ("any", targets.always)}),
    "beguiler": Ability(
        effects.exchange_brides,
        {
            "react": ("marry", targets.bride_elsewhere),
            "before": ("marry", targets.bride_elsewhere),
            "after": ("any", targets.any_bride_elsewhere),
        },
    ),
    "tutor": Ability(
        effects.exchange_with_box,
        {
            "react": ("marry", targets.bride_in_box),
            "before": ("marry", targets.bride_in_box),
            "after": ("any", targets.any_bride_in_box),
        },
    ),
    "groomsman": Ability(
        effects.steal_from_all,
        {
            "wedding": ("any", targets.coin_elsewhere),
            "after": ("marry", targets.coin_elsewhere),
        },
    ),
    "lover": Ability(effects.win_bride, {"wedding": ("any", targets.always)}),
    "mediator": Ability(effects.mediate, {"after": ("employ", targets.mediated_colour)}),
    "wine": Ability(effects.gain_worker, {"after": ("any", targets.worker_for_wine)}),
    **dict.fromkeys(
        ("assassin", "poison"),
        Ability(
            effects.kill,
            {
                "react": ("any", targets.active_seat),
                "before": ("marry", targets.declared_bride),
                "after": ("any", targets.any_victim),
            },
        ),
    ),
}
"""By kind of tile; guards and antidotes are missing, since they only counter."""

WINDOWS: Final = ("order", "react", "before", "wedding", "after")
"""The windows in which tiles are played."""

EFFECT: Final = tuple([ABILITIES[kind].effect if kind in ABILITIES else None for kind in KIND])
"""By tile."""


def _targets(kind: str, window: str, declared: str) -> Targets | None:
    """Return the function of the legal targets of a kind of tile, None if it cannot be played."""
    uses = ABILITIES[kind].uses if kind in ABILITIES else {}
    when, found = uses.get(window, (None, None))
    return found if when in ("any", declared.partition(" ")[0]) else None


_TARGETS: Final = {
    window: tuple(
        [tuple([_targets(kind, window, declared) for kind in KIND]) for declared in DECLARE]
    )
    for window in WINDOWS
}
"""By window, declared action and tile: the function of the legal targets; None if there is none."""


def plays(position: Position, seat: int, window: str) -> list[str]:
    """Return the legal list of a present seat in a window; empty if it has nothing to play."""
    resolution = position.resolution
    # In the window `order` nothing is declared (-1), and the rows of all actions are the same.
    by_tile = _TARGETS[window][resolution.declared]
    options: list[str] = []
    tiles = resolution.hand[seat]
    if not resolution.guide_used[seat]:  # as `usable`, without a call in a hot loop
        tiles += (resolution.guide[seat],)
    for tile in tiles:
        find = by_tile[tile]
        if find is not None:
            row = PLAY[tile]
            for argument in find(position, seat):
                options.append(row[argument])
    if options:
        options.append(DECLINE)
        options.sort()
    return options
