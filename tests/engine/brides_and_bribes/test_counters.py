"""What stops a play and what saves it (section 7.5)."""

from engine import State
from tests.engine.brides_and_bribes.play import (
    asked,
    bride,
    coins,
    delegation,
    events,
    influence,
    players,
    public,
    run,
    window,
    workers,
)
from tests.engine.brides_and_bribes.positions import citadel, market, resolving


def test_an_antidote_protects_like_a_guard() -> None:
    layout = market("luciano assassin-2", "enrico antidote-1")
    state = resolving(layout, "market")
    run(state, "0:guide luciano, 1:employ, 0:play assassin-2 seat-1")
    asked(state, 1, "counter antidote-1, counter enrico, decline")
    run(state, "1:counter antidote-1")
    assert workers(state, 1) == {"green": 1}
    assert players(state, "used_objects")[1] == ["antidote-1"]


def test_a_guide_that_is_stopped_is_lost() -> None:
    """[7.5]: t is eliminated; if it is the guide, the seat has lost it."""
    layout = market("luciano poison-1", "merchant-1 niccolo", influence={1: 3})
    state = resolving(layout, "market")
    run(state, "1:guide merchant-1, 1:ducato, 1:play merchant-1 influence, 0:counter poison-1")
    assert (influence(state), coins(state)) == ([0, 3, 0], [0, 1, 0])
    assert delegation(state, 1)["guide"] == "niccolo"
    assert "merchant-1" in players(state, "alley_shown")[1]


def test_assassins_and_objects_are_not_stopped() -> None:
    layout = market("luciano assassin-1", "enrico assassin-2 wine-1")
    state = resolving(layout, "market")
    run(state, "0:guide luciano, 1:guide enrico, 1:ducato, 1:play wine-1")
    asked(
        state, 1, "decline, play assassin-2 first, play assassin-2 seat-0, play assassin-2 second"
    )
    run(state, "1:play assassin-2 first")
    assert bride(state, "market first") == "bianca"
    assert (state.seat_to_act, window(state)) == (0, "declare")


def test_a_married_guide_cannot_be_stopped_and_is_no_target() -> None:
    """R32: it keeps its ability; an assassin can only aim at its bride."""
    layout = citadel("mario suit-1", "enrico poison-1", coins={0: 9}, influence={0: 9})
    state = resolving(layout, "citadel")
    run(state, "0:play suit-1, 0:marry first, 1:decline")
    asked(state, 0, "decline, play mario")
    run(state, "0:play mario")
    assert coins(state)[0] == 9 - 4 + 1 + 2
    run(state, "1:ducato")
    asked(state, 1, "decline, play poison-1 first, play poison-1 second")
    run(state, "1:play poison-1 first")
    assert guide_of(state, 0) is None
    assert influence(state)[0] == 9 + 5 - 3


def test_a_rat_leaves_a_married_guide_alone() -> None:
    """R39: seat 2 must change; seat 0 could, but its guide is married."""
    layout = citadel("mario matteo", "niccolo rat", "franco oberto", coins={0: 4})
    state = resolving(layout, "citadel")
    run(state, "2:guide franco, 0:guide mario, 1:guide niccolo, 1:decline, 0:marry first")
    asked(state, 1, "decline, play rat")
    run(state, "1:decline, 0:decline, 1:ducato")
    asked(state, 1, "decline, play rat")
    run(state, "1:play rat")
    assert [delegation(state, seat)["guide"] for seat in range(3)] == ["mario", "niccolo", "oberto"]
    assert (state.seat_to_act, window(state)) == (2, "declare")


def test_a_rat_that_nobody_minds_is_not_playable() -> None:
    """R39: the only other guide is married, or has no character beside it."""
    state = resolving(citadel("mario matteo", "niccolo rat", coins={0: 4}), "citadel")
    run(state, "0:guide mario, 1:guide niccolo, 1:decline, 0:marry first, 1:decline, 0:decline")
    run(state, "1:ducato")
    assert (state.seat_to_act, window(state)) == (0, "activate")
    state = resolving(citadel("mario ring-1", "niccolo rat"), "citadel")
    run(state, "1:guide niccolo")
    assert (state.seat_to_act, window(state)) == (0, "declare")


def guide_of(state: State, seat: int) -> str | None:
    """Return the guide of a seat, None also when no borough is being resolved."""
    local = public(state)["resolution"]
    if local is None:
        return None
    guide: str | None = next(r["guide"] for r in local["delegations"] if r["seat"] == seat)
    return guide


def test_a_saved_tile_works() -> None:
    layout = market("luciano poison-1", "enrico merchant-1 antidote-1", influence={1: 3})
    state = resolving(layout, "market")
    run(state, "1:guide enrico, 1:ducato, 1:play merchant-1 influence, 0:counter poison-1")
    asked(state, 1, "counter antidote-1, counter enrico, decline")
    run(state, "1:counter enrico")
    assert guide_of(state, 1) == "enrico"
    assert coins(state)[1] == 6
    assert [event["how"] for event in events(state, "countered")] == ["stop", "save"]


def test_all_others_may_counter_the_active_seat() -> None:
    """[7.5]: in `after` the others are asked in turn, and one stop is enough."""
    layout = market("luciano poison-1", "enrico merchant-1", "franco poison-2", influence={1: 3})
    state = resolving(layout, "market")
    run(state, "1:guide enrico, 1:ducato, 1:play merchant-1 influence")
    asked(state, 2, "counter poison-2, decline")
    run(state, "2:decline")
    asked(state, 0, "counter poison-1, decline")
    run(state, "0:counter poison-1")
    assert influence(state)[1] == 3
