"""The registration of the built-in schedules."""

from collections.abc import Iterable

from arena.contracts import ExtraBoards, Schedule
from arena.plugins import hookimpl
from arena.schedule import adaptive
from arena.schedule.gauntlet import gauntlet
from arena.schedule.round_robin import round_robin
from arena.schedule.versions import CHALLENGERS, VERSIONS, versions


@hookimpl
def register_schedules() -> Iterable[Schedule]:
    """Return the built-in schedules."""
    return [
        Schedule("round-robin", "all bots meet equally often", round_robin),
        Schedule("gauntlet", "the challengers meet all other bots equally often", gauntlet, True),
        Schedule(
            VERSIONS,
            "two challengers in turn, on the same deals among the same bots",
            versions,
            takes_challengers=True,
            boards_per_deal=CHALLENGERS,
        ),
        Schedule(
            "adaptive",
            "as round-robin, then more boards for bots whose order is undecided",
            round_robin,
            extra=ExtraBoards(adaptive.challengers, adaptive.groups),
        ),
    ]
