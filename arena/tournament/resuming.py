"""Find differences between a run's settings and the settings given to resume it."""

from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import asdict

from arena.base.record import Entrant
from arena.contest.settings import Contest
from arena.tournament.settings import Settings

HASH_DIGITS = 12

# -- two settings ------------------------------------------------------------------------------


def _kept(run: Settings) -> dict[str, object]:
    rule = None if run.stop_rule is msgspec.UNSET else run.stop_rule
    return {
        "schedule": run.schedule,
        "withdrawal": run.withdrawal,
        "until": rule and "certain",
        "epsilon": rule and rule.epsilon,
        "confidence": rule and rule.confidence,
        "result": run.ranked_by,
        **{f"limits.{name}": value for name, value in asdict(run.limits).items()},
        "sandbox.level": run.sandbox.level,
        **{f"sandbox.{name}": value for name, value in asdict(run.sandbox.bounds).items()},
    }


def conflicts(before: Settings, now: Settings) -> Iterator[str]:
    """Yield a description of each changed setting that prevents a run from being resumed."""
    names = {entrant.name for entrant in now.entrants}
    regulars = [entrant.name for entrant in before.entrants if not entrant.guest]
    if removed := [name for name in regulars if name not in names]:
        yield f"the run has the bots {', '.join(removed)}, which are missing now"
    if removed := [variant for variant in before.variants if variant not in now.variants]:
        yield f"the run has the variants {', '.join(removed)}, which are missing now"
    if now.rounds < before.rounds:
        yield f"rounds is {before.rounds} in the run, but {now.rounds} now"
    if before.secret is None and now.secret is None and before.seed != now.seed:
        yield f"seed is {before.seed} in the run, but {now.seed} now"
    elif before.secret != now.secret:
        yield f"the run's deals come from {_chance(before)}, but now from {_chance(now)}"
    if before.is_final != now.is_final:
        yield f"the run is {'' if before.is_final else 'not '}a final"
    if sorted(before.challengers) != sorted(now.challengers):
        was, has = (", ".join(run.challengers) or "unset" for run in (before, now))
        yield f"the run's challengers are {was}, but now {has}"
    if before.sizes != now.sizes:
        was, has = (f"{run.sizes.smallest} to {run.sizes.largest}" for run in (before, now))
        yield f"the run has blocks of {was} boards, but now blocks of {has} boards"
    kept = _kept(now)
    for key, value in _kept(before).items():
        if value != kept[key]:
            yield f"{key} is {_shown(value)} in the run, but {_shown(kept[key])} now"


def _shown(value: object) -> str:
    if value is None:
        return "unset"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _chance(run: Settings) -> str:
    if run.secret is None:
        return f"the seed {run.seed}"
    code = "" if run.secret.with_fingerprints else " and do not depend on code"
    return f"a secret with SHA-256 {run.secret.hash[:HASH_DIGITS]}...{code}"


def changes(before: Settings, now: Settings) -> Iterator[str]:
    """Yield a message for each setting that changes when a run is resumed."""
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


def grow(
    contest: Contest, variants: tuple[str, ...], former: Settings, options: Collection[str]
) -> tuple[Contest, tuple[str, ...], list[str]]:
    """Adjust the rounds and variants of a contest so that all games of a resumed run still count.

    Rounds and variants that the user gave as options are not changed. Return the
    adjusted contest, the variants to play, and a message for each adjustment.
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


def path_of_bot(bot: Entrant) -> Path:
    path = Path(bot.origin)
    return path / bot.command[-1] if bot.files and not path.is_file() else path
