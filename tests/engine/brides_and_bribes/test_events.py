"""What all seats are told, event by event (section 10)."""

from tests.engine.brides_and_bribes.play import run, told
from tests.engine.brides_and_bribes.positions import base, lay, resolving


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
