"""A recorded game is played again by the bots as they are now, and compared."""

import re
from pathlib import Path

import msgspec
import pytest

from arena.check.rerun import find_game, first_difference
from arena.errors import StoreError
from arena.protocol import SeatFault
from tests.arena.runs import (
    DICE_BOT,
    RUN_OPTIONS,
    bot_options,
    hand_made,
    made_up_settings,
    make_bots,
    play_out,
    run_arena,
    schedule_of,
)

VARIANT = "pot-de-vin/3"
RECORD = play_out(schedule_of(made_up_settings(3, VARIANT))[0])
replace = msgspec.structs.replace


def other_action(move: int) -> tuple[str, ...]:
    """Return the actions of the record with another one at this index."""
    return (*RECORD.actions[:move], "another", *RECORD.actions[move + 1 :])


def test_a_record_does_not_differ_from_itself() -> None:
    assert first_difference(RECORD, RECORD) is None


def test_the_first_other_action_is_named_with_who_made_it() -> None:
    now = replace(RECORD, actions=other_action(0))
    text = first_difference(RECORD, now)
    assert text
    assert text.startswith("move 1, seat ")
    assert f"{RECORD.actions[0]!r}, now 'another'" in text
    assert any(f"({name})" in text for name in RECORD.entrants)


def test_a_fault_is_a_difference_even_if_the_stand_in_plays_the_same() -> None:
    now = replace(RECORD, faults=(SeatFault(0, 0, "timeout", "too late"),))
    text = first_difference(RECORD, now)
    assert text
    assert f"{RECORD.actions[0]!r}, now a fault (timeout) and" in text


RECORDS = [
    replace(hand_made((1, 2, 3), board=board), key=f"{board}{board}abcdef") for board in (1, 2, 11)
]


@pytest.mark.parametrize("name", ["pot-de-vin/3 board 2 rotation 0", "22abcdef", "22abcd"])
def test_a_game_is_found_by_its_title_or_its_key(name: str) -> None:
    assert find_game(RECORDS, name) is RECORDS[1]


@pytest.mark.parametrize("name", ["pot-de-vin/3 board 9 rotation 0", "22ab", "", "x" * 999])
def test_what_names_no_game_is_refused(name: str) -> None:
    with pytest.raises(StoreError) as caught:
        find_game(RECORDS, name)
    assert "'pot-de-vin/3 board 12 rotation 0'" in str(caught.value)


def test_a_run_is_played_again_until_a_bot_changes(tmp_path: Path) -> None:
    folders = make_bots(tmp_path / "bots", 3)
    options = [*bot_options(folders), "--variant", VARIANT, "--rounds", "3", *RUN_OPTIONS]
    at = ["--results", str(tmp_path)]
    assert run_arena("run", *options, "--name", "spring", *at).returncode == 0
    title = f"{VARIANT} board 1 rotation 2"
    same = run_arena("rerun", "spring", *title.split(), *at)
    assert (same.returncode, same.stderr) == (0, "")
    assert same.stdout.startswith(f"{title}: ")
    (folders[1] / "bot.py").write_text(
        DICE_BOT.replace(".choice(", ".choice(sorted(").replace(
            'message["legal"])', 'message["legal"])[::-1])'
        )
    )
    other = run_arena("rerun", "spring", *title.split(), *at)
    assert other.returncode == 1
    assert "bot-2 " in other.stderr
    assert re.search(f"Error: {title} .*: move ", other.stderr)
    assert "(bot-2)" in other.stderr
