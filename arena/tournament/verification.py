"""Verify a run or an export by replaying its games and recomputing all other data."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest

import msgspec

from arena.base.errors import ArenaError
from arena.base.protocol import Fault
from arena.base.record import (
    Game,
    GameRecord,
    as_game,
    key_of,
    read_record,
    result_of,
    write_result,
)
from arena.match.referee import record_of, referee, start_game
from arena.match.seats import Answer, Reply
from arena.schedule.randomness import Randomness, Secret
from arena.tournament.blocks import Block, Blocks
from arena.tournament.database import Database, StoredGame
from arena.tournament.digest import RunDigest, public, records_hash, run_digest, sha256
from arena.tournament.display_names import display_names_of
from arena.tournament.export import ExportedRun
from arena.tournament.games import games_to_play
from arena.tournament.settings import PairedBlock, Settings
from arena.tournament.standings import digest_of, is_over, noted_digest, rank_records, shown_results
from arena.tournament.store import Store
from engine import EngineError, get_variant

# The limit protects against forged files with endless schedules.
MAX_MISSING = 20_000
MAX_SHOWN_CHARS = 200
SCHEDULED_FIELDS = ("key", "variant", "board", "rotation", "entrants", "seeds", "deal")


class VerificationError(ArenaError):
    """Raised if a recomputed value differs from the value stored in a run or export."""


class Verified(msgspec.Struct, frozen=True):
    games: int
    digest: str


def verify(
    store: Database, secret: Secret | None = None, notice: Callable[[str], object] = lambda _: None
) -> Verified:
    """Verify a run or an export.

    `notice` is called with the reason for each check that has to be skipped.

    Raises:
        VerificationError: A recomputed value differs from the recorded value.
        SettingsError: The secret is wrong.
        StoreError: The run can't be read, or its secret is missing.
    """
    settings, noted = store.settings(), noted_digest(store)
    chance = _chance_of(store, settings, secret, notice)
    schedule = _Schedule(store, chance, notice) if chance else None
    games = 0

    def checked() -> Iterator[GameRecord]:
        nonlocal games
        for game in store.counting_games():
            games += 1
            yield _checked(game, settings, schedule)

    board = rank_records(settings, checked())
    if schedule:
        schedule.check_end()
    if noted is None and isinstance(store, Store):
        notice(f"the run is not over: {games} of {games_to_play(settings)}")
    records = records_hash(game.record_digest for game in shown_results(store))
    if isinstance(store, ExportedRun):
        header = store.header
        _compare("digest in the header", header.digest, header.parts.value)
        expected: RunDigest | None = header.parts
        computed = run_digest(header.settings, records, board, header.names or {})
    else:
        over = noted is not None or is_over(settings, board)
        expected = digest_of(store) if noted else None
        shown = public(settings, is_over=over)
        computed = run_digest(shown, records, board, display_names_of(store))
    if expected:
        is_older = expected.facts != computed.facts
        for part in ("games", "settings", "records", "leaderboard", "names"):
            if part == "leaderboard" and is_older:
                notice(
                    "the leaderboard is not compared, because an earlier version of bribe-arena "
                    "made it with different ratings; settings and records are compared"
                )
            else:
                _compare(f"digest: {part}", getattr(computed, part), getattr(expected, part))
    return Verified(games, computed.value)


def _chance_of(
    store: Database, settings: Settings, secret: Secret | None, notice: Callable[[str], object]
) -> Randomness | None:
    if isinstance(store, Store):
        return settings.chance(secret or store.secret(settings.secret))
    if secret or settings.seed is not None:
        return settings.chance(secret)
    if settings.secret:
        why = "to check them, pass the run's secret with --secret"
    else:
        why = "the run was in progress when it was exported, so its seed was not public yet"
    notice(f"schedule, deals and withdrawals were not checked: {why}")
    return None


def _compare(what: str, got: object, expected: object) -> None:
    if got != expected:
        raise VerificationError(f"{what}: got {_shown(got)}, expected {_shown(expected)}")


def _shown(value: object) -> str:
    if isinstance(value, bytes | msgspec.Raw):
        value = str(bytes(value), "utf-8", "replace")
    text = str(value)
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}..."


# -- games -------------------------------------------------------------------------------------


def _checked(game: StoredGame, settings: Settings, schedule: "_Schedule | None") -> GameRecord:
    try:
        record = read_record(game.record)
    except (ValueError, RecursionError) as error:
        text = f"stored game {game.number}: expected a game record: {error}"
        raise VerificationError(text) from None
    title = record.title
    check_record(record)
    _compare(f"{title}: stored result", game.result, write_result(result_of(record)))
    _compare(f"{title}: stored key", game.key, record.key)
    if schedule:
        schedule.check(record, game.position)
    else:
        codes = {bot.name: bot.fingerprint for bot in settings.entrants}
        bots = tuple([(name, codes[name]) for name in record.entrants])
        variant = get_variant(record.variant)
        key = key_of(variant, record.board, record.deal, settings.limits, bots)
        _compare(f"{title}: key", record.key, key)
    _compare(f"{title}: stored hash", game.record_digest.hex(), sha256(game.record).hex())
    return record


def check_record(record: GameRecord) -> None:
    """Replay a game from the actions and faults in its record.

    Raise `VerificationError` if the results differ from the record.
    """
    try:
        again = _replayed(record)
    except (EngineError, ValueError, RecursionError) as error:
        raise VerificationError(f"{record.title}: {_shown(error)}") from None
    for move, (got, expected) in enumerate(zip_longest(record.actions, again.actions), 1):
        _compare(f"{record.title}, move {move}", got, expected)
    for field in record.__struct_fields__:
        got, expected = (
            msgspec.json.decode(msgspec.json.encode(getattr(compared, field)))
            for compared in (record, again)
        )
        _compare(f"{record.title}: {field.replace('_', ' ')}", got, expected)


def _replayed(record: GameRecord) -> GameRecord:
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
    refereeing = referee(state, without_events=range(variant.seats))
    turns = Counter[int]()
    answer: Answer | None = None
    try:
        while True:
            decision = refereeing.send(answer)  # type: ignore[arg-type]  # None starts a generator
            answer = faults.get((decision.move, decision.seat))
            if answer and answer.kind == "withdrawn" and turns[decision.seat]:
                raise ValueError(f"seat {decision.seat} is withdrawn after an action of its own")
            if answer is None and decision.move == len(record.actions):
                raise ValueError(f"the record ends, but seat {decision.seat} is to act")
            turns[decision.seat] += 1
            answer = answer or Reply(record.actions[decision.move])
    except StopIteration as stop:
        again = record_of(as_game(record), state, stop.value)
    return msgspec.structs.replace(again, notes=record.notes)


# -- the schedule ------------------------------------------------------------------------------


class _Schedule:
    def __init__(
        self, store: Database, chance: Randomness, notice: Callable[[str], object]
    ) -> None:
        self._blocks = Blocks(store.settings(), chance)
        self._blocks.on_stored = self._check_pairing
        self._notice = notice
        self._is_over = noted_digest(store) is not None
        self._has_positions = isinstance(store, Store)
        self._coming = self._games()
        self._missing = 0
        self._paired: set[str] = set()
        self._unchecked_pairings = 0

    def _games(self) -> Iterator[tuple[int, Game, Block]]:
        while block := self._blocks.next(wait=False):
            for position, game in enumerate(block.games, block.first):
                yield position, game, block

    def check(self, record: GameRecord, position: int | None) -> None:
        where, game, block = self._find(record)
        if self._has_positions:
            _compare(f"{record.title}: position", position, where)
        for field in SCHEDULED_FIELDS:
            got, expected = getattr(record, field), getattr(game, field)
            _compare(f"{record.title}: {field}", got, expected)
        result = result_of(record)
        if block.is_sure:
            due = block.withdrawn_among(record.entrants)
            _compare(f"{record.title}: withdrawn bots", result.withdrawn, due)
        block.results[record.key] = result

    def _find(self, record: GameRecord) -> tuple[int, Game, Block]:
        place = (record.variant, record.board, record.rotation)
        for found in self._coming:
            game = found[1]
            is_there = (game.variant, game.board, game.rotation) == place
            if is_there or game.key == record.key:
                return found
            self._missing += 1
            if self._is_over or self._missing > MAX_MISSING:
                text = f"got this game, expected {game.title}, which is missing here"
                raise VerificationError(f"{record.title}: {text}")
        raise VerificationError(f"{record.title}: the schedule has no such game here")

    def check_end(self) -> None:
        if self._is_over and (found := next(self._coming, None)):
            raise VerificationError(f"{found[1].title}: the game is missing")
        if self._unchecked_pairings:
            self._notice(
                f"{self._unchecked_pairings} pairings were not checked, because they were made "
                "before bots joined, left or changed"
            )

    def _check_pairing(self, stored: PairedBlock, expected: PairedBlock) -> None:
        where = f"pairing of {stored.variant} in round {stored.round}"
        if stored.variant in self._paired or stored.field == expected.field:
            self._paired.add(stored.variant)
            _compare(f"{where}: hash of the bots", stored.field, expected.field)
            _compare(where, stored.groups, expected.groups)
        else:
            self._unchecked_pairings += 1
