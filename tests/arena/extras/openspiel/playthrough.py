"""Playthroughs of OpenSpiel, cut to what a person reads; what is long stands there as a hash.

`python -m tests.arena.extras.openspiel.playthrough` writes those that the tests compare with.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from engine import variants

FOLDER = Path(__file__).with_name("playthroughs")
_LONG = 160
_EVERY_STATE = ("# State", "# Apply", "action:", "LegalActions", "Rewards")


def playthrough(variant_id: str) -> str:
    """Return a game of a variant, played at random by OpenSpiel.

    From the second state on, it has the actions, and a hash of all that OpenSpiel tells of a state.
    """
    from open_spiel.python.algorithms import generate_playthrough

    import arena.extras.openspiel.export  # noqa: F401  # it registers the games

    whole = generate_playthrough.playthrough(
        f"bribe_arena_deals(variant={variant_id},rng_seed=1,deals=2)", action_sequence=None, seed=1
    )
    head, *states = whole.split("# State ")
    text = "\n".join(map(_cut, head.splitlines()))
    return "\n".join([text, *[line for state in states for line in _lines(state)]]) + "\n"


def _lines(state: str) -> Iterator[str]:
    number, *lines = state.splitlines()
    yield f"# State {number}"
    if number == "0":
        yield from map(_cut, lines)
        return
    yield from [_cut(line) for line in lines if line.startswith(_EVERY_STATE)]
    yield f"all of it: {_digest(state)}"
    yield ""


def _cut(line: str) -> str:
    return line if len(line) <= _LONG else f"{line[:60]}... {_digest(line)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def path_of(variant_id: str) -> Path:
    """Return the file of a variant."""
    return FOLDER / f"{variant_id.replace('/', '-')}.txt"


if __name__ == "__main__":
    for variant in variants():
        path_of(variant).write_text(playthrough(variant), encoding="utf-8")
