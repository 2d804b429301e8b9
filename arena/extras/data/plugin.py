"""The registration of `arena export` and its formats."""

from collections.abc import Iterable

from arena.plugins import ExportFormat, RegisteredCommand, hookimpl


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the command of this extra."""
    return [
        RegisteredCommand(
            "export",
            "Results",
            "arena.extras.data.export_command:export_command",
            "Print the game records of a run as JSON lines.",
        )
    ]


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
