"""Split a run's schedule into blocks of consecutive boards.

A run must produce the same records no matter how fast its workers are or where it was
interrupted. The games of a block may be played in any order, and their results influence only
later blocks. A bot with many faults is withdrawn only from later blocks.

In runs with a stop rule or an adaptive schedule, a block begins only after the previous block
has ended. In all other runs, a block may begin while the previous block is still being played.
However, a run's second block always waits for the end of the first block, because most broken
bots are discovered there.
"""

import hashlib
from collections import Counter, deque
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
from engine import get_variant

if TYPE_CHECKING:
    from arena.rating.stop_rule import CertaintyCourse

BoardGames = Sequence[Game]
CONSECUTIVE_FAULTS = 3
FAULTY_PERCENT, MIN_GAMES = 5, 40


class Withdrawals:
    """Withdraws bots with faults in 3 consecutive games, or in at least 5% of their games if they
    have played at least 40.
    """

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        self._games: Counter[str] = Counter()
        self._faulty: Counter[str] = Counter()
        self._consecutive: Counter[str] = Counter()

    def count(self, game: GameResult) -> None:
        """Count the faults in a game. Games must be counted in schedule order."""
        kinds = {fault.seat: fault.kind for fault in game.faults}
        for seat, name in enumerate(game.entrants):
            kind = kinds.get(seat)
            if kind == "withdrawn" or name in self.reasons:
                continue
            self._games[name] += 1
            self._faulty[name] += kind is not None
            self._consecutive[name] = self._consecutive[name] + 1 if kind else 0
            games, faulty = self._games[name], self._faulty[name]
            if self._consecutive[name] >= CONSECUTIVE_FAULTS:
                self.reasons[name] = f"it had faults in {CONSECUTIVE_FAULTS} games in a row"
            elif games >= MIN_GAMES and 100 * faulty >= FAULTY_PERCENT * games:
                self.reasons[name] = f"it had faults in {faulty} of {games} games"


class Block:
    def __init__(
        self,
        first: int,
        boards: Sequence[BoardGames],
        withdrawn: dict[str, str],
        *,
        is_sure: bool = True,
    ) -> None:
        self.first = first
        self.boards = boards
        self.games = list(chain.from_iterable(boards))
        self.results: dict[str, GameResult] = {}
        self.withdrawn = withdrawn
        """Reason for each withdrawal, by bot."""
        self.is_sure = is_sure  # whether all games that could lead to a withdrawal have ended

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
        self.courses = certainty_courses(settings)
        # Called with the updated settings after a pairing.
        self.on_pairing: Callable[[Settings], object] = lambda settings: None
        # Called with a stored pairing and the same pairing recomputed from the results.
        self.on_stored: Callable[[PairedBlock, PairedBlock], object] | None = None
        self._chance = chance
        self._schedule = get_schedule(settings.schedule)
        self._is_sequential = bool(self.courses) or self._schedule.adapts
        self._coming = self._all()
        self._boards: Iterator[BoardGames] = iter(())
        self._planned: deque[BoardGames] = deque()
        self._open: deque[Block] = deque()
        self._begun = self._games = 0
        self._is_sure = True
        self._withdrawals = Withdrawals()
        self._scores: dict[str, list[BoardScore]] = {each: [] for each in settings.variants}

    def next(self, *, wait: bool = True) -> Block | None:
        """Return the next block of the schedule. Return None if the run is over or unfinished games
        must end first.

        If `wait` is false, don't wait for unfinished games whose faults might cause the
        withdrawal of a bot.
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
                names = board[0].entrants  # in rotation 0, seats equal places
                scores = tuple([float(shares.share_of(name)) for name in names])
                self._scores[variant.id].append(BoardScore(names, scores))

    def _all(self) -> Iterator[Sequence[BoardGames]]:
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
                    paired = [
                        each
                        if each.variant != variant or each.field == pairing.field
                        else msgspec.structs.replace(each, field="")
                        for each in self.settings.paired or ()
                    ]
                    self.settings = msgspec.structs.replace(
                        self.settings, paired=(*paired, pairing)
                    )
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
        variant = field.variant
        rng = self._chance.pairing(variant.id, number // variant.seats)
        groups = next_pairing(self._schedule, field, rng, self._scores[variant.id])
        codes = {bot.name: bot.fingerprint for bot in self.settings.entrants}
        data = msgspec.json.encode([(name, codes[name]) for name in field.entrants])
        return PairedBlock(variant.id, number, hashlib.sha256(data).hexdigest(), groups)


def _check_groups(pairing: PairedBlock, seats: int) -> None:
    if any(not len(set(group)) == len(group) == seats for group in pairing.groups):
        raise StoreError(
            f"the pairing of {pairing.variant} in round {pairing.round} is damaged: got "
            f"{[list(group) for group in pairing.groups]!s:.200}, expected groups of {seats} bots; "
            "use a copy of the run or of the exported file"
        )


def certainty_courses(settings: Settings) -> dict[str, "CertaintyCourse"]:
    """Return a `CertaintyCourse` for each variant, which decides when the variant stops. Return an
    empty dict if the run has no stop rule.
    """
    rule = settings.stop_rule
    if rule is msgspec.UNSET:
        return {}
    from arena.rating.stop_rule import CertaintyCourse  # imported here so that runs start faster

    return {
        variant: CertaintyCourse(
            (field := settings.field(variant)).entrants,
            games // field.variant.seats,
            rule,
            settings.sizes,
        )
        for variant, (_, games) in games_by_variant(settings).items()
    }
