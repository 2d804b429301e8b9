"""A run: settings, schedule, games, records and leaderboard. A run can be resumed."""

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path

import msgspec

from arena.contracts import Batch, Executor, Field, Played, SandboxSettings
from arena.errors import RunStopped, SettingsError
from arena.plugins import bots, get_schedule
from arena.protocol import Limits, raw
from arena.rating.leaderboard import leaderboard
from arena.rating.pairs import Pair, pairs
from arena.rating.trueskill import RatingSnapshot, rating_history
from arena.record import Entrant, Game, GameRecord, key_of
from arena.schedule.plan import Board, count_boards, plan, whole_rounds
from arena.tournament.run_leaderboard import RunLeaderboard
from arena.tournament.store import DATABASE, Store
from arena.tournament.withdrawal import Conduct, Withdrawals, conduct_in, portions_that_count
from engine import Variant, get_variant

FIRST_BOARDS, MOST_BOARDS = 25, 1_600
"""Boards that are played before later ones begin: few at first, so that there is soon something to
see, then twice as many each time, to spread the cost of starting the bots over more games."""


class Settings(msgspec.Struct, frozen=True):
    """All that the results of a run depend on."""

    rounds: int
    seed: int
    variants: tuple[str, ...]
    entrants: tuple[Entrant, ...]
    limits: Limits
    schedule: str = "round-robin"
    challengers: tuple[str, ...] = ()
    """Names of entrants, for the schedules that take challengers."""
    withdrawal: bool = True
    """Whether bots with too many faults are withdrawn."""
    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
    """Those round the bots."""

    def who_plays(self, variant: Variant) -> list[str]:
        """Return the names of the entrants that play this variant, guests only as needed."""
        playing = [one for one in self.entrants if one.plays(variant.game)]
        regulars = [one.name for one in playing if not one.guest]
        guests = [one.name for one in playing if one.guest]
        return regulars + guests[: max(0, variant.seats - len(regulars))]

    def field(self, variant_id: str) -> Field:
        """Return those who play a variant as its schedule wants them."""
        variant = get_variant(variant_id)
        playing = sorted(self.who_plays(variant))
        challengers = [name for name in playing if name in self.challengers]
        return Field(variant, tuple(playing), tuple(challengers))


def check_settings(settings: Settings) -> None:
    """Refuse settings with which not every table can be seated.

    Raises:
        SettingsError: a variant has more seats than there are bots for it, or the schedule can't
            seat those that there are.
    """
    schedule = get_schedule(settings.schedule)
    if settings.challengers and not schedule.takes_challengers:
        raise SettingsError(
            f"the schedule {schedule.name} knows no challengers: choose another with --schedule, "
            "as `--schedule gauntlet`, or name no --challenger"
        )
    for variant in map(get_variant, settings.variants):
        playing = settings.who_plays(variant)
        lacking = variant.seats - len(playing)
        if lacking > 0:
            others = ", ".join([name for name in bots() if name not in playing])
            raise SettingsError(
                f"{variant.id} seats {variant.seats}, but only {len(playing)} of the bots play "
                f"{variant.game} ({', '.join(playing) or 'none'}): add {lacking} with --bot (a "
                f"file, a folder, or one of {others or 'none'}), let guests fill up with --fill, "
                "or choose other variants with --variant"
            )
        count_boards(schedule, settings.field(variant.id))


def check_hidden(settings: Settings, results: Path, site: Path | None = None) -> None:
    """Refuse bots whose own folder, which they may read when isolated, holds more than theirs.

    Raises:
        SettingsError: the results, the site, or another bot lie in the folder of a bot.
    """
    if settings.sandbox.level != "isolated":
        return
    places = [("results", "--results", results), ("site", "--publish", site)]
    for bot in settings.entrants:
        folder = Path(bot.folder)
        if bot.files:
            continue
        for what, option, place in places:
            if place and place.resolve().is_relative_to(folder):
                raise SettingsError(
                    f"the {what} would lie in the folder of {bot.name}, which may read all of it: "
                    f"choose another place with {option}"
                )
        for other in settings.entrants:
            inside = Path(other.folder).is_relative_to(folder)
            if inside and (other.files or other.folder != bot.folder):
                raise SettingsError(
                    f"{other.name} lies in the folder of {bot.name}, which may read all of it: "
                    "give each a folder of its own"
                )


def rounds_by_variant(settings: Settings) -> dict[str, int]:
    """Return how many rounds each variant plays: those asked for, rounded up to whole boards."""
    return {
        variant: whole_rounds(get_variant(variant).seats, settings.rounds)
        for variant in settings.variants
    }


def boards(settings: Settings) -> Iterator[Board]:
    """Yield the boards of a run in schedule order."""
    fields = [settings.field(variant) for variant in settings.variants]
    return plan(get_schedule(settings.schedule), fields, settings.rounds, settings.seed)


def games_by_variant(settings: Settings) -> dict[str, tuple[int, int]]:
    """Return, by variant, how many entrants play it and how many games they play."""
    schedule = get_schedule(settings.schedule)
    found = {}
    for variant, rounds in rounds_by_variant(settings).items():
        field = settings.field(variant)
        found[variant] = (len(field.entrants), count_boards(schedule, field) * rounds)
    return found


def count_games(settings: Settings) -> int:
    """Return the number of games of a run."""
    return sum([games for _, games in games_by_variant(settings).values()])


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
        key = key_of(
            variant.id,
            variant.rules_version,
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


class _Portion:
    """Some boards of the schedule, one after the other."""

    def __init__(self, games: Sequence[Game]) -> None:
        self.keys = [game.key for game in games]
        self.played: dict[str, Conduct] = {}

    @property
    def is_over(self) -> bool:
        return len(self.played) == len(self.keys)


class _Missing:
    """The games of a run that are not played yet, in batches, and their place in the schedule."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.withdrawals = Withdrawals()
        self._positions: dict[str, int] = {}  # by key, of the games that are under way
        self._under_way: dict[str, _Portion] = {}
        self._store = store
        self._settings = settings

    def batches(self, workers: int) -> Iterator[Batch | None]:
        """Yield batches: of a portion of the boards, missing games of one rotation each.

        There are at least as many for a portion as workers, as far as it has games. None stands for
        none just now: who plays in the next one depends on games that are under way.
        """
        done = 0
        schedule = boards(self._settings)
        size = FIRST_BOARDS
        uncounted: deque[_Portion] = deque()
        for number in count():
            some = list(islice(schedule, size))
            if not some:
                return
            size = min(2 * size, MOST_BOARDS)
            while number - len(uncounted) < portions_that_count(number):
                while not uncounted[0].is_over:
                    yield None
                self._count(uncounted.popleft())
            games = [game for board in some for game in games_of(board, self._settings)]
            portion = _Portion(games)
            uncounted.append(portion)
            for key, record in self._store.raw_records_of(portion.keys):
                portion.played[key] = conduct_in(record)
            by_rotation: dict[int, list[Game]] = {}
            for place, game in enumerate(games, done):
                if game.key not in portion.played:
                    self._positions[game.key] = place
                    self._under_way[game.key] = portion
                    by_rotation.setdefault(game.rotation, []).append(game)
            done += len(games)
            for games in by_rotation.values():
                parts = -(-workers // len(by_rotation))
                for part in range(min(parts, len(games))):
                    yield self._batch(games[part::parts])

    def _count(self, portion: _Portion) -> None:
        if not self._settings.withdrawal:
            return
        for key in portion.keys:
            self.withdrawals.count(portion.played[key])

    def _batch(self, games: Sequence[Game]) -> Batch:
        sitting = {name for game in games for name in game.entrants}
        entrants = [one for one in self._settings.entrants if one.name in sitting]
        reasons = self.withdrawals.reasons
        withdrawn = {name: reasons[name] for name in sorted(sitting) if name in reasons}
        settings = self._settings
        return Batch(tuple(games), tuple(entrants), settings.limits, settings.sandbox, withdrawn)

    def over(self, played: Played) -> int:
        """Note that a game is over, and return its place in the schedule."""
        conduct = conduct_in(bytes(played.record))
        self._under_way.pop(played.key).played[played.key] = conduct
        return self._positions.pop(played.key)


def play(
    store: Store, settings: Settings, executor: Executor, progress: Callable[[int], object]
) -> None:
    """Play the games of a run that are missing in its store.

    Args:
        store: where the records go, as they come.
        settings: those of the run.
        executor: who plays; the records do not depend on it.
        progress: called with the number of games that were added.

    Raises:
        RunStopped: somebody pressed Ctrl-C; what was played is kept.
    """
    missing = _Missing(store, settings)
    try:
        with executor:
            for played in executor.play(missing.batches(executor.width)):
                store.add(
                    [(one.key, missing.over(one), bytes(one.record), one.seen) for one in played]
                )
                progress(len(played))
    except KeyboardInterrupt:
        raise RunStopped(
            f"stopped after {store.count()} of {count_games(settings)} games"
        ) from None


def rank(store: Store, chosen: Sequence[str] = ()) -> RunLeaderboard:
    """Return the leaderboard of what a run has played, or of these of its variants only."""
    settings = store.settings(Settings)
    variants = _chosen(settings, chosen)
    names = _playing(settings, variants)
    board = leaderboard(store.records(), variants, names, settings.challengers)
    return RunLeaderboard(**msgspec.structs.asdict(board), sandbox=settings.sandbox)


def trace(store: Store, steps: int) -> list[RatingSnapshot]:
    """Return how the overall ratings of a run came about, in about so many steps."""
    settings = store.settings(Settings)
    variants = _chosen(settings, ())
    return rating_history(store.records(), variants, _playing(settings, variants), steps)


def _playing(settings: Settings, variants: Mapping[str, Variant]) -> list[str]:
    """Return the names of those who play any of the variants, in the order of the settings."""
    playing = {name for variant in variants.values() for name in settings.who_plays(variant)}
    return [entrant.name for entrant in settings.entrants if entrant.name in playing]


def compare(store: Store, chosen: Sequence[str] = ()) -> list[Pair]:
    """Return how the entrants of a run did against each other, as `rank` ranks them."""
    return pairs(store.records(), _chosen(store.settings(Settings), chosen))


def _chosen(settings: Settings, chosen: Sequence[str]) -> dict[str, Variant]:
    for variant in chosen:
        if variant not in settings.variants:
            raise SettingsError(
                f"the run has no {variant!r}; its variants are {', '.join(settings.variants)}"
            )
    return {one: get_variant(one) for one in settings.variants if one in chosen or not chosen}


def open_or_create(folder: Path, settings: Settings, notice: Callable[[str], object]) -> Store:
    """Return the store of a run with these settings, owned: a new one, or one to be gone on with.

    A run may have grown since: more rounds, variants or bots, and bots whose code has changed.
    Then its schedule is made anew; what it has in common with the old one is not played again.

    Args:
        folder: that of the run.
        settings: what it is to play.
        notice: called with a sentence for each thing that is not as it was.

    Raises:
        SettingsError: there is a run whose results these settings do not continue.
        StoreError: the folder cannot be used, or another process is playing the run.
    """
    if not (folder / DATABASE).is_file():
        return Store.create(folder, settings)
    store = Store.own(folder)
    try:
        before = store.settings(Settings)
        if others := list(_breaks(before, settings)):
            raise SettingsError(
                f"the run {folder.name} exists with other settings ({'; '.join(others)}): repeat "
                "it with its own, which may have grown, to go on with it, or choose another name "
                "with --name"
            )
        if before != settings:
            for change in _growth(before, settings):
                notice(change)
            keys = (game.key for game in scheduled_games(settings))
            # Who is withdrawn from which games is a matter of the schedule.
            without = [one.key for one in store.all_records() if _somebody_is_withdrawn(one)]
            if left_out := store.reschedule(settings, keys, without):
                notice(f"{left_out} games of former schedules are kept, but do not count")
    except BaseException:
        store.close()
        raise
    return store


def _somebody_is_withdrawn(record: GameRecord) -> bool:
    return any(fault.kind == "withdrawn" for fault in record.faults)


def _breaks(before: Settings, now: Settings) -> Iterator[str]:
    """Name what the run had and has no more, or has otherwise."""
    names = {entrant.name for entrant in now.entrants}
    regulars = [entrant.name for entrant in before.entrants if not entrant.guest]
    if gone := [name for name in regulars if name not in names]:
        yield f"without {', '.join(gone)}"
    if gone := [variant for variant in before.variants if variant not in now.variants]:
        yield f"without {', '.join(gone)}"
    if now.rounds < before.rounds:
        yield f"{now.rounds} rounds, not {before.rounds}"
    if before.seed != now.seed:
        yield f"seed {now.seed}, not {before.seed}"
    if before.schedule != now.schedule:
        yield f"schedule {now.schedule}, not {before.schedule}"
    if sorted(before.challengers) != sorted(now.challengers):
        yield f"challengers {_names(now.challengers)}, not {_names(before.challengers)}"
    if before.withdrawal != now.withdrawal:
        yield f"{_withdrawal(now)}, not {_withdrawal(before)}"
    if before.limits != now.limits:
        for name in Limits.__struct_fields__:
            was, is_now = getattr(before.limits, name), getattr(now.limits, name)
            if was != is_now:
                yield f"{name} {is_now}, not {was}"
    if before.sandbox.level != now.sandbox.level:
        yield f"--sandbox {now.sandbox.level}, not {before.sandbox.level}"
    if before.sandbox.bounds != now.sandbox.bounds:
        yield f"{_bounds_in_words(now.sandbox)}, not {_bounds_in_words(before.sandbox)}"


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _withdrawal(settings: Settings) -> str:
    return "withdrawal" if settings.withdrawal else "no withdrawal"


def _bounds_in_words(sandbox: SandboxSettings) -> str:
    bounds = sandbox.bounds
    return (
        f"{bounds.memory_mib} MiB of memory, {bounds.processes} processes and files of "
        f"{bounds.file_mib} MiB a bot"
    )


def _growth(before: Settings, now: Settings) -> Iterator[str]:
    """Say what is new, in a sentence each; in which order the bots were named is not."""
    known = {entrant.name: entrant.fingerprint for entrant in before.entrants}
    new = [entrant.name for entrant in now.entrants if entrant.name not in known]
    changed = [
        entrant.name
        for entrant in now.entrants
        if known.get(entrant.name, entrant.fingerprint) != entrant.fingerprint
    ]
    if new:
        yield f"new bots: {', '.join(new)}; so most boards have other players"
    if changed:
        yield f"bots whose code has changed: {', '.join(changed)}; their boards are played again"
    if before.variants != now.variants:
        yield f"variants: {', '.join(now.variants)}"
    if before.rounds != now.rounds:
        yield f"{now.rounds} rounds, formerly {before.rounds}"
