"""Random tests of a server's life. After each step, everything it shows must be consistent."""

from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from arena.contest import lineup, reader
from arena.contest.admission import MAX_TRIES
from arena.extras.serve import checker
from tests.arena.extras.serve.life_world import (
    CODES,
    EDITS,
    HOLDS_UP,
    Player,
    check_here,
    read_here,
)
from tests.arena.extras.serve.server_life import Life
from tests.arena.playing import plug_in


@pytest.fixture(autouse=True)
def no_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start no bots and no reader processes."""
    monkeypatch.setattr(reader, "ask", read_here)
    monkeypatch.setattr(lineup, "introduce", lambda bots, *_, **__: list(bots))
    monkeypatch.setattr(checker, "checker", check_here)
    with plug_in(Player()):
        yield


def walk(walks: int, steps: int) -> None:
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=walks,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


HISTORIES: dict[str, Sequence[Callable[[Life], object]]] = {
    "removed with a submission that waits": [
        lambda life: life.send("ann"),
        lambda life: life.remove("ann"),
        Life.settle,
        lambda life: life.undo_removal("ann"),
        Life.settle,
    ],
    "removed between two finals": [
        lambda life: life.send("ann"),
        lambda life: life.send("ben"),
        Life.play_final,
        Life.settle,
        lambda life: life.remove("ben"),
        Life.play_final,
        Life.settle,
    ],
    "killed between the log and the database": [
        lambda life: life.send("ann"),
        lambda life: life.check("accept"),
        lambda life: life.send("ann", CODES[1]),
        Life.kill_the_server,
        Life.settle,
    ],
    "extended after the final": [
        lambda life: life.send("ann"),
        lambda life: life.wait(50),
        Life.settle,
        lambda life: life.extend("ben", 5),
        lambda life: life.send("ben"),
        Life.settle,
        lambda life: life.wait(10),
        Life.settle,
    ],
    "the deadline goes away and comes back after the final": [
        lambda life: life.send("ann"),
        lambda life: life.wait(50),
        Life.settle,
        lambda life: life.move_deadline(30),
        Life.let_all_work,
        lambda life: life.move_deadline(-30),
        Life.settle,
    ],
    "a rehearsal before the deadline": [
        lambda life: life.send("ann"),
        Life.play_final,
        Life.settle,
        lambda life: life.wait(50),
        Life.settle,
    ],
    "a final by button while a version that came in time is checked": [
        lambda life: life.send("ann"),
        Life.check,
        lambda life: life.send("ben"),
        lambda life: life.wait(50),
        Life.play_final,
        Life.play,
        Life.settle,
    ],
    "no check while the contest has a mistake": [
        lambda life: life.edit_the_file("a weak sandbox"),
        lambda life: life.send("ann"),
        *[Life.check] * (MAX_TRIES + 1),
        Life.settle,
    ],
}
"""Sequences of steps that once revealed a bug."""


@pytest.mark.slow
@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_former_bugs_are_fixed(history: Sequence[Callable[[Life], object]]) -> None:
    live(history)


@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=pytest.mark.slow if what in HOLDS_UP else pytest.mark.long)
        for what in EDITS
    ],
)
def test_ladder_continues_after_an_edit_is_reverted(what: str) -> None:
    first, second = lambda life: life.send("ann"), lambda life: life.send("ann", CODES[1])
    live([first, Life.settle, lambda life: life.edit_the_file(what), second, Life.settle])


def live(history: Sequence[Callable[[Life], object]]) -> None:
    """Run the steps, and check after each that everything is consistent."""
    life = Life()
    try:
        for step in history:
            step(life)
            life.pages_open()
            life.inbox_and_class_page_agree()
            life.a_final_never_changes()
    finally:
        life.teardown()


@pytest.mark.slow
def test_server_is_consistent() -> None:
    walk(walks=3, steps=12)


@pytest.mark.long
def test_server_is_consistent_for_long() -> None:
    walk(walks=40, steps=50)
