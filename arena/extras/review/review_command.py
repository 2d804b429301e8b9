"""`arena review`: find the decisions that lost a game, and patterns in a bot's mistakes."""

from pathlib import Path

import click

from arena.base.errors import StoreError
from arena.base.record import NO_OBSERVATIONS
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
from arena.extras.review.bot_review import BotReview, PlayedGame, review_bot
from arena.extras.review.judging import SLIGHT
from arena.extras.review.review import TWICE, GameReview, in_a_sentence
from arena.extras.review.review_panel import keep_review
from arena.narration.telling import counted
from arena.narration.words import Words
from arena.terminal.console import progress_bar, say
from arena.terminal.text_table import Column, print_table
from arena.tournament.display_names import names_of, with_names
from arena.tournament.finished_boards import find_finished_game, finished_games
from arena.tournament.games_of_bot import games_of_bot, worst_first
from arena.tournament.store import Store

LEGEND = (
    "points = percentage of opponents finished ahead of; every game starts at "
    "50. The cost of a mistake is the difference in expected points between the "
    "better action and the one played, given what the bot knew, if all seats "
    "play on as the champion's guide does. It certainly costs more "
    f"than {100 * SLIGHT:.0f} points."
)
BAR = "{l_bar}{bar}| move {n} of {total}"


@click.command("review")
@game_argument("[RUN|FILE|last]")
@entrant_option("The bot whose decisions are judged.", required=True)
@click.option(
    "--games", "count", type=click.IntRange(1), metavar="N",
    help="Review N games of the bot, and show what its mistakes have in common.",
)  # fmt: skip
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
    count: int | None,
    variant_id: str,
    keep: bool,
    as_json: bool,
    results: Path,
) -> None:
    """Find the mistakes that cost a bot a game.

    GAME is named as for `arena replay`. By default, the bot's heaviest defeat is reviewed.
    Decisions are judged only by the information that the bot had at the time: the game is
    simulated from many positions that are consistent with this information. Simulated players
    follow the heuristics of the champion bot. An action counts as a mistake only if another
    action is significantly better.
    """
    folder, bot, games = _wanted(game, bot, count, variant_id, results)
    if keep and (folder is None or count is not None):
        got = f"the file {game.source}" if folder is None else "--games"
        raise StoreError(f"--keep keeps the review of a game with its run: got {got}")
    with progress_bar(sum([len(record.actions) for record, _ in games]), 0, BAR) as bar:
        many = review_bot(games, bot, bar.update)
    if folder and keep:
        keep_review(folder, many.games[0])
    if as_json:
        say_json(many.games[0] if count is None else many)
    elif count is None:
        record, _ = games[0]
        _print(many.games[0], Words(record.variant.partition("/")[0], record.entrants))
        replay = command_of_run("replay", game.source, results)
        say(f"to see a move, type its number in `{replay} {record.key[:KEY_LETTERS]}`")
    else:
        _print_findings(many, command_of_run("replay", game.source, results))


def _wanted(
    game: GameOfRun, bot: str, count: int | None, variant: str, results: Path
) -> tuple[Path | None, str, list[PlayedGame]]:
    if find_game_file(results, game.source) is not None:
        return None, bot, [(recorded_game(game, results), NO_OBSERVATIONS)]
    with open_source(results, game.source) as store:
        names = names_of(store)
        name = names.find(bot)
        if game.game:
            keys = {find_finished_game(store, game.game).key}
        else:
            found = list(games_of_bot(store, name, variant))
            if not found:
                raise StoreError(f"{bot} has no such game of a finished board in {game.source}")
            chosen = [min(found, key=worst_first)]
            if count is not None:
                chosen = [found[at * len(found) // count] for at in range(count)]
            keys = {one.key for one in chosen}
        games = [
            (with_names(record, names), seen)
            for record, seen in finished_games(store)
            if record.key in keys
        ]
        folder = store.folder if isinstance(store, Store) else None
    return folder, names.shown(name), games


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
            Column("move", [str(one.move) for one in mistakes]),
            Column("part", [one.chapter for one in mistakes], 1, "word"),
            Column("played", [words.action(one.action).text for one in mistakes], 0, "word"),
            Column("better", [words.action(one.best).text for one in mistakes], 0, "word"),
            Column("points", [f"{100 * one.loss:.0f} ±{100 * one.margin:.0f}" for one in mistakes]),
        ]
    )
    say("")
    say(f"{LEGEND} {TWICE}" if review.counts_twice else LEGEND)


def _print_findings(many: BotReview, replay: str) -> None:
    games = counted(len(many.games), "game")
    say(f"{many.bot} in {games}, in points a game: {in_a_sentence(*many.games)}")
    if not many.findings:
        say("its mistakes have nothing in common")
    for finding in many.findings:
        say("")
        say(f"{finding.text}. The heaviest is move {finding.move} of {finding.title}:")
        say(f"  `{replay} {finding.key[:KEY_LETTERS]}`")
