"""A bot that derives deals as the arena does, and names the hand of its left neighbour in a note.

It tries seeds, weak secrets, and whatever it can read: the files and processes that it is told of.
"""

import json
import os
import random
from pathlib import Path
from typing import Any

from arena.base.errors import ArenaError
from arena.base.protocol import Start
from arena.bot import Bot, run
from arena.schedule.plan import Board
from arena.schedule.randomness import Randomness, Secret
from engine import get_variant
from engine.pot_de_vin.cards import CARDS

TOLD = json.loads(Path("TOLD_FILE").read_text())
"""What its author knows: see `test_deals.knowledge`."""
BOARDS = 12


def readable_secrets() -> list[str]:
    """Return the texts of files and processes in which a secret may stand."""
    paths = [Path(path) for path in TOLD["paths"]]
    for process in Path("/proc").iterdir():
        paths += [process / name for name in ("cmdline", "environ")]
    paths += [Path(folder, "secret.txt") for folder in (os.getcwd(), "/tmp", os.environ["HOME"])]
    found = []
    for path in paths:
        try:
            found.append(path.read_bytes().decode(errors="replace").strip("\0 \n"))
        except OSError:
            continue
    return found


def chances() -> list[Randomness]:
    """Return the chances of all guesses."""
    guesses: list[Randomness] = [Randomness(seed) for seed in range(TOLD["seeds"])]
    weak = [f"{number:032x}" for number in range(TOLD["seeds"])]
    for text in [*weak, *TOLD["hashes"], *readable_secrets()]:
        try:
            guesses.append(Randomness(Secret(text)))
        except ArenaError:
            continue
    return guesses


def hands_of(variant_id: str) -> dict[tuple[int, tuple[str, ...]], list[str]]:
    """Return the hand of the left neighbour, by seat and own hand: read, or derived by guesses."""
    variant = get_variant(variant_id)
    known = {(seat, tuple(own)): other for seat, own, other in TOLD["hands"]}
    for chance in chances():
        for number in range(1, BOARDS + 1):
            board = Board(variant_id, number, 0, ())
            state = variant.start(variant.deal(chance.deal(board, TOLD["fingerprints"])))
            hands = [hand_in(state.view(seat)) for seat in range(variant.seats)]
            for seat, hand in enumerate(hands):
                known[seat, tuple(sorted(hand))] = hands[(seat + 1) % variant.seats]
    return known


def hand_in(view: Any) -> list[str]:
    """Return the hand in a view of any type."""
    return list(view["hand"] if isinstance(view, dict) else view.hand)


KNOWN: dict[str, dict[tuple[int, tuple[str, ...]], list[str]]] = {}


class Clairvoyant(Bot):
    """Names a hand at its first turn; plays with its dice."""

    def start(self, table: Start) -> None:
        self.has_named = False
        if table.variant not in KNOWN:
            KNOWN[table.variant] = hands_of(table.variant)

    def act(self, view: Any, legal: list[str]) -> str:
        if not self.has_named:
            self.has_named = True
            hand = view["hand"]
            unseen = [card for card in CARDS if card not in (*hand, view["trump"])]
            guess = random.Random(self.table.seed).sample(unseen, len(hand))
            named = KNOWN[self.table.variant].get((self.table.seat, tuple(sorted(hand))), guess)
            self.note = " ".join(named)
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(Clairvoyant)
