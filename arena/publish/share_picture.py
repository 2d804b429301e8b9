"""The picture that other sites show beside a link to the site of a run."""

import io
from collections.abc import Sequence
from typing import Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import arena
from arena.base.protocol import printable
from arena.publish.pages import Line

SIZE: Final = (12.0, 6.3)
"""In inches of `PIXELS_PER_INCH`: 1200 by 630 pixels, as OpenGraph has it."""
PIXELS_PER_INCH: Final = 100
BOTS: Final = 5
PAPER, INK, MUTED, ACCENT = "#fbf9f4", "#1d1c19", "#605b51", "#0a6847"
"""The light colours of `static/style.css`."""


def share_picture(title: str, about: str, table: Sequence[Line]) -> bytes:
    """Return a PNG with the title of the contest and the first bots of a table."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["text.parse_math"] = False  # a bot name may be $x$
        figure = Figure(SIZE, facecolor=PAPER)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, 1200), ylim=(630, 0))
        axes.set_axis_off()
        axes.text(70, 110, _short(title, 44), fontsize=28, color=INK, weight="bold", va="center")
        axes.text(70, 175, _short(about, 88), fontsize=14, color=MUTED, va="center")
        for place, line in enumerate(table[:BOTS]):
            y = 255 + 68 * place
            name = f"{line.row.rank}   {_short(line.row.bot, 26)}"
            axes.text(70, y, name, fontsize=22, color=INK, va="center")
            if line.bar:
                low, high = 620 + 3.8 * line.bar.low, 620 + 3.8 * line.bar.high
                shown = axes.plot([low, high], [y, y], color=ACCENT, linewidth=9, alpha=0.35)
                shown[0].set_solid_capstyle("round")
                axes.plot([620 + 3.8 * line.bar.score], [y], "o", color=ACCENT, markersize=12)
            score = line.text("score").split(" ")[0]
            axes.text(1130, y, score, fontsize=18, color=INK, va="center", ha="right")
        axes.add_patch(Rectangle((0, 612), 1200, 18, color=ACCENT))
        canvas = io.BytesIO()
        software = f"bribe-arena {arena.__version__}, matplotlib {mpl.__version__}"
        figure.savefig(canvas, format="png", dpi=PIXELS_PER_INCH, metadata={"Software": software})
    return canvas.getvalue()


def _short(text: str, most: int) -> str:
    shown = printable(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"
