"""Compute the standings of a run: leaderboard, head-to-head results and rating history."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arena.base.errors import SettingsError, StoreError
from arena.base.record import AnyResult, read_result
from arena.rating.complete_boards import BoardShares, read_boards
from arena.rating.leaderboard import Leaderboard, TableSettings, leaderboard
from arena.rating.pairs import Pair, pairs
from arena.tournament.blocks import certainty_courses
from arena.tournament.database import Database, StoredGame, StoredResult
from arena.tournament.digest import RunDigest, digest_of_names, public, records_hash, run_digest
from arena.tournament.display_names import display_names_of
from arena.tournament.finished_boards import board_of, finished
from arena.tournament.games import count_games, games_by_variant, games_to_play
from arena.tournament.settings import Settings
from engine import Variant, get_variant
from engine.errors import unknown


def rank(store: Database, chosen: Sequence[str] = ()) -> Leaderboard:
    """Return the current leaderboard for the chosen variants, or for all variants."""
    return rank_records(store.settings(), store.results(), chosen)


def rank_records(
    settings: Settings, records: Iterable[AnyResult], chosen: Sequence[str] = ()
) -> Leaderboard:
    """Compute the leaderboard from game records. The records must be in schedule order."""
    variants = variants_of_run(settings, chosen)
    players = {variant.id: settings.staying(variant) for variant in variants.values()}
    playing = {name for own in players.values() for name in own}
    names = [entrant.name for entrant in settings.entrants if entrant.name in playing]
    courses = {
        variant: course
        for variant, course in certainty_courses(settings).items()
        if variant in variants
    }
    guests = [entrant.name for entrant in settings.entrants if entrant.guest]
    tables = TableSettings(
        settings.orders_by_score,
        courses or None,
        players,
        guests,
        settings.ranked_by,
        settings.adapts,
    )
    board = leaderboard(records, variants, names, tables)
    return msgspec.structs.replace(
        board,
        sandbox=settings.sandbox,
        secret_hash=settings.secret.hash if settings.secret else None,
        order="score" if settings.orders_by_score else msgspec.UNSET,
        final=settings.final,
    )


def digest_of(store: Database, board: Leaderboard | None = None) -> RunDigest:
    """Return a digest of a run's finished boards and the bots' current display names."""
    names = display_names_of(store)
    if (noted := noted_digest(store)) is not None:
        return msgspec.structs.replace(noted, names=digest_of_names(names))
    settings, board = store.settings(), board or rank(store)
    records = records_hash(game.record_digest for game in shown_results(store))
    return run_digest(public(settings, is_over=is_over(settings, board)), records, board, names)


def is_over(settings: Settings, board: Leaderboard) -> bool:
    played, games = board.games + board.games_left_out, games_by_variant(settings)
    if settings.stop_rule is msgspec.UNSET:
        return played == sum([most for _, most in games.values()])
    looked_at = 0
    for variant, (_, most) in games.items():
        certificate = board.certificate.get(variant) if board.certificate else None
        if certificate is None:
            return False
        counted = certificate.boards * get_variant(variant).seats
        if not certificate.is_certain and counted < most:
            return False
        looked_at += counted
    return played == looked_at


def is_complete(store: Database) -> bool:
    settings = store.settings()
    if noted_digest(store) is not None:
        return True
    if settings.stop_rule is msgspec.UNSET:
        return store.count() == count_games(settings)
    return is_over(settings, rank(store))


def unfinished_text(store: Database) -> str:
    if is_complete(store):
        return ""
    return f"the run is not complete: {store.count():,} of {games_to_play(store.settings())}"


def shown_games(store: Database) -> Iterator[StoredGame]:
    """Yield the games of finished boards, in schedule order."""
    try:
        yield from finished(store.counting_games(), lambda game: board_of(read_result(game.result)))
    except ValueError as error:
        raise StoreError(f"cannot read a record of {store.folder}: {error}") from None


def shown_results(store: Database) -> Iterator[StoredResult]:
    return finished(store.counting_results(), lambda game: board_of(game.result))


def games_not_shown(store: Database) -> int:
    return store.count() - sum([1 for _ in shown_results(store)])


def noted_digest(store: Database) -> RunDigest | None:
    """Return the run's stored digest, or None if the run isn't over."""
    if (data := store.noted_digest()) is None:
        return None
    try:
        return msgspec.json.decode(data, type=RunDigest)
    except ValueError as error:
        raise StoreError(f"cannot read the digest of {store.folder}: {error}") from None


def run_boards(store: Database, chosen: Sequence[str] = ()) -> list[BoardShares]:
    settings = store.settings()
    boards = read_boards(store.results(), variants_of_run(settings, chosen), settings.ranked_by)
    return [board._replace(is_sample=False) for board in boards] if settings.adapts else [*boards]


def compare(store: Database, chosen: Sequence[str] = ()) -> list[Pair]:
    return pairs(run_boards(store, chosen))


def variants_of_run(settings: Settings, chosen: Sequence[str]) -> dict[str, Variant]:
    for variant in chosen:
        if variant not in settings.variants:
            raise SettingsError(unknown("variant of the run", variant, settings.variants))
    return {
        variant: get_variant(variant)
        for variant in settings.variants
        if variant in chosen or not chosen
    }
