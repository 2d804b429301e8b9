"""Replay a fault by bringing the current bot to the same moment."""

import contextlib
import re
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec

from arena.base.atomic_file import read_struct
from arena.base.contracts import SandboxSettings
from arena.base.errors import FaultFileError
from arena.base.protocol import PROTOCOL, Bye, Detail, Fault, Hello, write
from arena.base.record import Entrant, Game
from arena.check.fault_file import FORMAT, FaultFile, FaultGame
from arena.check.session import LEAVE_GRACE_S, SessionPlan, fault_in, run_session, stay_in
from arena.match.referee import Ending, referee, start_game, start_message
from arena.match.seat_messages import SeatMessages
from arena.match.seats import ActionSource, Answer, Ask, Reply, Script
from arena.match.settings import MatchSettings
from engine import EngineError, State

_PLACE = re.compile(r"board (\d{1,9}) rotation (\d{1,3})$")


class Detour(NamedTuple):
    """A decision in which the bot's answer differs from the record."""

    move: int
    """From 0."""
    then: str
    now: str


class Replayed(NamedTuple):
    again: FaultFile | None
    """The bot's fault in the replay; None if it is fixed."""
    answer: str | None
    """The bot's answer at the moment of the fault; None if it did not get there."""
    asked: int
    """Number of earlier decisions it was asked for."""
    detours: tuple[tuple[str, Detour], ...]
    """Answers that differ from the record, each with the game's title."""


def replay_fault(
    file: FaultFile, entrant: Entrant, sandbox: SandboxSettings, *, leave_s: float = LEAVE_GRACE_S
) -> Replayed:
    """Ask a bot everything again up to the fault, and return what it did.

    The recorded actions are played whatever the bot answers, so that it reaches the same moment.
    A bot that remembers its own answers may therefore remember things that did not happen.

    Raises:
        FaultFileError: this version of the arena cannot play the games of the file.
        SandboxError: the sandbox does not work.
    """
    games = [_game(game, number, entrant.name) for number, game in enumerate(file.games)]
    retraces = [Retrace(game.seat, game.actions) for game in file.games]
    others = {name for game in games for name in game.entrants if name != entrant.name}
    session = run_session(
        SessionPlan(
            entrant,
            games,
            MatchSettings(file.limits, sandbox, file.tables, always_charge=True),
            dict.fromkeys(others, Script(_never_asked)),
            leave_s,
            {game.key: retrace.referee for game, retrace in zip(games, retraces, strict=True)},
        )
    )
    again = fault_in(session)
    if again is None and file.fault.kind == "stays":
        again = stay_in(session)
    return Replayed(
        again,
        retraces[file.faulty].answer if retraces else None,
        sum([retrace.asked for retrace in retraces]),
        tuple(
            [
                (game.title, detour)
                for game, retrace in zip(file.games, retraces, strict=True)
                for detour in retrace.detours
            ]
        ),
    )


class Retrace(ActionSource):
    """Plays a game's recorded actions, and asks one seat for a new answer where they end."""

    def __init__(self, seat: int, actions: Sequence[str]) -> None:
        """`actions` has the actions of all seats. Only `seat` is asked."""
        self._seat = seat
        self._actions = actions
        self.detours: list[Detour] = []
        """Answers on the way that differ from the record."""
        self.asked = 0
        """Number of decisions asked on the way."""
        self.answer: str | None = None
        """The legal action answered where the recorded actions end."""

    def referee(self, state: State) -> Generator[Ask, Answer, Ending]:
        """Return a referee that follows the record.

        After the recorded actions, and after a fault, no seat is asked any more: the game is
        finished with first legal actions.

        Raises:
            IllegalAction: the actions do not belong to a game from this state.
        """
        # A game begins again where a process has broken.
        self.detours, self.asked, self.answer = [], 0, None
        return referee(state, self)

    def asks(self, seat: int, move: int) -> bool:
        """Return whether `seat` is to be asked and the record has not ended before."""
        return seat == self._seat and move <= len(self._actions)

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        """Return the recorded action, or the first legal one after the end of the record."""
        then = self._actions[move] if move < len(self._actions) else None
        self.asked += answer is not None and then is not None
        if answer is not None and not isinstance(answer, Fault):
            if then is None:
                self.answer = answer.action
            elif answer.action != then:
                self.detours.append(Detour(move, then, answer.action))
        return legal[0] if then is None else then


def sent_lines(file: FaultFile) -> list[bytes]:
    """Return the lines sent to the bot in the game of the fault, up to that moment.

    Views have the detail of the last line that asked the bot, or full detail if that is unknown.
    The remaining time in banks is unknown too, so those clocks do not run.

    Raises:
        FaultFileError: this version of the arena cannot play the game.
    """
    hello = write(Hello(PROTOCOL, file.arena, file.bot.name, file.limits))
    if not file.games:
        return [hello]
    game = file.games[file.faulty]
    _game(game, 0, file.bot.name)
    variant = start_game(game.variant, game.deal).variant
    start = start_message(variant, game.seat, game.seed, table=1)
    by_detail = [_sent_turns(file, game, detail) for detail in get_args(Detail)]
    asked = _content(file.evidence.asked.encode())
    exact = [turns for turns in by_detail if turns and _content(turns[-1]) == asked]
    bye = [write(Bye())] if file.fault.kind == "stays" else []
    return [hello, write(start), *(exact or by_detail)[0], *bye]


def _sent_turns(file: FaultFile, game: FaultGame, detail: Detail) -> list[bytes]:
    has_worlds = '"world":' in file.evidence.asked  # others are drawn: the file has no secrets
    messages = SeatMessages(1, detail, file.limits, worlds=has_worlds)
    refereeing = Retrace(game.seat, game.actions).referee(start_game(game.variant, game.deal))
    lines: list[bytes] = []
    with contextlib.suppress(StopIteration):
        asked = next(refereeing)
        while True:
            lines.append(messages.line(asked))
            asked = refereeing.send(Reply(asked.legal[0]))
    return lines


def _content(line: bytes) -> object:
    try:
        fields = msgspec.json.decode(line or b"{}", type=dict[str, object])
    except msgspec.DecodeError:
        return None
    return {name: fields[name] for name in fields if name not in ("table", "clock_ms", "world")}


def _game(game: FaultGame, number: int, name: str) -> Game:
    try:
        state = start_game(game.variant, game.deal)
        variant = state.variant
        if game.rules_version != variant.rules_version:
            raise FaultFileError(
                f"{game.title} was played by version {game.rules_version} of the rules; here is "
                f"version {variant.rules_version}"
            )
        if game.seat >= variant.seats:
            raise FaultFileError(f"{game.title} has {variant.seats} seats, none is {game.seat}")
        for action in game.actions:
            state.apply(action)
        if state.seat_to_act not in (None, game.seat):
            raise FaultFileError(f"{game.title} does not end where it is the bot's turn")
    except (EngineError, ValueError, RecursionError) as error:
        raise FaultFileError(f"{game.title} cannot be played again: {error}") from None
    names = [f"seat {seat}" for seat in range(variant.seats)]
    names[game.seat] = name
    place = _PLACE.search(game.title)  # so that the report names the same game
    return Game(
        key=f"{number}",
        variant=variant.id,
        board=int(place[1]) if place else number + 1,
        rotation=int(place[2]) if place else 0,
        deal=game.deal,
        entrants=tuple(names),
        seeds=(game.seed,) * variant.seats,
    )


def _never_asked(asked: Ask) -> Reply:
    raise AssertionError("only the bot is asked")


def read_fault(path: Path) -> FaultFile:
    """Return the content of a fault file.

    Raises:
        FaultFileError: it cannot be read, or is not a fault file.
    """
    expected = f"a fault file of format {FORMAT}, as `arena check` or `arena logs --save` writes it"
    return read_struct(path, FaultFile, expected, FaultFileError)
