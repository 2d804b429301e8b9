"""The verdict on a broken process: its fault, and what becomes of each of its games.

Where a process breaks while several of its games are under way, it is not certain which of them
broke it. So all of them are void and played again one at a time (`retries`). The game in which the
bot had to answer is its suspect: the bot is charged there if it does not break again.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from arena.protocol import Fault, FaultKind
from arena.record import Evidence

MAX_STALL_REPLAYS = 2
"""Replays of a game after host stalls. After these a time-out counts."""

Cause = FaultKind | Literal["excess"]
"""How a process broke, also before it was ready; `excess`: it exceeded a bound of its sandbox."""

Ruling = Literal["charge", "void", "suspect", "stalled"]
"""What becomes of a game: the bot is charged, or the game is void. A void game is the `suspect`
where the bot had to answer, or `stalled` where the host is to blame.
"""


class Charge(NamedTuple):
    """A fault, and what the referee saw of it."""

    fault: Fault
    evidence: Evidence
    cause: Cause


class GameFacts(NamedTuple):
    """A game that was under way in a process that broke."""

    is_asked: bool
    """Whether the first request that the process has not answered belongs to this game."""
    stall_replays: int
    """How often the game was void before because the host stalled."""


class Facts(NamedTuple):
    """What is known of a process that broke."""

    cause: Cause
    was_ready: bool
    has_stalled: bool
    """Whether the host stalled for a good part of the time that the bot had."""
    is_first_game: bool
    """Whether the process has begun one game only."""
    has_answered: bool
    """Whether a pending request is not the first of its game."""
    always_charge: bool
    """Whether the bot is charged in any case."""
    games: Sequence[GameFacts]
    """Those under way in the process, in the order in which they began."""


class Verdict(NamedTuple):
    """The kind of the fault, and the ruling on each game in the order of the facts."""

    kind: FaultKind
    rulings: Sequence[Ruling]
    is_failed_start: bool
    """Whether it counts as one of the starts that may fail."""


def judge(facts: Facts) -> Verdict:
    """Return the verdict on a broken process.

    The fault is `start` before the process was ready, `crash` for an excess, else the cause. A
    time-out is excused if the host has stalled. The first row that fits a game decides:

    | time-out excused, replays left | certain | bot asked in this game | ruling  |
    |--------------------------------|---------|------------------------|---------|
    | yes                            | any     | any                    | stalled |
    | no                             | yes     | any                    | charge  |
    | no                             | no      | yes                    | suspect |
    | no                             | no      | no                     | void    |

    It is certain which game broke the process in these cases:

    | always charge | ready | games under way | first game, or answered before | certain |
    |---------------|-------|-----------------|--------------------------------|---------|
    | yes           | any   | any             | any                            | yes     |
    | no            | no    | any             | any                            | yes     |
    | no            | yes   | 1               | yes                            | yes     |
    | no            | yes   | 1               | no                             | no      |
    | no            | yes   | 2 or more       | any                            | no      |
    """
    kind: FaultKind = "crash" if facts.cause == "excess" else facts.cause
    if not facts.was_ready:
        kind = "start"
    is_excused = facts.has_stalled and facts.cause == "timeout"
    is_certain = facts.always_charge or not facts.was_ready
    if len(facts.games) == 1:
        is_certain = is_certain or facts.is_first_game or facts.has_answered
    rulings = [_ruling(game, is_excused, is_certain) for game in facts.games]
    return Verdict(kind, rulings, kind == "start" and not is_excused)


def _ruling(game: GameFacts, is_excused: bool, is_certain: bool) -> Ruling:
    if is_excused and game.stall_replays < MAX_STALL_REPLAYS:
        return "stalled"
    if is_certain:
        return "charge"
    return "suspect" if game.is_asked else "void"
