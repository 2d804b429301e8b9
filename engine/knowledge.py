"""Check whether two game states look the same to seats and spectators."""

import traceback
from pathlib import Path
from typing import Any

import msgspec

from engine.contract import State, Variant

LEGAL = "legal_actions()"


def viewers_of(variant: Variant) -> tuple[int | None, ...]:
    return (*range(variant.seats), None)


def known_to(viewer: int | None, state: State) -> dict[str, Any]:
    view = msgspec.to_builtins(state.view(viewer))
    events = enumerate(msgspec.to_builtins(state.events(viewer)))
    known: dict[str, Any] = {f"view({viewer}).{name}": value for name, value in view.items()}
    known |= {f"events({viewer})[{number}]": event for number, event in events}
    if viewer == state.seat_to_act:
        known[LEGAL] = state.legal_actions()
    return known


def new_knowledge(seat: int, since: int, state: State) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for number, event in enumerate(msgspec.to_builtins(state.events(seat, since)), since):
        known |= {f"events({seat})[{number}].{name}": value for name, value in event.items()}
    if seat == state.seat_to_act:
        known[LEGAL] = state.legal_actions()
    return known


def all_known(state: State) -> dict[str, Any]:
    """Return everything that seats and spectators can see in a state."""
    look: dict[str, Any] = {"seat_to_act": state.seat_to_act}
    for viewer in viewers_of(state.variant):
        look |= known_to(viewer, state)
    if state.seat_to_act is None:
        outcome = state.outcome()
        look["outcome()"] = msgspec.to_builtins(
            (outcome.points, outcome.ranks, outcome.win_weight, outcome.detail)
        )
    return look


def assert_same(
    expected: dict[str, Any],
    got: dict[str, Any],
    where: str,
    advice: str = "",
    state: State | None = None,
) -> None:
    """Raise an `AssertionError` that describes the first difference between two dictionaries.

    The error message starts with `where`, and gives the hint `advice` after the difference. If
    `state` is given, the message also contains the source location of the method that returned
    the wrong value.
    """
    for name in expected | got:
        before, now = expected.get(name), got.get(name)
        if now != before:
            code = code_of(state, name.partition("(")[0]) if state else ""
            order = ""
            is_list = name == LEGAL or name.endswith(".legal")
            if is_list and sorted(map(str, now or ())) == sorted(map(str, before or ())):
                order = "in the order "
            text = f"{name} should be {order}{before}, is {now}"
            raise AssertionError(f"{where}: {text}{advice}{code}")


def code_of(thing: State | Variant, function: str) -> str:
    """Return a function's source location, such as " (rules.py:12)". If unknown, return ""."""
    game = getattr(thing if isinstance(thing, Variant) else thing.variant, "declaration", None)
    if game is None:
        method = getattr(thing, "read_deal" if function == "facts" else function, None)
    else:
        if function == "events" and not getattr(game, "has_events", False):
            function = "apply"  # the function that writes the log
        method = game.declared.get(function) or getattr(game, function, None)
    code = getattr(method, "__code__", None)
    return f" ({Path(code.co_filename).name}:{code.co_firstlineno})" if code else ""


def line_of(error: BaseException) -> str:
    """Return the source location of an exception in a game, such as " (rules.py:12)". If
    unknown, return "".
    """
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        if Path(frame.filename).parent != Path(__file__).parent:
            return f" ({Path(frame.filename).name}:{frame.lineno})"
    return ""
