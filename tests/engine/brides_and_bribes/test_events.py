"""What all seats are told, event by event (section 10)."""

from tests.engine.brides_and_bribes.play import EXAMPLE_DEAL, VARIANTS, random_game, run, told
from tests.engine.brides_and_bribes.positions import base, lay, resolving
from tests.engine.games import as_json


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
    layout = base(
        "a",
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
    layout = base("a", delegations={"port": {0: "luciano double", 1: "enrico"}})
    state = resolving(layout, "port")
    run(state, "0:guide luciano, 1:hire, 0:play double, 0:switch")
    assert "peeked 0 port rat" in told(state, 0)
    for viewer in (1, 2, None):
        assert "peeked 0 port -" in told(state, viewer)
        assert "peeked 0 port rat" not in told(state, viewer)
        assert "switched port rat" in told(state, viewer)


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
