"""Checks of the games of a run against its settings: schedule, keys, withdrawals."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice

import msgspec

from arena.rating.certainty import CertaintyCourse
from arena.record import Game, GameRecord, GameResult, as_game, key_of, result_of
from arena.schedule.chance import Chance
from arena.tournament.data_differences import shown
from arena.tournament.known_schedule import KnownSchedule
from arena.tournament.portions import (
    BoardGames,
    ScheduledPortion,
    certainty_courses,
    portions_of,
    portions_until_certain,
)
from arena.tournament.settings import Settings
from arena.tournament.verify import Difference, verify
from arena.tournament.withdrawal import WithdrawalCourse
from engine import get_variant

SCHEDULED_FIELDS = ("variant", "board", "rotation", "entrants", "seeds", "deal")


class GameChecks:
    """Checks games one after the other, then what they have in common."""

    def __init__(self, settings: Settings, chance: Chance | None) -> None:
        """Prepare checks of the games of a run.

        Args:
            settings: the settings of the run, at least what is public of them.
            chance: the chance of the run. Without it, the schedule and the deals are not known:
                keys and boards are checked instead.
        """
        self._settings = settings
        self._fingerprints = {one.name: one.fingerprint for one in settings.entrants}
        self._schedule = KnownSchedule(settings, chance) if chance else None
        self._boards: dict[tuple[str, int], GameRecord] = {}
        """The first game of each board. Only used without a schedule."""
        self._results: dict[str, GameResult] = {}
        """By key, in the order of the games."""
        self._games: list[Game] = []
        """Only used without a schedule."""
        self._last = -1
        self._is_sound = True
        """Whether the results of all games can be used."""
        self._is_lost = False
        """Whether it is not known what the schedule is at this game."""

    def check(self, record: GameRecord, position: int | None) -> Iterator[Difference]:
        """Yield the differences of a game.

        Args:
            record: the game.
            position: its position in the schedule, as stored. None if only the order of the games
                says it.
        """
        yield from verify(record)
        if record.key in self._results:
            yield Difference(record.title, None, "the game occurs twice")
            return
        self._results[record.key] = result = result_of(record)
        if unknown := self._unknown(record):
            yield Difference(record.title, None, unknown)
        elif self._schedule is None:
            yield from self._check_board(record)
        elif self._schedule.find(record.key) is None:
            yield from self._check_unscheduled(record)
        else:
            yield from self._check_schedule(record, position)
        if not self.fits_leaderboard(record):
            self._is_sound = False
        elif self._schedule:
            self._schedule.note(record.key, result)

    def has(self, record: GameRecord) -> bool:
        """Return whether a game with this key has been checked."""
        return record.key in self._results

    def fits_leaderboard(self, record: GameRecord) -> bool:
        """Return whether a leaderboard can be computed from a record, right or wrong."""
        if self._unknown(record):
            return False
        place: Game | GameRecord = self._boards.get((record.variant, record.board), record)
        if self._schedule is not None:
            if (scheduled := self._schedule.find(record.key)) is None:
                return False
            place = scheduled.game
        seats = len(record.entrants)
        return (
            (place.variant, place.board) == (record.variant, record.board)
            and places(place) == places(record)
            and len({*record.entrants}) == len(record.points) == len(record.ranks) == seats
            and record.win_weight > 0
            and all(0 <= fault.seat < seats for fault in record.faults)
        )

    def missing(self) -> Iterator[Difference]:
        """Yield a difference for each scheduled game that has not been checked."""
        for game in self._schedule.games() if self._schedule else ():
            if game.key not in self._results:
                title = f"{game.variant} board {game.board} rotation {game.rotation}"
                yield Difference(title, None, "the game is missing")

    def withdrawals(self) -> Iterator[Difference]:
        """Yield the games with other withdrawn bots than follow from the games before.

        After a missing game, the withdrawals are not known and not checked.
        """
        course = WithdrawalCourse(self._settings.withdrawal)
        for some in self._schedule.portions if self._schedule else self._recorded_portions():
            if some is None or not course.advance():
                return
            course.begin(some.portion)
            yield from self._check_withdrawn(some, course)

    def _recorded_portions(self) -> Iterator[ScheduledPortion | None]:
        """Yield the portions of the checked games, without a schedule."""
        boards = [[*games] for _, games in groupby(self._games, key=_board_of)]
        courses = certainty_courses(self._settings)
        if not courses:
            return portions_of(boards, self._settings.sizes.after)
        if not self._is_sound:  # so the portions are not known
            return iter(())
        takes = {
            variant: _taker([games for games in boards if games[0].variant == variant])
            for variant in courses
        }
        return portions_until_certain(takes, courses)

    def _check_withdrawn(
        self, some: ScheduledPortion, course: WithdrawalCourse
    ) -> Iterator[Difference]:
        for game in some.games:
            if (result := self._results.get(game.key)) is None:
                continue
            some.portion.results[game.key] = result
            got, expected = result.withdrawn, course.withdrawn(result.entrants)
            if got != expected:
                title = f"{game.variant} board {game.board} rotation {game.rotation}"
                text = f"withdrawn bots: got {_reasons(got)}, expected {_reasons(expected)}"
                yield Difference(title, None, text)

    def _unknown(self, record: GameRecord) -> str:
        """Return what of a record the run does not have, or an empty text."""
        if record.variant not in self._settings.variants:
            return f"variant: got {record.variant!r}, expected one of the run"
        seats = get_variant(record.variant).seats
        if len(record.entrants) != seats or not 0 <= record.rotation < seats:
            return f"expected {seats} entrants and a rotation below that"
        if names := [name for name in record.entrants if name not in self._fingerprints]:
            return f"entrants: got {names[0]!r}, expected a bot of the run"
        return ""

    def _check_schedule(self, record: GameRecord, position: int | None) -> Iterator[Difference]:
        found = self._schedule and self._schedule.find(record.key)
        assert found, "the game is in the schedule"
        expected = found.position
        for field in SCHEDULED_FIELDS:
            got, scheduled = (_as_json(getattr(one, field)) for one in (record, found.game))
            if got != scheduled:
                text = f"{field}: got {shown(got.decode())}, expected {shown(scheduled.decode())}"
                yield Difference(record.title, None, text)
        if position is None and expected < self._last:
            text = "the game is not in schedule order: it comes after a later one"
            yield Difference(record.title, None, text)
        elif position not in (None, expected):
            text = f"position: got {position}, expected {expected}"
            yield Difference(record.title, None, text)
        self._last = expected

    def _check_unscheduled(self, record: GameRecord) -> Iterator[Difference]:
        """Yield what is wrong with a game whose key is not in the schedule, as far as is known."""
        assert self._schedule
        if self._schedule.is_whole:
            text = f"key: got {shown(record.key)}, expected one of the schedule"
            yield Difference(record.title, None, text)
        elif not self._is_lost:
            self._is_lost = True
            text = (
                f"key: got {shown(record.key)}, expected a game that is missing before it; later "
                "games depend on that one, and are not compared with the schedule"
            )
            yield Difference(record.title, None, text)

    def _check_board(self, record: GameRecord) -> Iterator[Difference]:
        """Yield what differs from the key, and from the first game of the board."""
        self._games.append(as_game(record))
        bots = tuple([(name, self._fingerprints[name]) for name in record.entrants])
        variant = get_variant(record.variant)
        key = key_of(variant, record.board, record.deal, self._settings.limits, bots)
        if record.key != key:
            yield Difference(
                record.title, None, f"key: got {shown(record.key)}, expected {key} for this deal"
            )
        first = self._boards.setdefault((record.variant, record.board), record)
        if _as_json(first.deal) != _as_json(record.deal):
            text = f"deal: got another one than in rotation {first.rotation} of the board"
            yield Difference(record.title, None, text)
        if places(first) != places(record):
            text = f"entrants: got other ones than in rotation {first.rotation} of the board"
            yield Difference(record.title, None, text)


def _taker(boards: Iterable[BoardGames]) -> Callable[[CertaintyCourse], list[BoardGames]]:
    """Return what takes the boards of the current portion of a course from `boards`."""
    coming = iter(boards)
    return lambda course: list(islice(coming, course.portion_boards))


def _board_of(game: Game) -> tuple[str, int]:
    return (game.variant, game.board)


def places(record: Game | GameRecord) -> Sequence[str]:
    """Return the entrants of the board of a game, by place."""
    seats = len(record.entrants)
    return [record.entrants[(place + record.rotation) % seats] for place in range(seats)]


def _reasons(withdrawn: dict[str, str]) -> str:
    return shown("; ".join([f"{name} ({why})" for name, why in withdrawn.items()]) or "none")


def _as_json(value: object) -> bytes:
    """Return a value as JSON, since the deal of a record is JSON already."""
    return msgspec.json.encode(value)
