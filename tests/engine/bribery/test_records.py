"""Whole games: the digests of section 14, the example of section 10.4."""

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

from engine.bribery.deal import build_deal
from engine.game import GameVariant
from tests.engine.bribery.play import BRIBES, BY_ID, SUITED, each_variant
from tests.engine.games import as_json

EXAMPLE = json.loads(Path(__file__).with_name("example_view.json").read_text(encoding="utf-8"))


# -- section 14 ----------------------------------------------------------------------------------

DIGESTS = tomllib.loads(Path(__file__).with_name("digests.toml").read_text(encoding="utf-8"))


SUMS = ("decisions", "forced", "dominating", "shared")


def play_line(variant: GameVariant, t: int) -> tuple[list[str], Any]:
    jokers = sorted(f"joker-{(t + i) % 4 + 1}" for i in range(variant.parameters.jokers))
    officials = [*SUITED, *jokers]
    deal = build_deal(
        variant.parameters,
        jokers,
        [BRIBES[(5 * i + 3 * t) % 36] for i in range(36)],
        [officials[(7 * i + t) % len(officials)] for i in range(len(officials))],
        t % variant.seats,
    )
    state = variant.start(variant.read_deal(as_json(deal)))
    decisions: list[str] = []
    while (seat := state.seat_to_act) is not None:
        legal = state.legal_actions()
        action = legal[(13 * len(decisions) + 5 * t + 7) % len(legal)]
        state.apply(action)
        decisions.append(f"{seat}:{action}")
    outcome = state.outcome()
    result = as_json(outcome.detail)
    assert outcome.win_weight == result["win_weight"]
    return decisions, result


@each_variant
def test_games_match_published_digest(variant: GameVariant) -> None:
    digest, sums, first = hashlib.sha256(), dict.fromkeys(SUMS, 0), ""
    for t in range(200):
        decisions, result = play_line(variant, t)
        points = "/".join(map(str, result["points"]))
        winners = ",".join(map(str, result["winners"]))
        line = f"{variant.id} {t} {','.join(decisions)} {points} {winners} {result['win_weight']}\n"
        digest.update(line.encode())
        sums["decisions"] += len(decisions)
        sums["forced"] += sum(":discard" in decision for decision in decisions)
        sums["dominating"] += result["win_weight"] == 2
        sums["shared"] += result["points"].count(max(result["points"])) > 1
        first = first or f"{len(decisions)}, {points}"
    assert {**sums, "first": first, "sha256": digest.hexdigest()} == DIGESTS[variant.id]


# -- the rest ------------------------------------------------------------------------------------


def test_example_view() -> None:
    """The record prefix of section 10.4 leads to the view of seat 0 that the page shows."""
    record = EXAMPLE["record"]
    variant = BY_ID[record["variant"]]
    state = variant.start(variant.read_deal(record["deal"]))
    for action in record["actions"]:
        assert action in state.legal_actions()
        state.apply(action)
    view = as_json(state.view(0))
    assert view == EXAMPLE["view"]
    assert list(view) == list(EXAMPLE["view"])
