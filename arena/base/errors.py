"""Exceptions raised by the arena.

    ArenaError
    +-- ProtocolError   a bot sent an invalid message
    +-- BotError        a bot cannot be found or entered
    |   +-- SubmissionError   a submission is rejected
    +-- PluginError     a plugin returns something invalid
    +-- SettingsError   a run's settings are invalid or contradictory
    +-- SandboxError    a sandbox cannot be set up
    +-- HostError       this machine lacks something that the arena needs
    +-- StoreError      a run's folder cannot be read or written
    +-- FaultFileError  a fault file cannot be read, written or replayed
    +-- ServeError      the contest server cannot do what was asked
    +-- GameError       a game raised an exception
    +-- RunStopped      a run was interrupted; its played games are kept

A mistake that a bot makes during a game is recorded as a `Fault` and doesn't raise an exception.
"""


class ArenaError(Exception):
    """Base class of errors whose messages are meant for the user."""

    is_sentence = True


class ProtocolError(ArenaError):
    """A bot sent an invalid message."""


class BotError(ArenaError):
    """A bot cannot be found or entered."""


class BotUnavailable(ArenaError):
    """A bot needs something that is unavailable, such as an API key."""


class SubmissionError(BotError):
    """A submission is rejected."""


class PluginError(ArenaError):
    """A plugin returns something invalid."""


class SettingsError(ArenaError):
    """A run's settings are invalid or contradictory."""


class SandboxError(ArenaError):
    """A sandbox cannot be set up."""


class HostError(ArenaError):
    """The machine doesn't meet a requirement, for example because its disk is full."""


class StoreError(ArenaError):
    """A run's folder cannot be read or written."""


class FaultFileError(ArenaError):
    """A file that records a bot's fault cannot be read, written or replayed."""


class ServeError(ArenaError):
    """The contest server cannot do what was asked."""


class GameError(ArenaError):
    """A game raised an exception."""


class RunStopped(ArenaError):
    """The run was interrupted. Finished games are kept."""


def how_to_install(extra: str = "") -> str:
    """Return the shell command that installs the arena, with an optional extra."""
    extras = f"[{extra}]" if extra else ""
    return f"run `pip install '.{extras}'` in a checkout (or name a wheel in place of the dot)"
