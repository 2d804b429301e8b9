"""Which boards are over, and so may be shown while the run is under way."""

import msgspec
import pytest

from arena.base.errors import StoreError
from arena.tournament.finished_boards import board_of, find_game, finished
from tests.arena.runs import hand_made

TEAMS = "pot-de-vin/4-teams"


def games(*boards: tuple[str, int, int]) -> list:
    """Return the first games of boards: variant, number and how many games of each."""
    return [
        hand_made(
            range(1, int(variant.partition("/")[2][0]) + 1),
            entrants="abcd"[: int(variant.partition("/")[2][0])],
            variant=variant,
            board=board,
            rotation=rotation,
        )
        for variant, board, number in boards
        for rotation in range(number)
    ]


V3 = "pot-de-vin/3"


@pytest.mark.parametrize(
    ("played", "over"),
    [
        ([(V3, 1, 3)], [1]),
        ([(TEAMS, 1, 3)], []),
        ([(TEAMS, 1, 4)], [1]),
        ([(V3, 1, 2), (V3, 2, 3), (V3, 3, 1)], [2]),
    ],
)
def test_shows_only_complete_boards(played: list[tuple[str, int, int]], over: list[int]) -> None:
    records = games(*played)
    found = list(finished(records, board_of))
    assert [record.board for record in found if record.rotation == 0] == over
    assert found == [record for record in records if record in found], "in the same order"
    for board in {board_of(record) for record in found}:
        assert sum(board_of(record) == board for record in found) in (3, 4)


RECORDS = [
    msgspec.structs.replace(hand_made((1, 2, 3), board=board), key=f"{board}{board}abcdef")
    for board in (1, 2, 11)
]


@pytest.mark.parametrize("name", ["pot-de-vin/3 board 2 rotation 0", "22abcdef", "22abcd"])
def test_finds_game_by_title_or_key(name: str) -> None:
    assert find_game(RECORDS, name) is RECORDS[1]


@pytest.mark.parametrize("name", ["pot-de-vin/3 board 9 rotation 0", "22ab", "", "x" * 999])
def test_rejects_unknown_game(name: str) -> None:
    with pytest.raises(StoreError) as caught:
        find_game(RECORDS, name)
    assert "'pot-de-vin/3 board 12 rotation 0'" in str(caught.value)
