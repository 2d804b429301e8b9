"""A plugin that says how its game is shown, as in docs/plugins.md."""

from collections.abc import Mapping, Sequence

from arena.plugins import PiecePlace, Presentation, draw_by_places, hookimpl
from engine import Variant
from tests.engine.high_card import HighCard, View

RULES = """# High Card

The highest card wins. <b>No tricks.</b>

| card | points |
|---|---|
| any | 1 |
"""
SCRIPT = draw_by_places(
    "high-card", (600, 260), [PiecePlace("hand", at=(60, 40), piece="card", seats="own")]
)


def draw(view: View, names: Sequence[str], shown: Mapping[int, View]) -> str:
    """Return the hands that are shown, a line each."""
    return "\n".join([f"{names[seat]} holds {own.hand}" for seat, own in shown.items()])


@hookimpl
def register_variants() -> list[Variant]:
    """Return the variants of High Card."""
    return [HighCard()]


@hookimpl
def register_presentations() -> list[Presentation]:
    """Return how High Card is shown."""
    return [Presentation("high-card", rules=RULES, draw=draw, replay=SCRIPT)]
