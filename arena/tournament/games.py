"""Generate the boards and games of a run from its schedule."""

from collections import Counter
from collections.abc import Collection, Iterator

import msgspec

from arena.base.errors import SettingsError, StoreError
from arena.base.protocol import raw
from arena.base.record import Game, GameRecord, key_of, new_game
from arena.match.broken_game import game_error
from arena.plugins import get_schedule
from arena.schedule.plan import Board, count_boards, plan, whole_rounds
from arena.schedule.randomness import Randomness
from arena.tournament.database import Database
from arena.tournament.settings import Dropped, Settings
from arena.tournament.store import Store
from engine import get_variant


def rounds_by_variant(settings: Settings) -> dict[str, int]:
    return {
        variant: whole_rounds(get_variant(variant).seats, settings.rounds)
        for variant in settings.variants
    }


def games_by_variant(settings: Settings) -> dict[str, tuple[int, int]]:
    """Return the number of bots and the number of games in each variant."""
    schedule = get_schedule(settings.schedule)
    found = {}
    for variant, rounds in rounds_by_variant(settings).items():
        field = settings.field(variant)
        boards = count_boards(schedule, field)
        bots, games = len(field.entrants), boards * rounds
        for pairing in settings.paired or ():
            if pairing.variant == variant:
                playing = [set(group) <= set(field.entrants) for group in pairing.groups]
                games += (sum(playing) - boards) * field.variant.seats
        if settings.dropped is not msgspec.UNSET:
            bots = len(settings.staying(field.variant))
            games -= settings.dropped.games.get(variant, 0)
        found[variant] = (bots, games)
    return found


def count_games(settings: Settings) -> int:
    """Return the number of games in a run, or the maximum number if the run may end early."""
    return sum([games for _, games in games_by_variant(settings).values()])


def games_to_play(settings: Settings) -> str:
    most = "at most " if settings.may_end_early else ""
    return f"{most}{count_games(settings)} games"


def boards(settings: Settings, chance: Randomness | None = None) -> Iterator[Board]:
    """Yield the boards of a run in schedule order, except for boards with bots that have left the
    run.
    """
    left = settings.dropped_bots
    planned = _planned(settings, chance or settings.chance())
    return (board for board in planned if left.isdisjoint(board.entrants)) if left else planned


def with_dropped(settings: Settings, bots: Collection[str], chance: Randomness) -> Settings:
    games = Counter[str]()
    # an adaptive schedule depends only on the field, not on the numbers of games
    for board in () if settings.adapts else _planned(settings, chance):
        if not frozenset(bots).isdisjoint(board.entrants):
            games[board.variant] += len(board.entrants)
    return msgspec.structs.replace(settings, dropped=Dropped(tuple(sorted(bots)), dict(games)))


def _planned(settings: Settings, chance: Randomness) -> Iterator[Board]:
    fields = [settings.field(variant) for variant in settings.variants]
    return plan(get_schedule(settings.schedule), fields, settings.rounds, chance.schedule)


def games_of(board: Board, settings: Settings, chance: Randomness | None = None) -> list[Game]:
    """Return the games of a board, one for each rotation of the seats.

    Raise `GameError` if the game's code raises an exception.
    """
    chance = chance or settings.chance()
    variant = get_variant(board.variant)
    fingerprints = {entrant.name: entrant.fingerprint for entrant in settings.entrants}
    playing = [fingerprints[name] for name in board.entrants]
    try:
        deal = raw(variant.deal(chance.deal(board, playing)))
    except Exception as error:
        raise game_error(f"{variant.id} board {board.number}", error) from error
    games = []
    for rotation in range(variant.seats):
        seating = board.seating(rotation)
        bots_by_seat = tuple([(name, fingerprints[name]) for name in seating])
        key = key_of(variant, board.number, deal, settings.limits, bots_by_seat)
        dice = chance.dice(board, playing, rotation, key)
        games.append(new_game(key, variant, (board.number, rotation), deal, seating, dice))
    return games


def world_seeds(store: Database, record: GameRecord) -> dict[str, int]:
    """Return the seeds of the random game states that bots could request on the record's board.

    The dict maps game keys to seeds. The dict is empty if the run's secret is missing.
    """
    settings = store.settings()
    try:
        secret = store.secret(settings.secret) if isinstance(store, Store) else None
        chance = settings.chance(secret)
    except (SettingsError, StoreError):
        return {}
    n = len(record.entrants)
    entrants = tuple([record.entrants[(place + record.rotation) % n] for place in range(n)])
    board = Board(record.variant, record.board, 0, entrants)
    return {game.key: game.worlds for game in games_of(board, settings, chance)}
