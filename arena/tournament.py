"""A whole run: settings -> schedule -> games -> records -> leaderboard. It can be gone on with."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from arena.errors import RunStopped, SettingsError
from arena.plugins import bots
from arena.protocol import Limits, raw
from arena.rating import Leaderboard, leaderboard
from arena.record import Entrant, Game, key_of
from arena.schedule import Board, plan, whole_rounds
from arena.store import DATABASE, Store
from arena.worker import Batch
from arena.workers import Workers
from engine import Variant, get_variant

FIRST_BOARDS, MOST_BOARDS = 25, 200
"""Boards that are played before later ones begin: few at first, so that there is soon something to
see, then twice as many each time, to spread the cost of starting the bots over more games."""


class Settings(msgspec.Struct, frozen=True):
    """All that the results of a run depend on."""

    rounds: int
    seed: int
    variants: tuple[str, ...]
    entrants: tuple[Entrant, ...]
    limits: Limits

    def who_plays(self, variant: Variant) -> list[str]:
        """Return the names of the entrants that play this variant."""
        return [one.name for one in self.entrants if one.plays(variant.game)]


def check_settings(settings: Settings) -> None:
    """Refuse settings with which not every table can be seated.

    Raises:
        SettingsError: a variant has more seats than there are bots for it.
    """
    for variant in map(get_variant, settings.variants):
        playing = settings.who_plays(variant)
        lacking = variant.seats - len(playing)
        if lacking > 0:
            others = ", ".join([name for name in bots() if name not in playing])
            raise SettingsError(
                f"{variant.id} seats {variant.seats}, but only {len(playing)} of the bots play "
                f"{variant.game} ({', '.join(playing) or 'none'}): add {lacking} with --bot (a "
                f"file, a folder, or one of {others or 'none'}), or choose other variants with "
                "--variant"
            )


def rounds_by_variant(settings: Settings) -> dict[str, int]:
    """Return how many rounds each variant plays: those asked for, rounded up to whole boards."""
    return {
        variant: whole_rounds(get_variant(variant).seats, settings.rounds)
        for variant in settings.variants
    }


def boards(settings: Settings) -> Iterator[Board]:
    """Yield the boards of a run in schedule order."""
    variants = [get_variant(variant) for variant in settings.variants]
    entrants = {variant.id: settings.who_plays(variant) for variant in variants}
    return plan(variants, entrants, settings.rounds, settings.seed)


def count_games(settings: Settings) -> int:
    """Return the number of games of a run."""
    return sum(
        [
            len(settings.who_plays(get_variant(variant))) // get_variant(variant).seats * rounds
            for variant, rounds in rounds_by_variant(settings).items()
        ]
    )


def scheduled_games(settings: Settings) -> Iterator[Game]:
    """Yield the games of a run in schedule order."""
    for board in boards(settings):
        yield from games_of(board, settings)


def games_of(board: Board, settings: Settings) -> list[Game]:
    """Return the games of a board, one a rotation.

    The deal depends on seed, variant and board number only, a bot's seed on seed and game only.
    """
    variant = get_variant(board.variant)
    deal = raw(variant.deal(random.Random(f"deal {settings.seed} {board.variant} {board.number}")))
    fingerprints = {entrant.name: entrant.fingerprint for entrant in settings.entrants}
    games = []
    for rotation in range(variant.seats):
        seating = board.seating(rotation)
        bots_by_seat = tuple([(name, fingerprints[name]) for name in seating])
        key = key_of(variant.id, variant.rules_version, deal, settings.limits, bots_by_seat)
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


class _Missing:
    """The games of a run that are not played yet, in batches, and their place in the schedule."""

    def __init__(self, settings: Settings, played: set[str]) -> None:
        self.positions: dict[str, int] = {}  # by key, of the games that are under way
        self._settings = settings
        self._played = played

    def batches(self, workers: int) -> Iterator[Batch]:
        """Yield batches: of a portion of the boards, missing games of one rotation each.

        There are at least as many for a portion as workers, as far as it has games.
        """
        position = 0
        schedule = boards(self._settings)
        size = FIRST_BOARDS
        while portion := list(islice(schedule, size)):
            size = min(2 * size, MOST_BOARDS)
            by_rotation: dict[int, list[Game]] = {}
            for board in portion:
                for game in games_of(board, self._settings):
                    if game.key not in self._played:
                        self.positions[game.key] = position
                        by_rotation.setdefault(game.rotation, []).append(game)
                    position += 1
            for games in by_rotation.values():
                parts = -(-workers // len(by_rotation))
                for part in range(min(parts, len(games))):
                    yield self._batch(games[part::parts])

    def _batch(self, games: Sequence[Game]) -> Batch:
        sitting = {name for game in games for name in game.entrants}
        entrants = [one for one in self._settings.entrants if one.name in sitting]
        return Batch(tuple(games), tuple(entrants), self._settings.limits)


def play(store: Store, settings: Settings, workers: int, progress: Callable[[int], object]) -> None:
    """Play the games of a run that are missing in its store.

    Args:
        store: where the records go, as they come.
        settings: those of the run.
        workers: the number of worker processes; the records do not depend on it.
        progress: called with the number of games that were added.

    Raises:
        RunStopped: somebody pressed Ctrl-C; what was played is kept.
    """
    missing = _Missing(settings, store.keys())
    try:
        with Workers(workers) as crew:
            for played in crew.play(missing.batches(workers)):
                store.add(
                    [(one.key, missing.positions.pop(one.key), bytes(one.record)) for one in played]
                )
                progress(len(played))
    except KeyboardInterrupt:
        raise RunStopped(
            f"stopped after {len(store.keys())} of {count_games(settings)} games"
        ) from None


def rank(store: Store) -> Leaderboard:
    """Return the leaderboard of what a run has played."""
    settings = store.settings(Settings)
    variants = {variant: get_variant(variant) for variant in settings.variants}
    return leaderboard(store.records(), variants, [entrant.name for entrant in settings.entrants])


def open_or_create(folder: Path, settings: Settings) -> Store:
    """Return the store of a run with these settings: a new one, or one to be gone on with.

    Raises:
        SettingsError: there is a run with other settings.
        StoreError: the folder cannot be used.
    """
    if not (folder / DATABASE).is_file():
        return Store.create(folder, settings)
    store = Store.open(folder)
    others = store.settings(Settings)
    if not (differences := list(_differences(others, settings))):
        return store
    store.close()
    raise SettingsError(
        f"the run {folder.name} exists with other settings ({'; '.join(differences)}): repeat it "
        "with its own to go on with it, or choose another name with --name"
    )


def _differences(old: Settings, new: Settings) -> Iterator[str]:
    """Say what is different; in which order the bots were named is not."""
    before = {entrant.name: entrant for entrant in old.entrants}
    after = {entrant.name: entrant for entrant in new.entrants}
    if before.keys() != after.keys():
        yield f"bots: {', '.join(before)}"
    elif changed := [
        name for name in before if before[name].fingerprint != after[name].fingerprint
    ]:
        yield f"changed bots: {', '.join(changed)}"
    if old.rounds != new.rounds:
        yield f"rounds: {old.rounds}"
    if old.seed != new.seed:
        yield f"seed: {old.seed}"
    if old.variants != new.variants:
        yield f"variants: {', '.join(old.variants)}"
    if old.limits != new.limits:
        yield f"limits: {old.limits.start_ms} ms to start, {old.limits.move_ms} ms a move"
