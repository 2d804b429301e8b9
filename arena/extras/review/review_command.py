"""`arena review`: the decisions that lost a bot its game."""

import random
from pathlib import Path

import click

from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.check.game_file import find_game_file, read_game
from arena.commands.common import (
    GameOfRun,
    complete_entrants,
    game_argument,
    json_option,
    open_source,
    results_option,
    say_json,
)
from arena.extras.review.review import CERTAINTY, JudgedDecision, review, seat_of
from arena.narration.telling import counted
from arena.terminal.console import progress_bar, say
from arena.terminal.text_table import Column, print_table
from arena.tournament.finished_boards import find_finished_game, find_game
from arena.tournament.games_of_bot import GameFilter, games_of_bot, worst_first
from arena.tournament.run_names import names_of, with_names

LEGEND = (
    "points = share of opponents placed before, in percent, expected after the better action less "
    "that after the one played, by what the bot knew; all play on as the champion does. "
    "`arena replay` shows the game: type the number of a move."
)
BAR = "{l_bar}{bar}| move {n} of {total}"


@click.command("review")
@game_argument("[RUN|FILE|last]")
@click.option(
    "--bot", "bot", metavar="NAME", required=True, shell_complete=complete_entrants,
    help="The bot whose decisions are judged.",
)  # fmt: skip
@json_option
@results_option
def review_command(game: GameOfRun, bot: str, as_json: bool, results: Path) -> None:
    """Find the decisions of a bot that lost it a game.

    GAME is named as for `arena replay`; without it, the heaviest defeat of the bot. A decision is
    judged by what the bot knew then: in worlds that agree with it, all play on as the champion
    does. Called a mistake is only an action to which another one is certainly better.
    """
    record = _record(game, bot, results)
    seat = seat_of(record, bot)
    decisions: list[JudgedDecision] = []
    with progress_bar(len(record.actions), 0, BAR) as bar:
        for decision in review(record, seat, random.Random(record.key)):
            bar.update(decision.move - (decisions[-1].move if decisions else 0))
            decisions.append(decision)
    if as_json:
        say_json(decisions)
        return
    _print(record, bot, decisions)


def _print(record: GameRecord, bot: str, decisions: list[JudgedDecision]) -> None:
    """Print the mistakes, the heaviest first."""
    mistakes = sorted([one for one in decisions if one.is_mistake], key=lambda one: -one.loss)
    points = 100 * sum([one.loss for one in mistakes])
    say(f"{record.title}: {bot}, seat {record.entrants.index(bot)}")
    judged = counted(len(decisions), "decision")
    if not mistakes:
        say(f"none of {judged} was certainly a mistake")
        return
    say(f"{counted(len(mistakes), 'mistake')} in {judged} cost about {points:.0f} points of score")
    say("")
    print_table(
        [
            Column("move", [str(one.move) for one in mistakes]),
            Column("played", [one.action for one in mistakes], 0, "word"),
            Column("better", [one.best for one in mistakes], 0, "word"),
            Column("points", [_points(one) for one in mistakes]),
        ]
    )
    say("")
    say(LEGEND)


def _points(one: JudgedDecision) -> str:
    return f"{100 * one.loss:.0f} ±{max(1, 100 * CERTAINTY * one.error):.0f}"


def _record(game: GameOfRun, bot: str, results: Path) -> GameRecord:
    """Return the record of the game that was named, or of the heaviest defeat of the bot."""
    if (path := find_game_file(results, game.source)) is not None:
        record = read_game(path)
        return find_game([record], game.game) if game.game else record
    with open_source(results, game.source) as store:
        names = names_of(store)
        name = game.game
        if not name:
            found = list(games_of_bot(store, GameFilter(names.find(bot))))
            if not found:
                raise StoreError(f"{bot} has no game of a finished board in {game.source}")
            name = min(found, key=worst_first).key
        return with_names(find_finished_game(store, name), names)
