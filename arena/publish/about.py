"""Build the page about a run: how it was played and how to verify it."""

import platform
from importlib import metadata
from typing import NamedTuple

import msgspec

from arena import __version__
from arena.base.record import Entrant
from arena.publish.run_statistics import RunStatistics
from arena.rating.leaderboard import Leaderboard
from arena.tournament.games import games_by_variant, rounds_by_variant
from arena.tournament.settings import Settings
from arena.tournament.standings import is_over


class VariantDetails(NamedTuple):
    variant: str
    rules: int | None
    bots: int
    rounds: int
    played: int
    games: int


class About(NamedTuple):
    """Information about a run that its settings don't contain. It must not reveal file paths."""

    variants: list[VariantDetails]
    entrants: list[Entrant]
    versions: dict[str, str]
    played: int
    scheduled: int
    is_over: bool
    may_end_before: bool
    """Whether the run may end before all scheduled games are played."""


def about_page(settings: Settings, board: Leaderboard, statistics: RunStatistics) -> About:
    by_variant, rounds = games_by_variant(settings), rounds_by_variant(settings)
    played, over = board.games + board.games_left_out, is_over(settings, board)
    return About(
        variants=[
            VariantDetails(
                variant=variant,
                rules=statistics.rules.get(variant),
                bots=bots,
                rounds=rounds[variant],
                played=statistics.games[variant],
                games=games,
            )
            for variant, (bots, games) in by_variant.items()
        ],
        entrants=[bot for bot in settings.entrants if bot.name not in settings.dropped_bots],
        versions={
            "bribe-arena": __version__,
            "Python": platform.python_version(),
            **{name: metadata.version(name) for name in ("trueskill", "numpy")},
        },
        played=played,
        scheduled=played if over else sum([games for _, games in by_variant.values()]),
        is_over=over,
        may_end_before=not over and settings.stop_rule is not msgspec.UNSET,
    )
