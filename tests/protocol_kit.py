"""The talks of `examples/protocol-kit`: `python -m tests.protocol_kit` writes them again."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from arena.base.protocol import (
    Bye,
    End,
    Hello,
    Limits,
    Message,
    SeatFault,
    Start,
    Turn,
    encode,
    raw,
)
from engine import State, Variant, get_variant

KIT = Path(__file__).parents[1] / "examples" / "protocol-kit"
VARIANTS = ("bribery/3", "brides-and-bribes/3", "pot-de-vin/3")
HELLO = Hello(1, "0.2.0", "kit", Limits())
FAULT = SeatFault(0, 3, "timeout", "no answer within 2000 ms")


def to_the_bot(message: Message, **unknown: object) -> str:
    """Return the line of a talk that sends a message, with fields that the protocol has not."""
    line = encode(message).decode()
    if unknown:
        line = json.dumps(json.loads(line) | unknown, separators=(",", ":"), ensure_ascii=False)
    return f"> {line}"


class Table:
    """A game at which the bot has a choice, and what it hears of it."""

    def __init__(self, variant: Variant, number: int) -> None:
        self._number, self._variant = number, variant
        rng = random.Random(number)
        self._state: State = variant.start(variant.deal(rng))
        while len(self._state.legal_actions()) < 2:
            self._state.apply(rng.choice(self._state.legal_actions()))
        seat = self._state.seat_to_act
        assert seat is not None
        self._seat = seat

    def start(self) -> Start:
        """Return the message at the beginning of the game."""
        variant = self._variant
        place = (self._seat, variant.seats, variant.teams, 7)
        return Start(self._number, variant.game, variant.id, *place)

    def turn(self) -> Turn:
        """Return the message that asks for the first decision."""
        state, seat = self._state, self._seat
        view, events = raw(state.view(seat)), raw(state.events(seat, since=0))
        return Turn(self._number, 1, view, events, state.legal_actions(), 2000)

    def end(self, *faults: SeatFault) -> End:
        """Return the message at the end, after random actions of all seats."""
        state, rng = self._state.clone(), random.Random(self._number)
        while state.seat_to_act is not None:
            state.apply(rng.choice(state.legal_actions()))
        outcome = state.outcome()
        return End(self._number, outcome.points, outcome.ranks, faults)


def talks(variant: Variant) -> Iterator[tuple[str, list[str]]]:
    """Yield the talks of a game: the name of each, and its lines."""
    first, other = Table(variant, 1), Table(variant, 2)
    hello, bye = [to_the_bot(HELLO), "< ready"], [to_the_bot(Bye()), "exit"]
    start, turn, act = to_the_bot(first.start()), to_the_bot(first.turn()), "< act table=1 turn=1"
    end = to_the_bot(first.end())
    yield "1-hello-and-bye", [*hello, *bye]
    yield "2-a-game", [*hello, start, turn, act, end, *bye]
    yield "3-the-end-of-the-input", [*hello, start, turn, act, "exit"]
    yield (
        "4-two-tables-at-once",
        [
            *(*hello, start, to_the_bot(other.start()), to_the_bot(other.turn()), turn),
            *("< act table=2 turn=1", act, end, to_the_bot(other.end()), *bye),
        ],
    )
    yield (
        "5-unknown-fields",
        [
            *(to_the_bot(HELLO, later=[1, {"a": "ä"}]), "< ready"),
            *(to_the_bot(first.start(), mood="good"), to_the_bot(first.turn(), hint=None), act),
            *(to_the_bot(first.end(), prize=1.5), *bye),
        ],
    )
    yield "6-a-game-with-a-fault", [*hello, start, to_the_bot(first.end(FAULT)), *bye]


def files() -> Iterator[tuple[Path, str]]:
    """Yield the files of the talks, each with its text."""
    for name in VARIANTS:
        variant = get_variant(name)
        for talk, lines in talks(variant):
            yield KIT / variant.game / f"{talk}.txt", "\n".join([*lines, ""])


if __name__ == "__main__":
    for path, text in files():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
