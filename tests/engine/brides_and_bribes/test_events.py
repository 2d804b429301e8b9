"""What all seats are told, event by event (section 10)."""

import re
from typing import Any

import pytest

from engine import State
from tests.engine.brides_and_bribes.play import EXAMPLE_DEAL, VARIANTS, random_game, run
from tests.engine.brides_and_bribes.positions import STEPS, lay, position_a, position_b, resolving
from tests.engine.games import Json, as_json


def told(state: State, viewer: int | None = None) -> list[str]:
    """Return the events of a viewer, a line each: the name and the values, `-` for null."""
    return [line(event) for event in as_json(state.events(viewer))]


def line(event: Json) -> str:
    return " ".join(text(value) for value in event.values())


def text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return ",".join(f"{key}:{text(each)}" for key, each in value.items()) or "{}"
    if isinstance(value, list):
        return f"[{' '.join(map(text, value))}]"
    return str(value)


def test_the_start_and_the_opening() -> None:
    state = VARIANTS[0].start(VARIANTS[0].read_deal(EXAMPLE_DEAL))
    (start,) = as_json(state.events(None))
    assert start == {
        "event": "start",
        "variant": "brides-and-bribes/3",
        "boroughs": EXAMPLE_DEAL["boroughs"],
        "families": EXAMPLE_DEAL["families"],
        "favor": [2, 1, 0],
        "lords": EXAMPLE_DEAL["lords"],
        "first_brides": ["ginevra", "isabella", "bianca"],
        "second_brides": ["agnese", "fiammetta", "teresa"],
        "first_box": ["caterina", "eleonora", "lucrezia", "vittoria"],
        "second_box": ["chiara", "livia", "margherita", "paola"],
        "commons": ["damsel-2", "jester", "assassin-2"],
        "first_seat": 0,
    }
    run(state, "0:worker black, 1:worker blue, 2:worker red")
    assert told(state)[1:] == [
        "opening 0 black",
        "opening 1 blue",
        "opening 2 red",
        "round 1 0 [2 1 0] village:damsel-2,market:jester,port:assassin-2 "
        "village:1,market:1,port:1 village:1,market:1,port:1",
    ]


def test_placement() -> None:
    """The game of W24: a tile is told to its seat only, and by favor to all."""
    layout = position_a(
        favor=(1, 0, 2),
        hands={0: "luciano matteo mario", 1: "niccolo", 2: "taddeo oberto wine-1"},
    )
    state = lay(layout, "placement")
    run(state, "2:place port, 2:send taddeo port, 2:place favor, 0:place port")
    run(state, "0:send luciano port, 0:place ship-2, 0:ship 2 mario, 1:place port")
    run(state, "2:place port, 0:place favor")

    def lines(tiles: dict[int, str]) -> list[str]:
        taddeo, luciano, mario, niccolo, wine = (tiles.get(k, "-") for k in range(5))
        return [
            f"sent 2 port 1 {taddeo}",
            "favor 2 oberto",
            f"sent 0 port 1 {luciano}",
            f"sent 0 ship-2 1 {mario}",
            f"sent 1 port 1 {niccolo}",
            "passed 1 0",
            f"reinforced 2 port 2 {wine}",
            "passed 2 0",
            "favor 0 matteo",
            "passed 0 0",
            "favor_order [2 0 1]",
            "ship 0 2 [mario] 0",
        ]

    assert told(state) == lines({})
    assert told(state, 0) == lines({1: "luciano", 2: "mario"})
    assert told(state, 1) == lines({3: "niccolo"})
    assert told(state, 2) == lines({0: "taddeo", 4: "wine-1"})


def test_a_look_at_the_deck() -> None:
    """W22: which tile it is, is told to the peeking seat only."""
    layout = position_a(delegations={"port": {0: "luciano double", 1: "enrico"}})
    state = resolving(layout, "port")
    run(state, "0:guide luciano, 1:hire, 0:play double, 0:switch")
    assert "peeked 0 port rat" in told(state, 0)
    for viewer in (1, 2, None):
        assert "peeked 0 port -" in told(state, viewer)
        assert "peeked 0 port rat" not in told(state, viewer)
        assert "switched port rat" in told(state, viewer)


CASES = {
    "who passes puts the rest away unseen": (
        position_a(hands={1: "niccolo enrico", 2: "taddeo oberto"}),
        "placement",
        "2:pass",
        "passed 2 2 | passed 0 0",
    ),
    "colonies, the game of W23": (
        position_a(
            coins={0: 7, 1: 2},
            workers={1: "black"},
            delegations={"ship-3": {0: "luciano mario wine-1"}, "ship-1": {1: "enrico giorgio"}},
        ),
        "colonies",
        "0:buy red, 0:buy red, 1:swap black red, 1:decline",
        """ship 0 3 [luciano mario] 1 | traded 0 3 coins red | traded 0 3 coins red
        ship 1 1 [enrico giorgio] 0 | traded 1 black red""",
    ),
    "an exchange, the game of W14: declared, played, guarded against, done": (
        position_a(
            favor=(1, 0, 2), delegations={"port": {0: "mario assassin-2", 1: "niccolo enrico"}}
        ),
        "port",
        "0:guide mario, 1:guide niccolo, 1:employ, 0:play assassin-2 seat-1, 1:counter enrico, "
        "1:decline, 0:ducato",
        """activated 2 port | guides 0:mario,1:niccolo | order [1 0] | declared 1 employ
        played 0 assassin-2 seat-1 | countered 1 enrico guard | no_effect 0 assassin-2
        done 1 employ [where:seat-1,what:black,amount:1]
        declared 0 ducato | done 0 ducato [where:seat-0,what:coins,amount:1]
        borough_end port [seat:0,shown:[mario],hidden:0 seat:1,shown:[niccolo],hidden:0]""",
    ),
    "a stop and a save, W18 (b): in vain; then the marriage, its price and its dowry": (
        position_a(
            coins={0: 2, 1: 9},
            delegations={"citadel": {0: "luciano hag antidote-1", 1: "enrico poison-1 assassin-2"}},
        ),
        "citadel",
        "0:guide luciano, 1:guide enrico, 1:marry first, 0:play hag, 1:counter poison-1, "
        "0:counter antidote-1, 1:counter assassin-2",
        """... | declared 1 marry first | played 0 hag - | countered 1 poison-1 stop
        countered 0 antidote-1 save | countered 1 assassin-2 stop | no_effect 0 hag
        married 1 citadel first eleonora enrico 0 4 | dowry 1 1 antidote-5
        done 1 marry first [where:seat-1,what:influence,amount:5]""",
    ),
    "a declaration fails, W17; the alleys are told at the end of a borough": (
        position_a(coins={1: 9}, delegations={"citadel": {0: "luciano hag", 1: "enrico"}}),
        "citadel",
        "0:guide luciano, 1:marry first, 0:play hag, 0:ducato, 1:ducato",
        """... | declared 1 marry first | played 0 hag -
        effect 0 hag - [where:citadel,what:marriage-banned,amount:1] | failed 1 marry first | ...
        borough_end citadel [seat:0,shown:[luciano],hidden:0 seat:1,shown:[enrico],hidden:0]""",
    ),
    "a guide is lost and replaced, W15": (
        position_a(
            favor=(1, 0, 2),
            coins={1: 6},
            influence={1: 4},
            delegations={"port": {0: "luciano assassin-2", 1: "niccolo merchant-1"}},
        ),
        "port",
        "0:guide luciano, 1:guide niccolo, 1:marry first, 0:play assassin-2 seat-1",
        """... | played 0 assassin-2 seat-1 | ... | guide_lost 1 niccolo | ...
        guide_new 1 merchant-1 | ... | failed 1 marry first""",
    ),
    "a lone guide is lost, W16": (
        position_a(delegations={"port": {0: "franco poison-1", 1: "niccolo ring-1"}}),
        "port",
        "1:hire, 0:play poison-1 seat-1, 0:ducato",
        """... | lost_action 1 hire | ...
        borough_end port [seat:0,shown:[franco],hidden:0 seat:1,shown:[],hidden:1]""",
    ),
    "a charmer, W19": (
        position_a(delegations={"market": {0: "luciano charmer", 1: "enrico"}}),
        "market",
        "0:guide luciano, 1:influence, 0:play charmer",
        """... | played 0 charmer - | effect 0 charmer - [where:seat-1,what:charmed,amount:1]
        charmed 1 influence""",
    ),
    "open hands": (
        position_a(delegations={"port": {0: "falconer", 1: "enrico giorgio", 2: "taddeo"}}),
        "port",
        "1:guide enrico, 0:play falconer",
        "... | opened 1 [giorgio] | ...",
    ),
    "a murder, W25: influence is lost, the second bride moves up, another one comes": (
        position_a(
            influence={0: 9, 1: 6},
            wed={"citadel first": (0, "matteo"), "citadel second": (1, "giorgio")},
            delegations={"citadel": {1: "enrico poison-1", 2: "franco"}},
        ),
        "citadel",
        "1:influence, 1:play poison-1 first",
        """... | murdered citadel first eleonora 0 matteo 3 | moved_up citadel 1
        bride citadel second chiara | ...""",
    ),
    "a dowry goes to the lover": (
        position_a(coins={1: 4}, delegations={"citadel": {0: "luciano lover", 1: "enrico"}}),
        "citadel",
        "0:guide luciano, 1:marry first, 0:play lover",
        """... | married 1 citadel first eleonora enrico 0 4 | played 0 lover -
        effect 0 lover - [where:seat-0,what:dowry,amount:1] | dowry 0 1 antidote-5 | ...""",
    ),
    "the end of a round, W30 and W31 together": (
        position_a(
            favor=(1, 0, 2),
            coins={0: 4, 1: 4},
            used={0: "wine-1"},
            alleys={0: "thief-1 hag", 1: "bard", 2: "rat"},
            workers={0: "yellow green green", 1: "yellow green green"},
        ),
        "end",
        "1:keep, 0:dismiss hag, 0:keep, 0:buy-back wine, 1:build tailor, 0:build tailor",
        """income 1 3 | income 0 3 | income 2 0 | upkeep 1 1 | dismissed 0 hag | upkeep 0 1
        dismissed 2 rat | bought_back 0 wine-1 | built 1 tailor-1 | built 0 tailor-2
        round 4 0 [1 0 2] citadel:archivist-1,market:merchant-1,port:thief-2 """
        "citadel:1,market:1,port:1 citadel:1,market:1,port:1",
    ),
    "the end of the game": (
        position_b(coins={0: 9}, influence={0: 3, 1: 20}, wed={"port first": (2, "taddeo")}),
        "end",
        "",
        """... | over [3 20 0 0] [4 20 0 0] [[0 4 0 0 0] [0 20 0 0 0] [1 0 1 0 0] [0 0 0 0 0]] """
        "[3 2 1 4]",
    ),
}
"""By example: the position, the phase or borough where it begins, the decisions, and what all seats
are told: events with `|` or a line break between them, and `...` for any others."""


@pytest.mark.parametrize("name", CASES)
def test_what_all_are_told(name: str) -> None:
    layout, begin, decisions, expected = CASES[name]
    state = lay(layout, begin) if begin in STEPS else resolving(layout, begin)
    if decisions:
        run(state, decisions)
    lines = [line.strip() for line in expected.replace("|", "\n").splitlines()]
    pattern = "".join("(.*\n)*" if line == "..." else f"{re.escape(line)}\n" for line in lines)
    for viewer in (*range(state.variant.seats), None):
        text = "".join(f"{line}\n" for line in told(state, viewer))
        assert re.fullmatch(pattern, text), text


KINDS = """
start opening round sent reinforced favor passed favor_order ship traded activated guides order
declared failed charmed lost_action done played countered no_effect effect peeked switched opened
guide_lost guide_new married dowry murdered moved_up bride borough_end income upkeep dismissed
bought_back built over
""".split()


def test_no_other_kinds_of_events_are_told() -> None:
    found = set()
    for seed in range(45):
        end = random_game(VARIANTS[seed % 3], seed).end()
        found |= {event["event"] for event in as_json(end.events(0))}
    assert found == set(KINDS)
