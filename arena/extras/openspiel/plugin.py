"""Register OpenSpiel's games, if OpenSpiel is installed."""

from collections.abc import Iterable
from importlib.util import find_spec

from arena.base.errors import how_to_install
from arena.plugins import Presentation
from engine import Variant, hookimpl


def _is_installed() -> bool:
    return find_spec("pyspiel") is not None


@hookimpl
def register_variants() -> Iterable[Variant]:
    if not _is_installed():
        return []
    from arena.extras.openspiel.variants import SpielVariant, listing

    return [
        SpielVariant(game, listed, seats)
        for game, listed in listing().games.items()
        for seats in listed.seats
    ]


@hookimpl
def register_presentations() -> Iterable[Presentation]:
    from arena.extras.openspiel.variants import listing, rules_of

    games = listing().games if _is_installed() else {}
    return [Presentation(game, rules=rules_of(game, listed)) for game, listed in games.items()]


@hookimpl
def explain_unknown_game(game: str) -> str | None:
    from arena.extras.openspiel.variants import listing

    if game in listing().games and not _is_installed():
        return f"it is one of OpenSpiel's games; {how_to_install('openspiel')}"
    reasons = [why for why, games in listing().excluded.items() if game in games]
    return f"OpenSpiel's {game} is excluded because {reasons[0]}" if reasons else None
