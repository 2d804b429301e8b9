"""The audit of a run, from its stored records."""

from collections.abc import Callable, Iterable, Sequence

from arena.errors import SettingsError
from arena.rating.audit.audit import audit
from arena.rating.audit.findings import Audit
from arena.rating.audit.programs import Programs
from arena.record import GameRecord
from arena.tournament.finished_boards import board_of, finished
from arena.tournament.settings import Settings
from engine import get_variant


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
