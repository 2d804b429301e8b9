"""Completing an action, and the plays after it [7.4]."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.abilities import plays
from engine.brides_and_bribes.actions import (
    DECLINE,
    DUCATO,
    EMPLOY,
    HIRE,
    INFLUENCE,
    PLAY_OF,
)
from engine.brides_and_bribes.effects import Change, gain_coins
from engine.brides_and_bribes.playing import play
from engine.brides_and_bribes.prices import bribe, forfeit
from engine.brides_and_bribes.tiles import (
    ADDITIONAL,
    BRIDE_INFLUENCE,
    COLOURS,
    DOWRY_COINS,
    DOWRY_OBJECT,
    NONE,
    TILES,
)
from engine.brides_and_bribes.windows import ask_each

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState


def complete(state: "BridesAndBribesState") -> None:
    """Do what A declared; the plays after it come next [7.4, R28]."""
    seat, declared, borough = state.active, state.declared, state.borough
    state.push(after)
    gains: tuple[Change, ...]
    if declared == DUCATO:
        gains = ((seat, "coins", gain_coins(state, seat, 1)),)
    elif declared == EMPLOY:
        gains = _employ(state, seat, borough)
    elif declared == HIRE:
        common = state.commons[borough]
        state.commons[borough] = NONE
        state.alley_shown[seat] += (common,)
        gains = ((seat, TILES[common], 1),)
    elif declared == INFLUENCE:
        tokens = state.tokens[borough]
        state.influence[seat] += tokens
        state.token_pile += tokens
        state.tokens[borough] = 0
        gains = ((seat, "influence", tokens),)
    else:
        marry(state, seat, declared)
        return
    state.tell(story.done, seat, declared, gains)


def _employ(state: "BridesAndBribesState", seat: int, borough: int) -> tuple[Change, ...]:
    workers = state.borough_workers[borough]
    state.taken = workers
    state.borough_workers[borough] = [0] * len(COLOURS)
    own = state.workers[seat]
    for colour, number in enumerate(workers):
        own[colour] += number
    return tuple([(seat, COLOURS[c], number) for c, number in enumerate(workers) if number])


def marry(state: "BridesAndBribesState", seat: int, place: int) -> None:
    """Pay and wed; the wedding window and the dowry come next [7.4]."""
    spot = 2 * state.borough + place
    bride, guide = state.brides[spot], state.guide[seat]
    influence, coins = forfeit(state, seat), bribe(state, seat, place)
    state.influence[seat] += BRIDE_INFLUENCE[bride] + ADDITIONAL[place] - influence
    state.coins[seat] -= coins
    state.coin_pile += coins
    state.spouse_seat[spot] = seat
    state.spouse[spot] = guide
    state.guide_married[seat] = True  # and stays guide for this resolution [R32]
    state.tell(story.married, seat, spot, bride, guide, influence, coins)
    state.lover = NONE
    state.push(give_dowry, bride, place)
    state.push(wedding, state.others(seat), 0)


def wedding(state: "BridesAndBribesState", others: Sequence[int], number: int) -> None:
    """Ask the others from this number on for plays at the wedding [7.4.3]."""
    ask_each(state, "wedding", wedding, others, number)


def give_dowry(state: "BridesAndBribesState", bride: int, place: int) -> None:
    """Give the dowry to A, or to a lover [7.4.4, R33]."""
    seat = state.active if state.lover == NONE else state.lover
    state.lover = NONE
    coins, item = gain_coins(state, seat, DOWRY_COINS[bride]), DOWRY_OBJECT[bride]
    if item in state.stock:
        state.stock -= {item}
        state.alley_shown[seat] += (item,)
    else:
        item = NONE
    state.tell(story.dowry_given, seat, coins, item)
    gained = BRIDE_INFLUENCE[bride] + ADDITIONAL[place]
    state.tell(story.done, state.active, state.declared, ((state.active, "influence", gained),))


def after(state: "BridesAndBribesState") -> None:
    """Ask A for plays after its action, while it is present [R27]."""
    if state.guide[state.active] >= 0:
        options = plays(state, state.active, "after")
        if options:
            state.ask(state.active, "after", options, play_after)


def play_after(state: "BridesAndBribesState", action: str) -> None:
    """Play and be asked again, or decline."""
    if action != DECLINE:
        state.push(after)
        play(state, state.active, *PLAY_OF[action], "after")
