"""Invariants 1 to 5 and 7 to 10 of section 13: what holds in the course of every game."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import State
from engine.bribery.rules import refresh
from engine.game import GameVariant
from tests.engine.bribery.play import (
    ADVANCED,
    BASIC,
    BRIBES,
    SLOT_ORDER,
    SUITED,
    any_game,
    basic_id,
    forced_game,
    random_game,
    random_games,
    side_of,
    views,
)
from tests.engine.games import SEEDS, Game, Json, as_json


def invariant_1_conservation(game: Game) -> None:
    deal = as_json(game.deal)
    cards = {card for deck in deal["decks"] for card in deck} | set(deal["board"])
    for _, public, seats in views(game):
        seen = [card for view in seats for card in view["hand"]]
        seen += [official["card"] for official in public["board"]]
        bribes = [bribe["card"] for each in public["board"] for bribe in each["bribes"]]
        bribes += [discard["card"] for discard in public["discards"]]
        assert set(bribes) <= set(BRIBES)
        seen += bribes
        for deck, size in zip(deal["decks"], public["deck_sizes"], strict=True):
            seen += deck[len(deck) - size :]
        assert len(seen) == len(set(seen))
        assert set(seen) == cards


def invariant_2_sizes(game: Game) -> None:
    dealt = [len(deck) for deck in as_json(game.deal)["decks"]]
    before: Json | None = None
    for state, view, _ in views(game):
        done = view["round"]
        assert view["deck_sizes"] == [max(0, size - 3 * done) for size in dealt]
        if before is None or before["round"] != done:
            assert view["hand_sizes"] == [min(3, max(0, size - 3 * (done - 1))) for size in dealt]
        elif before["turn"] != view["turn"]:
            fallen = [
                old - new for old, new in zip(before["hand_sizes"], view["hand_sizes"], strict=True)
            ]
            assert fallen == [seat == before["turn_seat"] for seat in range(len(dealt))]
        else:
            assert before["hand_sizes"] == view["hand_sizes"]
        before = view
        assert state.seat_to_act == view["to_act"]


def the_control_that_the_rules_use_is_that_of_the_view(game: Game) -> None:
    """What is kept up to date from play to play agrees with the board evaluated as a whole."""
    for state in game.moments():
        rows = {row.card: row.controller for row in state.view(None).control.officials}
        again = state.position.copy()
        refresh(again)
        assert again.control == state.position.control
        for card, side in rows.items():
            official = sorted(SLOT_ORDER).index(card)
            assert state.position.control[official][0] == (-1 if side is None else side)


LEADERS = {
    "bribery/2": [0, 1, 0, 1, 0, 1, 0, 1],
    "bribery/3": [0, 2, 1, 0, 2, 1],
    "bribery/4": [0, 3, 2, 1],
    "bribery/4-teams": [0, 3, 2, 1],
}
LAST_ROUND = {
    "bribery/2": [1, 0, 1, 0, 1, 0],
    "bribery/3": [1, 0],
    "bribery/4": [1, 2, 3, 0, 1, 2, 3, 0, 1, 0],
    "bribery/4-teams": [1, 2, 3, 0, 1, 2, 3, 0],
}
PLAYS = {"bribery/2": 48, "bribery/3": 47, "bribery/4": 46, "bribery/4-teams": 44}


def invariant_3_turns(game: Game) -> None:
    name, n, start = basic_id(game.variant), game.variant.seats, as_json(game.deal)["start"]
    played: dict[int, list[int]] = {}
    for (state, view, _), action in zip(views(game), [*game.actions, ""], strict=True):
        if action.split(" ")[0] in ("bribe", "official", "discard"):
            assert view["turn_seat"] == state.seat_to_act
            played.setdefault(view["round"], []).append((view["turn_seat"] - start) % n)
    assert [turns[0] for turns in played.values()] == LEADERS[name]
    assert played[len(played)] == LAST_ROUND[name]
    assert sum(map(len, played.values())) == PLAYS[name]


LONGEST = {
    "play": {"bribery/2": 54, "bribery/3": 51, "bribery/4": 60, "bribery/4-teams": 36},
    "ability": {"bribery/2": 55, "bribery/3": 37, "bribery/4": 28, "bribery/4-teams": 55},
    "protect": dict.fromkeys(PLAYS, 4),
    "swindle": {"bribery/2": 39, "bribery/3": 42, "bribery/4": 45, "bribery/4-teams": 39},
}


def invariant_4_legal_lists(game: Game) -> None:
    with_joker_4 = "joker-4" in as_json(game.deal)["jokers"]
    for state, view, _ in views(game):
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        if state.seat_to_act is None:
            assert legal == []
            continue
        assert legal
        if not (with_joker_4 and view["phase"] in ("protect", "swindle")):
            assert len(legal) <= LONGEST[view["phase"]][basic_id(game.variant)]
        verbs = {action.split(" ")[0] for action in legal}
        assert "discard" not in verbs or verbs == {"discard"}


def invariant_5_placement(game: Game) -> None:
    """An official with two bribes of a suit, or one of its own, was overfilled through Joker #4."""
    freed: set[str] = set()
    before: Json | None = None
    for _, view, _ in views(game):
        if before is not None:  # also at `allow`, by which a blessing is settled
            free = before["control"]["effects"]["free_placement"]
            for official in view["board"]:
                card = official["card"]
                known = next((o["bribes"] for o in before["board"] if o["card"] == card), [])
                for bribe in official["bribes"]:
                    if bribe not in known and not fits(bribe["card"], card, known):
                        assert side_of(game, bribe["seat"]) == free
                        freed.add(card)
        for official in view["board"]:
            suits = [bribe["card"][-1] for bribe in official["bribes"]]
            card = official["card"]
            if card not in freed:
                assert len(set(suits)) == len(suits) <= (4 if card.startswith("joker") else 3)
                assert card.startswith("joker") or card[-1] not in suits
        before = view
    assert not freed or "joker-4" in as_json(game.deal)["jokers"]


def fits(bribe: str, official: str, known: list[Json]) -> bool:
    if not official.startswith("joker") and official[-1] == bribe[-1]:
        return False
    return all(other["card"][-1] != bribe[-1] for other in known)


def invariant_7_scores(game: Game) -> None:
    deal = as_json(game.deal)
    most = 28 + 2 * len(deal["jokers"]) + 2 * ("joker-3" in deal["jokers"])
    for _, view, _ in views(game):
        points = view["control"]["points"]
        assert min(points) >= 0
        assert sum(points) <= most
    assert as_json(game.end().outcome().detail)["points"] == points


def invariant_8_end(game: Game) -> None:
    end = as_json(game.end().view(None))
    assert end["hand_sizes"] == end["deck_sizes"] == [0] * game.variant.seats
    assert [each["card"] for each in end["board"]] == [
        card for card in SLOT_ORDER if card in SUITED + as_json(game.deal)["jokers"]
    ]
    lying = sum(len(official["bribes"]) for official in end["board"])
    assert lying + len(end["discards"]) == 36
    assert (end["phase"], end["to_act"], end["turn_seat"]) == ("over", None, None)
    assert end["turn"] == game.variant.parameters.plays + 1


@settings(max_examples=12)
@given(game=any_game)
def test_invariants_1_to_8(game: Game) -> None:
    for check in (
        invariant_1_conservation,
        invariant_2_sizes,
        the_control_that_the_rules_use_is_that_of_the_view,
        invariant_3_turns,
        invariant_4_legal_lists,
        invariant_5_placement,
        invariant_7_scores,
        invariant_8_end,
    ):
        check(game)


@settings(max_examples=15)
@given(variant=st.sampled_from(BASIC), seed=SEEDS, forced=st.booleans())
def test_invariant_9_basic_game(variant: GameVariant, seed: int, forced: bool) -> None:
    game = forced_game(variant, seed) if forced else random_game(variant, seed)
    assert len(game.actions) == PLAYS[variant.id]
    end = as_json(game.end().view(None))
    assert {discard["why"] for discard in end["discards"]} <= {"forced"}
    assert not any(official["face_down"] for official in end["board"])


@settings(max_examples=15)
@given(game=random_games(ADVANCED))
def test_invariant_10_advanced_game(game: Game) -> None:
    told = as_json(game.end().events(None))
    turns = [0]
    for event in told:
        if event["event"] == "action":
            turns[-1] += event["phase"] == "ability" and event["action"] != "no-ability"
            if event["phase"] == "play":
                turns.append(0)
    assert max(turns) <= 1
    discarded: list[Json] = []
    for state, view, _ in views(game):
        new = view["discards"][len(discarded) :]
        if view["pending"] is not None:
            spent = view["discards"][-1]
            assert (spent["card"], spent["why"]) == (view["pending"]["spent"], "spent")
            assert spent["seat"] % len(view["sides"]) == side_of(game, view["pending"]["seat"])
        elif new or len(view["discards"]) < len(discarded):
            check_discards(new, len(view["discards"]) - len(discarded), state)
        down = [each for each in view["board"] if each["face_down"]]
        assert len(down) <= 12
        assert all(not each["bribes"] and each["card"][1] in "shd" for each in down)
        if view["phase"] == "protect":
            heart = view["pending"]["source"][0] + "h"
            rows = {row["card"]: row["controller"] for row in view["control"]["officials"]}
            assert rows[heart] == side_of(game, view["to_act"])
            assert rows[heart] != side_of(game, view["pending"]["seat"])
        discarded = view["discards"]


def check_discards(new: list[Json], more: int, state: State) -> None:
    """What an ability that is settled now leaves in the discards, besides its cost before."""
    whys = [discard["why"] for discard in new]
    if whys == ["forced"]:
        return
    event = [each for each in as_json(state.events(None)) if each["event"] != "draw"][-1]
    assert event["event"] == "ability"
    if event["cancelled"]:
        assert whys in (["spent"], ["spent", "spent"])
        assert event["discarded"] == []
    elif event["kind"] == "assassinate":
        assert [discard["card"] for discard in new if discard["why"] == "assassinated"] == (
            event["discarded"]
        )
        assert whys.count("spent") <= 1
    elif event["kind"] == "bless":
        assert more in (0, -1)
    else:
        assert whys in ([], ["spent"])
