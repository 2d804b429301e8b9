"""Verify a run or an export by replaying its games and recomputing everything else."""

import csv
import io
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from msgspec.structs import replace

from arena.base.errors import SettingsError, StoreError
from arena.base.protocol import indented
from arena.base.record import GameRecord, result_of, write_result
from arena.plugins import schedules
from arena.rating.leaderboard import Leaderboard
from arena.rating.leaderboard_files import as_csv, as_json, facts_of
from arena.schedule.randomness import Randomness, Secret
from arena.tournament.comparison import COMPARISON_FILE, comparison_of
from arena.tournament.database import StoredGame
from arena.tournament.digest import (
    RecordsHash,
    RunDigest,
    digest_of_names,
    public,
    rounded,
    run_digest,
    sha256,
)
from arena.tournament.display_names import display_names_of
from arena.tournament.export import Export, read_line
from arena.tournament.game_checks import Difference, GameChecks
from arena.tournament.games import count_games, games_to_play
from arena.tournament.settings import Settings
from arena.tournament.standings import is_over, noted_digest, rank_records
from arena.tournament.store import Store
from engine import UnknownVariant, get_variant

MAX_DIFFERENCES = 1_000


class Verified:
    def __init__(self) -> None:
        self.games = 0
        self.in_games: list[Difference] = []
        self.in_run: list[Difference] = []
        self.notices: list[str] = []
        self.digest: str | None = None

    def add(self, subject: str, texts: Iterable[str]) -> None:
        self.in_run += [Difference(subject, None, text) for text in texts]

    def add_games(self, differences: Iterable[Difference]) -> None:
        if self.is_full:
            return
        self.in_games += islice(differences, MAX_DIFFERENCES - len(self.in_games))
        if self.is_full:
            self.notices.append(
                f"after {MAX_DIFFERENCES:,} differences in games, nothing else is checked"
            )

    @property
    def is_full(self) -> bool:
        return len(self.in_games) >= MAX_DIFFERENCES


class _Line(NamedTuple):
    name: str
    record: bytes
    position: int | None
    texts: list[str]


# -- a run -------------------------------------------------------------------------------------


def verify_run(store: Store, secret: Secret | None = None) -> Verified:
    """Verify a run. Pass `secret` if the run's folder doesn't contain it."""
    verified = Verified()
    noted, settings = noted_digest(store), store.settings()
    _check_installed(settings)
    checked = _Checked(settings, _chance_of(store, settings, secret, verified), verified)
    board = checked.board(map(_line_of, store.counting_games()))
    has_all = is_over(settings, board) if board else verified.games == count_games(settings)
    if noted is not None:
        verified.add_games(checked.games.missing())
    elif not has_all:
        verified.notices.append(
            f"the run is not over: {verified.games} of {games_to_play(settings)}"
        )
    else:
        text = (
            "missing, although all games are stored: repeat the `arena run` command to compute it"
        )
        verified.add("digest", [text])
    if noted is None and not has_all:
        checked.keep_finished_boards()
    shown = public(settings, is_over=noted is not None or has_all)
    names = display_names_of(store)
    noted = noted and replace(noted, names=digest_of_names(names))  # names may change at any time
    checked.compare_digest(shown, board, noted, names)
    if board and noted is not None:
        files: dict[str, tuple[Callable[[str], Any], str]] = {
            "leaderboard.json": (lambda text: facts_of(json.loads(text)), as_json(board)),
            "leaderboard.csv": (_table_facts, as_csv(board)),
        }
        if settings.is_comparison:
            text = indented(comparison_of(settings, store.records()))
            files[COMPARISON_FILE] = (json.loads, text)
        for name, (read, expected) in files.items():
            verified.add(name, _file_differences(store, name, read, expected))
    return verified


def _check_installed(settings: Settings) -> None:
    for variant in settings.variants:
        try:
            get_variant(variant)
        except UnknownVariant:
            raise SettingsError(
                f"the run plays {variant}, which is not installed here: install the package of "
                f"the game {variant.partition('/')[0]}, and verify again"
            ) from None
    if settings.schedule not in schedules():
        raise SettingsError(
            f"the run has the schedule {settings.schedule}, which is not installed here: install "
            "its package, and verify again"
        )


def _chance_of(
    store: Store, settings: Settings, secret: Secret | None, verified: Verified
) -> Randomness | None:
    if secret or settings.secret is None:
        return settings.chance(secret)
    try:
        return settings.chance(store.secret(settings.secret))
    except (SettingsError, StoreError) as error:
        verified.add("secret", [f"schedule, deals and withdrawals are not checked: {error}"])
        return None


def _line_of(game: StoredGame) -> _Line:
    texts = []
    record = read_line(game.record)
    if not isinstance(record, str):
        if record.key != game.key:
            texts.append(f"key: stored as {game.key}, expected {record.key}")
        if game.result != write_result(result_of(record)):
            texts.append("result: differs from the record, so leaderboards are wrong")
    if game.record_digest != sha256(game.record):
        texts.append("record: differs from its stored hash")
    return _Line(f"stored game {game.number}", game.record, game.position, texts)


# -- an export ---------------------------------------------------------------------------------


def verify_export(export: Export, secret: Secret | None = None) -> Verified:
    """Verify an export. Without its secret, a run's schedule can't be checked."""
    verified = Verified()
    header = export.header
    settings = header.settings
    _check_installed(settings)
    chance = _public_chance(settings, secret, verified)
    checked = _Checked(settings, chance, verified)
    records = export.records()
    board = checked.board(_Line(f"line {number}", data, None, []) for number, data in records)
    if chance is not None and header.is_over:
        verified.add_games(checked.games.missing())
    if header.digest != header.parts.value:
        text = f"got {header.digest} in the header, expected {header.parts.value} for its parts"
        verified.add("digest", [text])
    checked.compare_digest(settings, board, header.parts, header.names or {})
    return verified


def _public_chance(
    settings: Settings, secret: Secret | None, verified: Verified
) -> Randomness | None:
    if secret or settings.seed is not None:
        return settings.chance(secret)
    if settings.secret:
        why = "give the secret of the run with --secret"
    else:
        why = "the run was under way when it was exported, and its seed was not public yet"
    verified.notices.append(f"schedule, deals and withdrawals are not checked: {why}")
    return None


# -- both --------------------------------------------------------------------------------------


class _Checked:
    def __init__(self, settings: Settings, chance: Randomness | None, verified: Verified) -> None:
        self.games = GameChecks(settings, chance)
        self._records_hash, self._finished_hash = RecordsHash(), RecordsHash()
        self._deal: tuple[str, int] | None = None
        self._of_deal: list[bytes] = []
        self._settings = settings
        self._verified = verified
        self._is_sound = True

    def board(self, lines: Iterable[_Line]) -> Leaderboard | None:
        board = rank_records(self._settings, self._records(lines))
        wrong, unchecked = self.games.pairings()
        self._verified.add("schedule", wrong)
        if unchecked:
            self._verified.notices.append(
                f"{unchecked} pairings are not checked: they were made before bots joined, left or "
                "changed"
            )
        return board if self._is_sound else None

    def keep_finished_boards(self) -> None:
        if self._is_sound:
            self._records_hash = self._finished_hash

    def compare_digest(
        self,
        settings: Settings,
        board: Leaderboard | None,
        noted: RunDigest | None,
        names: Mapping[str, str],
    ) -> None:
        computed = run_digest(settings, self._records_hash, board, names)
        self._verified.digest = computed.value if board else None
        if is_other := noted is not None and noted.facts != computed.facts:
            self._verified.notices.append(
                "an earlier version of bribe-arena has made the leaderboard, with other ratings: "
                "it is not compared, but settings and records are"
            )
        for part in ("games", "settings", "records", "leaderboard", "names") if noted else ():
            got, expected = getattr(computed, part), getattr(noted, part)
            if got != expected and (part != "leaderboard" or (board and not is_other)):
                self._verified.add("digest", [f"{part}: got {got}, expected {expected}"])

    def _read(self, line: _Line) -> GameRecord | None:
        record = read_line(line.record)
        title = line.name if isinstance(record, str) else record.title
        texts = [*line.texts, *([record] if isinstance(record, str) else [])]
        self._verified.add_games([Difference(title, None, text) for text in texts])
        return None if isinstance(record, str) else record

    def _records(self, lines: Iterable[_Line]) -> Iterator[GameRecord]:
        for line in lines:
            if self._verified.is_full:
                self._is_sound = False
                return
            self._verified.games += 1
            record = self._read(line)
            self._add_digest(record, sha256(line.record))
            is_new = record is not None and not self.games.has(record)
            if record is not None:
                self._verified.add_games(self.games.check(record, line.position))
            if record is not None and is_new and self.games.fits_leaderboard(record):
                yield record
            else:
                self._is_sound = False

    def _add_digest(self, record: GameRecord | None, digest: bytes) -> None:
        self._records_hash.add([digest])
        each = self._settings.boards_per_deal
        deal = (record.variant, (record.board - 1) // each) if record else None
        if deal != self._deal:
            self._deal, self._of_deal = deal, []
        self._of_deal.append(digest)
        if record and len(self._of_deal) == each * len(record.entrants):
            self._finished_hash.add(self._of_deal)


def _file_differences(
    store: Store, name: str, read: Callable[[str], Any], expected: str
) -> Iterator[str]:
    try:
        got = rounded(read(store.read(name)))
    except (StoreError, csv.Error, ValueError, RecursionError) as error:
        yield str(error)
        return
    if got != rounded(read(expected)):
        yield "it does not follow from the records: type its `arena run` again, which writes it"


def _table_facts(text: str) -> Any:
    tables: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(text)):
        tables[str(row.pop("variant", ""))].append({str(key): _cell(row[key]) for key in row})
    return facts_of(tables)


def _cell(text: Any) -> Any:
    try:
        number = float(text)
    except (TypeError, ValueError):
        return text
    return text if math.isnan(number) else number
