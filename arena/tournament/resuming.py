"""A run that is resumed with other settings: they conflict, continue it, or grow to its own."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from arena.base.errors import SettingsError
from arena.base.record import Entrant
from arena.contest.settings import Contest, override
from arena.plugins import bots
from arena.tournament.settings import Settings

HASH_DIGITS = 12
"""First digits of a hash that identify it in a message."""

# -- two settings ------------------------------------------------------------------------------


class _Kept(msgspec.Struct, frozen=True):
    """A setting that a run keeps, so that it is only resumed with the same one."""

    value: object
    text: object
    """In a message."""
    contest: dict[str, Any] = {}
    """Its values in a contest, by key. None stands for a setting that the file should not have."""
    what: str = ""
    """The words before the text, once for both settings."""


def _kept(run: Settings) -> list[_Kept]:
    """Return the settings that a run keeps, in the order in which messages name them."""
    rule, sizes, level, bounds = run.stop_rule, run.sizes, run.sandbox.level, run.sandbox.bounds
    challengers = sorted(run.challengers)
    until: dict[str, Any] = {"until": None, "epsilon": None, "confidence": None}
    certain = "no stop rule"
    if rule is not msgspec.UNSET:
        until = {"until": "certain", **asdict(rule)}
        certain = f"until certain to {rule.epsilon:g} at {rule.confidence:g} %"
    return [
        _Kept((run.seed, run.secret), _chance(run), {"seed": run.seed}),
        _Kept(run.is_final, "a final" if run.is_final else "no final"),
        _Kept(run.schedule, run.schedule, {"schedule": run.schedule}, "schedule "),
        _Kept(challengers, ", ".join(run.challengers) or "none", what="challengers "),
        _Kept(
            run.withdrawal,
            "withdrawal" if run.withdrawal else "no withdrawal",
            {"withdrawal": run.withdrawal},
        ),
        _Kept(rule, certain, until),
        _Kept(run.ranked_by, run.ranked_by, {"result": run.ranked_by}, "results by "),
        _Kept(sizes, f"portions of {sizes.initial} to {sizes.largest} boards"),
        *[
            _Kept(value, value, {f"limits.{name}": value}, f"{name} ")
            for name, value in asdict(run.limits).items()
        ],
        _Kept(level, level, {"sandbox.level": level}, "--sandbox "),
        _Kept(
            bounds,
            f"{bounds.memory_mib} MiB of memory, {bounds.processes} processes and files of "
            f"{bounds.file_mib} MiB a bot",
            {f"sandbox.{name}": value for name, value in asdict(bounds).items()},
        ),
    ]


def _chance(run: Settings) -> str:
    if run.secret is None:
        return f"seed {run.seed}"
    code = "" if run.secret.with_fingerprints else " and deals that do not depend on code"
    return f"a secret with SHA-256 {run.secret.hash[:HASH_DIGITS]}...{code}"


def conflicts(before: Settings, now: Settings) -> Iterator[str]:
    """Yield a phrase for each difference with which `now` does not continue `before`."""
    names = {entrant.name for entrant in now.entrants}
    regulars = [entrant.name for entrant in before.entrants if not entrant.guest]
    if removed := [name for name in regulars if name not in names]:
        yield f"without {', '.join(removed)}"
    if removed := [variant for variant in before.variants if variant not in now.variants]:
        yield f"without {', '.join(removed)}"
    if now.rounds < before.rounds:
        yield f"{now.rounds} rounds, not {before.rounds}"
    for was, kept in zip(_kept(before), _kept(now), strict=True):
        if was.value != kept.value:
            yield f"{kept.what}{kept.text}, not {was.text}"


def changes(before: Settings, now: Settings) -> Iterator[str]:
    """Yield a sentence for each change with which `now` continues `before`.

    The order of the bots does not matter.
    """
    known = {entrant.name: entrant.fingerprint for entrant in before.entrants}
    added = [entrant.name for entrant in now.entrants if entrant.name not in known]
    changed = [
        entrant.name
        for entrant in now.entrants
        if known.get(entrant.name, entrant.fingerprint) != entrant.fingerprint
    ]
    if added:
        yield f"new bots: {', '.join(added)}"
    if left := sorted(now.dropped_bots - before.dropped_bots):
        yield f"bots that have left: {', '.join(left)}; their games do not count"
    if back := sorted(before.dropped_bots - now.dropped_bots):
        yield f"bots that are back: {', '.join(back)}; their games count again"
    if changed:
        deals = ", with new deals" if now.secret and now.secret.with_fingerprints else ""
        names = ", ".join(changed)
        yield f"bots whose code has changed: {names}; their boards are played again{deals}"
    if before.variants != now.variants:
        yield f"variants: {', '.join(now.variants)}"
    if before.rounds != now.rounds:
        yield f"{now.rounds} rounds, formerly {before.rounds}"
    if before.orders_by_score != now.orders_by_score:
        yield f"tables are ordered by {'score' if now.orders_by_score else 'rating'}"


# -- the contest of a run ----------------------------------------------------------------------


def contest_of_run(settings: Settings, folder: Path) -> Contest:
    """Return the contest whose run in `folder` is resumed with the settings that it has.

    Its bots are those that are installed or still where they were.
    """
    regulars = [bot for bot in settings.entrants if not bot.guest]
    entrants = [bot for bot in regulars if bot.name not in settings.dropped_bots]
    values: dict[str, Any] = {
        "rounds": settings.rounds,
        "variants": settings.variants,
        "entrants.bots": tuple(filter(None, map(_named, entrants))),
        "entrants.challengers": settings.challengers,
        "entrants.fill": len(regulars) < len(settings.entrants),
        "sandbox.readable": tuple(settings.sandbox.readable),
        "name": folder.name,
        "results": str(folder.parent),
    }
    kept = [pair for setting in _kept(settings) for pair in setting.contest.items()]
    values |= {key: value for key, value in kept if value is not None}
    if settings.order is not msgspec.UNSET:
        values["order"] = settings.order
    return override(Contest(), values)


def _named(bot: Entrant) -> str:
    """Return the name or path of a bot as a person gives it; empty if it is not there any more."""
    if registered := bots().get(bot.name):
        return bot.name if registered.folder == bot.folder else ""
    path = _path_of(bot)
    return str(path) if path.exists() else ""


def grow(
    contest: Contest, variants: tuple[str, ...], former: Settings, options: Collection[str]
) -> tuple[Contest, tuple[str, ...], list[str]]:
    """Let the settings of a contest grow to those of its run, if it was grown by an option once.

    `options` are the keys of the settings that were given on the command line. Rounds and variants
    among them stay.

    Returns:
        The contest with the rounds of the run, the variants of both, and a sentence for each
        change.
    """
    notices = []
    if former.rounds > contest.rounds and "rounds" not in options:
        notices.append(
            f"the run has {former.rounds} rounds and keeps them, instead of {contest.rounds}"
        )
        contest = msgspec.structs.replace(contest, rounds=former.rounds)
    missing = [variant for variant in former.variants if variant not in variants]
    if missing and not {"games", "variants"} & set(options):
        notices.append(f"the run has {', '.join(missing)} too, and keeps them")
        is_grown = set(variants) <= set(former.variants)
        variants = former.variants if is_grown else (*variants, *missing)
    return contest, variants, notices


def check_bots_are_there(settings: Settings) -> None:
    """Refuse to resume a run without saying who plays, if some of its bots are gone.

    Raises:
        SettingsError: the program of a bot is not where it was.
    """
    regulars = [bot for bot in settings.entrants if not bot.guest]
    staying = [bot for bot in regulars if bot.name not in settings.dropped_bots]
    if gone := [bot.name for bot in staying if not _named(bot)]:
        raise SettingsError(
            f"{', '.join(gone)} is not there any more: put it back, or say with --bot which bots "
            "play on, so that the games of the others do not count"
        )


def _path_of(bot: Entrant) -> Path:
    """Return the path by which a bot was entered: its file, its folder or a zip."""
    path = Path(bot.origin)
    return path / bot.command[-1] if bot.files and not path.is_file() else path
