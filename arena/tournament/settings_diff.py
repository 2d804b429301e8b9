"""Differences between two settings of a run: what prevents a resume, and what has grown."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from arena.contracts import Bounds, SandboxSettings
from arena.protocol import Limits
from arena.rating.certificate import StopRule
from arena.tournament.settings import Settings

HASH_DIGITS = 12
"""First digits of a hash that identify it in a message."""


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
    if (before.seed, before.secret) != (now.seed, now.secret):
        alike = now.seed is not None and before.seed is not None
        yield f"{_chance(now)}, not {before.seed if alike else _chance(before)}"
    if before.is_final != now.is_final:
        yield "a final" if now.is_final else "no final"
    if before.schedule != now.schedule:
        yield f"schedule {now.schedule}, not {before.schedule}"
    if sorted(before.challengers) != sorted(now.challengers):
        yield f"challengers {_listed(now.challengers)}, not {_listed(before.challengers)}"
    if before.withdrawal != now.withdrawal:
        yield f"{_withdrawal(now)}, not {_withdrawal(before)}"
    if before.stop_rule != now.stop_rule:
        yield f"{_stop_rule(now)}, not {_stop_rule(before)}"
    if before.sizes != now.sizes:
        yield f"{_portions(now)}, not {_portions(before)}"
    for name in Limits.__struct_fields__:
        former, current = getattr(before.limits, name), getattr(now.limits, name)
        if former != current:
            yield f"{name} {current}, not {former}"
    if before.sandbox.level != now.sandbox.level:
        yield f"--sandbox {now.sandbox.level}, not {before.sandbox.level}"
    if before.sandbox.bounds != now.sandbox.bounds:
        yield f"{_bounds(now.sandbox)}, not {_bounds(before.sandbox)}"


def contest_values(before: Settings, now: Settings) -> dict[str, Any]:
    """Return the settings of a contest in which `before` differs from `now`, by key, as `before`.

    These are settings that a run cannot change: limits, sandbox, schedule and so on. None stands
    for a setting that a contest file should not have.
    """
    found: dict[str, Any] = {}
    if before.seed != now.seed:
        found["seed"] = before.seed
    for key in ("schedule", "withdrawal"):
        if getattr(before, key) != getattr(now, key):
            found[key] = getattr(before, key)
    if before.stop_rule != now.stop_rule:
        found |= stop_rule_values(before.stop_rule)
    for name in Limits.__struct_fields__:
        if getattr(before.limits, name) != getattr(now.limits, name):
            found[f"limits.{name}"] = getattr(before.limits, name)
    if before.sandbox.level != now.sandbox.level:
        found["sandbox.level"] = before.sandbox.level
    for name in Bounds.__struct_fields__:
        if getattr(before.sandbox.bounds, name) != getattr(now.sandbox.bounds, name):
            found[f"sandbox.{name}"] = getattr(before.sandbox.bounds, name)
    return found


def stop_rule_values(rule: StopRule | msgspec.UnsetType) -> dict[str, Any]:
    """Return the settings of a contest for a stop rule, by key."""
    if rule is msgspec.UNSET:
        return {"until": None, "epsilon": None, "confidence": None}
    return {"until": "certain", "epsilon": rule.epsilon, "confidence": rule.confidence}


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


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _chance(settings: Settings) -> str:
    secret = settings.secret
    if secret is None:
        return f"seed {settings.seed}"
    code = "" if secret.with_fingerprints else " and deals that do not depend on code"
    return f"a secret with SHA-256 {secret.hash[:HASH_DIGITS]}...{code}"


def _withdrawal(settings: Settings) -> str:
    return "withdrawal" if settings.withdrawal else "no withdrawal"


def _stop_rule(settings: Settings) -> str:
    rule = settings.stop_rule
    if rule is msgspec.UNSET:
        return "no stop rule"
    return f"until certain to {rule.epsilon:g} at {rule.confidence:g} %"


def _portions(settings: Settings) -> str:
    return f"portions of {settings.sizes.initial} to {settings.sizes.largest} boards"


def _bounds(sandbox: SandboxSettings) -> str:
    bounds = sandbox.bounds
    return (
        f"{bounds.memory_mib} MiB of memory, {bounds.processes} processes and files of "
        f"{bounds.file_mib} MiB a bot"
    )
