"""A server whose processes take turns in this process and play random games."""

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from limits import RateLimitItemPerSecond

from arena.base.contracts import Batch, ExecutorKind
from arena.base.errors import SubmissionError
from arena.base.record import Entrant, Game, GameRecord
from arena.contest import reader
from arena.plugins import hookimpl
from tests.arena.runs import Crew, play_with_faults

STUDENTS = ("ann", "ben", "cat")
HOUR = 3600.0
ANY_RATE = RateLimitItemPerSecond(10**9)
BAD = "# bad"
CODES = [f"# version {number}\n" for number in range(3)] + [f"{BAD}\n"]
EDITS = {
    "a mistake": ("rounds = ", "rounds = = "),
    "another seed": ("seed = 5", "seed = 6"),
    "more rounds": ("rounds = 1", "rounds = 2"),
    "no such bot": ('"random"', '"nobody"'),
    "another variant": ("pot-de-vin/3", "pot-de-vin/4"),
    "no guests": ("fill = true", "fill = false"),
    "a weak sandbox": ("accepted_risk", "# accepted_risk"),
    "no final": ("[serve]\n", "[serve]\nfinal = false\n"),
    "pseudonyms": ("[serve]\n", "[serve]\npseudonyms = true\n"),
}
"""Changes that someone makes to the contest file while the server runs."""
UNREADABLE = {"a mistake", "no such bot"}
HOLDS_UP = UNREADABLE | {"a weak sandbox"}
"""Changes with which the server doesn't start and prints an error."""


class Killed(BaseException):
    """Simulates that the process is killed."""


@dataclass
class Known:
    """The true state of a student, which pages, logs and runs must show."""

    is_removed: bool = False
    due: float = 0.0
    """The extended deadline, or 0."""
    waiting: list[tuple[int, str, float]] = field(default_factory=list)
    """The id, code and upload time of each submission without a verdict."""
    versions: list[str] = field(default_factory=list)
    """The code of each accepted version."""
    received: list[float] = field(default_factory=list)
    """The upload time of each accepted version."""
    verdicts: dict[int, str] = field(default_factory=dict)

    def judge(self, number: int, code: str, received: float) -> None:
        verdict = "refused" if BAD in code else "accepted"
        if self.versions[-1:] == [code]:
            verdict = "unchanged"
        elif verdict == "accepted":
            self.versions.append(code)
            self.received.append(received)
        self.verdicts[number] = verdict


class Dice(Crew):
    """Plays random games in this process until it is killed or stopped."""

    left = -1
    """Number of games to play before `ending` is raised. -1 means no limit."""
    ending: BaseException = Killed()

    def play_game(self, game: Game, batch: Batch) -> GameRecord:
        if Dice.left == 0:
            Dice.left = -1
            raise Dice.ending
        Dice.left -= 1
        return play_with_faults(game, {})


class Player:
    @hookimpl
    def register_executors(self) -> Sequence[ExecutorKind]:
        return [ExecutorKind("dice", "plays by dice", lambda *_: Dice())]


def check_here(*_: Any) -> Callable[[Entrant], None]:
    """Return a check that doesn't start the bot."""

    def check(bot: Entrant) -> None:
        if BAD in "".join([path.read_text() for path in Path(bot.folder).rglob("*.py")]):
            raise SubmissionError("it is bad")

    return check


def read_here(request: reader.Request) -> reader.Answer:
    return reader.answer(pkgutil.resolve_name(request.function), request)


def shown(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
