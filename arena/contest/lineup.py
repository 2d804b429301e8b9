"""Find the bots that play in a run."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.errors import BotError
from arena.base.protocol import Limits
from arena.base.record import GUEST_MARK, Entrant
from arena.check.fault_groups import raised_in
from arena.contest.admission import rules_of
from arena.contest.entrants import (
    each_once,
    find_entrants,
    from_program,
    introduce,
    named_bots,
)
from arena.contest.fingerprint import VERSION
from arena.contest.roster import Student
from arena.contest.run_roster import records_of
from arena.contest.settings import QUICK, Contest
from arena.contest.snapshots import Snapshots
from engine import get_variant


class Lineup(NamedTuple):
    entrants: list[Entrant]
    challengers: tuple[str, ...]
    excluded: dict[str, str]
    notices: list[str]
    warnings: list[str]
    students: dict[str, Student]


def find_lineup(
    contest: Contest,
    variants: Sequence[str],
    sandbox: SandboxSettings,
    snapshots: Snapshots,
    former: Sequence[Entrant] = (),
) -> Lineup:
    """Find a contest's bots, copy their files, and start each bot once.

    If a student's new version fails to start, the version that already plays in the run is kept.
    Raise `BotError` if a bot chosen by name or path doesn't exist or fails to start.
    """
    table, limits = contest.entrants, contest.limits
    reasons: dict[str, BotError] = {}
    with ExitStack() as unpacked:
        submitted, students, notices = _submitted(contest, reasons, snapshots)
        programs = [from_program(bot) for bot in contest.programs]
        known = {*reasons, *[bot.name for bot in (*submitted, *programs)]}
        others = [name for name in table.challengers if name not in known]
        challenging = unpacked.enter_context(named_bots(others, table.interpreters))
        defaults = () if contest.programs or table.inbox is not None else (QUICK,)
        bots = named_bots(table.bots or defaults, table.interpreters)
        named = each_once([*unpacked.enter_context(bots), *programs, *challenging])
        names = {bot.name for bot in named}
        clash = BotError("another bot of the contest has this name: rename it")
        reasons |= dict.fromkeys([bot.name for bot in submitted if bot.name in names], clash)
        submitted = [bot for bot in submitted if bot.name not in reasons]
        named = [snapshots.take(bot, follow_links=bot in programs) for bot in named]
        playing, _ = _split(named, variants)
        introduced = {
            bot.name: bot for bot in introduce(playing, limits, sandbox, variants=variants)
        }
        entrants = [introduced.get(bot.name, bot) for bot in named]
    entrants += introduce(submitted, limits, sandbox, reasons.__setitem__, variants)
    missing = reasons.keys() - names
    lost = [bot for bot in former if bot.name in missing]
    unchanged = [bot for bot in lost if Path(bot.folder).is_dir()]
    entrants, idle = _split([*entrants, *unchanged], variants)
    guests = find_guests(entrants, variants, limits, sandbox) if table.fill else []
    challengers = {bot.name for bot in challenging} | ({*table.challengers} & known)
    playing_on = {bot.name for bot in unchanged}
    titles = {name: student.title for name, student in students.items()}
    return Lineup(
        entrants=[*entrants, *guests],
        challengers=tuple([bot.name for bot in entrants if bot.name in challengers]),
        excluded={name: str(reason) for name, reason in reasons.items() if name not in playing_on},
        notices=[*_notices(idle), *_without_worlds(entrants, variants), *notices],
        warnings=[
            f"excluded{', but an earlier version keeps playing' if name in playing_on else ''}: "
            f"{titles.get(name, name)}: {_in_a_line(str(reason))}"
            for name, reason in reasons.items()
        ],
        students=students,
    )


MAX_NAMED = 30
WITHOUT_BOT = "students without a bot"
MAX_IDLE_NAMED = 3


def lineup_of_trusted(entrants: Sequence[Entrant], variants: Sequence[str]) -> Lineup:
    playing, idle = _split(entrants, variants)
    return Lineup(playing, (), {}, _notices(idle), [], {})


def _in_a_line(reason: str) -> str:
    first, *more = reason.splitlines()
    if not more:
        return first
    raised = raised_in("\n".join(more)) or more[-1]
    return f"{first.removesuffix('Traceback (most recent call last):')}{raised}"


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{', '.join(names[:MAX_NAMED])}{more}"


def _notices(idle: Sequence[str]) -> list[str]:
    if len(idle) > MAX_IDLE_NAMED:
        return [f"excluded {len(idle)} bots, because they play none of these games"]
    return [f"excluded, because they play none of these games: {', '.join(idle)}"] if idle else []


def _without_worlds(entrants: Sequence[Entrant], variants: Sequence[str]) -> Iterator[str]:
    lacking = [variant for variant in variants if not get_variant(variant).has_worlds]
    for bot in entrants:
        excluded = [variant for variant in lacking if not bot.plays(variant)]
        if excluded and any("/" in game for game in bot.games):
            yield f"{bot.name} asks for worlds, so it can't play {', '.join(excluded)}"


def _submitted(
    contest: Contest, reasons: dict[str, BotError], snapshots: Snapshots
) -> tuple[list[Entrant], dict[str, Student], list[str]]:
    rules = rules_of(contest)
    if rules is None:
        return [], {}, []
    bots, students = [], {}
    is_near = Path(contest.results).resolve().is_relative_to(rules.inbox.folder.resolve())
    for version in rules.inbox.lineup():
        try:
            own = rules.roster.get(version.owner) if rules.roster else version.student
            students[own.id] = own
            bot = rules.inbox.bot_of(version).entrant
            bots.append(bot if is_near else snapshots.take(bot))
        except BotError as error:
            reasons[version.owner] = error
    known = dict(rules.roster.students) if rules.roster else records_of(rules)
    teams = {student.team for student in students.values() if student.team}
    without = [
        student.title
        for name, student in known.items()
        if name not in {*students, *reasons} and student.team not in teams
    ]
    lacking = [f"{WITHOUT_BOT}: {_named(without)}"] if without else []
    owners = sorted(
        {submission.name for submission in rules.inbox.unchecked() if not submission.is_trial}
    )
    waiting = [f"submissions waiting for their check: {_named(owners)}"] if owners else []
    return bots, students, [*lacking, *waiting, *_by_hand(contest, rules.inbox.bots)]


def _by_hand(contest: Contest, folder: Path) -> Iterator[str]:
    table = contest.entrants
    named = [*table.bots, *table.challengers, *[program.folder for program in contest.programs]]
    known = {Path(name).resolve() for name in named}
    bots_in_folder = [path for path in folder.glob("[!.]*") if not path.name.startswith(VERSION)]
    if names := sorted([path.name for path in bots_in_folder if path not in known]):
        yield (
            f"files in {folder} that were not submitted do not play: {_named(names)}; submit them "
            "with `arena submit`"
        )


def _split(
    entrants: Sequence[Entrant], variants: Collection[str]
) -> tuple[list[Entrant], list[str]]:
    idle = [bot.name for bot in entrants if not any(map(bot.plays, variants))]
    return [bot for bot in entrants if bot.name not in idle], idle


def find_guests(
    entrants: Sequence[Entrant], variants: Sequence[str], limits: Limits, sandbox: SandboxSettings
) -> list[Entrant]:
    """Choose bundled bots for the seats that would otherwise be empty.

    Raise `BotError` if a chosen bot fails to start.
    """
    missing: dict[str, int] = {}
    for variant in map(get_variant, variants):
        playing = sum([bot.plays(variant.id) for bot in entrants])
        missing[variant.game] = max(variant.seats - playing, missing.get(variant.game, 0))
    lacking = [game for game, number in missing.items() if number]
    if not lacking:
        return []
    entered = {bot.fingerprint for bot in entrants}
    candidates = [bot for bot in find_entrants([QUICK]) if bot.fingerprint not in entered]
    candidates = [bot for bot in candidates if any(map(bot.plays, lacking))]
    candidates = introduce(candidates, limits, sandbox)
    needed = {
        bot.name
        for game, number in missing.items()
        for bot in [bot for bot in candidates if bot.plays(game)][:number]
    }
    return [
        msgspec.structs.replace(bot, name=bot.name + GUEST_MARK)
        for bot in candidates
        if bot.name in needed
    ]
