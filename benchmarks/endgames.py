"""How often bots play optimally at the end of a game, where exact values can be computed.

    python -m benchmarks.endgames [--positions 200] [--seed 0] [--bots NAME ...] [--workers 2]
                                   [--write]

Bots of the ladders play games of each kind of endgame, each seat another bot by chance. In every
late position whose actions differ in value (`endgame_solvers.py`) each bot is asked what it would
play there, with all that the seat has seen. The table shows how often that is one of the best
actions, and how much a decision loses on average. It is printed, or written to `docs/bots.md`.
Bots that search simulate a fixed number of games (`levels.py`), so the table is always the same.
"""

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from typing import NamedTuple, cast

from tqdm import tqdm

from arena import plugins
from arena.bot_games import ask, new_bot
from arena.extras.bench.head_to_head import PATIENT, Score, share_ahead
from arena.match.decision import Ask
from arena.match.seat_messages import SeatMessages
from arena.protocol import Start
from arena.rating.intervals import share_interval
from benchmarks.endgame_solvers import (
    Values,
    is_in_last_choices,
    is_last_choice,
    is_open,
    solve_bribery,
    solve_pot_de_vin,
)
from benchmarks.ladder import LADDERS, PAGE, plays, table, with_tables
from benchmarks.levels import class_at
from engine import State, get_variant
from engine.bribery.state import BriberyState
from engine.pot_de_vin.state import PotDeVinState

MARK = "endgames"
GAMES = 20
"""Games that are played before it is checked whether there are enough positions."""
ROUNDING = 1e-9
"""Differences of values below this are errors of rounding."""


# -- bots -----------------------------------------------------------------------------------------


def choice(bot: str, state: State, seed: int = 0) -> str:
    """Return what a new `bot` plays for the seat to act, with all that the seat has seen."""
    seat, variant = state.seat_to_act, state.variant
    assert seat is not None, "expected a game that is not over"
    bot_class = class_at(bot, variant)
    start = Start(0, variant.game, variant.id, seat, variant.seats, variant.teams, seed)
    asked = Ask(seat, 1, state, state.events(seat), state.legal_actions())
    turn = SeatMessages(0, bot_class.detail, PATIENT).turn(asked)
    return ask(new_bot(bot_class, start), turn).action


# -- kinds of endgames ----------------------------------------------------------------------------


class Endgame(NamedTuple):
    """A kind of positions with exact values."""

    title: str
    variants: tuple[str, ...]
    """Games of these are played in turn."""
    solve: Callable[[State], Values | None]
    """Returns the values of a position of this kind, else None."""


def _solve_last_cards(state: State) -> Values | None:
    state = cast("BriberyState", state)
    return solve_bribery(state) if is_open(state) else None


def _solve_last_choice(state: State) -> Values | None:
    state = cast("PotDeVinState", state)
    return solve_pot_de_vin(state) if is_last_choice(state) else None


def _solve_against_planners(state: State) -> Values | None:
    state = cast("PotDeVinState", state)
    if not is_in_last_choices(state) or is_last_choice(state):
        return None
    return solve_pot_de_vin(state, partial(choice, "planner"))


ENDGAMES = (
    Endgame("`bribery/2`, last round", ("bribery/2",), _solve_last_cards),
    Endgame(
        "Pot de Vin, last choice",
        (
            "pot-de-vin/3",
            "pot-de-vin/4",
            "pot-de-vin/5",
            "pot-de-vin/4-teams",
            "pot-de-vin/6-teams",
        ),
        _solve_last_choice,
    ),
    Endgame(
        "`pot-de-vin/3`, the choices before it, against `planner`",
        ("pot-de-vin/3",),
        _solve_against_planners,
    ),
)


# -- measuring ------------------------------------------------------------------------------------


class Answers(NamedTuple):
    """The answers of a bot in the positions of one game in which actions differ in value."""

    positions: int = 0
    optimal: int = 0
    lost: float = 0.0
    """The sum of what the actions are worth less than the best ones."""


def positions(endgame: Endgame, number: int, seed: int) -> Iterator[tuple[State, Values]]:
    """Play the game of this number, and yield its positions in which actions differ in value."""
    variant = get_variant(endgame.variants[number % len(endgame.variants)])
    rng = random.Random(f"endgames {seed} {variant.id} {number}")
    state = variant.start(variant.deal(rng))
    names = [rng.choice(LADDERS[variant.game][1:]) for _ in range(variant.seats)]
    while state.seat_to_act is not None:
        legal = state.legal_actions()
        if len(legal) > 1:
            values = endgame.solve(state)
            if values and max(values.values()) - min(values.values()) > ROUNDING:
                yield state.clone(), values
        state.apply(choice(names[state.seat_to_act], state, number))


def answers(endgame: Endgame, bots: Sequence[str], seed: int, number: int) -> dict[str, Answers]:
    """Return the answers of each bot in the game of this number."""
    given = dict.fromkeys(bots, Answers())
    for state, values in positions(endgame, number, seed):
        best = max(values.values())
        for bot in bots:
            lost = best - values[choice(bot, state, number)]
            count, optimal, before = given[bot]
            given[bot] = Answers(count + 1, optimal + (lost <= ROUNDING), before + lost)
    return given


def play_games(
    endgame: Endgame, bots: Sequence[str], positions: int, seed: int, pool: Executor
) -> list[Mapping[str, Answers]]:
    """Return the answers in the first games that have this many positions, `GAMES` at a time."""
    played: list[Mapping[str, Answers]] = []
    with tqdm(total=positions, desc=endgame.title) as progress:
        while progress.n < positions:
            numbers = range(len(played), len(played) + GAMES)
            more = list(pool.map(partial(answers, endgame, bots, seed), numbers))
            progress.update(sum([game[bots[0]].positions for game in more]))
            played += more
    return played


def bots_for(endgame: Endgame, names: Sequence[str]) -> list[str]:
    """Return those of `names` that play the endgame's game."""
    game = get_variant(endgame.variants[0]).game
    return [name for name in names if plays(name, game)]


# -- the table ------------------------------------------------------------------------------------


def row(endgame: Endgame, bot: str, games: Sequence[Answers]) -> list[str]:
    """Return the row of a bot: positions, the share of optimal answers, the mean loss."""
    positions = sum([one.positions for one in games])
    cells = [endgame.title, f"`{bot}`", str(positions)]
    scores = [Score(one.optimal, one.positions) for one in games if one.positions]
    if len(scores) < 2:
        return [*cells, "-", "-"]
    share = share_ahead(scores)
    low, high = share_interval(share, len(scores)) or (0.0, 1.0)
    lost = sum([one.lost for one in games]) / positions
    return [*cells, f"{share.mean:.0%} ({low:.0%} to {high:.0%})", f"{lost:.2f}"]


def rows_of(endgame: Endgame, games: Sequence[Mapping[str, Answers]]) -> list[list[str]]:
    """Return the rows of an endgame, the bot that is optimal most often first."""
    bots = sorted(games[0], key=lambda bot: -sum([game[bot].optimal for game in games]))
    return [row(endgame, bot, [game[bot] for game in games]) for bot in bots]


def main() -> None:
    """Measure, and print or write the table."""
    every_bot = list(plugins.bots())
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--positions", type=int, default=200, help="positions of each kind")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--bots", nargs="+", default=every_bot, choices=every_bot, metavar="NAME")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    parser.add_argument("--write", action="store_true", help="write the table to docs/bots.md")
    options = parser.parse_args()
    rows = []
    if options.positions < 2:
        parser.error(f"expected at least 2 positions, got {options.positions}")
    with ProcessPoolExecutor(options.workers) as pool:
        for endgame in ENDGAMES:
            bots = bots_for(endgame, options.bots)
            if bots:
                played = play_games(endgame, bots, options.positions, options.seed, pool)
                rows += rows_of(endgame, played)
    heads = ("positions", "bot", "number", "plays optimally", "loses on average")
    text = table(heads, rows)
    if options.write:
        PAGE.write_text(with_tables(PAGE.read_text("utf-8"), {MARK: text}), "utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
