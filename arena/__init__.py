"""A tournament framework for bots that play games about bribery.

See docs/python.md for the Python API.
"""

__version__ = "0.2.0"

_HOMES = {
    "ArenaError": "arena.base.errors",
    "GameRecord": "arena.base.record",
    "LeaderboardTable": "arena.played_run",
    "Run": "arena.played_run",
    "RunObserver": "arena.tournament.contest_run",
    "compare": "arena.interface",
    "open_run": "arena.interface",
    "play": "arena.tournament.play_game",
    "run": "arena.interface",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
