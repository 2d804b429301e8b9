"""The page about a run: how it was made and how to verify it."""

import platform
from importlib import metadata
from typing import NamedTuple

import msgspec

from arena import __version__
from arena.publish.run_statistics import RunStatistics
from arena.rating.leaderboard import Leaderboard
from arena.record import Entrant
from arena.schedule.chance import Secret
from arena.tournament.games import games_by_variant, rounds_by_variant
from arena.tournament.settings import Settings
from arena.tournament.standings import is_over

SEED_HIDDEN = "shown when all games are played, because it determines every deal"
SECRET_HIDDEN = "published when the contest is over, because it determines every deal"


class Fact(NamedTuple):
    """A setting and its value, as text."""

    name: str
    value: str


class VariantDetails(NamedTuple):
    """A variant of the run, and the games played of it."""

    variant: str
    rules: int | None
    """The version of its rules; None before the first game."""
    bots: int
    rounds: int
    played: int
    games: int
    """Scheduled."""
    gain: float | None
    """The number of games on separate deals that tell as much as one game on a board."""


class About(msgspec.Struct, frozen=True):
    """The data of the page."""

    facts: list[Fact]
    versions: list[Fact]
    """Versions of the software that made the site."""
    limits: list[Fact]
    sandbox: list[Fact]
    variants: list[VariantDetails]
    entrants: list[Entrant]
    played: int
    scheduled: int
    may_end_before: bool
    """Whether fewer games than scheduled may be enough."""
    counted: int
    stalled: int


def about_page(
    settings: Settings,
    board: Leaderboard,
    statistics: RunStatistics,
    secret: Secret | None = None,
) -> About:
    """Return the page about a run. It has no paths of the machine that played the run.

    The page shows `secret`, the secret of the run. None does not show it.
    """
    by_variant = games_by_variant(settings)
    rounds = rounds_by_variant(settings)
    variants = [
        VariantDetails(
            variant=variant,
            rules=statistics.rules.get(variant),
            bots=bots,
            rounds=rounds[variant],
            played=statistics.games[variant],
            games=games,
            gain=board.duplicate_gain.get(variant),
        )
        for variant, (bots, games) in by_variant.items()
    ]
    played, over = board.games + board.games_left_out, is_over(settings, board)
    return About(
        facts=[*_chance(settings, secret, over), *_facts(settings)],
        versions=_versions(),
        limits=_limits(settings),
        sandbox=_sandbox(settings),
        variants=variants,
        entrants=[
            entrant for entrant in settings.entrants if entrant.name not in settings.dropped_bots
        ],
        played=played,
        scheduled=played if over else sum([games for _, games in by_variant.values()]),
        may_end_before=not over and settings.stop_rule is not msgspec.UNSET,
        counted=board.games,
        stalled=statistics.stalled,
    )


def _chance(settings: Settings, secret: Secret | None, is_over: bool) -> list[Fact]:
    if settings.secret is None:
        return [Fact("Seed", str(settings.seed) if is_over else SEED_HIDDEN)]
    return [
        Fact("Secret", secret.text if secret else SECRET_HIDDEN),
        Fact("SHA-256 of the secret", settings.secret.hash),
    ]


def _facts(settings: Settings) -> list[Fact]:
    final = [Fact("Run", "the final of the contest, on deals of its own")]
    facts = [
        *(final if settings.is_final else ()),
        Fact("Rounds", f"{settings.rounds:,}"),
        Fact("Schedule", settings.schedule),
    ]
    if settings.stop_rule is not msgspec.UNSET:
        rule = settings.stop_rule
        text = f"its order is certain at {rule.confidence:g} %, close scores differ by less than "
        facts.append(Fact("A variant ends when", f"{text}{rule.epsilon:g}"))
    if settings.challengers:
        facts.append(Fact("Challengers", ", ".join(settings.challengers)))
    withdrawal = "are withdrawn from the run" if settings.withdrawal else "continue"
    facts.append(Fact("Bots with too many faults", withdrawal))
    return facts


def _versions() -> list[Fact]:
    return [
        Fact("bribe-arena", __version__),
        Fact("Python", platform.python_version()),
        *[Fact(name, metadata.version(name)) for name in ("trueskill", "matplotlib")],
    ]


def _limits(settings: Settings) -> list[Fact]:
    limits = settings.limits
    bank = "no limit"
    if limits.bank_ms:
        bank = f"{limits.bank_ms:,} ms, plus {limits.increment_ms:,} ms for each answer"
    return [
        Fact("Start", f"{limits.start_ms:,} ms"),
        Fact("One answer", f"{limits.move_ms:,} ms"),
        Fact("Processor time of one answer", f"{limits.processor_ms:,} ms"),
        Fact("All answers of a game", bank),
        Fact("One line of output", f"{limits.line_bytes:,} bytes"),
        Fact("All output in a game", f"{limits.output_kib:,} KiB"),
        Fact("Nesting of lists and objects", f"{limits.nesting:,}"),
    ]


def _sandbox(settings: Settings) -> list[Fact]:
    sandbox = settings.sandbox
    facts = [Fact("Sandbox", sandbox.level)]
    if sandbox.promise:
        facts.append(Fact("Protection", sandbox.promise))
    if sandbox.level != "none":
        facts += [
            Fact("Memory per bot", f"{sandbox.bounds.memory_mib:,} MiB"),
            Fact("Processes and threads per bot", f"{sandbox.bounds.processes:,}"),
            Fact("Largest file of a bot", f"{sandbox.bounds.file_mib:,} MiB"),
        ]
    if sandbox.withstood:
        facts.append(Fact("Attacks tested without success", ", ".join(sandbox.withstood)))
    return facts
