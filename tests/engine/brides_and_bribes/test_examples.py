"""The worked examples of the rules (section 12), and what each play, stop and event does (7, 10).

An example of `examples.toml` is a position, the borough or phase in which it begins, and a script
of lines:

    0:guide luciano, 1:hire             these seats are asked, and decide this
    ? 1 counter: counter enrico, decline
                                        this seat is asked (in this window), and what is legal
    coins = [2, 0, 0]                   a value, as `value` finds it, in JSON
    tiles 1 has ring-1 wine-1           a value has these parts, or `lacks` them
    over citadel                        the borough is resolved, and another one is asked for
    next round                          the round is over, and the next seat places
    game over                           the outcome is that of the view

`told` has the events that all seats are told, a line each, and `...` for any others.
"""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import State
from tests.engine.brides_and_bribes.play import (
    alley,
    asked,
    borough,
    bride,
    couple,
    delegation,
    event_lines,
    events,
    marriages,
    players,
    public,
    run,
    window,
    workers,
)
from tests.engine.brides_and_bribes.positions import STEPS, box, lay, over_in, read, resolving
from tests.engine.games import as_json

EXAMPLES = tomllib.loads(Path(__file__).with_name("examples.toml").read_text("utf-8"))["example"]


def only(state: State, kind: str) -> Any:
    (event,) = events(state, kind)
    return event


def nonzero(numbers: dict[str, int]) -> dict[str, int]:
    return {colour: number for colour, number in numbers.items() if number}


def known_below(state: State, name: str) -> list[str | None]:
    """Return by seat and for a spectator the top of a deck, as far as it is known."""
    rows = [as_json(state.view(viewer))["boroughs"] for viewer in (*range(3), None)]
    return [each["known_below"] for row in rows for each in row if each["borough"] == name]


READERS: dict[str, Callable[[State, str], Any]] = {
    "workers": lambda state, seat: workers(state, int(seat)),
    "own_alley": lambda state, seat: alley(state, int(seat)),
    "own_known": lambda state, seat: delegation(state, int(seat), int(seat))["known"],
    "marriages": lambda state, seat: marriages(state, int(seat)),
    "hand_size": lambda state, seat: players(state, "hand")[int(seat)],
    "actions_left": lambda state, seat: as_json(state.view(int(seat)))["actions_left"],
    "bride": bride,
    "couple": lambda state, slot: list(couple(state, slot)),
    "box": box,
    "workers_at": lambda state, name: nonzero(borough(state, name)["workers"]),
    "known_below": known_below,
    "sailors": lambda state, _: [ship["seat"] for ship in public(state)["ships"]],
    "asked": lambda state, _: [state.seat_to_act, window(state)],
    "supply": lambda state, what: flat(public(state)["supply"])[what],
    "told": lambda state, _: [[*change.values()] for change in only(state, "effect")["changes"]],
    "all": lambda state, what: [event[what.split()[1]] for event in events(state, what.split()[0])],
}


def flat(supply: dict[str, Any]) -> dict[str, Any]:
    return {**supply, **supply["workers"]}


def value(state: State, name: str) -> Any:
    """Return a value by its name.

    That is one of `READERS`, or a field: of the game (`phase`) or of all seats (`coins`), of a
    seat (`coins 1`), a borough (`common port`), an event that was told once (`married bribe`).
    """
    head, _, of = name.partition(" ")
    if head in READERS:
        return READERS[head](state, of)
    view = public(state)
    local, of_seats = view["resolution"], head in view["players"][0]
    if not of:
        found = {**view, **(local or {})}
        return found[head] if head in found else players(state, head)
    if of.isdigit():
        if of_seats:
            return players(state, head)[int(of)]
        return delegation(state, int(of))[head] if local else None
    names = [each["borough"] for each in view["boroughs"]]
    return (borough(state, of)[head]) if of in names else only(state, head)[of]


def check(state: State, line: str) -> None:
    if re.match(r"\d:", line):
        run(state, line.rstrip(","))
    elif match := re.fullmatch(r"\? (\d)(?: ([\w-]+))?: (.*)", line):
        seat, where, actions = match.groups()
        asked(state, int(seat), actions)
        assert where in (None, window(state))
    elif match := re.fullmatch(r"over (\w+)", line):
        over_in(state, match[1])
    elif line == "game over":
        outcome = state.outcome()
        assert (state.seat_to_act, public(state)["phase"]) == (None, "over")
        assert as_json(outcome.detail) == public(state)["result"]
        assert list(outcome.ranks) == public(state)["result"]["ranks"]
        assert list(outcome.points) == players(state, "influence")
    elif line == "next round":
        view = as_json(state.view(state.seat_to_act))
        assert (view["window"], view["phase"]) == ("place", "placement")
        assert state.seat_to_act == view["first_seat"]
    elif match := re.fullmatch(r"(.*) (has|lacks) (.*)", line):
        found = [part in value(state, match[1]) for part in match[3].split()]
        assert set(found) == {match[2] == "has"}, line
    else:
        name, _, expected = line.partition(" = ")
        assert value(state, name) == json.loads(expected), line


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_plays_examples_of_the_rules(example: dict[str, Any]) -> None:
    layout, begin = read(example), example["begin"]
    state = lay(layout, begin) if begin in STEPS else resolving(layout, begin)
    for line in example.get("script", "").strip().splitlines():
        check(state, line)
    if "told" in example:
        lines = example["told"].strip().splitlines()
        pattern = "".join("(.*\n)*" if line == "..." else f"{re.escape(line)}\n" for line in lines)
        for viewer in (*range(state.variant.seats), None):
            text = "".join(f"{line}\n" for line in event_lines(state, viewer))
            assert re.fullmatch(pattern, text), text
