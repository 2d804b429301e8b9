"""Register the descriptions and terminal drawings of the built-in games."""

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from importlib.resources import files
from typing import Any

from arena.plugins import Presentation, hookimpl

TELLINGS = {
    "bribery": "bribery:Bribery",
    "brides-and-bribes": "brides_and_bribes:BridesAndBribes",
    "pot-de-vin": "pot_de_vin:PotDeVin",
}


@hookimpl
def register_presentations() -> Iterable[Presentation]:
    return [
        Presentation(
            game,
            rules=files("engine").joinpath(game.replace("-", "_"), "rules.md").read_text("utf-8"),
            draw=partial(_call, place.partition(":")[0], "draw"),
            headline=partial(_call, "pot_de_vin", "headline") if game == "pot-de-vin" else None,
            telling=f"arena.extras.games.{place}",
        )
        for game, place in TELLINGS.items()
    ]


def _call(module: str, function: str, *arguments: Any) -> Any:
    return getattr(import_module(f"arena.extras.games.{module}"), function)(*arguments)
