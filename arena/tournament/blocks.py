"""Blocks: the steps of a run.

A run must produce the same records regardless of how fast its workers are and where it was
interrupted. But three decisions depend on results: a bot with too many faults is withdrawn, a
variant with a stop rule ends when its order is certain, and a schedule such as `swiss` pairs bots
by their scores. So the schedule is cut into blocks of consecutive boards, and these decisions are
made only where a block begins, from the results of earlier blocks in schedule order. The workers
are free within a block.

A block is one of these:

- **The next boards of the schedule**, in a run that plays all its boards. Their number follows
  from `BlockSizes`. For 30 bots, the blocks have 30, 25, 25, 25, 26, 32, 40, ... boards.
- **The next boards of each variant**, in a run with a stop rule. Each variant has a
  `CertaintyCourse` that determines how many: as many as above for the variant alone, at most what
  its budget leaves, and none once its order is certain.
- **One pairing of one variant**, for a schedule that adapts to results. It is stored in the
  settings of the run (`PairedBlock`), because the field may have changed when the run is resumed
  or verified. Only the boards whose bots are all still in the field are played and count.

In the last two cases, a block begins when the one before it is over. In the first case, its boards
are known beforehand, so workers need not wait: from the third block on, a block begins while the
one before it is being finished, and withdrawals follow from the blocks before that. The second
block waits for the first, because most broken bots show up there.

Playing, resuming and verifying a run all use `Blocks.next`.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count, islice
from typing import TYPE_CHECKING

import msgspec

from arena.base.contracts import BoardScore, Field
from arena.base.errors import StoreError
from arena.base.record import Game, GameResult
from arena.plugins import get_schedule
from arena.rating.complete_boards import board_shares
from arena.schedule.plan import Board, next_pairing, plan
from arena.schedule.randomness import Randomness
from arena.tournament.games import boards, games_by_variant, games_of
from arena.tournament.settings import PairedBlock, Settings
from arena.tournament.withdrawal import Withdrawals
from engine import get_variant

if TYPE_CHECKING:
    from arena.rating.stop_rule import CertaintyCourse

BoardGames = Sequence[Game]


class Block:
    """Consecutive boards and their results so far."""

    def __init__(
        self,
        first: int,
        boards: Sequence[BoardGames],
        withdrawn: dict[str, str],
        *,
        is_sure: bool = True,
    ) -> None:
        """Create a block without results. `first` is the schedule position of its first game."""
        self.first = first
        self.boards = boards
        self.games = list(chain.from_iterable(boards))
        self.results: dict[str, GameResult] = {}
        self.withdrawn = withdrawn
        """Bots withdrawn from this block, with the reason for each."""
        self.is_sure = is_sure
        """Whether all results on which `withdrawn` depends were available."""

    @property
    def keys(self) -> list[str]:
        return [game.key for game in self.games]

    @property
    def is_over(self) -> bool:
        return len(self.results) == len(self.games)

    def withdrawn_among(self, entrants: Iterable[str]) -> dict[str, str]:
        return {name: self.withdrawn[name] for name in entrants if name in self.withdrawn}


class Blocks:
    def __init__(self, settings: Settings, chance: Randomness) -> None:
        self.settings = settings
        """The settings of the run, with all pairings so far."""
        self.courses = certainty_courses(settings)
        self.is_whole = False
        """Whether `next` has returned all blocks."""
        self.on_pairing: Callable[[Settings], object] = lambda settings: None
        """Called with the new settings after a pairing was made."""
        self.on_stored: Callable[[PairedBlock, PairedBlock], object] | None = None
        """If set, called with each stored pairing and the one that the current field would give."""
        self._chance = chance
        self._schedule = get_schedule(settings.schedule)
        self._is_sequential = bool(self.courses) or self._schedule.adapts
        self._coming = self._all()
        self._boards: Iterator[BoardGames] = iter(())
        """The boards of a run that plays them all."""
        self._planned: deque[BoardGames] = deque()
        """The next ones of `_boards`."""
        self._open: deque[Block] = deque()
        """Blocks whose results have not been counted towards decisions."""
        self._begun = self._games = 0
        self._is_sure = True
        self._withdrawals = Withdrawals()
        self._scores: dict[str, list[BoardScore]] = {each: [] for each in settings.variants}
        """With an adaptive schedule, the results of boards so far, by variant."""

    def next(self, *, wait: bool = True) -> Block | None:
        """Return the next block.

        Return None if there are no more (`is_whole`) or if it depends on unfinished games. If
        `wait` is False, a block may be returned although its withdrawals depend on unfinished
        games. Then it isn't `is_sure`, and no more bots are withdrawn.
        """
        overlap = 0 if self._is_sequential or self._begun == 1 else 1
        while len(self._open) > overlap:
            if not self._open[0].is_over:
                if wait or self._is_sequential:
                    return None
                self._is_sure = False
            block = self._open.popleft()
            if self._is_sure:
                self._count(block)
        if (found := next(self._coming, None)) is None:
            self.is_whole = True
            return None
        withdrawn = dict(self._withdrawals.reasons)
        self._open.append(Block(self._games, found, withdrawn, is_sure=self._is_sure))
        self._begun += 1
        self._games += len(self._open[-1].games)
        return self._open[-1]

    def _count(self, block: Block) -> None:
        for key in block.keys if self.settings.withdrawal else ():
            self._withdrawals.count(block.results[key])
        for board in block.boards if self._is_sequential else ():
            results = [block.results[game.key] for game in board]
            variant = get_variant(board[0].variant)
            shares = board_shares(results, variant, self.settings.ranked_by)
            if self.courses:
                self.courses[variant.id].add(shares)
            else:
                names = board[0].entrants  # by place, since this is rotation 0
                scores = tuple([float(shares.share_of(name)) for name in names])
                self._scores[variant.id].append(BoardScore(names, scores))

    def _all(self) -> Iterator[Sequence[BoardGames]]:
        """Yield the boards of each block. Advance it only when the results before the block are
        counted.
        """
        settings, chance = self.settings, self._chance
        if self._schedule.adapts:
            yield from self._paired()
        elif self.courses:
            own = {variant: self._boards_of(variant) for variant in self.courses}
            while found := [
                board
                for variant, coming in own.items()
                for board in islice(coming, self.courses[variant].block_boards)
            ]:
                yield found
        else:
            bots, played = len(settings.entrants), 0
            self._boards = (games_of(board, settings, chance) for board in boards(settings, chance))
            while True:
                size = settings.sizes.after(played, bots)
                self._planned.extend(islice(self._boards, max(0, size - len(self._planned))))
                if not self._planned:
                    return
                size = min(size, len(self._planned))
                played += size
                yield [self._planned.popleft() for _ in range(size)]

    def plan_ahead(self, boards: int) -> None:
        """Plan some of the next boards now, while workers are busy, if they are known."""
        most = self.settings.sizes.largest - len(self._planned)
        self._planned.extend(islice(self._boards, min(boards, most)))

    def _boards_of(self, variant: str) -> Iterator[BoardGames]:
        settings, chance = self.settings, self._chance
        planned = plan(self._schedule, [settings.field(variant)], settings.rounds, chance.schedule)
        for number, board in enumerate(planned, 1):
            yield games_of(msgspec.structs.replace(board, number=number), settings, chance)

    def _paired(self) -> Iterator[Sequence[BoardGames]]:
        stored = {
            (pairing.variant, pairing.round): pairing for pairing in self.settings.paired or ()
        }
        fields = [self.settings.field(variant) for variant in self.settings.variants]
        numbers = {variant: count(1) for variant in self.settings.variants}
        for number in range(self.settings.rounds):
            for field in fields:
                variant = field.variant.id
                if number % field.variant.seats:
                    continue
                pairing = stored.get((variant, number))
                if pairing:
                    _check_groups(pairing, field.variant.seats)
                    if self.on_stored:
                        self.on_stored(pairing, self._pair(field, number))
                else:
                    pairing = self._pair(field, number)
                    paired = (*(self.settings.paired or ()), pairing)
                    self.settings = msgspec.structs.replace(self.settings, paired=paired)
                    self.on_pairing(self.settings)
                boards = [
                    Board(variant, next(numbers[variant]), number, group)
                    for group in pairing.groups
                ]
                if games := [
                    games_of(board, self.settings, self._chance)
                    for board in boards
                    if set(board.entrants) <= set(field.entrants)
                ]:
                    yield games

    def _pair(self, field: Field, number: int) -> PairedBlock:
        """Return the pairing of a variant in round `number`, given the results so far."""
        variant = field.variant
        rng = self._chance.pairing(variant.id, number // variant.seats)
        groups = next_pairing(self._schedule, field, rng, self._scores[variant.id])
        return PairedBlock(variant.id, number, self._hash_of(field), groups)

    def _hash_of(self, field: Field) -> str:
        codes = {bot.name: bot.fingerprint for bot in self.settings.entrants}
        data = msgspec.json.encode([(name, codes[name]) for name in field.entrants])
        return hashlib.sha256(data).hexdigest()


def _check_groups(pairing: PairedBlock, seats: int) -> None:
    if any(not len(set(group)) == len(group) == seats for group in pairing.groups):
        raise StoreError(
            f"the pairing of {pairing.variant} in round {pairing.round} is damaged: got "
            f"{[list(group) for group in pairing.groups]!s:.200}, expected groups of {seats} bots; "
            "use a copy of the run or of the exported file"
        )


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
            settings.sizes,
        )
        for variant, (_, games) in games_by_variant(settings).items()
    }
