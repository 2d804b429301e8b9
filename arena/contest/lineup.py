"""The bots of a run: named bots, submissions and guests; and those left out, with the reason."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.contest.entrants import QUICK, each_once, find_again, find_entrants, introduce
from arena.contest.guests import find_guests
from arena.contest.settings import Contest, Who
from arena.contest.submissions import find_submissions
from arena.contracts import SandboxSettings
from arena.errors import BotError
from arena.record import Entrant
from engine import get_variant

Tell = Callable[[str], object]


class LineUp(NamedTuple):
    """Who plays, and who does not."""

    entrants: list[Entrant]
    """Introduced, guests last."""
    challengers: tuple[str, ...]
    left_out: list[str]
    """The students whose bot cannot play."""


def line_up(
    contest: Contest,
    variants: Sequence[str],
    sandbox: SandboxSettings,
    before: Sequence[Entrant],
    tell: Tell,
    warn: Tell,
) -> LineUp:
    """Find the bots of a contest and start each once.

    A bot that is entered by name or path has to play. A student's that cannot is left out; or, if
    the run has had it before and the code of then is still there, plays on as it was.

    Args:
        contest: says who is entered.
        variants: what is played.
        walls: those round the bots.
        before: the entrants of the run that is gone on with.
        tell: called with a sentence about who plays.
        warn: called with a sentence about who cannot.

    Raises:
        BotError: a bot that is entered by name or path is not there or does not start.
    """
    who, limits = contest.entrants, contest.limits
    reasons: dict[str, BotError] = {}
    students: list[Entrant] = []
    if who.submissions is not None:
        students = find_submissions(Path(who.submissions), reasons.__setitem__)
    of_students = {*reasons, *[one.name for one in students]}
    challenging = find_entrants([name for name in who.challengers if name not in of_students])
    named = each_once([*find_entrants(who.bots or _default(who)), *challenging])
    for one in students:
        if any(one.name == other.name for other in named):
            reasons[one.name] = BotError("another bot of the contest is called so: rename it")
    students = [one for one in students if one.name not in reasons]
    entrants = introduce(named, limits, sandbox)
    entrants += introduce(students, limits, sandbox, reasons.__setitem__)
    missing = reasons.keys() - {one.name for one in named}
    former = [one for one in before if one.name in missing and _is_as_it_was(one)]
    entrants = _who_plays([*entrants, *former], variants, tell)
    guests = find_guests(entrants, variants, limits, sandbox) if who.fill else []
    playing_on = {one.name for one in former}
    for name, reason in reasons.items():
        warn(f"{'plays on as it was' if name in playing_on else 'left out'}: {name}: {reason}")
    challengers = {one.name for one in challenging} | ({*who.challengers} & of_students)
    return LineUp(
        [*entrants, *guests],
        tuple([one.name for one in entrants if one.name in challengers]),
        [name for name in reasons if name not in playing_on],
    )


def _default(who: Who) -> tuple[str, ...]:
    return () if who.submissions is not None else (QUICK,)


def _is_as_it_was(entrant: Entrant) -> bool:
    try:
        return find_again(entrant).fingerprint == entrant.fingerprint
    except BotError:
        return False


def _who_plays(entrants: Sequence[Entrant], variants: Sequence[str], tell: Tell) -> list[Entrant]:
    """Return the entrants that play any of the variants, and tell who does not."""
    games = {get_variant(variant).game for variant in variants}
    idle = [one.name for one in entrants if not any(map(one.plays, games))]
    if idle:
        tell(f"left out, since they play none of these games: {', '.join(idle)}")
    return [one for one in entrants if one.name not in idle]
