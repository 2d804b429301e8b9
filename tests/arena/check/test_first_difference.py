"""The first difference between two records of a game, in words."""

import msgspec

from arena.base.protocol import SeatFault
from arena.check.bot_check import first_difference
from tests.arena.runs import made_up_settings, play_out, schedule_of

RECORD = play_out(schedule_of(made_up_settings(3, "pot-de-vin/3"))[0])
replace = msgspec.structs.replace


def other_action(move: int) -> tuple[str, ...]:
    """Return the actions of the record with another one at this index."""
    return (*RECORD.actions[:move], "another", *RECORD.actions[move + 1 :])


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
