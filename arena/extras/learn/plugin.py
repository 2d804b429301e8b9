"""The registration of the formats that `arena export` gets by this extra."""

from collections.abc import Iterable

from arena.plugins import ExportFormat, hookimpl


@hookimpl
def register_export_formats() -> Iterable[ExportFormat]:
    """Return the formats of this extra. What they need is imported when one is chosen."""
    return [
        ExportFormat(name, summary, f"arena.extras.learn.data_files:write_{name}")
        for name, summary in (
            ("parquet", "a folder with tables in Parquet"),
            ("sqlite", "a database of SQLite, as Datasette opens it"),
        )
    ]
