"""The random games of the tests reach the corners of the rules."""

import pytest

from engine import Variant
from tests.engine.games import Game
from tests.engine.pot_de_vin.play import GUILDS, VARIANTS, character, random_game


def corners(game: Game) -> set[str]:
    """Return which rare things happen in a game."""
    end = game.end().view(None)
    happened = set()
    for past in end.history:
        turns = {turn.seat: turn.action for turn in past.trick}
        led = character(turns[past.leader][5:])
        if all(turn.action == "pass" for turn in past.trick[1:]) and len(turns) > 1:
            happened.add("all followers pass")
        if len(turns) == 1:
            happened.add("a seat plays alone")
        if character(turns[past.winner][5:]) != led:
            happened.add("a trump wins")
        if character(past.trump) == led:
            happened.add("trump is led")
    for past, after in zip(end.history, end.history[1:], strict=False):
        if after.leader != past.winner:
            happened.add("the winner has no card to lead")
    if end.round < end.rounds:
        happened.add("early end")
    if any(end.gems_removed):
        happened.add("gems are removed")
    for side in end.result.teams:
        for joker in side.jokers:
            if joker.guild is None:
                happened.add("a joker is discarded")
            elif joker.scored:
                happened.add("a joker is scored")
                if side.guilds[joker.guild].symbols in (4, 5, 6):
                    happened.add("a joker costs points")
            else:
                happened.add("a joker is on an unscored column")
        if len(side.seats) == 2:
            low, high = (end.columns[seat] for seat in side.seats)
            if any(low[guild] and len(low[guild]) == len(high[guild]) for guild in GUILDS):
                happened.add("equal columns of team mates")
            if any(column.seat == side.seats[1] for column in side.guilds.values()):
                happened.add("the higher seat's column is scored")
        if side.pot_de_vin == 10:
            happened.add("all Pot de Vin")
        if not side.cards:
            happened.add("a side without cards")
    points = [side.points for side in end.result.teams]
    if len(set(points)) < len(points):
        happened.add("a tie on points")
    if len({side.rank for side in end.result.teams}) < len(points):
        happened.add("a shared rank")
    return happened


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_the_games_reach_the_corners_of_the_rules(variant: Variant) -> None:
    reached = set().union(*(corners(random_game(variant, seed)) for seed in range(150)))
    expected = {
        *("all followers pass", "a trump wins", "trump is led", "early end", "gems are removed"),
        *("a seat plays alone", "the winner has no card to lead"),
        *("a joker is discarded", "a joker is scored", "a joker costs points"),
        *("all Pot de Vin", "a tie on points"),
    }
    if variant.teams:
        expected |= {
            "a joker is on an unscored column",
            "equal columns of team mates",
            "the higher seat's column is scored",
        }
    else:
        expected |= {"a side without cards"}
    assert expected <= reached
