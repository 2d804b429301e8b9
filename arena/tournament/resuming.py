"""Resume a run with other settings, which may conflict with, continue or extend its own."""

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

# -- two settings ------------------------------------------------------------------------------


class _Kept(msgspec.Struct, frozen=True):
    """A setting that can't change when a run is resumed."""

    value: object
    text: object
    contest: dict[str, Any] = {}
    """Contest settings by key. None means that the file should not set it."""
    what: str = ""


def _kept(run: Settings) -> list[_Kept]:
    """Return the settings that can't change, in the order in which messages list them."""
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
    """Yield a phrase for each difference that prevents `now` from continuing `before`."""
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
    """Yield a sentence for each permitted change from `before` to `now`.

    The order of the bots doesn't matter.
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
    """Reconstruct a contest that resumes the run in `folder` with its own settings.

    Its bots are those that are installed or still exist at their former paths.
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
    if registered := bots().get(bot.name):
        return bot.name if registered.folder == bot.folder else ""
    path = _path_of(bot)
    return str(path) if path.exists() else ""


def grow(
    contest: Contest, variants: tuple[str, ...], former: Settings, options: Collection[str]
) -> tuple[Contest, tuple[str, ...], list[str]]:
    """Extend a contest to match its run, if command-line options have extended the run before.

    `options` are the keys of settings given on the command line. Rounds and variants among them are
    left alone.

    Returns:
        The contest with the run's rounds, the variants of both, and a sentence for each change.
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
    """Check that all bots of a run still exist before resuming it without naming bots.

    Raises:
        SettingsError: a bot's program has been moved or deleted.
    """
    regulars = [bot for bot in settings.entrants if not bot.guest]
    staying = [bot for bot in regulars if bot.name not in settings.dropped_bots]
    if gone := [bot.name for bot in staying if not _named(bot)]:
        raise SettingsError(
            f"{', '.join(gone)} is not there any more: put it back, or say with --bot which bots "
            "play on, so that the games of the others do not count"
        )


def _path_of(bot: Entrant) -> Path:
    path = Path(bot.origin)
    return path / bot.command[-1] if bot.files and not path.is_file() else path
