"""The audit of a run, from its stored records."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from arena.contest.run_roster import Names
from arena.errors import SettingsError
from arena.extras.audit.audit import audit
from arena.extras.audit.findings import Audit, Gain, OpeningDependence
from arena.extras.audit.programs import Programs
from arena.record import GameRecord
from arena.tournament.finished_boards import board_of, finished
from arena.tournament.settings import Settings
from engine import get_variant

FindingT = TypeVar("FindingT", Gain, OpeningDependence)


def audit_records(
    settings: Settings,
    records: Iterable[GameRecord],
    chosen: Sequence[str] = (),
    programs: Programs | None = None,
    tick: Callable[[], object] = lambda: None,
) -> Audit:
    """Return the audit of the finished boards among `records`, which come in schedule order.

    `chosen` are the variants that count; none stands for all. `programs` are those of the bots, or
    None if they are not at hand. `tick` is called for each game.

    Raises:
        SettingsError: the run has no such variant.
        EngineError: a record is not a game.
    """
    for variant in chosen:
        if variant not in settings.variants:
            raise SettingsError(
                f"the run has no variant {variant!r}; it has {', '.join(settings.variants)}"
            )
    variants = {one: get_variant(one) for one in settings.variants if one in chosen or not chosen}
    fingerprints = {entrant.name: entrant.fingerprint for entrant in settings.entrants}
    over = finished(records, board_of, settings.boards_per_deal)
    return audit(over, variants, fingerprints, programs, tick)


def named_audit(audit: Audit, names: Names) -> Audit:
    """Return the findings of an audit with names."""

    def all_of(bots: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(names.shown, bots))

    coverage = audit.program_coverage
    if coverage is not None:
        left_out = tuple([(names.shown(bot), why) for bot, why in coverage.left_out])
        coverage = replace(coverage, compared=all_of(coverage.compared), left_out=left_out)
    return replace(
        audit,
        gains=tuple([_pair(one, names) for one in audit.gains]),
        openings=tuple([_pair(one, names) for one in audit.openings]),
        likenesses=tuple([replace(one, bots=all_of(one.bots)) for one in audit.likenesses]),
        same_files=tuple(map(all_of, audit.same_files)),
        programs=tuple([replace(one, bots=all_of(one.bots)) for one in audit.programs]),
        program_coverage=coverage,
    )


def _pair(finding: FindingT, names: Names) -> FindingT:
    return replace(finding, bot=names.shown(finding.bot), other=names.shown(finding.other))
