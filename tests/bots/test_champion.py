"""Tests of the champion: its settings, notes and guides."""

import random
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.protocol import Start
from arena.sdk.games import new_bot
from arena.tournament.in_process import class_of, play_in_process
from bots.bribery import guide as bribery_guide
from bots.bribery.guide import BriberyGuide
from bots.champion.champion import ChampionBot, from_command_line
from bots.pot_de_vin import guide
from bots.pot_de_vin.guide import PotDeVinGuide
from engine import State, get_variant, variants
from tests.bots.boards import PATIENT, make_game

GUIDED = [
    variant.id for variant in variants().values() if variant.game in ("pot-de-vin", "bribery")
]
QUICK = from_command_line(["--iterations", "5"])


def positions(variant_id: str, seed: int) -> Iterator[State]:
    variant, rng = get_variant(variant_id), random.Random(seed)
    state = variant.start(variant.deal(rng))
    while state.seat_to_act is not None:
        yield state
        state.apply(rng.choice(state.legal_actions()))


def test_answers_if_no_time_is_left() -> None:
    variant = get_variant("pot-de-vin/3")
    state = variant.start(variant.deal(random.Random(1)))
    assert state.seat_to_act is not None
    bot = new_bot(ChampionBot, Start(0, variant.game, variant.id, state.seat_to_act, 3, None, 7))
    bot.clock_ms = 1
    bot.world = state.determinize(state.seat_to_act, random.Random(2))
    assert bot.act(None, state.legal_actions()) in state.legal_actions()
    assert "without search" in bot.note


class Ticks:
    """A clock that advances by some milliseconds each time it is read."""

    def __init__(self, seed: int, mean_ms: float) -> None:
        self._rng = random.Random(seed)
        self._mean_ms = mean_ms
        self.looks_ms: list[float] = []

    def __call__(self) -> float:
        last = self.looks_ms[-1] if self.looks_ms else 0.0
        self.looks_ms.append(last + self._rng.uniform(0, 2 * self._mean_ms))
        return self.looks_ms[-1] / 1000


def clocked(ticks: Ticks) -> type[ChampionBot]:
    """Return a bot that uses this clock, and checks after each decision that it stopped in time."""

    class ClockedBot(ChampionBot):
        clock = staticmethod(ticks)

        def events(self, events: list[object]) -> None:
            ticks.looks_ms.clear()
            super().events(events)

        def act(self, view: object, legal: list[str]) -> str:
            action = super().act(view, legal)
            asked, *later = ticks.looks_ms
            over = [moment for moment in later if moment - asked >= 0.6 * self.clock_ms]
            assert over == later[len(later) - 1 :] or not over  # it stops at the first such look
            return action

    return ClockedBot


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32), st.integers(50, 150), st.floats(0.1, 40))
def test_stops_when_its_time_is_up(seed: int, move_ms: int, mean_ms: float) -> None:
    seated = [clocked(Ticks(seed, mean_ms)), *[class_of("random")] * 2]
    limits = msgspec.structs.replace(PATIENT, move_ms=move_ms)
    record = play_in_process(make_game("brides-and-bribes/3", seed % 100), seated, limits)
    assert record.faults == ()


@pytest.mark.parametrize(
    ("move_ms", "races"), [pytest.param(100, True, marks=pytest.mark.slow), (49, False)]
)
def test_races_on_a_short_clock(move_ms: int, races: bool) -> None:
    seated = [clocked(Ticks(1, 0.5)), *[class_of("random")] * 2]
    limits = msgspec.structs.replace(PATIENT, move_ms=move_ms)
    record = play_in_process(make_game("brides-and-bribes/3", 1), seated, limits)
    assert record.faults == ()
    assert record.notes
    assert any(" in 2; " in note.text for note in record.notes) == races


def test_notes_list_value_and_visits_of_three_actions() -> None:
    record = play_in_process(make_game("bribery/2", 1), [QUICK] * 2, PATIENT)
    assert record.faults == ()
    assert record.notes
    assert all(1 <= len(note.text.split("; ")) <= 3 for note in record.notes)


@pytest.mark.parametrize("variant_id", ["pot-de-vin/3", "bribery/3-advanced"])
def test_finds_actions_of_all_seats_in_events(variant_id: str) -> None:
    module = guide if variant_id.startswith("pot-de-vin") else bribery_guide
    rng = random.Random(6)
    variant = get_variant(variant_id)
    state = variant.start(variant.deal(rng))
    actions = []
    while state.seat_to_act is not None:
        actions.append(rng.choice(state.legal_actions()))
        state.apply(actions[-1])
    assert module.actions_in(msgspec.json.decode(msgspec.json.encode(state.events(1)))) == actions


# -- what its guides know ----------------------------------------------------------------------


@pytest.mark.parametrize("variant_id", GUIDED)
def test_values_of_sides_add_up_to_half_their_number(variant_id: str) -> None:
    variant = get_variant(variant_id)
    guiding = class_of_guide(variant_id)(variant)
    rng = random.Random(3)
    for state in positions(variant_id, 3):
        values = guiding.estimate(state, 0)
        assert values is None or sum(values) == pytest.approx(len(values) / 2)
        legal = state.legal_actions()
        assert guiding.play(state, legal, rng) in legal
        assert min(guiding.priors(state, legal)) >= 0
    assert sum(guiding.result(state)) == pytest.approx(len(variant.sides) / 2)


def class_of_guide(variant_id: str) -> type[PotDeVinGuide | BriberyGuide]:
    return PotDeVinGuide if variant_id.startswith("pot-de-vin") else BriberyGuide
