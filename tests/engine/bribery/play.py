"""Whole games and single positions for the tests."""

import random
from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import strategies as st

from engine import State
from engine.bribery.cards import BIT, FIRST_OFFICIAL, NUMBER, SEATS
from engine.bribery.position import Position, empty_position
from engine.bribery.rules.abilities import begin_turn as begin_advanced_turn
from engine.bribery.rules.board import refresh
from engine.bribery.variant import VARIANTS
from engine.game import GameVariant
from engine.state import GameState, build_state
from tests.engine.games import SEEDS, Game, Json, as_json, each_by_length, play

each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
each_usual_variant = each_by_length(VARIANTS)
BY_ID = {variant.id: variant for variant in VARIANTS}
BASIC = [variant for variant in VARIANTS if not variant.parameters.advanced]

SUITS = "shdc"
BRIBES = [f"{value}{suit}" for suit in SUITS for value in range(2, 11)]
SUITED = [rank + suit for suit in SUITS for rank in "akqj"]
JOKERS = [f"joker-{number}" for number in range(1, 5)]
SLOT_ORDER = SUITED + JOKERS

PATTERNS = {
    "bribery/2": ["OBBB" * 6] * 2,
    "bribery/3": ["OBBB" * 4] * 2 + ["BBB" + "OBBB" * 3],
    "bribery/4": ["OBBB" * 3] * 2 + ["BBB" + "OBBB" * 2] * 2,
    "bribery/4-teams": ["BBB" + "OBBB" * 2] * 4,
}


def basic_id(variant: GameVariant) -> str:
    return variant.id.removesuffix("-advanced")


def pattern(variant: GameVariant, seat: int, start: int) -> str:
    """Return where officials and bribes lie in a deck, by the table of section 3.1."""
    return PATTERNS[basic_id(variant)][(seat - start) % variant.seats]


# -- games --------------------------------------------------------------------------------------


def random_game(variant: GameVariant, seed: int) -> Game:
    """Return a game among seats of different tempers.

    Some seats use an ability or protect whenever they can, others never; some keep to the first
    or the last of what is legal.
    """
    rng = random.Random(seed)
    eager = [rng.choice((0.0, 0.3, 1.0)) for _ in range(variant.seats)]
    taste = [rng.choice((None, None, 0, -1)) for _ in range(variant.seats)]

    def choose(state: State) -> str:
        legal, seat = state.legal_actions(), state.seat_to_act
        assert seat is not None
        declining = [action for action in legal if action in ("no-ability", "allow")]
        if declining and rng.random() > eager[seat]:
            return declining[0]
        wanted = [action for action in legal if action not in declining]
        pick = taste[seat]
        return rng.choice(wanted) if pick is None else wanted[pick]

    return play(variant, variant.deal(rng), choose)


def random_games(variants: Sequence[GameVariant] = VARIANTS) -> st.SearchStrategy[Game]:
    return st.builds(random_game, st.sampled_from(variants), SEEDS)


def forced_game(variant: GameVariant, seed: int) -> Game:
    """Return a game that is likely to have forced discards [5.3].

    The board begins with spades and hearts, whose bribes are drawn first; and bribes are played
    before officials, so that there are few places.
    """
    rng = random.Random(seed)
    start = rng.randrange(variant.seats)
    jokers = sorted(rng.sample(JOKERS, variant.parameters.jokers))
    officials = SUITED[:8] + rng.sample([*SUITED[8:], *jokers], 8 + len(jokers))
    bribes = rng.sample(BRIBES, 36)
    order = rng.choice(("shdc", "hsdc"))
    bribes.sort(key=lambda card: order.index(card[-1]))
    board = officials[: len(officials) - sum(map(len, PATTERNS[basic_id(variant)])) + 36]
    officials = officials[len(board) :]
    decks: list[list[str]] = [[] for _ in range(variant.seats)]
    types = [pattern(variant, seat, start) for seat in range(variant.seats)]
    for place in range(max(map(len, types))):
        for deck, kinds in zip(decks, types, strict=True):
            if place < len(kinds):
                deck.append((bribes if kinds[place] == "B" else officials).pop(0))
    deal = variant.read_deal({"jokers": jokers, "board": board, "decks": decks, "start": start})
    eager = rng.random()

    def choose(state: State) -> str:
        legal = state.legal_actions()
        if rng.random() > eager:
            legal = [a for a in legal if a in ("no-ability", "allow")] or legal
        return rng.choice([a for a in legal if not a.startswith("official")] or legal)

    return play(variant, deal, choose)


any_game = st.one_of(random_games(), st.builds(forced_game, st.sampled_from(VARIANTS), SEEDS))


def views(game: Game) -> Iterator[tuple[State, Json, list[Json]]]:
    """Yield each state with the spectator's view and those of all seats, as JSON."""
    for state in game.moments():
        seats = range(game.variant.seats)
        yield state, as_json(state.view(None)), [as_json(state.view(seat)) for seat in seats]


def side_of(game: Game, seat: int) -> int:
    return seat % len(game.variant.sides)


# -- positions ----------------------------------------------------------------------------------


def parse_board(text: str) -> dict[str, list[tuple[str, int]]]:
    """Return the bribes, each with its seat, of a board written as on the rules page [12]."""
    board: dict[str, list[tuple[str, int]]] = {}
    for part in text.replace("\n", "|").split("|"):
        if part.strip():
            official, _, bribes = part.strip().partition(":")
            pairs = [bribe.split("@") for bribe in bribes.split("  ")[0].split()]
            board[official] = [(card, int(seat)) for card, seat in pairs]
    return board


def position(
    variant_id: str,
    board: str | Mapping[str, Sequence[tuple[str, int]]],
    *,
    seat: int = 0,
    hands: Mapping[int, str] | None = None,
    face_down: Sequence[str] = (),
) -> GameState:
    """Return a state with only these officials on the board, at the beginning of a turn.

    Seats without a hand in `hands` hold an official that is not on the board.
    """
    variant = BY_ID[variant_id]
    parsed = parse_board(board) if isinstance(board, str) else board
    held = {each: cards.split() for each, cards in (hands or {}).items()}
    taken = {*parsed, *face_down, *(card for hand in held.values() for card in hand)}
    spare = [card for card in SUITED if card not in taken]
    for each in range(variant.seats):
        held.setdefault(each, spare[each : each + 1])
    position = empty_position(variant.parameters)
    position.start = position.seat_to_act = seat
    position.order = variant.parameters.orders[seat]
    position.jokers = tuple(sorted(card for card in parsed if card.startswith("joker")))
    decks = [tuple([NUMBER[card] for card in held[each]]) for each in range(variant.seats)]
    position.decks = tuple(decks)
    position.hands = [sorted(deck[:3]) for deck in decks]
    position.face_down = sum(BIT[number_of(card)] for card in face_down)
    position.face_up = sum(BIT[number_of(card)] for card in parsed)
    for official, bribes in parsed.items():
        pile = tuple([NUMBER[card] * SEATS + owner for card, owner in bribes])
        position.piles[number_of(official)] = pile
    begin_turn(position)
    return build_state(variant, position)


def number_of(official: str) -> int:
    return NUMBER[official] - FIRST_OFFICIAL


def begin_turn(position: Position) -> None:
    refresh(position)
    if position.parameters.advanced and position.seat_to_act is not None:
        begin_advanced_turn(position, position.seat_to_act)


def board_of(state: State) -> dict[str, list[tuple[str, int]]]:
    return {
        official.card: [(bribe.card, bribe.seat) for bribe in official.bribes]
        for official in state.view(None).board
        if not official.face_down
    }


def places(state: State, bribe: str) -> list[str]:
    return [a.split()[2] for a in state.legal_actions() if a.startswith(f"bribe {bribe} ")]
