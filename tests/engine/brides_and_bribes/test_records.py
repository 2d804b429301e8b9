"""Whole games: the digests of section 15, and the example view of the rules page."""

import functools
import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import Variant, brides_and_bribes, get_variant
from tests.engine.brides_and_bribes.play import VARIANTS, window
from tests.engine.brides_and_bribes.table import (
    BOROUGHS,
    COMMONS,
    FAMILIES,
    FIRST_BRIDES,
    LORDS,
    SECOND_BRIDES,
    kind_of,
)
from tests.engine.brides_and_bribes.test_playable import ABILITIES
from tests.engine.games import Json, as_json

HERE = Path(__file__).parent
DIGESTS = tomllib.loads((HERE / "digests.toml").read_text(encoding="utf-8"))
PAGE = Path(brides_and_bribes.__file__).with_name("rules.md")
GAMES = 400

START_OF_THE_FIRST_LINE = (
    "brides-and-bribes/3 0 2:worker green,0:worker black,1:worker red,2:place ship-4,"
    "2:ship 4 tommaso,2:place port,2:send isandro port,0:place favor,0:favor raineo,"
    "0:place ship-3,0:ship 3 matteo,1:place favor,1:favor taddeo,1:place port,"
    "1:send ansaldo port,"
)


def digest_deal(n: int, t: int) -> Json:
    """Return the deal of game t with n seats."""
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


@dataclass
class Run:
    """The games of a variant together."""

    sums: Json
    plays: set[tuple[str, str]]
    """Kinds of tiles that were played, each with the window."""


@functools.cache
def digest_run(variant: Variant) -> Run:
    digest, decisions, total, first = hashlib.sha256(), 0, 0, ""
    plays: set[tuple[str, str]] = set()
    for t in range(GAMES):
        state = variant.start(variant.read_deal(digest_deal(variant.seats, t)))
        made: list[str] = []
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            wanted = [action for action in legal if action not in ("decline", "pass")]
            if not wanted or len(made) % 5 == 4:
                wanted = legal
            action = wanted[(13 * len(made) + 5 * t + 7) % len(wanted)]
            if action.startswith("play "):
                plays.add((kind_of(action.split()[1]), window(state) or ""))
            made.append(f"{state.seat_to_act}:{action}")
            state.apply(action)
        outcome = state.outcome()
        points, ranks = ("/".join(map(str, row)) for row in (outcome.points, outcome.ranks))
        line = f"{variant.id} {t} {','.join(made)} {points} {ranks}\n"
        if t == 0:
            first = f"{len(made)}; {points}; {ranks}"
            if variant.seats == 3:
                assert line.startswith(START_OF_THE_FIRST_LINE)
        digest.update(line.encode())
        decisions += len(made)
        total += sum(outcome.points)
    sums = {
        "decisions": decisions,
        "influence": total,
        "first": first,
        "sha256": digest.hexdigest(),
    }
    return Run(sums, plays)


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(variant, id=variant.id, marks=[pytest.mark.slow] if variant.seats > 3 else [])
        for variant in VARIANTS
    ],
)
def test_digest(variant: Variant) -> None:
    assert digest_run(variant).sums == DIGESTS[variant.id]


@pytest.mark.slow
def test_the_games_use_61_of_the_62_pairs_of_ability_and_window() -> None:
    pairs = {
        (kind, use.split()[0])
        for kind, (uses, _) in ABILITIES.items()
        for use in uses.split(", ")
        if use
    }
    assert len(pairs) == 62
    played = set().union(*[digest_run(variant).plays for variant in VARIANTS])
    assert pairs - played == {("groomsman", "after")}
    assert played <= pairs


# -- the example of the rules page ----------------------------------------------------------------


def test_the_page_shows_a_view_that_a_game_leads_to() -> None:
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
