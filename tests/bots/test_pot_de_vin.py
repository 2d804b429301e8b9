"""Tests of the Pot de Vin bots: styles, knowledge of the rules, and strength."""

from typing import Any, NamedTuple

import pytest

from arena.base.protocol import Turn, raw
from arena.bot import Bot, Start
from arena.sdk.games import ask, new_bot
from bots.pot_de_vin.briber import BriberBot
from bots.pot_de_vin.cards import CHARACTER, column_points
from bots.pot_de_vin.collector import CollectorBot
from bots.pot_de_vin.greedy import GreedyBot
from bots.pot_de_vin.planner import PlannerBot
from bots.pot_de_vin.timid import TimidBot
from bots.pot_de_vin.view import card_of
from engine.pot_de_vin.cards import CARDS, GUILD_OF, GUILDS
from engine.pot_de_vin.scoring import COLUMN_POINTS

# -- styles --------------------------------------------------------------------------------------


class Position(NamedTuple):
    """The relevant part of a view of `/3`, as seat 0 sees it."""

    hand: str
    trump: str
    trick: tuple[str, ...] = ()
    """The actions of seats 1 and 2 so far. Seat 0 is next."""
    area: str = ""
    """The guild cards that seat 0 has taken."""
    discarding: bool = False


def choice(bot_class: type[Bot], position: Position) -> str:
    """Return a bot's choice if it has a gem to spare."""
    hand, area = position.hand.split(), position.area.split()
    before = range(3 - len(position.trick), 3)
    turns = [
        {"seat": seat, "action": action}
        for seat, action in zip(before, position.trick, strict=True)
    ]
    empty: dict[str, list[str]] = {guild: [] for guild in GUILDS}
    view = {
        "seat": 0,
        "n": 3,
        "teams": [[0], [1], [2]],
        "phase": "discard" if position.discarding else "play",
        "trump": position.trump,
        "active": [*before, *range(3 - len(turns))],
        "trick": turns,
        "hand": hand,
        "discarded": None,
        "hand_sizes": [len(hand)] * 3,
        "columns": [
            {guild: [card for card in area if GUILD_OF[card] == guild] for guild in GUILDS},
            empty,
            empty,
        ],
        "neutral": [[], [], []],
        "history": [],
    }
    verb = "discard" if position.discarding else "play"
    legal = [f"{verb} {card}" for card in hand]
    if turns:
        led = CHARACTER[card_of(position.trick[0])]
        legal = [f"play {card}" for card in hand if CHARACTER[card] == led] or legal
        legal.append("pass")
    return _answer(bot_class, view, legal)


def _answer(bot_class: type[Bot], view: Any, legal: list[str]) -> str:
    bot = new_bot(bot_class, Start(0, "pot-de-vin", "pot-de-vin/3", 0, 3, None, seed=1))
    events = [{"event": "start", "deck": GUILD_OF}]
    return ask(bot, Turn(0, 1, raw(view), raw(events), legal, 0)).action


LAST_AND_GOOD = Position(
    hand="aldo-5 aldo-9 aldo-12 ugo-4",
    trump="enzo-2",  # a bonus
    trick=("play aldo-7", "play aldo-6"),
)
LAST_AND_BAD = Position(
    hand="aldo-2 aldo-8 aldo-10 ugo-11",
    trump="enzo-3",  # a penalty
    trick=("play aldo-6", "play aldo-3"),
    area="pietra-4 enzo-9 ugo-7",  # three traders, and aldo-6 would be the fourth
)
FIRST_OF_ALL = Position(hand="pietra-4 pietra-12 enzo-9", trump="ugo-2")
BEATEN = Position(hand="aldo-2 aldo-5", trump="ugo-2", trick=("play aldo-13", "play aldo-11"))


@pytest.mark.parametrize(
    ("bot_class", "position", "expected"),
    [
        # The last seat can take a bonus and three cards of different guilds.
        (TimidBot, LAST_AND_GOOD, "play aldo-5"),
        (BriberBot, LAST_AND_GOOD, "pass"),
        (GreedyBot, LAST_AND_GOOD, "play aldo-9"),
        (CollectorBot, LAST_AND_GOOD, "play aldo-9"),
        (PlannerBot, LAST_AND_GOOD, "play aldo-9"),
        # It can take two penalties and spoil its best column.
        (TimidBot, LAST_AND_BAD, "play aldo-2"),
        (GreedyBot, LAST_AND_BAD, "play aldo-8"),
        (CollectorBot, LAST_AND_BAD, "pass"),
        (PlannerBot, LAST_AND_BAD, "pass"),
        # It leads.
        (TimidBot, FIRST_OF_ALL, "play pietra-4"),
        (BriberBot, FIRST_OF_ALL, "play pietra-4"),
        (GreedyBot, FIRST_OF_ALL, "play pietra-12"),
        # It cannot win: only some pay for that.
        (TimidBot, BEATEN, "play aldo-5"),
        (BriberBot, BEATEN, "pass"),
        (GreedyBot, BEATEN, "play aldo-2"),
        (CollectorBot, BEATEN, "pass"),
        (PlannerBot, BEATEN, "pass"),
        # In the set-up.
        (TimidBot, FIRST_OF_ALL._replace(discarding=True), "discard pietra-12"),
        (GreedyBot, FIRST_OF_ALL._replace(discarding=True), "discard pietra-4"),
    ],
)
def test_each_bot_chooses_its_own_action(
    bot_class: type[Bot], position: Position, expected: str
) -> None:
    assert choice(bot_class, position) == expected


# -- what the bots know of the rules -----------------------------------------------------------


def test_cards_and_points_match_the_engine() -> None:
    assert tuple(CHARACTER) == CARDS
    assert tuple(column_points(own, 0) for own in range(9)) == COLUMN_POINTS


@pytest.mark.parametrize(
    ("own", "partner", "points"), [(0, 0, 0), (3, 0, 6), (0, 5, -3), (6, 2, 3)]
)
def test_smaller_column_of_a_team_counts(own: int, partner: int, points: int) -> None:
    assert column_points(own, partner) == points
