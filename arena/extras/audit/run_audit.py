"""The audit of a run: gains from third bots, openings that know too much, and near copies."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from arena.base.record import Entrant, GameRecord
from arena.contest.entrants import is_registered
from arena.contest.reader import Reader
from arena.contest.snapshots import Snapshots
from arena.extras.audit.findings import Audit, LeftOut, Likeness, ProgramCoverage, ProgramLikeness
from arena.extras.audit.situations import Situation, agreements
from arena.extras.audit.variant_audit import CERTAIN_LEVEL, VariantAudit
from arena.extras.shared.like_programs import ComparedPrograms, compare_bots
from arena.rating.complete_boards import group_boards
from arena.tournament.finished_boards import board_of, finished
from arena.tournament.settings import Settings
from arena.tournament.standings import variants_of_run
from engine import Variant

MIN_ALIKE = 0.98
"""The share of situations in which near copies decide alike."""
MIN_LATER = 10
"""Situations after the first decision from which bots may be near copies."""


def audit_records(
    settings: Settings,
    records: Iterable[GameRecord],
    chosen: Sequence[str] = (),
    programs: ComparedPrograms | None = None,
) -> Audit:
    """Return the audit of the finished boards among `records`, which come in schedule order.

    `chosen` are the variants that count; none stands for all. `programs` are those of the bots, or
    None if they are not at hand.

    Raises:
        SettingsError: the run has no such variant.
        EngineError: a record is not a game.
    """
    variants = variants_of_run(settings, chosen)
    fingerprints = {entrant.name: entrant.fingerprint for entrant in settings.entrants}
    over = finished(records, board_of, settings.boards_per_deal)
    return audit(over, variants, fingerprints, programs)


def audit(
    records: Iterable[GameRecord],
    variants: Mapping[str, Variant],
    fingerprints: Mapping[str, str],
    programs: ComparedPrograms | None = None,
) -> Audit:
    """Return the findings in `records`, which come in schedule order, board by board.

    `fingerprints` and `programs` are those of the bots; `programs` is None if they are not at hand.
    The same arguments give the same findings.
    """
    parts = {variant_id: VariantAudit(variant) for variant_id, variant in variants.items()}
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            parts[variant.id].add(board)
    tested = sum([len(cells) for part in parts.values() for cells in part.cells.values()])
    suspects = [gain for part in parts.values() for gain in part.large_gains(tested)]
    opening_pairs = sum([len(part.opening_pairs()) for part in parts.values()])
    return Audit(
        variants=tuple([part.coverage(tested) for part in parts.values()]),
        gains=tuple([parts[gain.variant].explain(gain, len(suspects)) for gain in suspects]),
        openings=tuple(
            [found for part in parts.values() for found in part.dependent_openings(opening_pairs)]
        ),
        likenesses=_likenesses([each for part in parts.values() for each in part.situations]),
        same_files=_same_files(fingerprints),
        programs=_like_programs(programs) if programs else (),
        program_coverage=_coverage(programs) if programs else None,
    )


def _likenesses(situations: Iterable[Situation]) -> tuple[Likeness, ...]:
    found = agreements(situations)
    alike = []
    for pair, own in sorted(found.items()):
        p_value = min(1.0, len(found) * own.p_value)
        are_alike = (
            own.alike >= MIN_ALIKE * own.situations
            and own.later_alike >= MIN_ALIKE * own.later
            and p_value < CERTAIN_LEVEL
        )
        if are_alike:
            alike.append(
                Likeness(
                    bots=pair,
                    alike=own.alike,
                    situations=own.situations,
                    later=own.later,
                    usual=own.usual,
                    p_value=p_value,
                    is_near_copy=own.later >= MIN_LATER,
                )
            )
    return tuple(alike)


def _same_files(fingerprints: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    by_files: dict[str, list[str]] = defaultdict(list)
    for name, fingerprint in sorted(fingerprints.items()):
        by_files[fingerprint].append(name)
    return tuple([tuple(names) for names in by_files.values() if len(names) > 1])


# -- programs ----------------------------------------------------------------------------------


NO_COPY = "the run has no copy of its files as they were"


def programs_of(entrants: Iterable[Entrant], run: Path) -> ComparedPrograms:
    """Compare the programs of bots, from the copies of their files in the folder `run` of a run.

    Installed bots are left out: their programs are public.
    """
    without: dict[str, str] = {}

    def copies(snapshots: Snapshots) -> Iterator[Entrant]:
        for entrant in entrants:
            if is_registered(entrant):
                continue
            if copy := snapshots.find(entrant):
                yield copy
            else:
                without[entrant.name] = NO_COPY

    with Reader() as reader, Snapshots(run) as snapshots:
        return compare_bots(copies(snapshots), without, reader=reader)


def _like_programs(programs: ComparedPrograms) -> tuple[ProgramLikeness, ...]:
    return tuple(
        [ProgramLikeness(pair.bots, pair.share, min(pair.sizes)) for pair in programs.pairs]
    )


def _coverage(programs: ComparedPrograms) -> ProgramCoverage:
    left_out = [LeftOut(*pair) for pair in sorted(programs.left_out.items())]
    return ProgramCoverage(programs.compared, tuple(left_out))
