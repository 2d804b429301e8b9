"""The registration of `arena export`, its formats, and the data frames of runs."""

from collections.abc import Iterable

from arena.plugins import ExportFormat, RegisteredCommand, RunMethod, commands_in, hookimpl

COMMANDS = {
    "Results": {
        "export": ("export_command", "Print the game records of a run as JSON lines."),
    },
}
"""By section and name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.data", COMMANDS)


@hookimpl
def register_export_formats() -> Iterable[ExportFormat]:
    """Return the formats of this extra. What they need is imported when one is chosen."""
    return [
        ExportFormat(name, summary, f"arena.extras.data.table_files:write_{name}")
        for name, summary in (
            ("parquet", "a folder with tables in Parquet"),
            ("sqlite", "a database of SQLite, as Datasette opens it"),
        )
    ]


@hookimpl
def register_run_methods() -> Iterable[RunMethod]:
    """Return the methods of a run that return its games as data frames of pandas."""
    return [
        RunMethod(name, f"arena.extras.data.game_rows:{name}")
        for name in ("games_frame", "decisions_frame")
    ]
