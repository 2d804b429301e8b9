"""Talks with a bot of the SDK, in memory."""

from collections.abc import Sequence
from typing import Any

from arena.base.protocol import (
    Act,
    End,
    FromBot,
    Hello,
    Limits,
    Message,
    SeatFault,
    Start,
    Turn,
    raw,
    read_from_bot,
    write,
)
from arena.bot import Bot, play

HELLO = Hello(1, "0.1.0", "entered-as", Limits())


def start(table: int, seat: int = 0, seed: int = 1) -> Start:
    return Start(table, "high-card", "high-card/3", seat, 3, None, seed)


def turn(table: int, number: int, legal: Sequence[str] = ("a", "b", "c"), view: Any = None) -> Turn:
    events = [{"event": "asked", "turn": number}]
    return Turn(table, number, raw(view or {"hand": [1, 2]}), raw(events), list(legal), 2000)


def end(table: int) -> End:
    return End(table, (1, 2, 3), (3, 2, 1), (SeatFault(0, 1, "illegal", "no"),))


def talk(bot_class: type[Bot], *messages: Message) -> list[FromBot]:
    """Return what a bot answers when it hears these."""
    message: list[FromBot] = []
    play(bot_class, map(write, messages), lambda line: message.append(read_from_bot(line)))
    return message


def actions(replies: Sequence[FromBot]) -> list[str]:
    return [reply.action for reply in replies if isinstance(reply, Act)]


class Draws(Bot):
    def act(self, view: Any, legal: list[str]) -> str:
        return self.rng.choice(legal)
