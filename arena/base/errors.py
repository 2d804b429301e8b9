"""The errors of the arena. Each text is one sentence for the person who can fix the cause.

    ArenaError
    +-- ProtocolError   a bot sent something that is not a message of the protocol
    +-- BotError        a bot cannot be found or entered
    |   +-- SubmissionError   a submission is refused
    +-- PluginError     a plugin returns something wrong
    +-- SettingsError   the settings of a run do not fit together
    +-- SandboxError    a sandbox cannot be set up
    +-- HostError       this machine lacks something that the arena needs
    +-- StoreError      a run's folder cannot be read or written
    +-- FaultFileError  a fault file cannot be read or written, or its games cannot be played
    +-- ServeError      the contest server cannot do what was asked
    +-- GameError       a game raised an exception
    +-- RunStopped      a run was interrupted; its played games are kept

A mistake of a bot in a game is not an exception. It is a `Fault`, which is recorded with the game.
"""


class ArenaError(Exception):
    """An error whose text is for the user."""

    is_sentence = True
    """Tells the engine's registry of plugins, which does not know this class."""


class ProtocolError(ArenaError):
    """A bot sent something that is not a message of the protocol."""


class BotError(ArenaError):
    """A bot cannot be found or entered."""


class BotUnavailable(ArenaError):
    """A bot cannot play for a reason outside it, as it says."""


class SubmissionError(BotError):
    """A submission is refused."""


class PluginError(ArenaError):
    """A plugin returns something wrong."""


class SettingsError(ArenaError):
    """The settings of a run do not fit together."""


class SandboxError(ArenaError):
    """A sandbox cannot be set up. A trial tells whether one bot is the reason."""


class HostError(ArenaError):
    """This machine lacks something that the arena needs. It is no fault of a bot."""


class StoreError(ArenaError):
    """A run's folder cannot be read or written."""


class FaultFileError(ArenaError):
    """A fault file cannot be read or written, or its games cannot be played."""


class ServeError(ArenaError):
    """The contest server cannot do what was asked."""


class GameError(ArenaError):
    """A game raised an exception. `broken` is what reproduces it, as JSON, or empty."""

    def __init__(self, text: str, broken: bytes = b"") -> None:
        super().__init__(text)
        self.broken = broken


class RunStopped(ArenaError):
    """A run was interrupted. Its played games are kept."""


def how_to_install(extra: str = "") -> str:
    """Return how to install the arena with an extra; it is not on the package index."""
    extras = f"[{extra}]" if extra else ""
    return f"run `pip install '.{extras}'` in a checkout (or name a wheel in place of the dot)"
