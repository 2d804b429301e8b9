"""Whole games: the digests of section 15, and the example view of the rules page."""

import hashlib
import json
import re
import tomllib
from pathlib import Path

import pytest

from engine import Variant, brides_and_bribes, get_variant
from tests.engine.brides_and_bribes.play import VARIANTS
from tests.engine.brides_and_bribes.table import (
    BOROUGHS,
    COMMONS,
    FAMILIES,
    FIRST_BRIDES,
    LORDS,
    SECOND_BRIDES,
    kind_of,
)
from tests.engine.games import Json, as_json

HERE = Path(__file__).parent
DIGESTS = tomllib.loads((HERE / "digests.toml").read_text(encoding="utf-8"))
PAGE = Path(brides_and_bribes.__file__).with_name("rules.md")
GAMES = 400


def digest_deal(n: int, t: int) -> Json:
    boroughs = {BOROUGHS[(t + i) % 4] for i in range(n - 1)} | {"port"}
    other_lords = list(LORDS)[1:]
    lords = [other_lords[(t + i) % 4] for i in range(n - 1)]
    lords.insert(t % n, "adorno")
    decks = {
        name: [commons[(5 * i + t) % 6] for i in range(6)]
        for name, commons in COMMONS.items()
        if name in boroughs
    }
    port = decks["port"]
    top = next(tile for tile in port if kind_of(tile) == "assassin")
    port.insert(0, port.pop(port.index(top)))
    return {
        "boroughs": [name for name in BOROUGHS if name in boroughs],
        "families": [FAMILIES[(2 * i + t) % 5] for i in range(n)],
        "favor": [(t - i if t % 2 else t + i) % n for i in range(n)],
        "lords": lords,
        "first_brides": [FIRST_BRIDES[(3 * i + t) % 7] for i in range(7)],
        "second_brides": [SECOND_BRIDES[(2 * i + t) % 7] for i in range(7)],
        "decks": decks,
    }


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(variant, id=variant.id, marks=[pytest.mark.slow] if variant.seats > 3 else [])
        for variant in VARIANTS
    ],
)
def test_games_match_published_digest(variant: Variant) -> None:
    digest, decisions, total, first = hashlib.sha256(), 0, 0, ""
    for t in range(GAMES):
        state = variant.start(variant.read_deal(digest_deal(variant.seats, t)))
        made: list[str] = []
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            wanted = [action for action in legal if action not in ("decline", "pass")]
            if not wanted or len(made) % 5 == 4:
                wanted = legal
            action = wanted[(13 * len(made) + 5 * t + 7) % len(wanted)]
            made.append(f"{state.seat_to_act}:{action}")
            state.apply(action)
        outcome = state.outcome()
        points, ranks = ("/".join(map(str, row)) for row in (outcome.points, outcome.ranks))
        line = f"{variant.id} {t} {','.join(made)} {points} {ranks}\n"
        if t == 0:
            first = f"{len(made)}; {points}; {ranks}"
        digest.update(line.encode())
        decisions += len(made)
        total += sum(outcome.points)
    assert DIGESTS[variant.id] == {
        "decisions": decisions,
        "influence": total,
        "first": first,
        "sha256": digest.hexdigest(),
    }


# -- the example of the rules page ----------------------------------------------------------------


def test_example_view_is_reachable() -> None:
    """The last JSON block of section 11 is what seat 1 sees after the record beside this file."""
    blocks = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    shown = json.loads(blocks[-1])
    record = json.loads((HERE / "example_record.json").read_text(encoding="utf-8"))
    variant = get_variant(record["variant"])
    state = variant.start(variant.read_deal(record["deal"]))
    for action in record["actions"]:
        state.apply(action)
    view = as_json(state.view(shown["seat"]))
    assert view == shown
    assert list(view) == list(shown)
