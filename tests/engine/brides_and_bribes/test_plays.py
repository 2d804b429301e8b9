"""What each play does in the order window and in the own turn (section 7.6)."""

import pytest

from tests.engine.brides_and_bribes.play_cases import PlayCase, case
from tests.engine.brides_and_bribes.positions import citadel, market

CASES = [
    case("raineo", market("raineo"), "0:influence, 0:play raineo", coins=[1, 0, 0]),
    case(
        "raineo finds an empty pile",
        market("raineo", coins={1: 42}),
        "0:influence",
        asked=(0, "activate"),
        coins=[0, 42, 0],
    ),
    case(
        "antonio and jester",
        market("luciano", "enrico jester"),
        "1:guide enrico, 1:hire, 1:play jester citadel",
        common__citadel="merchant-1",
        alley__1=["tutor", "jester"],
        asked=(0, "declare"),
    ),
    case(
        "thief takes the only coin",
        market("luciano thief-1", "enrico", coins={1: 1}),
        "0:guide luciano, 1:ducato, 0:ducato, 0:play thief-1 seat-1",
        coins=[3, 0, 0],
    ),
    case(
        "merchant sells influence",
        market("luciano merchant-1", influence={0: 2}),
        "0:guide luciano, 0:ducato, 0:play merchant-1 influence",
        coins=[6, 0, 0],
        influence=[1, 0, 0],
    ),
    case(
        "merchant before a marriage",
        citadel("luciano merchant-1", workers={0: "red"}),
        "0:guide luciano, 0:marry first, 0:play merchant-1 red",
        coins=[3, 0, 0],
        workers__0={},
        closed__0=["marry first"],
    ),
    case(
        "ring",
        citadel("luciano ring-1"),
        "0:marry first, 0:play ring-1",
        influence=[5, 0, 0],
        used__0=["ring-1"],
    ),
    case(
        "bard",
        citadel("luciano bard", coins={0: 1}),
        "0:guide luciano, 0:marry first, 0:play bard",
        influence=[5, 0, 0],
    ),
    case(
        "suit in the order window",
        market("luciano suit-1", "enrico"),
        "0:play suit-1",
        prestige__0=7,
        asked=(0, "declare"),
    ),
    case(
        "suit before a marriage",
        market("luciano suit-1"),
        "0:decline, 0:marry second, 0:play suit-1",
        influence=[3, 0, 0],
    ),
    case(
        "archivist",
        market("luciano archivist-1", "enrico"),
        "0:guide luciano, 0:play archivist-1",
        prestige__0=6,
        asked=(0, "declare"),
    ),
    case(
        "a second edict is not playable",
        market("luciano edict-1 edict-2"),
        "0:play edict-1",
        asked=(0, "declare"),
    ),
    case(
        "magistrate in the order window",
        market("magistrate", "enrico", "taddeo"),
        "0:play magistrate",
        prestige__1=3,
        prestige__2=3,
        prestige__0=6,
    ),
    case(
        "magistrate also against who is not present",
        market("magistrate", "poison-1", "taddeo"),
        "0:play magistrate",
        prestige__2=3,
    ),
    case("defamer", market("defamer", "enrico"), "0:play defamer seat-1", prestige__1=2),
    case(
        "falconer",
        market("falconer", "enrico giorgio", "taddeo"),
        "1:guide enrico, 0:play falconer",
        known__1=["giorgio"],
        open__1=True,
        open__2=True,
        open__0=False,
    ),
    case(
        "rat after an action",
        market("luciano", "giorgio rat", "taddeo oberto"),
        "2:guide taddeo, 1:guide giorgio, 1:decline, 2:ducato, 0:ducato, 1:ducato, 1:play rat",
        asked=(0, "activate"),
    ),
    case(
        "beguiler before a marriage",
        citadel("luciano beguiler", coins={0: 3}),
        "0:guide luciano, 0:marry first, 0:play beguiler first market",
        couple__citadel__first=("caterina", 0, "luciano"),
        coins=[2, 0, 0],
    ),
    case(
        "beguiler after an action",
        citadel("luciano beguiler"),
        "0:guide luciano, 0:ducato, 0:play beguiler second port",
        bride__citadel__second="paola",
        bride__port__second="livia",
    ),
    case(
        "tutor after an action",
        citadel("luciano tutor"),
        "0:guide luciano, 0:ducato, 0:play tutor chiara",
        bride__citadel__second="chiara",
        box__second=["fiammetta", "margherita", "teresa", "livia"],
    ),
    case(
        "groomsman after a marriage",
        citadel("luciano groomsman", "enrico", "franco", coins={0: 4, 1: 2, 2: 2}),
        "0:guide luciano, 1:ducato, 0:marry first, 0:play groomsman",
        coins=[3, 2, 1],
    ),
    case(
        "wine after any action",
        market("luciano wine-1"),
        "0:ducato, 0:play wine-1",
        workers__0={"green": 1},
        used__0=["wine-1"],
    ),
    case(
        "assassin after an action: a guide",
        market("luciano assassin-2", "giorgio"),
        "0:guide luciano, 0:ducato, 0:play assassin-2 seat-1",
        asked=(0, "activate"),
    ),
    case(
        "assassin after an action: an unwed bride",
        market("luciano assassin-2"),
        "0:guide luciano, 0:ducato, 0:play assassin-2 second",
        bride__market__second="chiara",
    ),
    case(
        "a used dowry object returns to the stock",
        market("luciano poison-5"),
        "0:ducato, 0:play poison-5 first",
        used__0=[],
        bride__market__first="bianca",
    ),
    case(
        "extra-worker needs the supply",
        market("luciano", borough_workers={"market": " ".join(["green"] * 11)}),
        "0:employ",
        asked=(0, "activate"),
        workers__0={"green": 11},
    ),
]


@pytest.mark.parametrize("case", CASES)
def test_what_a_play_does(case: PlayCase) -> None:
    case.check()
