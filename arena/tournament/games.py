"""The games of a run: its boards from the schedule, expanded into games."""

import random
from collections.abc import Iterator

from arena.plugins import get_schedule
from arena.protocol import raw
from arena.record import Game, key_of
from arena.schedule.plan import Board, count_boards, plan, whole_rounds
from arena.tournament.settings import Settings
from engine import get_variant


def rounds_by_variant(settings: Settings) -> dict[str, int]:
    """Return the rounds of each variant: `settings.rounds`, rounded up to whole boards."""
    return {
        variant: whole_rounds(get_variant(variant).seats, settings.rounds)
        for variant in settings.variants
    }


def games_by_variant(settings: Settings) -> dict[str, tuple[int, int]]:
    """Return the number of entrants and the number of games, by variant."""
    schedule = get_schedule(settings.schedule)
    found = {}
    for variant, rounds in rounds_by_variant(settings).items():
        field = settings.field(variant)
        found[variant] = (len(field.entrants), count_boards(schedule, field) * rounds)
    return found


def count_games(settings: Settings) -> int:
    """Return the number of games of a run."""
    return sum([games for _, games in games_by_variant(settings).values()])


def boards(settings: Settings) -> Iterator[Board]:
    """Yield the boards of a run in schedule order."""
    fields = [settings.field(variant) for variant in settings.variants]
    return plan(get_schedule(settings.schedule), fields, settings.rounds, settings.seed)


def scheduled_games(settings: Settings) -> Iterator[Game]:
    """Yield the games of a run in schedule order."""
    for board in boards(settings):
        yield from games_of(board, settings)


def games_of(board: Board, settings: Settings) -> list[Game]:
    """Return the games of a board, one for each rotation.

    The deal depends on the run's seed, the variant and the board number. The seed of a bot depends
    on the run's seed and the key of the game.
    """
    variant = get_variant(board.variant)
    deal = raw(variant.deal(random.Random(f"deal {settings.seed} {board.variant} {board.number}")))
    fingerprints = {entrant.name: entrant.fingerprint for entrant in settings.entrants}
    games = []
    for rotation in range(variant.seats):
        seating = board.seating(rotation)
        bots_by_seat = tuple([(name, fingerprints[name]) for name in seating])
        key = key_of(
            variant,
            board.number,
            deal,
            settings.limits,
            bots_by_seat,
        )
        dice = random.Random(f"bots: {settings.seed} {key}")
        games.append(
            Game(
                key=key,
                variant=variant.id,
                board=board.number,
                rotation=rotation,
                deal=deal,
                entrants=seating,
                seeds=tuple([dice.getrandbits(32) for _ in seating]),
            )
        )
    return games
