"""Requests to a bot: views, worlds and time."""

import json
import random
import sys
from pathlib import Path

import msgspec
import pytest

from arena.base.protocol import Detail, Limits, Ready, Turn, read_from_referee
from arena.base.record import Entrant, Timing
from arena.match.referee import referee
from arena.match.seat_messages import SeatMessages
from arena.match.settings import MatchSettings
from engine import get_variant
from tests.arena.playing import PATIENT, as_json, by_name, first, make_game, play_games

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"
BLIND = Ready(1, detail="none")
DETAILS: tuple[Detail, ...] = ("full", "none")


pytestmark = pytest.mark.usefixtures("toys")


def test_sends_worlds_only_on_request() -> None:
    variant = get_variant("bribery/3")
    state = variant.start(variant.deal(random.Random(3)))
    decision = next(referee(state, worlds=5))
    plain = SeatMessages(1, BLIND, Limits()).line(decision)
    turn = read(SeatMessages(1, Ready(1, detail="none", worlds=True), Limits()).line(decision))
    assert b"world" not in plain
    assert isinstance(turn.world, msgspec.Raw)
    world = variant.load(bytes(turn.world))
    assert world.view(decision.seat) == state.view(decision.seat)


def read(line: bytes) -> Turn:
    turn = read_from_referee(line)
    assert isinstance(turn, Turn)
    return turn


# -- time ------------------------------------------------------------------------------------


def turns_with(limits: Limits) -> SeatMessages:
    return SeatMessages(1, BLIND, limits)


def test_time_per_answer_is_constant_without_a_bank() -> None:
    turns = turns_with(Limits(move_ms=700))
    turns.count(0.6, 0)
    assert turns.clock_ms == 700


def test_bank_shrinks_by_answers_and_grows_by_increments() -> None:
    turns = turns_with(Limits(move_ms=2_000, bank_ms=3_000, increment_ms=100))
    assert turns.clock_ms == 2_000
    turns.count(1.5, 0)
    assert turns.clock_ms == 1_600
    turns.count(1.6, 0)
    assert turns.clock_ms == 100
    turns.count(0.2, 0)  # heard late, as it may be
    assert turns.clock_ms == 0


def test_counts_output_of_answers() -> None:
    turns = turns_with(Limits())
    assert turns.timing == Timing(0, 0, 0)
    for taken_s in (0.25, 0.5, 0.125):
        turns.count(taken_s, 0)
    assert turns.timing == Timing(3, 875_000, 500_000, (250, 500, 125))


def test_quick_answer_times_are_summarized() -> None:
    turns = turns_with(Limits())
    turns.count(0.009, 0)
    assert turns.timing == Timing(1, 9_000, 9_000)


# -- end to end --------------------------------------------------------------------------------

BOT = """
import json
from arena.bot import Bot, run
from engine.pot_de_vin.view import View

class Looks(Bot):
    detail = {detail!r}
    view_type = {view_type}

    def act(self, view, legal):
        hand = view.hand if isinstance(view, View) else view and view["hand"]
        self.note = json.dumps(hand)[:200]
        return legal[-1]

run(Looks)
"""


def looks(folder: Path, detail: Detail, view_type: str) -> Entrant:
    """Return a bot that notes the hand that it sees."""
    path = folder / f"looks-{detail}.py"
    path.write_text(BOT.format(detail=detail, view_type=view_type))
    return Entrant("looks", (sys.executable, "-B", "-P", str(path)), str(folder), "")


@pytest.mark.parametrize("view_type", ["dict", "View"])
def test_sends_no_views_on_request(tmp_path: Path, view_type: str) -> None:
    games = [make_game("pot-de-vin/3", number, ("first", "looks", "other")) for number in range(2)]
    records = {
        detail: as_json(
            play_games(
                games,
                by_name(first(), looks(tmp_path, detail, view_type), first("other")),
                MatchSettings(PATIENT, tables=2),
            )
        )
        for detail in DETAILS
    }
    assert all(rb'"faults":[]' in record for record in records["full"])
    assert all(rb"aldo-" in record for record in records["full"])
    noted = [[note["text"] for note in json.loads(text)["notes"]] for text in records["none"]]
    assert {text for texts in noted for text in texts} == {"null"}
    plays = [[json.loads(text)["actions"] for text in records[detail]] for detail in DETAILS]
    assert plays[0] == plays[1]


def test_rejects_bot_that_requests_unsupported_worlds(tmp_path: Path) -> None:
    entrant = looks(tmp_path, "much", "dict")  # type: ignore[arg-type]
    game = make_game("pot-de-vin/3", 1, ("first", "looks", "other"))
    (record,) = play_games(
        [game], by_name(first(), entrant, first("other")), MatchSettings(PATIENT)
    )
    (fault,) = record.faults
    assert fault.kind == "start"
    assert "much" in fault.text
    assert "$.detail" in fault.text
