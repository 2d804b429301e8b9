"""The base class of bots in Python, and what a bot announces before its first game.

A bot must import this module before it is ready. To keep that fast, the module imports nothing,
not even `typing`; message types exist only for type checkers.
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
"""Exit code of a bot that cannot play for an external reason, as in `sysexits.h`."""


class Bot:
    """A player of one game. The SDK creates an object of your class for each game.

    Only `act` is required.
    """

    name: ClassVar[str] = ""
    """The name the bot gives itself. Runs and tables use the name of its folder or file instead."""
    author: ClassVar[str] = ""
    """The author shown in tables."""
    games: ClassVar[Sequence[str]] = ()
    """Games that the bot plays, such as `pot-de-vin`. Empty means all."""
    view_type: ClassVar[Any] = dict
    """The type of views: a dict, or a game's view Struct for typed attributes."""

    detail: ClassVar[Detail] = "full"
    """How much of each view the referee sends.

    `brief` gives the same view with less to read, but the bot must not modify it. `none` is the
    fastest: the view passed to `act` is None."""

    worlds: ClassVar[bool] = False
    """Whether the referee sends a world with each turn, available as `self.world`. Such a bot can't
    play variants without worlds."""

    tensors: ClassVar[bool] = False
    """Whether the referee sends what the bot sees as numbers, available as `self.tensor`."""

    table: Start
    """The table, with its `variant`, `seat`, `seats` and `teams`."""
    rng: random.Random
    """A random generator. A bot that uses no other one plays reproducibly."""
    clock_ms: int = 0
    """Processor time for the current action in milliseconds, as measured by `time.process_time`."""
    idle_ms: int = 0
    """How long the bot may wait for another machine, in milliseconds; 0 if unknown."""
    world: State
    """A state that agrees with everything the bot's seat knows, with the rest drawn at random.

    Only with `worlds = True`. Get more of them with `self.world.determinize(seat, rng)`."""
    tensor: Sequence[float]
    """What the bot's seat sees, as numbers. Only with `tensors = True`."""
    note: str = ""
    """A remark on the current action to keep in the record. Set it in `act`."""
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
    """Return a bot's `ready` message, its answer to `hello`, as a line."""
    games = ",".join([_as_json(game) for game in bot_class.games])
    worlds = "true" if bot_class.worlds else "false"
    tensor = "true" if bot_class.tensors else "false"
    return (
        f'{{"type":"ready","protocol":1,"name":{_as_json(bot_class.name)},'
        f'"author":{_as_json(bot_class.author)},"games":[{games}],'
        f'"detail":{_as_json(bot_class.detail)},"worlds":{worlds},"tensor":{tensor}}}\n'
    ).encode()


def _as_json(text: str) -> str:
    if isinstance(text, str) and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    import json  # not above: few names need it, and it takes as long as the rest of the SDK

    return json.dumps(text)
