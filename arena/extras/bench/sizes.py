"""How much `arena bench` measures: a short size, the usual one, and a long one."""

from typing import NamedTuple


class Sizes(NamedTuple):
    """How often each figure is measured, and how much work a measurement repeats."""

    rounds: int = 5
    """Measurements of each figure."""
    run_rounds: int = 3
    """Measurements of whole runs."""
    round_trips: int = 2_000
    """Messages to one process and back."""
    playouts: int = 50
    """Random games in the engine."""
    determinized: int = 2
    """Random games at whose decisions `determinize` is called."""
    decided: int = 32
    """Games of the rows of decisions."""
    driven: int = 150
    """Games with the driver alone."""
    own_time: int = 30
    """Games in which the quick bots' own time is measured."""
    games: int = 600
    """Games of a whole run, about."""
    recorded: int = 8
    """Rounds of a run whose records are stored and rated."""
    ranked: int = 30_000
    """Games of the leaderboard of 30 bots. Its tables come once, and weigh more with fewer."""
    scored: int = 30_000
    """Games of the scores of 50 bots."""
    looked_at: int = 10_000
    """Games of a look of the stop rule."""


USUAL = Sizes()
SHORT = Sizes(
    rounds=5,
    run_rounds=1,
    playouts=10,
    determinized=1,
    decided=32,
    driven=6,
    own_time=10,
    games=60,
)
LONG = Sizes(
    rounds=11,
    run_rounds=2,
    driven=600,
    own_time=200,
    games=20_000,
    ranked=100_000,
    scored=100_000,
)
