"""Tests of the words for actions and events of the built-in games."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from arena.extras.games.tables import words_of
from arena.narration.words import Words
from engine.bribery import events as bribery
from engine.brides_and_bribes import events as brides_and_bribes
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
def test_word_tables_cover_all_events_and_fields(game: str) -> None:
    fields = dict(kinds(game))
    words = words_of(game)
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
        ("pot-de-vin", "discard ugo-1", "discards Ugo 1", "discards a card", "discard"),
        ("bribery", "bribe 9h ks", "bribes K♠ with 9♥", "bribes K♠ with 9♥", "action"),
        (
            "brides-and-bribes",
            "send mario market",
            "sends Mario to the market",
            "sends a tile to the market",
            "sent",
        ),
        ("somebody-elses", "take {0} {seat}", "take {0} {seat}", "", ""),
    ],
)
def test_describes_actions(game: str, action: str, text: str, told: str, event: str) -> None:
    result = Words(game, NAMES).action(action)
    assert (result.text, result.told, result.event) == (text, told, event)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            bribery.AbilitySettled(0, "assassinate", "kc", "9s", "ks", False, None, ("9h", "2d")),
            "K♠ is assassinated and lies face down; its bribes are discarded: 9♥, 2♦",
        ),
        (bribery.AbilitySettled(1, "bless", "qs", "9d", "qh", True, 0, ()), "ann has cancelled it"),
        (
            brides_and_bribes.Done(1, "employ", (brides_and_bribes.Change("seat-1", "black", 2),)),
            "bob succeeds: bob +2 black",
        ),
    ],
)
def test_describes_events(event: msgspec.Struct, text: str) -> None:
    game = "bribery" if isinstance(event, bribery.Event) else "brides-and-bribes"
    assert Words(game, NAMES).event(event) == text


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (pot_de_vin.Played(0, "aldo-7"), "you play Aldo 7"),
        (pot_de_vin.Passed(1, 2), "bob puts a gem on the table; gems left: 2"),
        (bribery.Acted(0, "play", "bribe 9h ks"), "you bribe K♠ with 9♥"),
        (brides_and_bribes.HadNoEffect(0, "hag"), "your Hag comes to nothing"),
        (brides_and_bribes.FavorFixed((1, 0)), "order of favor: bob, you"),
    ],
)
def test_addresses_the_player_as_you(event: msgspec.Struct, text: str) -> None:
    game = {bribery: "bribery", pot_de_vin: "pot-de-vin"}
    module = next((one for one in game if type(event).__module__ == one.__name__), None)
    words = Words(game[module] if module else "brides-and-bribes", NAMES, you=0)
    assert words.event(event) == text


@pytest.mark.parametrize("game", EVENTS)
def test_action_verbs_have_a_second_person(game: str) -> None:
    words = Words(game, NAMES, you=0)
    for one in words_of(game).actions:
        action = re.sub(r"{\w+}", "x", one.form)
        result = words.choice(action, {"gems_left": "2 gems left"})
        assert result
        assert "{" not in result
        if not one.menu:
            verb, known = result.split()[0], one.words.split()[0]
            assert verb != known
            assert verb.isalpha()


def test_keeps_braces_in_names() -> None:
    event = brides_and_bribes.Passed(0, 1)
    assert Words("brides-and-bribes", ["{seat}{0}", "b", "c"]).event(event) == "{seat}{0} passes"


@pytest.mark.parametrize("game", EVENTS)
def test_event_verbs_agree_with_you(game: str) -> None:
    """Only a seat at the start has its verb in the second person, so no other seat has a verb."""
    for template in words_of(game).events.values():
        assert not re.search(r".\{(seat|by|leader|winner|first_seat)\} \w", template), template
