"""The portions of `schedule = "adaptive"` against a slow and plain program."""

import random
from collections.abc import Sequence

import msgspec
import pytest

from arena.base.record import Game, GameResult
from arena.rating.certificate import StopRule
from arena.tournament.games import boards
from arena.tournament.portions import certainty_courses, portions
from arena.tournament.settings import Settings
from engine import get_variant
from tests.arena.rating.plain_model import Game as PlainGame
from tests.arena.rating.plain_model import PlainBoard
from tests.arena.runs import chance_of, in_portions, made_up_settings
from tests.arena.tournament.plain_portions import (
    PlainPortion,
    PlainRun,
    Table,
    plain_portions,
    turned,
)

replace = msgspec.structs.replace
VOLATILE = 2
"""The number of bots, the first ones, whose luck of a board outweighs strength. It takes longer to
know how good they are, so extra boards are played for them at the end."""


def ranks_of(board: int, rotation: int, names: Sequence[str]) -> dict[str, int]:
    """Return the ranks of the bots of a game, of which the later ones by name are better."""
    results = {}
    for name in names:
        luck = random.Random(f"{name} {board}").choice((-50, 50))
        dice = random.Random(f"{name} {board} {rotation}").randrange(2)
        number = int(name.removeprefix("e"))
        results[name] = dice + (luck if number <= VOLATILE else 2 * number)
    return {name: 1 + sum(one > own for one in results.values()) for name, own in results.items()}


def settings_of(variant: str, bots: int, seed: int, rounds: int) -> Settings:
    """Return the settings of a run in small portions."""
    return in_portions(
        replace(
            made_up_settings(bots, variant, rounds=rounds, seed=seed),
            stop_rule=StopRule(0.7),
            schedule="adaptive",
            withdrawal=False,
        ),
        10,
        25,
    )


def of_the_arena(settings: Settings) -> tuple[list[PlainPortion], list[str]]:
    """Return the portions that the arena plays, and what is certain at the end."""
    (variant,) = settings.variants
    courses = certainty_courses(settings)
    found = []
    for scheduled in portions(settings, chance_of(settings), courses):
        assert scheduled, "all games before are over"
        tables = [turned(game.entrants) for game in scheduled.games if game.rotation == 0]
        found.append(PlainPortion(tables, list(courses[variant].challengers)))
        for game in scheduled.games:
            scheduled.results[game.key] = result_of(game)
    certificate = courses[variant].certificate
    assert certificate
    return found, [one.border for one in certificate.neighbours]


def result_of(game: Game) -> GameResult:
    """Return how a game ends."""
    rank_of = ranks_of(game.board, game.rotation, game.entrants)
    ranks = tuple([rank_of[name] for name in game.entrants])
    points = (0,) * len(ranks)
    return GameResult(game.variant, game.board, game.rotation, game.entrants, points, ranks)


def of_the_plain_program(settings: Settings) -> tuple[list[PlainPortion], list[str]]:
    """Return the portions that the plain program plays, and what is certain at the end."""
    assert settings.stop_rule
    assert settings.seed is not None

    def play(number: int, table: Table) -> PlainBoard:
        games = []
        for rotation in range(len(table)):
            ranks = ranks_of(number, rotation, table)
            games.append(PlainGame([ranks[name] for name in table], 1))
        return PlainBoard(number, [(name,) for name in table], games)

    run = PlainRun(
        settings.variants[0],
        sorted([one.name for one in settings.entrants]),
        get_variant(settings.variants[0]).seats,
        settings.seed,
        settings.stop_rule.epsilon,
        settings.sizes.initial,
        settings.sizes.largest,
        [turned(board.entrants) for board in boards(settings)],
    )
    return plain_portions(run, play)


@pytest.mark.parametrize(
    ("variant", "bots", "seed", "extra"), [("bribery/2", 6, 7, 2), ("pot-de-vin/3", 9, 1, 1)]
)
def test_the_arena_plays_the_portions_of_the_plain_program(
    variant: str, bots: int, seed: int, extra: int
) -> None:
    settings = settings_of(variant, bots, seed, 120)
    played, borders = of_the_arena(settings)
    assert (played, borders) == of_the_plain_program(settings)
    kinds = [bool(portion.challengers) for portion in played]
    assert kinds == [False] * (len(kinds) - extra) + [True] * extra
