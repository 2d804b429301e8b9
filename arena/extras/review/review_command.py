"""`arena review`: the decisions that lost a bot its game."""

import random
from pathlib import Path

import click

from arena.base.errors import StoreError
from arena.check.game_file import find_game_file
from arena.commands.common import (
    GameOfRun,
    complete_entrants,
    game_argument,
    json_option,
    open_source,
    results_option,
    say_json,
)
from arena.commands.replay import recorded_game
from arena.extras.review.review import (
    CERTAINTY,
    GameReview,
    JudgedDecision,
    in_a_sentence,
    review_game,
    seat_of,
)
from arena.extras.review.review_panel import keep_review
from arena.narration.telling import counted
from arena.terminal.console import progress_bar, say
from arena.terminal.text_table import Column, print_table
from arena.tournament.games_of_bot import GameFilter, games_of_bot, worst_first
from arena.tournament.run_names import names_of

LEGEND = (
    "points = share of opponents placed before, in percent, as the champion estimates it: after "
    "the better action, less after the one played, by what the bot knew. A game starts at 50. "
    "`arena replay` shows the game: type the number of a move."
)
BAR = "{l_bar}{bar}| move {n} of {total}"


@click.command("review")
@game_argument("[RUN|FILE|last]")
@click.option(
    "--bot", "bot", metavar="NAME", required=True, shell_complete=complete_entrants,
    help="The bot whose decisions are judged.",
)  # fmt: skip
@click.option(
    "--keep", is_flag=True,
    help="Keep the review with the run: `arena publish` shows it in the replay of the game.",
)  # fmt: skip
@json_option
@results_option
def review_command(game: GameOfRun, bot: str, keep: bool, as_json: bool, results: Path) -> None:
    """Find the decisions of a bot that lost it a game.

    GAME is named as for `arena replay`; without it, the heaviest defeat of the bot. A decision is
    judged by what the bot knew then: in worlds that agree with it, all play on as the champion
    does. Called a mistake is only an action to which another one is certainly better.
    """
    if not game.game and find_game_file(results, game.source) is None:
        game = _heaviest_defeat(game.source, bot, results)
    record = recorded_game(game, results)
    seat = seat_of(record, bot)
    with progress_bar(len(record.actions), 0, BAR) as bar:
        review = review_game(record, seat, random.Random(record.key), bar.update)
    if keep:
        with open_source(results, game.source) as run:
            keep_review(run, review)
    if as_json:
        say_json(review)
        return
    _print(review)


def _print(review: GameReview) -> None:
    """Print where the result came from, and the mistakes, the heaviest first."""
    mistakes = review.mistakes
    say(f"{review.title}: {review.bot}, seat {review.seat}, ends with {100 * review.result:.0f}")
    say(f"{counted(len(review.decisions), 'decision')}: {in_a_sentence(review)}")
    if not mistakes:
        return
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


def _heaviest_defeat(source: str, bot: str, results: Path) -> GameOfRun:
    """Return the heaviest defeat of a bot in a run."""
    with open_source(results, source) as store:
        found = list(games_of_bot(store, GameFilter(names_of(store).find(bot))))
    if not found:
        raise StoreError(f"{bot} has no game of a finished board in {source}")
    return GameOfRun(source, min(found, key=worst_first).key)
