"""Check the games of a run against the rules and against the run's settings.

The engine replays each game from its actions and faults. The schedule, keys and withdrawals are
recomputed from the run's settings and, where they depend on results, from earlier games.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, zip_longest
from typing import NamedTuple

import msgspec

from arena.base.protocol import Fault
from arena.base.record import Game, GameRecord, GameResult, as_game, key_of, result_of
from arena.match.referee import record_of, referee, start_game
from arena.match.seats import Answer, Reply
from arena.schedule.randomness import Randomness
from arena.tournament.blocks import Block, Blocks
from arena.tournament.settings import PairedBlock, Settings
from engine import EngineError, get_variant

MAX_AHEAD = 10_000
"""Maximum number of games for which the schedule is computed ahead. The limit protects against
forged files with endless schedules.
"""
SCHEDULED_FIELDS = ("variant", "board", "rotation", "entrants", "seeds", "deal")


class ScheduledGame(NamedTuple):
    position: int
    game: Game
    block: Block


class KnownSchedule:
    """The schedule of a run, which is computed lazily.

    In some runs, the next block is known only after `note` has been called for each game of the
    block.
    """

    def __init__(self, settings: Settings, chance: Randomness) -> None:
        self.blocks = Blocks(settings, chance)
        self.blocks.on_stored = self._check_pairing
        self.wrong_pairings: list[str] = []
        self.unchecked_pairings = 0
        """Number of stored pairings that can't be checked, because the code of the bots has
        changed since.
        """
        self._unchanged: set[str] = set()
        self._known: list[Block] = []
        self._scheduled: dict[str, ScheduledGame] = {}
        self._ahead = 0

    def find(self, key: str) -> ScheduledGame | None:
        """Return the game with this key, or None if it is too far ahead or not in the schedule at
        all.
        """
        while key not in self._scheduled:
            if self._ahead > MAX_AHEAD or not self._extend():
                return None
        return self._scheduled[key]

    def note(self, key: str, result: GameResult) -> None:
        self._scheduled[key].block.results[key] = result
        self._ahead -= 1

    def forget(self) -> Iterator[str]:
        for block in [block for block in self._known if block.is_over]:
            self._known.remove(block)
            for key in block.keys:
                del self._scheduled[key]
                yield key

    def games(self) -> Iterator[Game]:
        for number in count():
            if number == len(self._known) and not self._extend():
                return
            yield from self._known[number].games

    def _check_pairing(self, stored: PairedBlock, expected: PairedBlock) -> None:
        where = f"pairing of {stored.variant} in round {stored.round}"
        if stored.field == expected.field:
            self._unchanged.add(stored.variant)
            if stored.groups != expected.groups:
                self.wrong_pairings.append(f"{where}: {_got(stored.groups, expected.groups)}")
        elif stored.variant in self._unchanged:
            self.wrong_pairings.append(
                f"{where}: hash of the bots: {_got(stored.field, expected.field)}"
            )
        else:
            self.unchecked_pairings += 1

    def _extend(self) -> bool:
        if (block := self.blocks.next(wait=False)) is None:
            return False
        self._known.append(block)
        self._ahead += len(block.games)
        for position, game in enumerate(block.games, block.first):
            self._scheduled[game.key] = ScheduledGame(position, game, block)
        return True


class Difference(msgspec.Struct, frozen=True):
    game: str
    move: int | None
    """Number of the action, from 1, or None if the difference isn't in a single action."""
    text: str

    def __str__(self) -> str:
        where = f"{self.game}, move {self.move}" if self.move else self.game
        return shown(f"{where}: {self.text}", MAX_DIFFERENCE_CHARS)


def verify(record: GameRecord) -> Iterator[Difference]:
    try:
        again = replayed(record)
    except (EngineError, ValueError, RecursionError) as error:
        yield Difference(record.title, None, str(error))
        return
    for move, (got, expected) in enumerate(zip_longest(record.actions, again.actions), 1):
        if got != expected:
            text = f"{_got(repr(got), repr(expected))} by the rules and the recorded faults"
            yield Difference(record.title, move, text)
            return
    for field in record.__struct_fields__:
        got, expected = [_plain(getattr(one, field)) for one in (record, again)]
        if got != expected:
            yield Difference(
                record.title, None, f"{field.replace('_', ' ')}: {_got(got, expected)}"
            )
            return


def replayed(record: GameRecord) -> GameRecord:
    """Replay a game from the actions and faults in its record.

    Raises `EngineError` or `ValueError` if the record is invalid.
    """
    state = start_game(record.variant, record.deal)
    variant = state.variant
    if record.rules_version != variant.rules_version:
        raise ValueError(
            f"played under rules version {record.rules_version}, expected version "
            f"{variant.rules_version}"
        )
    if not len(record.entrants) == len(record.seeds) == variant.seats:
        raise ValueError(f"expected {variant.seats} entrants and seeds")
    faults = {(fault.action, fault.seat): Fault(fault.kind, fault.text) for fault in record.faults}
    refereeing = referee(state, deaf=range(variant.seats))
    turns = Counter[int]()
    answer: Answer | None = None
    try:
        while True:
            asked = refereeing.send(answer)  # type: ignore[arg-type]  # None starts a generator
            answer = faults.get((asked.move, asked.seat))
            if answer and answer.kind == "withdrawn" and turns[asked.seat]:
                raise ValueError(f"seat {asked.seat} is withdrawn after an action of its own")
            if answer is None and asked.move == len(record.actions):
                raise ValueError(f"the record ends, but seat {asked.seat} is to act")
            turns[asked.seat] += 1
            answer = answer or Reply(record.actions[asked.move])
    except StopIteration as stop:
        again = record_of(as_game(record), state, stop.value)
    return msgspec.structs.replace(again, notes=record.notes)


def _plain(value: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(value))


def _got(value: object, expected: object) -> str:
    return f"got {shown(value)}, expected {shown(expected)}"


class GameChecks:
    def __init__(self, settings: Settings, chance: Randomness | None) -> None:
        """Prepare to check a run. Without `chance`, the schedule isn't checked."""
        self._settings = settings
        self._fingerprints = {entrant.name: entrant.fingerprint for entrant in settings.entrants}
        self._schedule = KnownSchedule(settings, chance) if chance else None
        self._first: GameRecord | None = None
        self._checked: set[int] = set()
        self._last = -1
        self._is_lost = False

    def check(self, record: GameRecord, position: int | None) -> Iterator[Difference]:
        """Yield the differences found in a game. An export has no `position` for its games."""
        yield from verify(record)
        for text in self._check(record, position):
            yield Difference(record.title, None, text)

    def _check(self, record: GameRecord, position: int | None) -> Iterator[str]:
        if self._schedule:
            self._checked.difference_update(map(hash, self._schedule.forget()))
        if self.has(record):
            yield "the game occurs twice"
            return
        self._checked.add(hash(record.key))
        if unknown := self._unknown(record):
            yield unknown
        elif self._schedule is None:
            yield from self._check_board(record)
        elif found := self._schedule.find(record.key):
            yield from self._check_schedule(record, position, found)
        else:
            yield from self._check_unscheduled(record, self._schedule)
        if self._schedule and self.fits_leaderboard(record):
            self._schedule.note(record.key, result_of(record))

    def has(self, record: GameRecord) -> bool:
        return hash(record.key) in self._checked

    def fits_leaderboard(self, record: GameRecord) -> bool:
        """Return whether the record can be included in a leaderboard. It may still be wrong."""
        if self._unknown(record):
            return False
        place: Game | GameRecord = self._first_of_board(record)
        if self._schedule is not None:
            if (scheduled := self._schedule.find(record.key)) is None:
                return False
            place = scheduled.game
        seats = len(record.entrants)
        return (
            (place.variant, place.board) == (record.variant, record.board)
            and places(place) == places(record)
            and len({*record.entrants}) == len(record.points) == len(record.ranks) == seats
            and record.win_weight > 0
            and all(0 <= fault.seat < seats for fault in record.faults)
        )

    def pairings(self) -> tuple[list[str], int]:
        if self._schedule is None:
            return [], 0  # a notice already reports this
        return self._schedule.wrong_pairings, self._schedule.unchecked_pairings

    def missing(self) -> Iterator[Difference]:
        for game in self._schedule.games() if self._schedule else ():
            if hash(game.key) not in self._checked:
                yield Difference(game.title, None, "the game is missing")

    def _unknown(self, record: GameRecord) -> str:
        if record.variant not in self._settings.variants:
            return f"variant: got {record.variant!r}, expected one of the run"
        seats = get_variant(record.variant).seats
        if len(record.entrants) != seats or not 0 <= record.rotation < seats:
            return f"expected {seats} entrants and a rotation below that"
        if names := [name for name in record.entrants if name not in self._fingerprints]:
            return f"entrants: got {names[0]!r}, expected a bot of the run"
        return ""

    def _check_schedule(
        self, record: GameRecord, position: int | None, found: ScheduledGame
    ) -> Iterator[str]:
        expected = found.position
        for field in SCHEDULED_FIELDS:
            got, scheduled = (_as_json(getattr(game, field)) for game in (record, found.game))
            if got != scheduled:
                yield f"{field}: {_got(got.decode(), scheduled.decode())}"
        withdrawn = result_of(record).withdrawn
        due = found.block.withdrawn_among(record.entrants)
        if found.block.is_sure and withdrawn != due:
            yield f"withdrawn bots: got {_reasons(withdrawn)}, expected {_reasons(due)}"
        if position is None and expected < self._last:
            yield "the game is not in schedule order: it comes after a later one"
        elif position not in (None, expected):
            yield f"position: {_got(position, expected)}"
        self._last = expected

    def _first_of_board(self, record: GameRecord) -> GameRecord:
        first = self._first
        if first and (first.variant, first.board) == (record.variant, record.board):
            return first
        return record

    def _check_unscheduled(self, record: GameRecord, schedule: KnownSchedule) -> Iterator[str]:
        if schedule.blocks.is_whole:
            yield f"key: {_got(record.key, 'one of the schedule')}"
        elif not self._is_lost:
            self._is_lost = True
            yield (
                f"key: got {shown(record.key)}, expected a game that is missing before it, or one "
                "that has not been checked yet; later games may depend on a missing one, and are "
                "not compared with the schedule"
            )

    def _check_board(self, record: GameRecord) -> Iterator[str]:
        bots = tuple([(name, self._fingerprints[name]) for name in record.entrants])
        variant = get_variant(record.variant)
        key = key_of(variant, record.board, record.deal, self._settings.limits, bots)
        if record.key != key:
            yield f"key: got {shown(record.key)}, expected {key} for this deal"
        first = self._first = self._first_of_board(record)
        if _as_json(first.deal) != _as_json(record.deal):
            yield f"deal: differs from rotation {first.rotation} of the board"
        if places(first) != places(record):
            yield f"entrants: differ from rotation {first.rotation} of the board"


def places(record: Game | GameRecord) -> Sequence[str]:
    seats = len(record.entrants)
    return [record.entrants[(place + record.rotation) % seats] for place in range(seats)]


def _reasons(withdrawn: dict[str, str]) -> str:
    return shown("; ".join([f"{name} ({why})" for name, why in withdrawn.items()]) or "none")


def _as_json(value: object) -> bytes:
    return msgspec.json.encode(value)


MAX_SHOWN_CHARS = 200
MAX_DIFFERENCE_CHARS = 1_000


def shown(value: object, chars: int = MAX_SHOWN_CHARS) -> str:
    text = str(value)
    return text if len(text) <= chars else f"{text[:chars]}..."
