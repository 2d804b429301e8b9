"""The page that says how the results came about."""

import platform
from importlib import metadata
from typing import NamedTuple

import msgspec

from arena import __version__
from arena.publish.run_statistics import RunStatistics
from arena.rating.leaderboard import Leaderboard
from arena.tournament.run import Settings, games_by_variant, rounds_by_variant

SECRET = "shown when all games are played, since it fixes every deal"


class Fact(NamedTuple):
    """A setting and its value, for people."""

    name: str
    value: str


class VariantFact(NamedTuple):
    """What was played of a variant."""

    variant: str
    rules: int | None
    """The version of its rules; None before the first game."""
    bots: int
    rounds: int
    played: int
    games: int
    """Scheduled."""
    gain: float | None
    """How many games on deals of their own a game on a board is worth."""


class EntrantFact(NamedTuple):
    """Who was entered."""

    name: str
    author: str
    games: tuple[str, ...]
    fingerprint: str


class About(msgspec.Struct, frozen=True):
    """The page."""

    facts: list[Fact]
    versions: list[Fact]
    """Of what made the site."""
    limits: list[Fact]
    sandbox: list[Fact]
    variants: list[VariantFact]
    entrants: list[EntrantFact]
    played: int
    scheduled: int
    counted: int
    stalled: int


def about_page(settings: Settings, board: Leaderboard, statistics: RunStatistics) -> About:
    """Return what tells how a run was made, without the paths of the machine that played it."""
    by_variant = games_by_variant(settings)
    rounds = rounds_by_variant(settings)
    variants = [
        VariantFact(
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
    played, scheduled = statistics.games.total(), sum([games for _, games in by_variant.values()])
    return About(
        facts=_facts(settings, is_over=played == scheduled),
        versions=_versions(),
        limits=_limits(settings),
        sandbox=_sandbox(settings),
        variants=variants,
        entrants=[
            EntrantFact(one.name, one.author, one.games, one.fingerprint)
            for one in settings.entrants
        ],
        played=played,
        scheduled=scheduled,
        counted=board.games,
        stalled=statistics.stalled,
    )


def _facts(settings: Settings, is_over: bool) -> list[Fact]:
    seed = str(settings.seed) if is_over else SECRET
    facts = [
        Fact("Seed", seed),
        Fact("Rounds", f"{settings.rounds:,}"),
        Fact("Schedule", settings.schedule),
    ]
    if settings.challengers:
        facts.append(Fact("Challengers", ", ".join(settings.challengers)))
    withdrawal = "withdrawn from the run" if settings.withdrawal else "play on"
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
        bank = f"{limits.bank_ms:,} ms, and {limits.increment_ms:,} ms more for each answer"
    return [
        Fact("To start", f"{limits.start_ms:,} ms"),
        Fact("For an answer", f"{limits.move_ms:,} ms"),
        Fact("For all answers of a game", bank),
        Fact("A line of output", f"{limits.line_bytes:,} bytes"),
        Fact("All output in a game", f"{limits.output_kib:,} KiB"),
        Fact("Lists and objects in one another", f"{limits.nesting} deep"),
    ]


def _sandbox(settings: Settings) -> list[Fact]:
    sandbox = settings.sandbox
    facts = [Fact("Sandbox", sandbox.level)]
    if sandbox.promise:
        facts.append(Fact("It promises", sandbox.promise))
    if sandbox.level != "none":
        facts += [
            Fact("Memory of a bot", f"{sandbox.bounds.memory_mib:,} MiB"),
            Fact("Processes and threads of a bot", f"{sandbox.bounds.processes:,}"),
            Fact("Largest file of a bot", f"{sandbox.bounds.file_mib:,} MiB"),
        ]
    if sandbox.withstood:
        facts.append(Fact("Attacks of our own that failed", ", ".join(sandbox.withstood)))
    return facts
