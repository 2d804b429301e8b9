"""The table of a game as text, for a page without JavaScript: the drawing of the terminal."""

from collections.abc import Sequence
from io import StringIO

from rich.console import Console

from arena.extras.serve.play.browser_game import BrowserGame, state_of
from arena.terminal.drawing import draw_view

COLUMNS = 78


def text_table(game: BrowserGame, names: Sequence[str]) -> str:
    """Return the table as the person sees it. `names` are the shown names, by seat."""
    state = state_of(game)
    out = StringIO()
    console = Console(file=out, width=COLUMNS, color_system=None, legacy_windows=False)
    console.print(draw_view(state.view(game.seat), state.variant.game, names, game.seat))
    return "\n".join([line.rstrip() for line in out.getvalue().splitlines()])
