"""Portions of a schedule: the steps in which withdrawals and the end of a run are decided.

A run must produce the same records regardless of how fast its workers are and where it was
interrupted. But two decisions depend on results: a bot with too many faults is withdrawn, and
with a stop rule a variant ends when its order is certain. So the schedule is cut into portions
of consecutive boards, and both decisions look at whole portions in schedule order:

    portion                          0         1          2           3        4
    boards                        1 .. 25 | 26 .. 75 | 76 .. 175 | 176 .. 375 | ...
    withdrawals follow from       nothing |    0     |     0     |   0 and 1  | 0 to 2
    with a stop rule, boards too  nothing |    0     |  0 and 1  |   0 to 2   | 0 to 3

- **Withdrawals** from a portion depend on earlier portions but not on the one just before it, so
  it doesn't have to wait for the last games of that one. Only the second portion waits for the
  first, because most broken bots show up there.
- **Without a stop rule**, the boards of all portions follow from the settings. Portions grow as
  defined by `PortionSizes`.
- **With a stop rule**, each variant has a `CertaintyCourse`, which determines how many of its
  boards come next: none once its order is certain. A portion consists of the next boards of each
  variant. It is known when the portion before it is over.

Playing, resuming and verifying a run use the same two functions: `Portions.extend` returns the
next portion, and `Portions.decide` determines its withdrawals. Results are stored in the
portion.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

import msgspec

from arena.base.record import Game, GameResult
from arena.plugins import get_schedule
from arena.rating.complete_boards import board_shares
from arena.schedule.plan import plan
from arena.schedule.randomness import Randomness
from arena.tournament.games import boards, games_by_variant, games_of
from arena.tournament.settings import Settings
from arena.tournament.withdrawal import Withdrawals
from engine import get_variant

if TYPE_CHECKING:
    from arena.rating.stop_rule import CertaintyCourse

BoardGames = Sequence[Game]


class Portion:
    """The games of consecutive boards, and the results so far."""

    def __init__(self, number: int, first: int, boards: Sequence[BoardGames]) -> None:
        """Start without results.

        `number` counts the earlier portions. `first` is the schedule position of the first game.
        """
        self.number = number
        self.first = first
        self.boards = boards
        self.games = list(chain.from_iterable(boards))
        self.results: dict[str, GameResult] = {}
        self.withdrawn: dict[str, str] = {}
        """The reason for each withdrawn bot, known after `Portions.decide`."""

    @property
    def keys(self) -> list[str]:
        return [game.key for game in self.games]

    @property
    def is_over(self) -> bool:
        return len(self.results) == len(self.games)

    def withdrawn_among(self, entrants: Iterable[str]) -> dict[str, str]:
        return {name: self.withdrawn[name] for name in entrants if name in self.withdrawn}


class Portions:
    def __init__(
        self, settings: Settings, boards_of: Callable[[str | None], Iterator[BoardGames]]
    ) -> None:
        """Start before the first portion.

        `boards_of` returns the boards of a variant, or of the whole run for None, in schedule
        order.
        """
        self.courses = certainty_courses(settings)
        self.is_whole = False
        self._boards = {variant: boards_of(variant) for variant in self.courses or (None,)}
        self._planned: deque[BoardGames] = deque()
        self._sizes, self._result = settings.sizes, settings.ranked_by
        self._begun = self._games = self._boards_before = 0
        self._last: Portion | None = None
        """With a stop rule, the portion after which the next look takes place."""
        self._withdraws = settings.withdrawal
        self._withdrawals = Withdrawals()
        self._uncounted: deque[Portion] = deque()
        """Portions whose faults don't count towards withdrawals yet."""

    def extend(self) -> Portion | None:
        """Return the next portion.

        None means that there are no more (`is_whole`), or that the next one depends on unfinished
        games of the last one.
        """
        if self._last and not self._look(self._last):
            return None
        if not (found := list(self._next_boards())):
            self.is_whole = True
            return None
        portion = Portion(self._begun, self._games, found)
        self._begun += 1
        self._games += len(portion.games)
        self._boards_before += len(found)
        self._uncounted.append(portion)
        self._last = portion if self.courses else None
        return portion

    def _look(self, portion: Portion) -> bool:
        if not portion.is_over:
            return False
        for board in portion.boards:
            results = [portion.results[game.key] for game in board]
            variant = get_variant(board[0].variant)
            self.courses[variant.id].add(board_shares(results, variant, self._result))
        self._last = None
        return True

    def _next_boards(self) -> Iterator[BoardGames]:
        for variant, coming in self._boards.items():
            if variant is not None:
                yield from islice(coming, self.courses[variant].portion_boards)
                continue
            for _ in range(self._sizes.after(self._boards_before)):
                board = self._planned.popleft() if self._planned else next(coming, None)
                if board is None:
                    return
                yield board

    def plan_ahead(self, boards: int) -> None:
        """Plan some of the next boards now, because workers have to wait during `extend`.

        Plan at most one portion of the largest size. With a stop rule, the next boards aren't known
        yet.
        """
        if None in self._boards:
            most = min(boards, self._sizes.largest - len(self._planned))
            self._planned.extend(islice(self._boards[None], most))

    def decide(self, portion: Portion) -> bool:
        """Determine the withdrawals from a portion, and return whether they are final.

        If some deciding games are missing, use the withdrawals known so far. Call this in order of
        portions.
        """
        after = min(portion.number, max(1, portion.number - 1))
        is_decided = True
        while is_decided and self._begun - len(self._uncounted) < after:
            if is_decided := self._uncounted[0].is_over:
                counted = self._uncounted.popleft()
                for key in counted.keys if self._withdraws else ():
                    self._withdrawals.count(counted.results[key])
        portion.withdrawn = dict(self._withdrawals.reasons)
        return is_decided


def scheduled_portions(settings: Settings, chance: Randomness) -> Portions:
    def boards_of(variant: str | None) -> Iterator[BoardGames]:
        if variant is None:
            return (games_of(board, settings, chance) for board in boards(settings, chance))
        planned = plan(
            get_schedule(settings.schedule),
            [settings.field(variant)],
            settings.rounds,
            chance.schedule,
        )
        return (
            games_of(msgspec.structs.replace(board, number=number), settings, chance)
            for number, board in enumerate(planned, 1)
        )

    return Portions(settings, boards_of)


def certainty_courses(settings: Settings) -> dict[str, "CertaintyCourse"]:
    """Return a new course for each variant. Empty in a run without a stop rule."""
    rule = settings.stop_rule
    if rule is msgspec.UNSET:
        return {}
    from arena.rating.stop_rule import CertaintyCourse  # not above: runs start faster

    return {
        variant: CertaintyCourse(
            (field := settings.field(variant)).entrants,
            games // field.variant.seats,
            rule,
            (settings.sizes.initial, settings.sizes.largest),
        )
        for variant, (_, games) in games_by_variant(settings).items()
    }
