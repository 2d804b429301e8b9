"""Find out which of two versions of a bot is better, based on the records of their games."""

from collections.abc import Iterable

import msgspec

from arena.base.errors import SettingsError
from arena.base.record import NEW_MARK, AnyResult
from arena.rating.complete_boards import board_shares
from arena.rating.sequential_test import BettingEvidence, Comparison
from arena.schedule.schedules import CHALLENGERS
from arena.tournament.settings import Settings
from engine import get_variant

COMPARISON_FILE = "comparison.json"
COMPARISON_VERSION = 1


class Version(msgspec.Struct, frozen=True):
    bot: str
    fingerprint: str
    faults: int


class ComparisonResult(Comparison, frozen=True, kw_only=True):
    version: int
    variant: str
    old: Version
    new: Version
    against: tuple[str, ...]


class SequentialComparison:
    """Evaluates the boards of a comparison in schedule order, no matter which finish first."""

    def __init__(self, settings: Settings, results: Iterable[AnyResult] = ()) -> None:
        if not settings.is_comparison:
            raise SettingsError("this run is not a comparison of two versions of a bot")
        self.evidence = BettingEvidence()
        self.old, self.new = old_and_new(settings)
        self.games = 0
        self._variant = get_variant(settings.variants[0])
        self._result = settings.ranked_by
        self._waiting: dict[int, list[AnyResult]] = {}
        self._next = 1
        for result in results:
            self.add(result)

    @property
    def is_decided(self) -> bool:
        return self.evidence.verdict != "undecided"

    def add(self, record: AnyResult) -> None:
        self.games += 1
        deal = 1 + (record.board - 1) // CHALLENGERS
        self._waiting.setdefault(deal, []).append(record)
        while len(self._waiting.get(self._next, ())) == CHALLENGERS * self._variant.seats:
            records = self._waiting.pop(self._next)
            old, new = [
                board_shares(
                    [record for record in records if name in record.entrants],
                    self._variant,
                    self._result,
                )
                for name in (self.old, self.new)
            ]
            self.evidence.add(new.share_of(self.new) - old.share_of(self.old))
            self._next += 1


def old_and_new(settings: Settings) -> tuple[str, str]:
    old, new = sorted(settings.challengers, key=lambda name: name.endswith(NEW_MARK))
    return old, new


def boards_in(settings: Settings) -> int:
    """Return the number of boards that each version of the bot plays."""
    return settings.rounds // (CHALLENGERS * get_variant(settings.variants[0]).seats)


def with_boards(settings: Settings, boards: int) -> Settings:
    rounds = CHALLENGERS * get_variant(settings.variants[0]).seats * boards
    return msgspec.structs.replace(settings, rounds=rounds)


def comparison_of(settings: Settings, records: Iterable[AnyResult]) -> ComparisonResult:
    comparison = SequentialComparison(settings)
    faults = {comparison.old: 0, comparison.new: 0}
    for record in records:
        if comparison.is_decided:
            break
        comparison.add(record)
        for fault in record.faults:
            if (name := record.entrants[fault.seat]) in faults:
                faults[name] += 1
    codes = {entrant.name: entrant.fingerprint for entrant in settings.entrants}
    old, new = [
        Version(name, codes[name], faults[name]) for name in (comparison.old, comparison.new)
    ]
    return ComparisonResult(
        **msgspec.structs.asdict(comparison.evidence.comparison()),
        version=COMPARISON_VERSION,
        variant=settings.variants[0],
        old=old,
        new=new,
        against=tuple(sorted(codes.keys() - faults.keys())),
    )
