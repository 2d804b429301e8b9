"""The table in a terminal: every game can be drawn, at 80 columns, with what may be seen only."""

import io
import random
import re

import pytest
from rich.console import Console, RenderableType

from arena.terminal.drawing import HIDDEN, draw, draw_plain
from engine import State, Variant, variants
from tests.engine.high_card import HighCard

NAMES = [f"[bold]player-{number}[/]" for number in range(6)]
"""Of people who try to format their names."""

each_variant = pytest.mark.parametrize("variant", variants().values(), ids=list(variants()))


def printed(drawing: RenderableType, width: int = 80) -> list[str]:
    """Return the lines that a terminal without colours shows."""
    console = Console(file=io.StringIO(), width=width)
    console.print(drawing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def positions(variant: Variant, seed: int) -> list[State]:
    """Return some positions of a random game, the first and the last among them."""
    rng = random.Random(seed)
    state = variant.start(variant.deal(rng))
    found = [state.clone()]
    while state.seat_to_act is not None:
        state.apply(rng.choice(state.legal_actions()))
        found.append(state.clone())
    return [*found[:: len(found) // 3], found[-1]]


@each_variant
def test_every_position_can_be_drawn(variant: Variant) -> None:
    names = NAMES[: variant.seats]
    for state in positions(variant, 3):
        for seat in (None, *range(variant.seats)):
            lines = printed(draw(state, names, seat))
            assert max(map(len, lines)) <= 80
            assert not [line for line in lines if re.fullmatch(r"hand of \d *", line)]
            for name in names:
                assert any(name in line for line in lines)


@each_variant
def test_shows_only_the_hand_of_the_seat(variant: Variant) -> None:
    state = positions(variant, 4)[2]
    own = [getattr(state.view(seat), "hand", None) for seat in range(variant.seats)]
    for seat in range(variant.seats):
        shown = " ".join(printed(draw(state, NAMES[: variant.seats], seat)))
        if own[seat]:
            assert f"hand of {seat}" in shown
        assert not any(
            f"hand of {other}" in shown for other in range(variant.seats) if other != seat
        )


def test_colours_are_written_in_full() -> None:
    state = positions(variants()["brides-and-bribes/3"], 3)[1]
    text = " ".join(printed(draw(state, NAMES[:3], 0)))
    assert "black" in text
    assert "blue" in text
    assert not re.search(r"\d(bl|ye|re|gr)\b", text)


def test_shows_the_finished_trick() -> None:
    state = positions(variants()["pot-de-vin/3"], 3)[2]
    history = state.view(0).history  # type: ignore[attr-defined]
    names = ["ann", "bob", "cy"]
    text = " ".join(printed(draw(state, names, 0)))
    assert f"trick {len(history)} (trump " in text
    assert f"won by {names[history[-1].winner]}" in text


def test_game_without_drawing_lists_its_fields() -> None:
    state = HighCard().start(HighCard().deal(random.Random(1)))
    lines = printed(draw_plain(state.view(0), NAMES[:2], {}))
    fields = ["players"]
    fields += [name for name in state.view(0).__struct_fields__ if name not in HIDDEN]
    headings = [field.replace("_", " ") for field in fields]
    assert all(map(str.startswith, map(str.strip, filter(str.strip, lines)), headings))
    assert len([line for line in lines if line.strip()]) == len(fields)
    assert not re.search(r'[{}"]', "".join(lines)), "no JSON"
    assert lines[headings.index("to act")].split("to act")[1].strip() == NAMES[0]
