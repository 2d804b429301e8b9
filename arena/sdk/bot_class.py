"""The class of a bot in Python, and what it says of itself before its first game.

A bot has to import this module before it is ready. So it imports nothing, not even `typing`, and
messages have types only for type checkers.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing it takes a third of the start of a bot
if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence
    from typing import Any, ClassVar

    from arena.base.protocol import Detail, End, Start
    from engine import State


UNAVAILABLE = 69
"""The exit code of a bot that cannot play for a reason outside it, as in `sysexits.h`."""


class Bot:
    """A player of one game. The SDK makes an object of your class for each game.

    Only `act` is required.
    """

    name: ClassVar[str] = ""
    """The name that the bot gives itself; runs and tables use that of its folder or file."""
    author: ClassVar[str] = ""
    """Who has written it, for the tables."""
    games: ClassVar[Sequence[str]] = ()
    """The games that the bot plays, such as `pot-de-vin`. Empty means all."""
    view_type: ClassVar[Any] = dict
    """The type of views: a dict, or the view Struct of a game for typed attributes."""

    detail: ClassVar[Detail] = "full"
    """The part of each view that the referee sends.

    `brief` gives the same view with less to read, but the bot must not change it. `none` is the
    fastest: `act` then gets None as view.
    """

    worlds: ClassVar[bool] = False
    """Whether the referee sends a world with each turn, which is then `self.world`."""

    table: Start
    """The table: its `variant`, `seat`, `seats`, `teams`."""
    rng: random.Random
    """A random generator. A bot that uses no other one plays the same game the same way."""
    clock_ms: int = 0
    """The processor time for the current action, as `time.process_time` measures it."""
    idle_ms: int = 0
    """The time for which the bot may wait for another machine; 0 if it is not known."""
    world: State
    """A state that agrees with all that the bot's seat knows, with the rest drawn at random.

    Only with `worlds = True`. More of them are `self.world.determinize(seat, rng)`.
    """
    note: str = ""
    """A remark on the current action, kept in the record. Set it in `act`."""
    _last_view: Mapping[str, Any] | None = None  # the view that a brief view changes

    def __init_subclass__(cls) -> None:
        if isinstance(cls.games, str):
            raise TypeError(
                f"{cls.__name__}.games is the text {cls.games!r}, expected a tuple: write "
                f"games = ({cls.games!r},) with a comma"
            )

    def start(self, table: Start) -> None:
        """Handle the start of the game."""

    def events(self, events: list[Any]) -> None:
        """Handle the events since the last turn. Called before `act`."""

    def act(self, view: Any, legal: list[str]) -> str:
        """Return one of the legal actions."""
        raise NotImplementedError(f"{type(self).__name__} has no method `act(self, view, legal)`")

    def end(self, result: End) -> None:
        """Handle the end of the game."""


def ready_line(bot_class: type[Bot]) -> bytes:
    """Return the line of the message `ready` of a bot: its answer to `hello`."""
    games = ",".join([_as_json(game) for game in bot_class.games])
    worlds = ',"worlds":true' if bot_class.worlds else ""
    return (
        f'{{"type":"ready","protocol":1,"name":{_as_json(bot_class.name)},'
        f'"author":{_as_json(bot_class.author)},"games":[{games}],'
        f'"detail":{_as_json(bot_class.detail)}{worlds}}}\n'
    ).encode()


def _as_json(text: str) -> str:
    if isinstance(text, str) and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    import json  # not above: few names need it, and it takes as long as the rest of the SDK

    return json.dumps(text)
