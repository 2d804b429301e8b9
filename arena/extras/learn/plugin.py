"""The registration of the chart of ratings from pairs."""

from collections.abc import Iterable

from arena.plugins import TableChart, hookimpl


@hookimpl
def register_charts() -> Iterable[TableChart]:
    """Return the chart of this extra, which needs numpy."""
    return [TableChart("meta", "arena.extras.learn.meta_chart:meta_chart")]
