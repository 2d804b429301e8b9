"""Figures of matplotlib as SVG inside a page: in the page's colours, and the same every time."""

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import matplotlib as mpl
from matplotlib.figure import Figure

from arena.protocol import printable

INK, MUTED, GRID, GOOD, BAD = "#010101", "#010102", "#010103", "#010104", "#010105"
"""Colours that nobody sees: each stands for one of the page's, which differ in light and dark."""
SERIES = tuple(f"#0102{number:02x}" for number in range(6))
_OF_THE_PAGE = {
    INK: "currentColor",
    MUTED: "var(--muted)",
    GRID: "var(--line)",
    GOOD: "var(--accent)",
    BAD: "var(--against)",
    **{color: f"var(--series-{number})" for number, color in enumerate(SERIES, 1)},
}
SETTINGS = {
    "svg.fonttype": "none",  # text stays text: it can be read out, searched and is small
    "svg.hashsalt": "bribe-arena",  # ids are the same every time
    "text.parse_math": False,  # a bot may be called $x$
    "font.size": 10.0,
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "axes.titlecolor": INK,
    "axes.titlesize": 10.0,
    "axes.titlelocation": "left",
    "axes.edgecolor": GRID,
    "axes.linewidth": 1.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": INK,
    "xtick.major.size": 0.0,
    "ytick.major.size": 0.0,
    "xtick.minor.size": 0.0,
    "ytick.minor.size": 0.0,
}
MOST_LETTERS = 26
"""Of a name in a picture; a longer one is shortened."""

_STYLE = re.compile(r'(?<= )style="[^"]*"')
_FONT_FAMILY = re.compile(r" ?font-family: [^;\"]*;?")
_COLOR = re.compile("|".join(map(re.escape, _OF_THE_PAGE)))
_NOT_NEEDED = re.compile(
    r'(?s)<defs>\s*<style.*?</style>\s*</defs>|<g id="[^"]*"/>|(?<=<g) id="[^"]*"'
    r'|(?<= ) ?transform="rotate\(-0 [^"]*\)"'
)
"""Ids of groups would be there twice on a page with two pictures."""
_SIZE = re.compile(r' width="([\d.]+)pt" height="[\d.]+pt"')
PIXELS_A_POINT = 1.39
"""Of a page: it is read from farther away than a sheet of paper."""


@contextmanager
def drawing() -> Iterator[None]:
    """Hold matplotlib to our settings, whatever its user has set."""
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)  # type: ignore[arg-type]  # its keys are a Literal
        # It has no picture of every letter; the page's own font will.
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        warnings.filterwarnings("ignore", "Matplotlib currently does not support", UserWarning)
        yield


def name_in_picture(name: str) -> str:
    """Return a bot's name, as it can stand in a picture."""
    shown = printable(name)
    return shown if len(shown) <= MOST_LETTERS else f"{shown[: MOST_LETTERS - 1]}…"


def svg_of(figure: Figure, name: str, title: str, text: str) -> str:
    """Return a figure as an SVG element with a text alternative.

    Args:
        figure: made inside `drawing`, with our colours only.
        name: told apart from all others on a page by it; good for an id.
        title: what it is called.
        text: what is to be seen.
    """
    canvas = io.StringIO()
    mpl.rcParams["svg.hashsalt"] = f"bribe-arena {name}"
    metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(canvas, format="svg", metadata=metadata)
    drawn = canvas.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    head, body = drawn.split(">", 1)
    head = _SIZE.sub(_in_pixels, head)
    head += (
        f' id="{name}" role="img" aria-labelledby="{name}-title" '
        f'aria-describedby="{name}-text" class="picture"'
    )
    told = (
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-text">{escape(text)}</desc>'
    )
    body = _STYLE.sub(lambda found: _in_the_page(found[0]), _NOT_NEEDED.sub("", body))
    body = re.sub(r"\s*\n\s*", "\n", body)
    return f"{head}>{told}{body}".strip()


def _in_pixels(size: re.Match[str]) -> str:
    """Return the size of a picture on a page; the height follows."""
    return f' width="{float(size[1]) * PIXELS_A_POINT:.0f}"'


def _in_the_page(style: str) -> str:
    """Return a style with the page's font and colours."""
    return _COLOR.sub(lambda found: _OF_THE_PAGE[found[0]], _FONT_FAMILY.sub("", style))
