"""The data of a replay: each step is what the engine shows, to all and to each seat."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.protocol import SeatFault
from arena.base.record import NO_OBSERVATIONS, Evidence, GameRecord, Note, Observations, Timing
from arena.match.referee import start_game
from arena.publish.layout import bot_page
from arena.publish.render import STATIC_FILES, Link, Renderer
from arena.publish.replays import LEFT_OUT, SAME, ReplayData, delta, files_of, headline, make_replay
from engine import State, get_variant, variants
from tests.arena.playing import make_game
from tests.arena.publish.showing import patched, tables, visible_text
from tests.arena.runs import play_out

each_variant = pytest.mark.parametrize("variant", list(variants()))
NAMES = ("ann", "bob", "cy", "dee", "eve", "flo")
HOSTILE = ("<script>alert(1)</script>", "\x1b[2J", "</noscript>")


@cache
def a_game(variant: str) -> GameRecord:
    """Return a game that was played by dice."""
    seats = get_variant(variant).seats
    return play_out(make_game(variant, 7, NAMES[:seats]))


@cache
def replay_of(variant: str) -> ReplayData:
    return make_replay(a_game(variant))


def states(record: GameRecord, replay: ReplayData) -> Iterator[State]:
    """Yield the state at each step; it goes on when the next one is asked for."""
    state = start_game(record.variant, record.deal)
    yield state
    for before, step in pairwise(replay.moves):
        for action in record.actions[before.at : step.at]:
            state.apply(action)
        yield state


def seen(state: State, seat: int | None) -> object:
    """Return what a seat sees, of what a replay shows."""
    view = msgspec.json.decode(msgspec.json.encode(state.view(seat)))
    return {field: value for field, value in view.items() if field not in LEFT_OUT}


# -- tables --------------------------------------------------------------------------------------


@each_variant
def test_replay_matches_the_engine(variant: str) -> None:
    record, replay = a_game(variant), replay_of(variant)
    shown = list(tables(replay))
    check_tables(record, replay, shown)
    check_steps(record, replay)
    check_what_seats_are_told(record, replay)
    assert shown[-1]["open"]["result"] == msgspec.json.decode(record.detail)
    assert (replay.points, replay.ranks) == (record.points, record.ranks)
    assert replay.names == record.entrants
    assert [record.ranks[seat] for seat in replay.ranking] == sorted(record.ranks)
    steps = [chapter.step for chapter in replay.chapters]
    assert (replay.chapters[-1].title, steps[0], steps[-1]) == ("The end", 0, len(shown) - 1)
    assert steps == sorted(set(steps))
    rounds = [table["open"]["round"] for table in shown]
    firsts = {rounds.index(number) for number in rounds}
    assert firsts - {len(rounds) - 1} <= set(steps), "each round is a chapter, or begins one"
    *_, last = [points for points in replay.course if points]
    assert last == tuple([record.points[side[0]] for side in replay.sides])
    assert len(replay.course) == len(replay.moves)


def check_tables(record: GameRecord, replay: ReplayData, shown: list[Any]) -> None:
    assert replay.moves[-1].at == len(record.actions)
    for table, state in zip(shown, states(record, replay), strict=True):
        assert table["open"] == seen(state, None)
        for seat, own in enumerate(table["own"]):
            assert patched(table["open"], own) == seen(state, seat)


# -- moves ---------------------------------------------------------------------------------------


def check_steps(record: GameRecord, replay: ReplayData) -> None:
    """Check that each step says who acted in words and what else was legal."""
    start, *steps = replay.moves
    assert start.seat is None
    before = 0
    for step, state in zip(steps, states(record, replay), strict=False):
        assert step.seat == state.seat_to_act
        actions = record.actions[before : step.at]
        assert step.text not in ("", actions[-1]), "expected it in the table of words"
        assert [replay.choices[at][0] for at in step.did] == list(actions)
        could = [replay.choices[at][0] for at in step.could]
        assert {*could, actions[0]} >= set(state.legal_actions())
        assert not {*could} & {*actions}
        before = step.at


def test_announcing_and_placing_a_tile_is_one_step() -> None:
    steps = replay_of("brides-and-bribes/4").moves
    assert not [step.text for step in steps if step.text.startswith("is about to")]
    assert any(after.at == before.at + 2 for before, after in pairwise(steps))


def check_what_seats_are_told(record: GameRecord, replay: ReplayData) -> None:
    """Check that what a seat is told of a move is in the events that it was told."""
    since = [0] * len(record.entrants)
    for number, state in enumerate(states(record, replay)):
        step = replay.moves[number]
        for seat, before in enumerate(since):
            events = state.events(seat, before)
            since[seat] += len(events)
            if number and step.seat != seat:
                words = visible_text(step, seat).lower()
                for part in record.actions[step.at - 1].split()[1:]:
                    if part.replace("-", " ") in words.split():
                        data = msgspec.json.encode(events).decode()
                        assert re.search(rf"\b{part}\b", data), (number, seat, words)


def test_replay_hides_secrets_from_other_seats() -> None:
    discards = [move for move in replay_of("pot-de-vin/6-teams").moves if "discards" in move.text]
    assert len(discards) == 3
    assert {move.told for move in discards} == {"discards a card"}
    family = replay_of("brides-and-bribes/4").moves
    secret = ("declines", "leaves the two cards")
    for move in family:
        if move.text.startswith(secret):
            assert move.told == ""
        elif "makes" in move.text or "adds" in move.text or "sends" in move.text:
            assert move.told in ("", move.text) or "a tile" in str(move.told)
    assert any(move.text.startswith("makes") and move.told == "" for move in family)
    assert any(move.told is None for move in family)


# -- notes and faults ------------------------------------------------------------------------------


def faulty() -> GameRecord:
    """Return a game with notes, and a fault in its middle."""
    record = a_game("pot-de-vin/3")
    state = start_game(record.variant, record.deal)
    for action in record.actions[:10]:
        state.apply(action)
    assert state.seat_to_act is not None
    fault = SeatFault(state.seat_to_act, 10, "illegal", "answered '\x1b[2J'", ("pass",))
    notes = (Note(3, "I lead \x1b]0;title\x07<b>\u202eno</b>"),)
    return msgspec.structs.replace(record, faults=(fault,), notes=notes)


def test_shows_fault_at_its_move() -> None:
    record = faulty()
    seat = record.faults[0].seat
    replay = make_replay(record)
    assert [step for step, move in enumerate(replay.moves) if move.fault] == [11]
    blame = replay.moves[11].fault
    assert blame is not None
    assert (blame.kind, blame.text) == ("illegal", "answered '\\x1b[2J'")
    replaced = [step for step, move in enumerate(replay.moves) if move.stand_in]
    assert replaced == [n for n, move in enumerate(replay.moves) if move.seat == seat and n > 10]
    assert replay.faults == {seat: replay.moves[11]}


def test_shows_escaped_notes_beside_moves() -> None:
    replay = make_replay(faulty())
    noted = {step: move.note for step, move in enumerate(replay.moves) if move.note}
    assert noted == {4: "I lead \\x1b]0;title\\x07<b>\\u202eno</b>"}


def test_step_shows_time_and_traceback() -> None:
    record = faulty()
    seat = record.faults[0].seat
    slow = Timing(3, 0, 0, (0, 20, 1_500))
    timings = tuple([slow if at == seat else Timing(16) for at in range(3)])
    log = "chatter\nTraceback (most recent call last):\n  File 'bot.py'\nValueError: \x1b[2J"
    steps = make_replay(record, Observations((Evidence(seat, stderr=log),), timings=timings)).moves
    took = [[step.took for step in steps if step.seat == at] for at in range(3)]
    assert took[seat][:4] == ["below 1 ms", "20 ms", "1500 ms", ""]
    assert {*took[seat - 1]} == {"below 10 ms"}
    blame = steps[11].fault
    assert blame
    assert blame.log == log.removeprefix("chatter\n").replace("\x1b", "\\x1b")


@pytest.mark.parametrize(
    ("points", "ranks", "faulty", "message"),
    [
        ((10, 17, 14), (3, 1, 2), None, "bob beats cy 17 to 14"),
        ((10, 14, 14), (3, 1, 2), None, "bob beats cy by the tie-break, 14 each"),
        ((10, 14, 14), (3, 1, 1), None, "bob and cy share the first place, each with 14"),
        ((28, 17, 13), (1, 1, 3), None, "ann and bob share the first place, with 28 and 17"),
        ((28, 17, 13), (1, 1, 1), (0, 1, 2), "no side has won, as all had a fault: ann, bob, cy"),
        ((10, 17, 20), (2, 1, 3), None, "bob beats ann 17 to 10"),
        ((18, 17, 2), (2, 1, 3), None, "bob beats ann in spite of 17 to 18"),
        ((18, 17, 2), (2, 1, 2), (0,), "bob wins, as ann had a fault"),
    ],
)
def test_headline_names_winner_and_loser(
    points: tuple[int, ...], ranks: tuple[int, ...], faulty: tuple[int, ...] | None, message: str
) -> None:
    faults = [SeatFault(seat, 1, "crash", "", ()) for seat in faulty or ()]
    record = msgspec.structs.replace(
        a_game("pot-de-vin/3"), points=points, ranks=ranks, faults=tuple(faults)
    )
    assert headline(record, ((0,), (1,), (2,))) == message


def test_headline_explains_unmarried_losers() -> None:
    record = msgspec.structs.replace(
        a_game("brides-and-bribes/3"), points=(32, 18, 7), ranks=(1, 3, 2), faults=()
    )
    sides = ((0,), (1,), (2,))
    assert headline(record, sides) == "ann beats cy 32 to 7; bob (18) is not married"
    faulty = msgspec.structs.replace(record, faults=(SeatFault(1, 1, "crash", "", ()),))
    assert headline(faulty, sides) == "ann beats cy 32 to 7"


# -- the page ------------------------------------------------------------------------------------


def files(record: GameRecord) -> dict[str, str]:
    """Return the files of a replay, by the end of their names."""
    renderer = Renderer("spring", [Link("Leaderboard", "index.html")])
    found = {}
    for path, content in files_of(record, NO_OBSERVATIONS, renderer):
        text = content if isinstance(content, str) else content.decode()
        found[path.rpartition(".")[2]] = text
    return found


def test_page_without_scripts_lists_moves() -> None:
    record = faulty()
    page = files(record)["html"]
    for name, points in zip(record.entrants, record.points, strict=True):
        assert re.search(rf"{name}</a></th><td>\d</td><td>{points}</td>", page)
    moves = page.partition("<noscript>")[2]
    assert re.findall(r'<tr id="(\d+)">', moves) == [*map(str, range(len(record.actions) + 1))]
    assert '<a href="#11">illegal</a>' in page
    assert "fault (illegal): answered" in moves
    assert "by a stand-in" in moves


def test_page_loads_only_needed_scripts() -> None:
    page = files(faulty())["html"]
    loaded = re.findall(r'(?:src|href)="([^"#]+)"', page)
    assert "../static/replay-pot-de-vin.js" in loaded
    assert not [one for one in loaded if "//" in one or one.startswith("/")]
    assert "<script>" not in page
    assert 'style="' not in page


def test_page_links_to_other_rotations() -> None:
    record = a_game("pot-de-vin/3")
    rotations = {record.rotation: "games/own.html", record.rotation + 1: "games/other.html"}
    pages = dict(files_of(record, NO_OBSERVATIONS, Renderer("spring", []), rotations))
    (page,) = [str(text) for path, text in pages.items() if path.endswith(".html")]
    assert "games/own.html" not in page
    assert f'<a href="../games/other.html">rotation {record.rotation + 1}</a>' in page


def test_escapes_names_and_notes() -> None:
    record = msgspec.structs.replace(faulty(), entrants=HOSTILE)
    found = files(record)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in found["html"]
    for name in HOSTILE:
        assert f'href="../{bot_page(name)}"' in found["html"]
    assert found["html"].count("</noscript>") == 1
    assert "<b>" not in found["html"].partition("<noscript>")[2]
    for text in found.values():
        assert "\x1b" not in text
    data = msgspec.json.decode(found["js"].removeprefix("window.replay = ").removesuffix(";\n"))
    assert data["names"] == ["<script>alert(1)</script>", "\\x1b[2J", "</noscript>"]


def test_scripts_insert_only_text() -> None:
    scripts = sorted(STATIC_FILES.glob("*.js"))
    assert len(scripts) > 4
    for script in scripts:
        risky = r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|fetch\("
        assert not re.search(risky, script.read_text()), script.name


@pytest.mark.usefixtures("toys")
def test_plugin_games_have_replays() -> None:
    record = play_out(make_game("high-card/3", 7, NAMES[:3]))
    replay = make_replay(record)
    assert replay.facts is None
    assert [chapter.title for chapter in replay.chapters] == ["The game"]
    assert [move.text for move in replay.moves[1:]] == list(record.actions)
    assert {move.told for move in replay.moves[1:]} == {""}, "who knows what is secret in it?"
    for table, state in zip(tables(replay), states(record, replay), strict=True):
        assert patched(table["open"], table["own"][2]) == seen(state, 2)
    assert "static/replay-high-card.js" not in files(record)["html"]


# -- differences between two JSON values ---------------------------------------------------------


PLAIN = st.recursive(
    st.none() | st.integers(-2, 2) | st.sampled_from(["", "aldo-7", "__proto__"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=12,
)


@given(PLAIN, PLAIN)
def test_applying_a_change_gives_the_new_value(old: Any, new: Any) -> None:
    change = delta(old, new)
    assert patched(old, msgspec.json.decode(msgspec.json.encode(change))) == new
    assert (change is SAME) == (old == new)


class Seat(msgspec.Struct):
    """A piece of a view."""

    hand: tuple[str, ...]
    gems: int = 2


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (Seat(("a", "b", "c")), Seat(("a", "c")), {"hand": [1, 1]}),
        (Seat(("a",)), Seat(("a", "b"), 1), {"hand": [1, 0, "b"], "gems": [1]}),
        ([Seat(()), Seat(())], [Seat(()), Seat((), 1)], {"1": {"gems": [1]}}),
        ([Seat(())], [Seat(()), Seat(("a",))], [1, 0, {"hand": ["a"], "gems": 2}]),
        ({"a": 1}, {"b": 1}, [{"b": 1}]),
        (None, ("a",), [["a"]]),
    ],
)
def test_change_contains_only_differences(old: Any, new: Any, change: Any) -> None:
    assert msgspec.json.decode(msgspec.json.encode(delta(old, new))) == change
