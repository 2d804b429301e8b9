"""Plugin that registers the bundled bots."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from arena.plugins import RegisteredBot, RegisteredGuide, hookimpl
from bots.start import GAMES, GUIDES, RACES

FOLDER = Path(__file__).parent
# Folders in which a single module contains all bots.
SHARED_MODULES = {"brides_and_bribes": "styles"}


def _bundled(
    folder: str, name: str, summary: str, *, quick: bool = True, uses: Sequence[str] = ()
) -> RegisteredBot:
    module = f"bots.{folder}.{SHARED_MODULES.get(folder) or name.replace('-', '_')}"
    # -P: import nothing from the working folder
    command = (sys.executable, "-P", *_start(module, name))
    code = ("__init__.py", "start.py", folder, *uses)
    return RegisteredBot(name, command, str(FOLDER), summary, quick, code, GAMES[folder])


def _start(module: str, name: str) -> tuple[str, ...]:
    # `-m` takes a quarter longer to start than `-c`.
    starts_itself = module == "bots.any_game.monte_carlo" or module.startswith("bots.champion.")
    if starts_itself:
        return ("-m", module)
    return ("-c", "from bots.start import main; main()", module, name)


@hookimpl
def register_bots() -> Iterable[RegisteredBot]:
    any_game, pot_de_vin, bribery, brides, champion = GAMES
    return [
        _bundled(any_game, "random", "plays a random legal action; any game"),
        _bundled(pot_de_vin, "timid", "avoids every trick that it can; Pot de Vin"),
        _bundled(pot_de_vin, "briber", "pays to pass, saves cards for the end; Pot de Vin"),
        _bundled(pot_de_vin, "greedy", "takes every trick that it can; Pot de Vin"),
        _bundled(pot_de_vin, "collector", "takes the tricks that score for it now; Pot de Vin"),
        _bundled(pot_de_vin, "planner", "counts cards, plans for the end; Pot de Vin"),
        _bundled(bribery, "spoiler", "minimizes the points of the others; Bribery"),
        _bundled(bribery, "banker", "maximizes its lead on the current board; Bribery"),
        _bundled(bribery, "fixer", "maximizes its expected lead at the end; Bribery"),
        _bundled(brides, "suitor", "marries as soon as it can; Brides & Bribes"),
        _bundled(brides, "poisoner", "murders brides, blocks other players; Brides & Bribes"),
        _bundled(brides, "courtier", "collects influence and favor; Brides & Bribes"),
        _bundled(brides, "builder", "employs workers, builds workshops; Brides & Bribes"),
        _bundled(brides, "doge", "balances all that gains influence; Brides & Bribes"),
        _bundled(any_game, "monte-carlo", "simulates random games; any game", quick=False),
        _bundled(
            champion,
            "champion",
            "thinks ahead for as long as its clock allows; any game",
            quick=False,
            uses=(any_game, pot_de_vin, bribery, brides),
        ),
    ]


@hookimpl
def register_guides() -> Iterable[RegisteredGuide]:
    return [
        RegisteredGuide(game, f"{module}:make_guide", races=game in RACES)
        for game, module in GUIDES.items()
    ]
