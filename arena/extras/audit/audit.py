"""The audit of a run: gains from third bots, openings that know too much, and near copies."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from arena.extras.audit.copies import agreements
from arena.extras.audit.findings import Audit, Likeness
from arena.extras.audit.programs import Programs
from arena.extras.audit.situations import Situation
from arena.extras.audit.variant_audit import CERTAIN_LEVEL, VariantAudit
from arena.rating.board_shares import group_boards
from arena.record import GameRecord
from engine import Variant

MIN_ALIKE = 0.98
"""The share of situations in which near copies decide alike."""
MIN_LATER = 10
"""Situations after the first decision from which bots may be near copies."""


def audit(
    records: Iterable[GameRecord],
    variants: Mapping[str, Variant],
    fingerprints: Mapping[str, str],
    programs: Programs | None = None,
    tick: Callable[[], object] = lambda: None,
) -> Audit:
    """Return the findings in `records`, which come in schedule order, board by board.

    `fingerprints` and `programs` are those of the bots; `programs` is None if they are not at hand.
    `tick` is called for each game that is replayed. The same arguments give the same findings.
    """
    parts = {variant_id: VariantAudit(variant) for variant_id, variant in variants.items()}
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            parts[variant.id].add(board)
            for _ in board:
                tick()
    tested = sum([len(cells) for part in parts.values() for cells in part.cells().values()])
    suspects = [one for part in parts.values() for one in part.large_gains(tested)]
    opening_pairs = sum([len(part.opening_pairs()) for part in parts.values()])
    return Audit(
        variants=tuple([part.coverage(tested) for part in parts.values()]),
        gains=tuple([parts[one.variant].explain(one, len(suspects)) for one in suspects]),
        openings=tuple(
            [one for part in parts.values() for one in part.dependent_openings(opening_pairs)]
        ),
        likenesses=_likenesses([one for part in parts.values() for one in part.situations]),
        same_files=_same_files(fingerprints),
        programs=programs.likenesses() if programs else (),
        program_coverage=programs.coverage() if programs else None,
    )


def _likenesses(situations: Iterable[Situation]) -> tuple[Likeness, ...]:
    found = agreements(situations)
    alike = []
    for pair, one in sorted(found.items()):
        p_value = min(1.0, len(found) * one.p_value)
        are_alike = (
            one.alike >= MIN_ALIKE * one.situations
            and one.later_alike >= MIN_ALIKE * one.later
            and p_value < CERTAIN_LEVEL
        )
        if are_alike:
            alike.append(
                Likeness(
                    bots=pair,
                    alike=one.alike,
                    situations=one.situations,
                    later=one.later,
                    usual=one.usual,
                    p_value=p_value,
                    is_near_copy=one.later >= MIN_LATER,
                )
            )
    return tuple(alike)


def _same_files(fingerprints: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    by_files: dict[str, list[str]] = defaultdict(list)
    for name, fingerprint in sorted(fingerprints.items()):
        by_files[fingerprint].append(name)
    return tuple([tuple(names) for names in by_files.values() if len(names) > 1])
