"""Deals that a bot can name, and deals that it cannot.

A bot that knows how deals are derived plays against two others, and names the hand of its left
neighbour before it plays its first card.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.base.record import GameRecord
from arena.contest.entrants import find_entrants
from arena.contest.secret_file import write_secret
from arena.tournament.store import Store
from engine import get_variant
from tests.arena.command import VARIANT
from tests.arena.levels import sandbox_settings_of
from tests.arena.runs import PATIENT_OPTIONS, SECRET, bot_options, make_bot, make_bots, run_arena

CLAIRVOYANT = Path(__file__).with_name("clairvoyant.py")
GAMES = 18
BY_CHANCE = 12 / 39
"""The share of cards that are right by chance: those of a hand among those not seen."""


class Contest:
    """A contest of the clairvoyant and two other bots, with a secret and a seed."""

    def __init__(self, parent: Path) -> None:
        self.secret = parent / "contest" / "secret.txt"
        self.secret.parent.mkdir()
        write_secret(self.secret, SECRET)
        self.folder = parent / "results" / "spring"
        self.told = parent / "told" / "told.json"
        self.told.parent.mkdir()
        code = CLAIRVOYANT.read_text("utf-8").replace("TOLD_FILE", str(self.told))
        self.bots = [make_bot(parent / "bots", "clairvoyant", code)]
        self.bots += make_bots(parent / "bots", 2)

    def play(self, level: str, source: str, knowledge: dict[str, Any]) -> list[GameRecord]:
        """Play the run, or play it again with a new version, and return its records."""
        self.told.write_text(json.dumps(knowledge))
        done = run_arena(
            "run", *bot_options(self.bots), "--variant", VARIANT, "--rounds", str(GAMES),
            "--set", "seed=0" if source == "--seed" else f"secret={self.secret}",
            *PATIENT_OPTIONS, "--sandbox", level, "--set", f"sandbox.readable={self.told.parent}",
            "--results", str(self.folder.parent), "--name", self.folder.name,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        with Store.open(self.folder) as store:
            return list(store.records())

    def knowledge(self, seeds: int = 0, hands: Sequence[object] = ()) -> dict[str, Any]:
        """Return what the author of the clairvoyant knows.

        Args:
            seeds: the number of seeds and weak secrets to try. None are tried without the places
                of the secret, which are told with them.
            hands: seat, hand and left neighbour's hand in published games.
        """
        entrants = find_entrants(list(map(str, self.bots)))
        return {
            "seeds": seeds,
            "paths": [str(self.secret), str(self.folder / "secret.txt")] if seeds else [],
            "hashes": [SECRET.hash],
            "fingerprints": [entrant.fingerprint for entrant in entrants],
            "hands": hands,
        }


@pytest.mark.parametrize(
    ("level", "source", "knows"),
    [
        pytest.param("none", "--seed", True, marks=pytest.mark.slow),
        pytest.param("none", "--secret", True, marks=pytest.mark.slow),
        ("isolated", "--secret", False),
    ],
)
def test_bot_cannot_compute_deals_without_the_seed(
    level: str, source: str, knows: bool, tmp_path: Path
) -> None:
    """At `none` a bot may read what its user may, so also the secret."""
    sandbox_settings_of(level)
    contest = Contest(tmp_path)
    records = contest.play(level, source, contest.knowledge(seeds=4))
    assert_named(list(map(share_named, records)), knows)


@pytest.mark.slow
@pytest.mark.parametrize(("source", "knows"), [("--seed", True), ("--secret", False)])
def test_new_version_gets_new_deals_without_a_seed(
    source: str, knows: bool, tmp_path: Path
) -> None:
    contest = Contest(tmp_path)
    published = contest.play("none", source, contest.knowledge())
    assert_named(list(map(share_named, published)), False)
    code = contest.bots[0] / "bot.py"
    code.write_text(f"{code.read_text()}\n# It has read the replays.\n")
    hands = [hands_in(record) for record in published]
    records = contest.play("none", source, contest.knowledge(hands=hands))
    assert not {record.key for record in records} & {record.key for record in published}
    assert_named(list(map(share_named, records)), knows)


def assert_named(shares: Sequence[float], knows: bool) -> None:
    """Hold that the clairvoyant has named all cards, or as many as by chance."""
    assert len(shares) == GAMES
    if knows:
        assert list(shares) == [1.0] * GAMES
    else:
        assert sum(shares) / GAMES == pytest.approx(BY_CHANCE, abs=0.1)
        assert max(shares) < 1


def hands_in(record: GameRecord) -> tuple[int, list[str], list[str]]:
    """Return the seat of the clairvoyant, its hand as dealt, and that of its left neighbour."""
    variant = get_variant(record.variant)
    state = variant.start(variant.read_deal(msgspec.json.decode(record.deal)))
    seat = record.entrants.index("clairvoyant")
    views = [state.view(each) for each in (seat, (seat + 1) % variant.seats)]
    own, other = [json.loads(msgspec.json.encode(view))["hand"] for view in views]
    return seat, sorted(own), other


def share_named(record: GameRecord) -> float:
    """Return the share of the left neighbour's hand that the clairvoyant has named."""
    assert not record.faults
    *_, hand = hands_in(record)
    (note,) = record.notes
    named = note.text.split()
    assert len(named) == len(hand) == 12
    return len({*named} & {*hand}) / len(hand)
