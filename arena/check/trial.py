"""Play trial games with a bot and compute its score. Used by `arena try`."""

import random
from collections.abc import Iterator, Sequence
from itertools import cycle, islice

import msgspec

from arena.base.errors import SettingsError
from arena.base.protocol import DEFAULT_LIMITS, Limits, SeatFault, raw
from arena.base.record import Entrant, Game, GameRecord, key_of, new_game
from arena.rating.certificate import Result
from arena.rating.complete_boards import read_boards
from arena.rating.scores import fit_boards
from engine import Variant


class TrialBot(msgspec.Struct, frozen=True):
    bot: str
    games: int
    points_per_game: float
    wins: int
    faults: int


class TrialReport(msgspec.Struct, frozen=True):
    """The results of the command `arena try`. Boards with missing games are ignored."""

    bot: str
    variant: str
    games: int
    boards: int
    score: float | None
    score_low: float | None
    score_high: float | None
    """The upper bound of the score's 95% confidence interval, or None if there is no interval."""
    has_interval: bool  # False if the teams are the same in all games
    bots: list[TrialBot]
    faults: list[SeatFault]


def seat_opponents(own: Entrant, others: Sequence[Entrant], variant: Variant) -> list[Entrant]:
    """Return the bot followed by its opponents.

    If there are more seats than bots, each opponent can take several seats, under names such as
    `random-2`. Raise `SettingsError` if a bot doesn't play the variant's game.
    """
    bots = [own]
    for number, other in enumerate(islice(cycle(others), max(variant.seats - 1, len(others))), 1):
        taken = any(bot.name == other.name for bot in bots)
        name = f"{other.name}-{number}" if taken else other.name
        bots.append(msgspec.structs.replace(other, name=name))
    for bot in bots:
        if not bot.plays(variant.game):
            games = ", ".join(bot.games)
            raise SettingsError(
                f"{bot.name} does not play {variant.game}, only {games}: choose another variant "
                "with `--variant`"
            )
    return bots


def opponents_on(board: int, bots: Sequence[Entrant], variant: Variant) -> list[Entrant]:
    # If there are more opponents than seats, they take turns.
    _, *others = bots
    first = board * (variant.seats - 1)
    return [others[(first + at) % len(others)] for at in range(variant.seats - 1)]


def trial_games(
    variant: Variant, bots: Sequence[Entrant], boards: int, seed: int
) -> Iterator[Game]:
    n = variant.seats
    for board in range(boards):
        names = [bots[0].name, *[bot.name for bot in opponents_on(board, bots, variant)]]
        deal = raw(variant.deal(random.Random(f"try {seed} {board}")))
        for rotation in range(n):
            key = str(board * n + rotation)
            seated = [names[(seat - rotation) % n] for seat in range(n)]
            dice = random.Random(f"try dice {seed} {key}")
            yield new_game(key, variant, (board + 1, rotation), deal, seated, dice)


def one_game(
    variant: Variant, seated: Sequence[Entrant], rng: random.Random, limits: Limits = DEFAULT_LIMITS
) -> Game:
    """Create a game for the given bots with a random deal and random seeds."""
    deal = raw(variant.deal(rng))
    bots = tuple([(bot.name, bot.fingerprint) for bot in seated])
    key = key_of(variant, 1, deal, limits, bots)
    return new_game(key, variant, (1, 0), deal, [bot.name for bot in seated], rng)


def report_trial(
    records: Sequence[GameRecord],
    variant: Variant,
    names: Sequence[str],
    result: Result = "placement",
) -> TrialReport:
    """Return the results of the first named bot."""
    by_board = sorted(records, key=lambda record: record.board)
    boards = read_boards(by_board, {variant.id: variant}, result)
    scores = {score.bot: score for score in fit_boards(names, boards).scores}
    own = scores[names[0]]
    return TrialReport(
        bot=names[0],
        variant=variant.id,
        games=len(records),
        boards=own.boards,
        score=own.score,
        score_low=own.low,
        score_high=own.high,
        has_interval=bool(own.compared_with),
        bots=[_added(records, name) for name in names],
        faults=[
            fault
            for record in records
            for fault in record.faults_of(record.entrants.index(names[0]))
        ],
    )


def _added(records: Sequence[GameRecord], name: str) -> TrialBot:
    played = [
        (record, record.entrants.index(name)) for record in records if name in record.entrants
    ]
    games = len(played)
    return TrialBot(
        bot=name,
        games=games,
        points_per_game=sum([record.points[seat] for record, seat in played]) / max(1, games),
        wins=sum([record.ranks[seat] == 1 for record, seat in played]),
        faults=sum([len(record.faults_of(seat)) for record, seat in played]),
    )
