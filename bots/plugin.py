"""Registers the bundled bots, as any plugin does its own."""

import sys
from collections.abc import Iterable
from pathlib import Path

from arena.plugins import RegisteredBot, hookimpl

FOLDER = Path(__file__).parent


def _bundled(name: str, summary: str, *, quick: bool = False) -> RegisteredBot:
    module = f"bots.{name.replace('-', '_')}"
    command = (sys.executable, "-P", "-m", module)  # -P: `random` is not our folder's
    return RegisteredBot(name, command, str(FOLDER), summary, quick)


@hookimpl
def register_bots() -> Iterable[RegisteredBot]:
    """Return the bots of the box."""
    return [
        _bundled("random", "plays any legal action; any game", quick=True),
        _bundled("timid", "ducks every trick that it can; Pot de Vin", quick=True),
        _bundled("briber", "buys itself out, saves its cards for the end; Pot de Vin", quick=True),
        _bundled("greedy", "takes every trick that it can; Pot de Vin", quick=True),
        _bundled("collector", "takes what scores right now; Pot de Vin", quick=True),
        _bundled("planner", "counts cards, plans for the end of the game; Pot de Vin", quick=True),
        _bundled("spoiler", "takes from others what they have; Bribery", quick=True),
        _bundled("banker", "takes the widest lead right now; Bribery", quick=True),
        _bundled("fixer", "weighs what all bribes to come may change; Bribery", quick=True),
        _bundled("suitor", "marries at once; Brides & Bribes", quick=True),
        _bundled("poisoner", "murders and thwarts; Brides & Bribes", quick=True),
        _bundled("courtier", "gathers influence and favor; Brides & Bribes", quick=True),
        _bundled("builder", "employs workers and builds; Brides & Bribes", quick=True),
        _bundled("doge", "weighs all that a game can bring; Brides & Bribes", quick=True),
        _bundled("monte-carlo", "plays each action out many times by chance; any game"),
    ]
