"""Why an action failed: each failure of a random game has a reason, which the rules allow."""

import random
import re
from collections import Counter

from arena.extras.games.brides_and_bribes import BridesAndBribes
from arena.narration.moves import describe_moves
from arena.narration.telling import kind_of
from arena.narration.words import Words
from engine import variants

NAMES = ("ann", "bob", "cy")
VARIANT = "brides-and-bribes/3"


def failures(seed: int) -> Counter[str]:
    """Play a random game, and return the reasons of all failures, with N for each number."""
    rng, variant = random.Random(seed), variants()[VARIANT]
    state, since = variant.start(variant.deal(rng)), 0
    reasons: Counter[str] = Counter()
    while state.seat_to_act is not None:
        before = state.view(None)
        state.apply(rng.choice(state.legal_actions()))
        events = state.events(None, since)
        since += len(events)
        failed = [one for one in events if kind_of(one) == "failed"]
        why = list(BridesAndBribes().reasons(before, state.view(None), events))
        assert len(why) == len(failed)
        for reason in why:
            numbers = [int(one) for one in re.findall(r"\d+", reason)]
            if numbers:
                required, has = numbers
                assert required > has, reason
            reasons[re.sub(r"\d+ coins?|\d+", "N", reason)] += 1
    return reasons


def test_each_failure_has_a_reason() -> None:
    found = sum((failures(seed) for seed in range(8)), Counter[str]())
    assert found["the lord asks for N influence, and it has N"] > 5
    assert found["the bribe is N, and it has N"] > 1
    assert "" not in found


def test_narration_contains_the_reason() -> None:
    rng, variant = random.Random(1), variants()[VARIANT]
    deal = variant.deal(rng)
    state, actions = variant.start(deal), list[str]()
    while state.seat_to_act is not None:
        actions.append(rng.choice(state.legal_actions()))
        state.apply(actions[-1])
    words = Words("brides-and-bribes", NAMES)
    texts = [
        text for one in describe_moves(variant.start(deal), actions, words) for text in one.then
    ]
    failed = [text for text in texts if " fails: " in text]
    assert failed
    assert all(", as " in text for text in failed)
