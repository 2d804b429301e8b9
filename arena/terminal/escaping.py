"""Output of rich with control characters escaped."""

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from arena.protocol import printable


class _Escaped:
    """A renderable whose control characters are escaped."""

    def __init__(self, renderable: ConsoleRenderable) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style, control in console.render(self._renderable, options):
            yield Segment(text if control else printable(text), style, control)


class Escaping(RenderHook):
    """Escapes all output, because names, notes and logs are untrusted."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Return the renderables, escaped."""
        return [_Escaped(one) for one in renderables]
