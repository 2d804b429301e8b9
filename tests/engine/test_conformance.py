"""Every registered game conforms, and the suite catches games that do not."""

import contextlib
import random
import re
from array import array

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EndlessGame, GameNotOver, InvalidDeal, Outcome, Variant, conformance, variants
from tests.engine.games import each_by_length
from tests.engine.guessed_coins import guess_coins
from tests.engine.high_card import (
    Deal,
    Event,
    Hid,
    HighCard,
    HighCardState,
    HighCardTeams,
    Shown,
    View,
)

CHECK_NAMES = [check.__name__.removeprefix("check_") for check in conformance.CHECKS]


@each_by_length([*variants().values()])
def test_every_registered_variant_conforms(variant: Variant) -> None:
    for check in conformance.CHECKS:
        check(variant, random.Random(f"{check.__name__} {variant.id}"))


@pytest.mark.long
@pytest.mark.parametrize("variant", variants().values(), ids=list(variants()))
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_registered_variant_conforms_with_any_seed(variant: Variant, seed: int) -> None:
    conformance.check_variant(variant, seed)


def test_third_party_game_conforms() -> None:
    for variant in (HighCard(), HighCardTeams(), guess_coins()):
        conformance.check_variant(variant, 1)


def test_check_variant_runs_its_checks_with_one_seed() -> None:
    ran = []

    def spy(variant: Variant, rng: random.Random) -> None:
        ran.append((variant.id, rng.random()))

    conformance.check_variant(HighCard(), 5, (spy, spy))
    assert ran == [("high-card/3", random.Random(5).random())] * 2


def test_all_checks_of_the_module_are_listed() -> None:
    named = {name for name in vars(conformance) if name.startswith("check_")}
    assert named - {"check_variant"} == {check.__name__ for check in conformance.CHECKS}


# -- games that are broken, each in one way ----------------------------------------------------


class TeamsOfNeighbours(HighCardTeams):
    teams = ((0, 1), (2, 3))


class DealsFromTheGlobalGenerator(HighCard):
    def deal(self, rng):
        return super().deal(random.Random(random.random()))


class IgnoresUnknownFields(HighCard):
    def read_deal(self, raw):
        known = {"cards": raw["cards"]} if isinstance(raw, dict) and "cards" in raw else raw
        return super().read_deal(known)


class ReadsAnyCards(HighCard):
    def read_deal(self, raw):
        with contextlib.suppress(InvalidDeal):
            return super().read_deal(raw)
        if not isinstance(raw, dict) or set(raw) != {"cards"}:
            raise InvalidDeal("cards", "expected only them")
        return Deal(tuple(raw["cards"]))


class CountsOnItsFields(HighCard):
    def read_deal(self, raw):
        if isinstance(raw, dict) and isinstance(raw.get("cards"), list):
            assert len(raw["cards"]) == 12
        return super().read_deal(raw)


class ListsTwice(HighCardState):
    def legal_actions(self):
        return super().legal_actions() * 2


class NeverEnds(HighCardState):
    def apply(self, action):
        """Change nothing."""


class ListsNothing(HighCardState):
    def legal_actions(self):
        return super().legal_actions() if len(self.shown) < 2 else []


class ShowsEverybodyTheLegalList(HighCardState):
    def view(self, seat):
        return msgspec.structs.replace(super().view(seat), legal=tuple(self.legal_actions()))


class ChangesBeforeItChecks(HighCardState):
    def apply(self, action):
        self.hands[self.seat_to_act or 0].reverse()
        super().apply(action)


class GoesOnAfterTheEnd(HighCardState):
    def apply(self, action):
        if self.seat_to_act is not None:
            super().apply(action)


class SharesListsWithItsClone(HighCardState):
    def clone(self):
        other = super().clone()
        other.hands = self.hands
        return other


class RollsItsOwnDice(HighCardState):
    dice = random.Random(0)

    def __init__(self, variant, deal):
        super().__init__(variant, deal)
        self.dice.shuffle(self.hands)


class LiveView(View, frozen=True):
    shown: list[tuple[int, ...]]


class HandsOutItsLists(HighCardState):
    def view(self, seat):
        fields = msgspec.structs.asdict(super().view(seat))
        return LiveView(**fields | {"shown": self.shown})


class HasLiveViews(HighCard):
    view_type = LiveView


class TellsAnew(HighCardState):
    def events(self, seat, since=0):
        shown: list[Event] = [Shown(cards) for cards in self.shown]
        return [*self._hidings(self.hidden, seat), *shown][since:]


class CountsFromTheEnd(HighCardState):
    def events(self, seat, since=0):
        return super().events(seat)[-since:]


class ShowsTheNextHand(HighCardState):
    def view(self, seat):
        view = super().view(seat)
        if seat is None:
            return view
        return msgspec.structs.replace(
            view, hand=(*view.hand, *self.hands[(seat + 1) % self.variant.seats])
        )


class TellsWhatIsHidden(HighCardState):
    def _hidings(self, cards, seat):
        return [Hid(who, card) for who, card in enumerate(cards)]


class RedrawsItself(HighCardState):
    def determinize(self, seat, rng):
        drawn = super().determinize(seat, rng)
        self.hands = drawn.hands
        return self


class RemembersTheRealHands(HighCardState):
    def determinize(self, seat, rng):
        drawn = super().determinize(seat, rng)
        drawn.real = self.hands
        return drawn


class SendsTheRealHands(HighCardState):
    real = None

    def determinize(self, seat, rng):
        drawn = super().determinize(seat, rng)
        drawn.real = self
        return drawn

    def dump(self):
        return self.real.dump() if self.real else super().dump()


class ForgetsInWorlds(HighCardState):
    is_world = False

    def determinize(self, seat, rng):
        drawn = super().determinize(seat, rng)
        drawn.is_world = True
        return drawn

    def apply(self, action):
        super().apply(action)
        if self.is_world:
            self.shown.clear()


class OrdersByWhatIsHidden(HighCardState):
    def legal_actions(self):
        return super().legal_actions()[:: 1 if sum(self.hidden) % 2 else -1]


class EncodesTheDeal(HighCard):
    def encoding(self, history=0):
        encoding = super().encoding(history)
        encode = encoding.encode
        encoding.encode = lambda state, seat, events=(): array(
            "b", [*encode(state, seat, events)[:-1], sum(state.hidden)]
        )
        return encoding


class PlaysOutTheFirst(HighCardState):
    def play_out(self, rng):
        actions = 0
        while self.seat_to_act is not None:
            self.apply(self.legal_actions()[0])
            actions += 1
        return actions


class RanksWithoutGaps(HighCardState):
    def outcome(self):
        outcome = super().outcome()
        places = sorted(set(outcome.ranks))
        ranks = tuple(places.index(rank) + 1 for rank in outcome.ranks)
        return Outcome(outcome.points, ranks, lambda: outcome.detail)


class RanksTeamMatesApart(HighCardState):
    def outcome(self):
        outcome = super().outcome()
        return Outcome(outcome.points, (1, 2, 3, 4), lambda: outcome.detail)


class HasAnOutcomeTooEarly(HighCardState):
    def outcome(self):
        try:
            return super().outcome()
        except GameNotOver:
            return Outcome((0,) * 3, (1,) * 3, lambda: Shown(()))


class DescribesNothing(HighCardState):
    def outcome(self):
        outcome = super().outcome()
        return Outcome(outcome.points, outcome.ranks, lambda: {"points": outcome.points})


class ListsDeals(HighCard):
    def __init__(self, *listed):
        super().__init__()
        self.list_deals = lambda: listed


CARDS = Deal(tuple(range(1, 13)))
BROKEN = [
    (TeamsOfNeighbours(), "rotation", "splits the sides"),
    (DealsFromTheGlobalGenerator(), "deal", "the same seed gave"),
    (ListsDeals((CARDS, 0.5)), "listed_deals", "sum to 0.5"),
    (ListsDeals((CARDS, 1.0)), "listed_deals", "which is not listed"),
    (
        IgnoresUnknownFields(),
        "wrong_deals",
        "an unknown field: expected InvalidDeal, but nothing was raised",
    ),
    (ReadsAnyCards(), "changed_deals", "is accepted, but cannot be played"),
    (CountsOnItsFields(), "changed_deals", "expected InvalidDeal, got AssertionError"),
    (HighCard(ListsTwice), "legal_actions", "is listed twice"),
    (HighCard(ListsNothing), "legal_actions", "has no legal action"),
    (HighCard(ShowsEverybodyTheLegalList), "legal_actions", "the view of seat 1 lists"),
    (HighCard(ChangesBeforeItChecks), "illegal_actions", "was rejected: view"),
    (HighCard(GoesOnAfterTheEnd), "illegal_actions", "the end after 12 actions"),
    (HighCard(SharesListsWithItsClone), "clone", "playing a clone: view"),
    (HighCard(PlaysOutTheFirst), "play_out", "played out: "),
    (HighCard(RollsItsOwnDice), "replay", "in a replay: view"),
    (HasLiveViews(HandsOutItsLists), "views", "changed later"),
    (HighCard(TellsAnew), "events", "earlier events changed"),
    (HighCard(CountsFromTheEnd), "events", "wrong events since"),
    (HighCard(ShowsTheNextHand), "determinize", conformance.LEAK),
    (HighCard(TellsWhatIsHidden), "determinize", "determinized for seat"),
    (guess_coins("dealt"), "telling", "events(0)[0].coins should be"),
    (guess_coins("guessed"), "telling", "events(1)[0].guess should be"),
    (HighCard(OrdersByWhatIsHidden), "determinize", "legal should be in the order"),
    (EncodesTheDeal(), "encoding", "event -3 63 should be"),
    (HighCard(RedrawsItself), "determinize", "after playing determinized states"),
    (HighCard(RemembersTheRealHands), "worlds", "depends on what is hidden"),
    (HighCard(SendsTheRealHands), "worlds", "bots must get the world that was drawn"),
    (HighCard(ForgetsInWorlds), "worlds", "worlds are inconsistent"),
    (HighCard(RanksWithoutGaps), "outcome", "got the ranks"),
    (HighCardTeams(RanksTeamMatesApart), "outcome", "have different ranks"),
    (HighCard(HasAnOutcomeTooEarly), "outcome", "expected GameNotOver"),
    (HighCard(DescribesNothing), "outcome", "is not a msgspec Struct"),
]


def _run(check: conformance.Check, variant: Variant) -> None:
    for seed in range(10):
        check(variant, random.Random(seed))


def test_broken_game_fails_the_right_check() -> None:
    """The check says where it failed, and what is wrong."""
    assert {check for _, check, _ in BROKEN} == set(CHECK_NAMES)
    for broken, check, text in BROKEN:
        with pytest.raises(AssertionError, match=f"^{broken.id}.*{re.escape(text)}"):
            _run(getattr(conformance, f"check_{check}"), broken)


def test_failure_names_action_and_seat() -> None:
    with pytest.raises(
        AssertionError, match=r"^high-card/3, action 0 by seat 0: an action is listed twice"
    ):
        conformance.check_legal_actions(HighCard(ListsTwice), random.Random(0))


def test_check_variant_runs_all_checks_by_default() -> None:
    with pytest.raises(AssertionError, match="an action is listed twice"):
        conformance.check_variant(HighCard(ListsTwice), 0)


PLAYING = [check for check in conformance.CHECKS if "deal" not in check.__name__][1:]
ENDLESS = r"^high-card/3 is not over after 10000 decisions, .*: seat 0 is to act, and the last "
ENDLESS += r"actions were ('hide \d+'(, )?){5}"


def test_checks_survive_stuck_games() -> None:
    for check in PLAYING:
        with pytest.raises(AssertionError, match=r"high-card/3, .*: seat \d has no legal action"):
            check(HighCard(ListsNothing), random.Random(0))
        with pytest.raises(AssertionError, match=ENDLESS):
            check(HighCard(NeverEnds), random.Random(0))


def test_endless_game_raises() -> None:
    variant = HighCard(NeverEnds)
    state = variant.start(variant.deal(random.Random(0)))
    with pytest.raises(EndlessGame, match=ENDLESS):
        state.play_out(random.Random(0))


def test_game_without_decisions_passes() -> None:
    class OverAtOnce(HighCardState):
        def __init__(self, variant, deal):
            super().__init__(variant, deal)
            self.seat_to_act = None

    conformance.check_variant(HighCard(OverAtOnce), 0)
