"""Tests of the words for actions and events of the built-in games."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from arena.narration.words import Words, table
from engine.bribery import events as bribery
from engine.brides_and_bribes.events import structs as brides_and_bribes
from engine.pot_de_vin import events as pot_de_vin

EVENTS = {
    "bribery": bribery.Event,
    "brides-and-bribes": brides_and_bribes.Event,
    "pot-de-vin": pot_de_vin.Event,
}
NAMES = ("ann", "bob", "cy")


def kinds(game: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the kinds of the events of a game, and their fields."""
    for event in EVENTS[game].__subclasses__():
        yield str(event.__struct_config__.tag), event.__struct_fields__


@pytest.mark.parametrize("game", EVENTS)
def test_the_tables_know_the_events_of_a_game_and_their_fields(game: str) -> None:
    fields = dict(kinds(game))
    words = table()[game]
    assert {kind.partition(".")[0] for kind in words.events} == set(fields)
    for key, template in words.events.items():
        kind, _, condition = key.partition(".")
        known = {*fields[kind]}
        known |= {"whose"} if "seat" in known else set()
        known |= {"in_words"} if "action" in known else set()
        assert {*re.findall(r"{(\w+)}", template), *filter(None, [condition])} <= known
    assert {one.event for one in words.actions} <= {*fields, ""}
    for part in words.parts:
        assert {part.begins, part.ends, *part.told} <= {*fields}


@pytest.mark.parametrize(
    ("game", "action", "text", "told", "event"),
    [
        ("pot-de-vin", "play aldo-7", "plays Aldo 7", "plays Aldo 7", "play"),
        ("pot-de-vin", "discard ugo-1", "discards Ugo 1", "discards a card", "discard"),
        ("bribery", "bribe 9h ks", "bribes K♠ with 9♥", "bribes K♠ with 9♥", "action"),
        ("bribery", "official joker-2", "brings Joker 2", "brings Joker 2", "action"),
        (
            "brides-and-bribes",
            "send mario market",
            "sends Mario to the market",
            "sends a tile to the market",
            "sent",
        ),
        (
            "brides-and-bribes",
            "play beguiler first port",
            "plays Beguiler: the first bride of the port",
            "plays Beguiler: the first bride of the port",
            "played",
        ),
        (
            "brides-and-bribes",
            "play thief-1 seat-2",
            "plays Thief 1: cy",
            "plays Thief 1: cy",
            "played",
        ),
        ("brides-and-bribes", "decline", "declines", "declines", ""),
        ("somebody-elses", "take {0} {seat}", "take {0} {seat}", "", ""),
    ],
)
def test_actions_in_words(game: str, action: str, text: str, told: str, event: str) -> None:
    said = Words(game, NAMES).action(action)
    assert (said.text, said.told, said.event) == (text, told, event)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            bribery.AbilitySettled(0, "assassinate", "kc", "9s", "ks", False, None, ("9h", "2d")),
            "K♠ is assassinated and lies face down; its bribes are discarded: 9♥, 2♦",
        ),
        (
            bribery.AbilitySettled(1, "bless", "qs", "9d", "qh", True, 0, ()),
            "ann has cancelled it",
        ),
        (
            brides_and_bribes.Done(1, "employ", (brides_and_bribes.Change("seat-1", "black", 2),)),
            "bob succeeds: bob +2 black",
        ),
        (
            brides_and_bribes.GuidesRevealed({0: "mario", 2: None}),
            "the guides are shown: ann: Mario, cy: nothing",
        ),
        (brides_and_bribes.OrderFixed(()), "they act in this order: nobody"),
    ],
)
def test_events_in_words(event: msgspec.Struct, text: str) -> None:
    game = "bribery" if isinstance(event, bribery.Event) else "brides-and-bribes"
    assert Words(game, NAMES).event(event) == text


def test_braces_in_a_name_stay_as_they_are() -> None:
    event = brides_and_bribes.Passed(0, 1)
    assert Words("brides-and-bribes", ["{seat}{0}", "b", "c"]).event(event) == "{seat}{0} passes"
