"""What a bot is sent of its views: with what it has heard before, it always knows all of it."""

import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.protocol import Detail, Limits, Ready, Turn, raw, read_from_referee
from arena.base.record import Entrant, Timing
from arena.match.referee import referee
from arena.match.seat_messages import SeatMessages, changes
from arena.match.seats import Reply
from arena.match.settings import MatchSettings
from arena.sdk.games import restore_view
from engine import get_variant, variants
from tests.arena.playing import PATIENT, as_json, by_name, first, make_game, play_games

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"
BLIND = Ready(1, detail="none")
EVERY = (*variants(), "high-card/3", "high-card/4-teams")
DETAILS: tuple[Detail, ...] = ("full", "brief", "none")


pytestmark = pytest.mark.usefixtures("toys")


def lines(variant_id: str, seed: int, detail: Detail) -> list[tuple[int, bytes, Any]]:
    """Play a game at random; return each turn as sent, with its seat and the whole view."""
    rng = random.Random(seed)
    variant = get_variant(variant_id)
    state = variant.start(variant.deal(rng))
    turns = [SeatMessages(1, Ready(1, detail=detail), Limits()) for _ in range(variant.seats)]
    sent = []
    refereeing = referee(state)
    asked = next(refereeing)
    while True:
        whole = msgspec.json.decode(msgspec.json.encode(asked.view))
        sent.append((asked.seat, turns[asked.seat].line(asked), whole))
        try:
            asked = refereeing.send(Reply(rng.choice(asked.legal)))
        except StopIteration:
            return sent


def test_only_a_bot_that_asks_gets_worlds() -> None:
    variant = get_variant("bribery/3")
    state = variant.start(variant.deal(random.Random(3)))
    asked = next(referee(state, worlds=5))
    plain = SeatMessages(1, BLIND, Limits()).line(asked)
    turn = read(SeatMessages(1, Ready(1, detail="none", worlds=True), Limits()).line(asked))
    assert b"world" not in plain
    assert isinstance(turn.world, msgspec.Raw)
    world = variant.load(bytes(turn.world))
    assert world.view(asked.seat) == state.view(asked.seat)


def read(line: bytes) -> Turn:
    turn = read_from_referee(line)
    assert isinstance(turn, Turn)
    return turn


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.sampled_from(EVERY), st.integers(0, 2**32 - 1))
def test_whole_views_are_restored_from_brief_ones(variant_id: str, seed: int) -> None:
    views: dict[int, dict[str, Any]] = {}
    for seat, line, whole in lines(variant_id, seed, "brief"):
        before = views.get(seat, {})
        kept = json.dumps(before)
        views[seat] = restore_view(before, read(line))
        assert views[seat] == whole
        assert json.dumps(before) == kept  # a bot may still look at the view that it had


def test_the_lines_of_the_protocol_page_restore_whole_views() -> None:
    (text,) = re.findall(r"^```python brief\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    views: dict[int, dict[str, Any]] = {}
    for seat, line, whole in lines("pot-de-vin/3", 7, "brief"):
        known = {"view": views.get(seat, {}), "turn": json.loads(line)}
        exec(text, known)
        views[seat] = known["view"]
        assert views[seat] == whole


@pytest.mark.parametrize("variant_id", ["pot-de-vin/3", "bribery/2-advanced", EVERY[-1]])
def test_less_detail_is_less_to_read_with_the_same_events_and_legal_actions(
    variant_id: str,
) -> None:
    sent = [[line for _, line, _ in lines(variant_id, 7, detail)] for detail in DETAILS]
    sizes = [sum(map(len, turns)) for turns in sent]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == len(sizes)
    told = [
        [
            (turn["table"], turn["turn"], turn["events"], turn["legal"], turn["clock_ms"])
            for turn in map(json.loads, turns)
        ]
        for turns in sent
    ]
    assert told[0] == told[1] == told[2]


# -- changes -----------------------------------------------------------------------------------


class View(msgspec.Struct, rename="camel"):
    """A view with all kinds of fields."""

    cards_seen: tuple[int, ...] = ()
    notes: list[str] = []
    name: str | None = None
    scores: dict[str, int] = {}


@pytest.mark.parametrize(
    ("before", "now", "changed", "added"),
    [
        (View(), View(), {}, {}),
        (View(), View(name="anna"), {"name": "anna"}, {}),
        (View(name="anna"), View(), {"name": None}, {}),
        (View(name="anna"), View(name="anna-maria"), {"name": "anna-maria"}, {}),
        (View(cards_seen=(1,)), View(cards_seen=(1, 2, 3)), {}, {"cardsSeen": (2, 3)}),
        (View(cards_seen=(1, 2)), View(cards_seen=(1,)), {"cardsSeen": (1,)}, {}),
        (View(cards_seen=(1, 2)), View(cards_seen=(2, 1, 2)), {"cardsSeen": (2, 1, 2)}, {}),
        (View(), View(cards_seen=(1,)), {"cardsSeen": (1,)}, {}),
        (View(notes=["a"]), View(notes=["a", "b"]), {}, {"notes": ("b",)}),
        (View(scores={"a": 1}), View(scores={"a": 1, "b": 2}), {"scores": {"a": 1, "b": 2}}, {}),
    ],
)
def test_a_change_is_a_new_value_or_what_was_added_to_a_list(
    before: View, now: View, changed: dict[str, object], added: dict[str, object]
) -> None:
    assert changes(before, now) == (changed, added)


CARDS = st.lists(st.integers(0, 1), max_size=3)
VIEWS = st.builds(
    View,
    cards_seen=CARDS.map(tuple),
    notes=st.lists(st.sampled_from("ab"), max_size=3),
    name=st.none() | st.sampled_from(["anna", ""]),
    scores=st.dictionaries(st.sampled_from("ab"), st.integers(0, 1)),
)


@given(st.lists(VIEWS, min_size=1, max_size=5))
def test_any_view_is_restored(views: list[View]) -> None:
    known: dict[str, Any] = {}
    for number, view in enumerate(views):
        changed, added = changes(views[number - 1], view) if number else (view, {})
        turn = Turn(1, 1, raw(changed), raw([]), [], 0, raw(added))
        known = restore_view(known, turn)
        assert known == json.loads(msgspec.json.encode(view))


# -- time ------------------------------------------------------------------------------------


def turns_with(limits: Limits) -> SeatMessages:
    return SeatMessages(1, BLIND, limits)


def test_without_a_bank_there_is_the_same_time_for_each_answer() -> None:
    turns = turns_with(Limits(move_ms=700))
    turns.count(0.6, 0)
    assert turns.clock_ms == 700


def test_a_bank_is_used_up_by_answers_and_filled_by_increments() -> None:
    turns = turns_with(Limits(move_ms=2_000, bank_ms=3_000, increment_ms=100))
    assert turns.clock_ms == 2_000
    turns.count(1.5, 0)
    assert turns.clock_ms == 1_600
    turns.count(1.6, 0)
    assert turns.clock_ms == 100
    turns.count(0.2, 0)  # heard late, as it may be
    assert turns.clock_ms == 0


def test_what_answers_take_is_counted() -> None:
    turns = turns_with(Limits())
    assert turns.timing == Timing(0, 0, 0)
    for taken_s in (0.25, 0.5, 0.125):
        turns.count(taken_s, 0)
    assert turns.timing == Timing(3, 875_000, 500_000, (250, 500, 125))


def test_times_of_quick_answers_are_not_kept_one_by_one() -> None:
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
def test_a_program_sees_the_same_in_brief_and_nothing_when_it_wants_none(
    tmp_path: Path, view_type: str
) -> None:
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
    assert records["brief"] == records["full"]
    assert all(rb'"faults":[]' in record for record in records["full"])
    assert all(rb"aldo-" in record for record in records["full"])
    noted = [[note["text"] for note in json.loads(text)["notes"]] for text in records["none"]]
    assert {text for texts in noted for text in texts} == {"null"}
    plays = [[json.loads(text)["actions"] for text in records[detail]] for detail in DETAILS]
    assert plays[0] == plays[1] == plays[2]


def test_a_bot_that_wants_what_there_is_not_does_not_start(tmp_path: Path) -> None:
    entrant = looks(tmp_path, "much", "dict")  # type: ignore[arg-type]
    game = make_game("pot-de-vin/3", 1, ("first", "looks", "other"))
    (record,) = play_games(
        [game], by_name(first(), entrant, first("other")), MatchSettings(PATIENT)
    )
    (fault,) = record.faults
    assert fault.kind == "start"
    assert "much" in fault.text
    assert "$.detail" in fault.text
