"""What can go wrong in the arena; each text is one sentence for the person who can mend it.

    ArenaError
    +-- ProtocolError   a bot sent something that is not a message of the protocol
    +-- BotError        a bot cannot be found or entered
    |   +-- SubmissionError   what a student hands in cannot be taken
    +-- PluginError     a plugin does not do what its hook asks
    +-- SettingsError   the settings of a run do not fit together
    +-- SandboxError    the walls round a bot do not stand
    +-- StoreError      a run's folder cannot be read or written
    +-- FaultFileError  a fault file cannot be read or written, or its games cannot be played
    +-- RunStopped      a run was interrupted; what was played is kept

What a bot does wrong in a game is no exception but a `Fault`, recorded with the game.
"""


class ArenaError(Exception):
    """Show this to the user."""


class ProtocolError(ArenaError):
    """A bot sent something that is not a message of the protocol."""


class BotError(ArenaError):
    """A bot cannot be found or entered."""


class SubmissionError(BotError):
    """What a student hands in cannot be taken."""


class PluginError(ArenaError):
    """A plugin does not do what its hook asks."""


class SettingsError(ArenaError):
    """The settings of a run do not fit together."""


class SandboxError(ArenaError):
    """The walls round a bot do not stand: a fault of the host, never of the bot."""


class StoreError(ArenaError):
    """A run's folder cannot be read or written."""


class FaultFileError(ArenaError):
    """A fault file cannot be read or written, or its games cannot be played."""


class RunStopped(ArenaError):
    """A run was interrupted; what was played is kept."""
