"""`arena review`: find the decisions that lost a game."""

import random
from pathlib import Path

import click

from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.check.game_file import find_game_file
from arena.commands.common import (
    GameOfRun,
    command_of_run,
    entrant_option,
    game_argument,
    json_option,
    open_source,
    results_option,
    say_json,
    variant_option,
)
from arena.commands.replay import KEY_LETTERS, recorded_game
from arena.extras.review.judging import SLIGHT
from arena.extras.review.review import (
    TWICE,
    GameReview,
    in_a_sentence,
    review_game,
    seat_of,
    what_players_do,
)
from arena.extras.review.review_panel import keep_review
from arena.narration.telling import counted
from arena.narration.words import Words
from arena.terminal.console import progress_bar, say
from arena.terminal.text_table import Column, print_table
from arena.tournament.display_names import names_of, with_names
from arena.tournament.finished_boards import find_finished_game
from arena.tournament.games_of_bot import games_of_bot, worst_first
from arena.tournament.store import Store

LEGEND = (
    "points = percentage of opponents finished ahead of; every game starts at "
    "50. The cost of a mistake is the expected number of points that a better "
    "action would have gained. Costs are estimated from what the bot knew when it "
    "chose the action. Simulated players {playing}. Each reported mistake "
    f"certainly costs more than {100 * SLIGHT:.0f} points."
)
BAR = "{l_bar}{bar}| move {n} of {total}"


@click.command("review")
@game_argument("[RUN|FILE|last]")
@entrant_option("The bot whose decisions are judged.", required=True)
@variant_option("", "Only games in this variant.")
@click.option(
    "--keep", is_flag=True,
    help="Store the review with the run, so that `arena publish` shows it in the game's replay.",
)  # fmt: skip
@json_option
@results_option
def review_command(
    game: GameOfRun,
    bot: str,
    variant_id: str,
    keep: bool,
    as_json: bool,
    results: Path,
) -> None:
    """Find the mistakes that cost a bot a game.

    GAME is named as for `arena replay`. By default, the command reviews the game in which the bot
    had its worst result. Decisions are judged only by the information that the bot had at the time:
    the game is simulated from many positions that are consistent with this information. Simulated
    players follow the heuristics of the champion bot, or play at random in games without such
    heuristics. An action counts as a mistake only if another action is significantly better.
    """
    folder, record = _wanted(game, bot, variant_id, results)
    if keep and folder is None:
        raise StoreError(f"--keep stores the review with a run: got the file {game.source}")
    seat, rng = seat_of(record, bot), random.Random(record.key)
    with progress_bar(len(record.actions), 0, BAR) as bar:
        review = review_game(record, seat, rng, bar.update)
    if folder and keep:
        keep_review(folder, review)
    if as_json:
        say_json(review)
        return
    _print(review, Words(record.variant.partition("/")[0], record.entrants))
    replay = command_of_run("replay", game.source, results)
    say(f"to see a move, type its number in `{replay} {record.key[:KEY_LETTERS]}`")


def _wanted(
    game: GameOfRun, bot: str, variant: str, results: Path
) -> tuple[Path | None, GameRecord]:
    if find_game_file(results, game.source) is not None:
        return None, recorded_game(game, results)
    with open_source(results, game.source) as store:
        names, key = names_of(store), game.game
        if not key:
            games = list(games_of_bot(store, names.find(bot), variant))
            if not games:
                raise StoreError(f"{bot} has no such game on a finished board in {game.source}")
            key = min(games, key=worst_first).key
        folder = store.folder if isinstance(store, Store) else None
        return folder, with_names(find_finished_game(store, key), names)


def _print(review: GameReview, words: Words) -> None:
    mistakes = review.mistakes
    ahead = f"ends ahead of {100 * review.result:.0f}% of its opponents"
    if review.counts_twice:
        ahead = f"ends with {100 * review.result:.0f} in a game that counts twice"
    say(f"{review.title}: {review.bot}, seat {review.seat}, {ahead}")
    say(f"{counted(len(review.decisions), 'decision')}: {in_a_sentence(review)}")
    if not mistakes:
        return
    say("")
    print_table(
        [
            Column("move", [str(mistake.move) for mistake in mistakes]),
            Column("part", [mistake.chapter for mistake in mistakes], 1, "word"),
            Column(
                "played", [words.action(mistake.action).text for mistake in mistakes], 0, "word"
            ),
            Column("better", [words.action(mistake.best).text for mistake in mistakes], 0, "word"),
            Column(
                "points",
                [f"{100 * mistake.loss:.0f} ±{100 * mistake.margin:.0f}" for mistake in mistakes],
            ),
        ]
    )
    say("")
    legend = LEGEND.format(playing=what_players_do(review))
    say(f"{legend} {TWICE}" if review.counts_twice else legend)
