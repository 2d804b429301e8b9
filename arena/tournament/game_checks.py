"""Checks of the games of a run against its settings: schedule, keys, withdrawals."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import msgspec

from arena.record import Game, GameRecord, as_game, key_of
from arena.schedule.chance import Chance
from arena.tournament.backlog import ScheduledPortion, portions, portions_of
from arena.tournament.data_differences import shown
from arena.tournament.settings import Settings
from arena.tournament.verify import Difference, verify
from arena.tournament.withdrawal import Conduct, WithdrawalCourse
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
        self._portions = None if chance is None else list(portions(settings, chance))
        self._scheduled = {
            game.key: (position, game)
            for some in self._portions or ()
            for position, game in enumerate(some.games, some.first)
        }
        self._boards: dict[tuple[str, int], GameRecord] = {}
        """The first game of each board. Only used without a schedule."""
        self._conducts: dict[str, Conduct] = {}
        """By key, in the order of the games."""
        self._games: list[Game] = []
        """Only used without a schedule."""
        self._last = -1

    def check(self, record: GameRecord, position: int | None) -> Iterator[Difference]:
        """Yield the differences of a game.

        Args:
            record: the game.
            position: its position in the schedule, as stored. None if only the order of the games
                says it.
        """
        yield from verify(record)
        if record.key in self._conducts:
            yield Difference(record.title, None, "the game occurs twice")
            return
        self._conducts[record.key] = Conduct(record.entrants, record.faults)
        if unknown := self._unknown(record):
            yield Difference(record.title, None, unknown)
        elif self._portions is not None:
            yield from self._check_schedule(record, position)
        else:
            yield from self._check_board(record)

    def has(self, record: GameRecord) -> bool:
        """Return whether a game with this key has been checked."""
        return record.key in self._conducts

    def fits_leaderboard(self, record: GameRecord) -> bool:
        """Return whether a leaderboard can be computed from a checked record, right or wrong."""
        if self._unknown(record):
            return False
        place: Game | GameRecord = self._boards.get((record.variant, record.board), record)
        if self._portions is not None:
            if record.key not in self._scheduled:
                return False
            _, place = self._scheduled[record.key]
        seats = len(record.entrants)
        return (
            (place.variant, place.board) == (record.variant, record.board)
            and _places(place) == _places(record)
            and len({*record.entrants}) == len(record.points) == len(record.ranks) == seats
            and all(0 <= fault.seat < seats for fault in record.faults)
        )

    def missing(self) -> Iterator[Difference]:
        """Yield a difference for each scheduled game that has not been checked."""
        for key, (_, game) in self._scheduled.items():
            if key not in self._conducts:
                title = f"{game.variant} board {game.board} rotation {game.rotation}"
                yield Difference(title, None, "the game is missing")

    def withdrawals(self) -> Iterator[Difference]:
        """Yield the games with other withdrawn bots than follow from the games before.

        After a missing game, the withdrawals are not known and not checked.
        """
        some_portions: Iterable[ScheduledPortion]
        if self._portions is None:
            boards = groupby(self._games, key=lambda game: (game.variant, game.board))
            some_portions = portions_of(
                ([*games] for _, games in boards), self._settings.sizes.after
            )
        else:
            some_portions = self._portions
        course = WithdrawalCourse(self._settings.withdrawal)
        for some in some_portions:
            if not course.advance():
                return
            course.begin(some.portion)
            yield from self._check_withdrawn(some, course)

    def _check_withdrawn(
        self, some: ScheduledPortion, course: WithdrawalCourse
    ) -> Iterator[Difference]:
        for game in some.games:
            if (conduct := self._conducts.get(game.key)) is None:
                continue
            some.portion.conducts[game.key] = conduct
            got, expected = conduct.withdrawn, course.withdrawn(conduct.entrants)
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
        if record.key not in self._scheduled:
            text = f"key: got {shown(record.key)}, expected one of the schedule"
            yield Difference(record.title, None, text)
            return
        expected, game = self._scheduled[record.key]
        for field in SCHEDULED_FIELDS:
            got, scheduled = (_as_json(getattr(one, field)) for one in (record, game))
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
        if _places(first) != _places(record):
            text = f"entrants: got other ones than in rotation {first.rotation} of the board"
            yield Difference(record.title, None, text)


def _places(record: Game | GameRecord) -> Sequence[str]:
    """Return the entrants of the board of a game, by place."""
    seats = len(record.entrants)
    return [record.entrants[(place + record.rotation) % seats] for place in range(seats)]


def _reasons(withdrawn: dict[str, str]) -> str:
    return shown("; ".join([f"{name} ({why})" for name, why in withdrawn.items()]) or "none")


def _as_json(value: object) -> bytes:
    """Return a value as JSON, since the deal of a record is JSON already."""
    return msgspec.json.encode(value)
