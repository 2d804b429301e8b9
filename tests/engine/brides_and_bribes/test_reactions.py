"""What each play does as a reaction to what another seat does (section 7.6)."""

import pytest

from tests.engine.brides_and_bribes.play_cases import PlayCase, case
from tests.engine.brides_and_bribes.positions import citadel, market

RICH = {"coins": {0: 9, 1: 9, 2: 9}, "influence": {0: 9, 1: 9, 2: 9}}

CASES = [
    case(
        "jester as a reaction",
        market("luciano jester", "enrico"),
        "0:guide luciano, 1:hire, 0:play jester port",
        common__port="merchant-1",
    ),
    case(
        "ansaldo leaves it",
        market("", "enrico", "ansaldo"),
        "1:hire, 2:play ansaldo, 2:leave",
        alley__1=["jester"],
    ),
    case(
        "ansaldo switches",
        market("", "enrico", "ansaldo"),
        "1:hire, 2:play ansaldo, 2:switch",
        alley__1=["merchant-1"],
    ),
    case(
        "gabriele as a reaction",
        market("luciano", "enrico gabriele", coins={0: 2, 1: 3}),
        "1:guide gabriele, 0:marry first, 1:play gabriele seat-0",
        coins=[1, 4, 0],
    ),
    case(
        "defamer as a reaction against A only",
        market("luciano defamer", "enrico", "franco", **RICH),
        "0:guide luciano, 0:decline, 1:marry first, 0:play defamer seat-1",
        influence=[9, 12, 9],
    ),
    case(
        "rat as a reaction",
        market("luciano rat", "enrico merchant-1", **RICH),
        "0:guide luciano, 1:guide enrico, 0:decline, 1:marry first, 0:play rat",
        guide__1="merchant-1",
        closed__1=["marry first"],
    ),
    case(
        "hag",
        market("luciano hag", "enrico"),
        "0:guide luciano, 1:marry first, 0:play hag",
        marriage_banned=True,
        closed__1=["marry first"],
    ),
    case(
        "plague-spreader",
        market("luciano plague-spreader-1", "enrico", "franco", **RICH),
        "0:guide luciano, 1:marry first, 0:play plague-spreader-1",
        charm__1=2,
        charm__2=2,
        charm__0=5,
        coins=[9, 9 - 6 + 2, 9],
    ),
    case(
        "damsel",
        market("luciano damsel-1", "enrico", **RICH),
        "0:guide luciano, 1:marry first, 0:play damsel-1",
        bride_charm_change=3,
        coins=[9, 9 - 6 + 2, 9],
    ),
    case(
        "crook",
        market("luciano crook", "enrico", **RICH),
        "0:guide luciano, 1:marry first, 0:play crook",
        lord_prestige=7,
        influence=[9, 9 - 3 + 5, 9],
    ),
    case(
        "barker",
        market("luciano barker", "enrico"),
        "0:guide luciano, 1:employ, 0:play barker",
        workers_banned=True,
        closed__1=["employ"],
    ),
    case(
        "charmer",
        market("luciano charmer", "enrico"),
        "0:guide luciano, 1:hire, 0:play charmer",
        closed__1=["hire"],
        asked=(1, "declare"),
    ),
    case(
        "tutor as a reaction",
        citadel("luciano tutor", "enrico", **RICH),
        "0:guide luciano, 1:marry first, 0:play tutor vittoria",
        couple__citadel__first=("vittoria", 1, "enrico"),
        box__first=["bianca", "ginevra", "lucrezia", "eleonora"],
    ),
    case(
        "lover",
        citadel("luciano lover", "enrico", coins={1: 4}),
        "0:guide luciano, 1:marry first, 0:play lover",
        coins=[1, 0, 0],
    ),
    case(
        "poison as a reaction",
        market("luciano poison-1", "niccolo merchant-1", favor=(1, 0, 2)),
        "1:guide niccolo, 1:employ, 0:play poison-1 seat-1",
        guide__1="merchant-1",
        workers__1={"green": 1},
    ),
]


@pytest.mark.parametrize("case", CASES)
def test_what_a_play_does(case: PlayCase) -> None:
    case.check()
