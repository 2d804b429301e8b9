"""Whole games of independent engines are reproduced exactly.

A few records lie in `tests/golden`. All of them are in a folder of their own, `ARENA_GOLDEN` in
the environment or else `../shared/golden` beside the checkout. Any `*.jsonl` of a registered
game is played; what each field of a record means says the README of that folder.

`tests/golden/told.json` has a digest of all that seats and spectators are told in the games of the
copy: each view and each event at each moment. `python -m tests.engine.test_golden` writes it again,
which only a change of views or events may need.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import get_variant, variants

CHECKOUT = Path(__file__).resolve().parents[2]
COPY = CHECKOUT / "tests" / "golden"
TOLD = COPY / "told.json"
ALL = Path(os.environ.get("ARENA_GOLDEN") or CHECKOUT.parent / "shared" / "golden")

GAMES = {variant.game for variant in variants().values()}


def _records(folder: Path) -> Iterator[Any]:
    """Yield a test parameter for each record of a registered game."""
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            record = json.loads(line)
            if record["variant"].partition("/")[0] in GAMES:
                yield pytest.param(record, id=f"{path.stem}:{number}:{record['variant']}")


def _all_records() -> list[Any]:
    if ALL.is_dir():
        return list(_records(ALL))
    reason = "set ARENA_GOLDEN to a folder with more games"
    return [pytest.param(None, marks=pytest.mark.skip(reason=reason), id="absent")]


def _as_json(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


def reproduce(record: dict[str, Any]) -> None:
    """Play a record and compare everything that it tells."""
    variant = get_variant(record["variant"])
    deal = variant.read_deal(record["deal"])
    assert _as_json(deal) == record["deal"]
    state = variant.start(deal)
    steps = zip(record["actions"], record["seats"], record["legal"], strict=True)
    for number, (action, seat, legal) in enumerate([*steps, (None, None, [])]):
        assert state.seat_to_act == seat, f"action {number}"
        assert state.legal_actions() == legal, f"action {number}"
        if (expected := record["views"].get(str(number))) is not None:
            assert _as_json(state.view(expected["seat"])) == expected["view"], f"action {number}"
        if action is not None:
            state.apply(action)
    outcome = state.outcome()
    assert list(outcome.points) == record["points"]
    assert list(outcome.ranks) == record["ranks"]
    assert _as_json(outcome.detail) == record["result"]


def digest_of_game(record: dict[str, Any]) -> str:
    """Return a digest of what all viewers see and are told in the course of a record."""
    variant = get_variant(record["variant"])
    state, digest = variant.start(variant.read_deal(record["deal"])), hashlib.sha256()
    since = 0
    for action in (*record["actions"], None):
        for viewer in (*range(variant.seats), None):
            digest.update(msgspec.json.encode([state.view(viewer), state.events(viewer, since)]))
        since = len(state.events(None))
        if action is not None:
            state.apply(action)
    return digest.hexdigest()


@pytest.mark.parametrize("record", list(_records(COPY)))
def test_views_and_events_are_reproduced(record: dict[str, Any]) -> None:
    assert digest_of_game(record) == json.loads(TOLD.read_text("utf-8"))[record["variant"]]


@pytest.mark.parametrize("record", list(_records(COPY)))
def test_bundled_record_is_reproduced(record: dict[str, Any]) -> None:
    reproduce(record)


@pytest.mark.parametrize("record", _all_records())
def test_full_set_record_is_reproduced(record: dict[str, Any]) -> None:
    reproduce(record)


def test_every_variant_has_a_bundled_record() -> None:
    played = {parameter.values[0]["variant"] for parameter in _records(COPY)}
    ours = {v.id for v in variants().values() if type(v).__module__.startswith("engine.")}
    assert ours <= played


if __name__ == "__main__":
    records = [parameter.values[0] for parameter in _records(COPY)]
    digests = {record["variant"]: digest_of_game(record) for record in records}
    TOLD.write_text(json.dumps(digests, indent=1) + "\n", "utf-8")
