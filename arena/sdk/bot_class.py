"""The base class of Python bots.

Every bot imports this module when it starts. To keep startup fast, the module imports nothing,
not even `typing`. Only type checkers import the message types.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing it would take a third of a bot's start time
if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from typing import Any, ClassVar

    from arena.base.protocol import Detail, End, Start
    from engine import State


UNAVAILABLE = 69
"""Exit code of a bot that can't play for an external reason (`EX_UNAVAILABLE` in `sysexits.h`)."""


class Bot:
    """A player in a single game. The SDK creates a new instance of your class for every game.

    Your class must implement the method `act`. You can override other methods and attributes if
    you need them.
    """

    name: ClassVar[str] = ""
    """The name that the bot reports to the referee. Leaderboards show the file or folder name."""
    author: ClassVar[str] = ""
    """The author's name, which is shown on leaderboards."""
    games: ClassVar[Sequence[str]] = ()
    """The games that the bot can play, such as `pot-de-vin`. By default, the bot plays all games.
    """
    view_type: ClassVar[Any] = dict
    """Set `view_type` to a game's view class to receive views as typed objects instead of dicts."""

    detail: ClassVar[Detail] = "full"
    """Set `detail` to `"none"` to receive None instead of views. Games without views are faster."""

    worlds: ClassVar[bool] = False
    """Set `worlds` to True to receive a random game state as `self.world` each turn. Bots with
    `worlds = True` can only play variants that support random game states."""

    tensors: ClassVar[bool] = False
    """Set `tensors` to True to receive each turn's view as a list of numbers in `self.tensor`."""

    table: Start
    """The game's `variant` and `teams`, the bot's own `seat`, and the number of `seats`."""
    rng: random.Random
    """A seeded random generator. Use this generator for all random choices to make the bot's play
    reproducible."""
    clock_ms: int = 0
    """Processor time limit of the current action in milliseconds. Measure it with
    `time.process_time`."""
    idle_ms: int = 0
    """Idle time limit per action in milliseconds, or 0 if unknown. Waiting for a server is idle
    time."""
    world: State
    """A complete game state in which hidden information is filled in at random.

    Requires `worlds` to be True. To get another random state, call `self.world.determinize(seat,
    rng)`."""
    tensor: Sequence[float]
    """The bot's view as a list of numbers. Requires `tensors` to be True."""
    note: str = ""
    """A comment on the current action, which is stored in the game record. Set it in `act`."""

    def __init_subclass__(cls) -> None:
        if isinstance(cls.games, str):
            raise TypeError(
                f"{cls.__name__}.games is the text {cls.games!r}, expected a tuple: write "
                f"games = ({cls.games!r},) with a comma"
            )

    def start(self, table: Start) -> None:
        """Called at the start of the game. Override this method to prepare the bot."""

    def events(self, events: list[Any]) -> None:
        """Called with all events since the bot's last turn, before `act` is called."""

    def act(self, view: Any, legal: list[str]) -> str:
        """Choose one of the legal actions and return it."""
        raise NotImplementedError(f"{type(self).__name__} has no method `act(self, view, legal)`")

    def end(self, result: End) -> None:
        """Called at the end of the game with the result."""


def ready_line(bot_class: type[Bot]) -> bytes:
    """Return the bot's reply to the referee's `hello` message, as an encoded line of JSON."""
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
    import json  # imported late: rarely needed, and as slow as the rest of the SDK

    return json.dumps(text)
