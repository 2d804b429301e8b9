"""Matplotlib figures in the colours of a page: SVG for the page, and PNG for documents."""

import io
import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from html import escape

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgba, to_rgba_array
from matplotlib.figure import Figure

import arena
from arena.protocol import printable
from arena.publish.pages import Picture

WIDTH = 9.6
"""In inches of 72 points. On a page a point is about a pixel."""
NARROW_WIDTH = 5.4
"""Of charts that fit a phone; `static/style.css` lists them."""
GAP = "\N{EM SPACE}"
"""Between a name and a number. SVG merges plain spaces."""


def label_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Label one row for each bot, the first at the top."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)


# -- SVG -------------------------------------------------------------------------------------------


INK, MUTED, GRID, GOOD, BAD = "#010101", "#010102", "#010103", "#010104", "#010105"
"""Placeholders for colours of the page, which differ between light and dark mode."""
SERIES = tuple(f"#0102{number:02x}" for number in range(6))
_OF_THE_PAGE = {
    INK: "currentColor",
    MUTED: "var(--muted)",
    GRID: "var(--line)",
    GOOD: "var(--accent)",
    BAD: "var(--against)",
    **{color: f"var(--series-{number})" for number, color in enumerate(SERIES, 1)},
}
_ON_PAPER = {
    "currentColor": "#1d1c19",
    "var(--muted)": "#605b51",
    "var(--line)": "#dcd6c8",
    "var(--accent)": "#0a6847",
    "var(--against)": "#b4531a",
    "var(--series-1)": "#0a6847",
    "var(--series-2)": "#b4531a",
    "var(--series-3)": "#2b5ea8",
    "var(--series-4)": "#86408c",
    "var(--series-5)": "#7a640a",
    "var(--series-6)": "#14707f",
}
"""The light colours of `static/style.css`, for files that are shown outside the site."""
SETTINGS = {
    "svg.fonttype": "none",  # text stays text: accessible, searchable and small
    "svg.hashsalt": "bribe-arena",  # reproducible ids
    "text.parse_math": False,  # a bot name may be $x$
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
LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"
MAX_NAME_LETTERS = 26
"""Letters of a name in a chart; longer names are shortened."""

ON_PAPER = {
    placeholder: _ON_PAPER[of_the_page] for placeholder, of_the_page in _OF_THE_PAGE.items()
}
"""The light colours by placeholder."""
_STYLE = re.compile(r'(?<= )style="[^"]*"')
_FONT_FAMILY = re.compile(r" ?font-family: [^;\"]*;?")
_COLOR = re.compile("|".join(map(re.escape, _OF_THE_PAGE)))
_PAGE_COLOR = re.compile("|".join(map(re.escape, _ON_PAPER)))
_NOT_NEEDED = re.compile(
    r'(?s)<defs>\s*<style.*?</style>\s*</defs>|<g id="[^"]*"/>|(?<=<g) id="[^"]*"'
    r'|(?<= ) ?transform="rotate\(-0 [^"]*\)"'
)
"""Includes the ids of groups, which must be unique on a page with two charts."""
_SIZE = re.compile(r' width="([\d.]+)pt" height="[\d.]+pt"')
PIXELS_PER_POINT = 1.39
"""Scale on a page, which is read from a greater distance than paper."""


@contextmanager
def drawing() -> Iterator[None]:
    """Apply these settings to matplotlib, regardless of the user's configuration."""
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)  # type: ignore[arg-type]  # its keys are a Literal
        # Its font lacks some letters, but the page's font is used.
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        warnings.filterwarnings("ignore", "Matplotlib currently does not support", UserWarning)
        yield


def shortened_name(name: str) -> str:
    """Return the name of a bot for a chart, printable and shortened.

    What follows a name that is written from right to left stays on its right.
    """
    shown = printable(name)
    if len(shown) > MAX_NAME_LETTERS:
        shown = f"{shown[: MAX_NAME_LETTERS - 1]}…"
    is_rtl = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in shown)
    return f"{shown}{LEFT_TO_RIGHT}" if is_rtl else shown


def svg_of(figure: Figure, name: str, title: str, text: str) -> str:
    """Return a figure as an SVG element with a text alternative.

    Args:
        figure: made inside `drawing`, with the placeholder colours only.
        name: its id, unique on the page.
        title: its title.
        text: its description.
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


def svg_file(svg: str) -> str:
    """Return the contents of an SVG file with a chart of a page, in light colours.

    The file needs no style sheet, so that any program can show it.
    """
    head, rest = svg.split(">", 1)
    style = "background: #ffffff; color: #1d1c19; font-family: Arial, Helvetica, sans-serif"
    body = _STYLE.sub(lambda found: _on_paper(found[0]), rest)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head} style="{style}">{body}\n'


def _on_paper(style: str) -> str:
    return _PAGE_COLOR.sub(lambda found: _ON_PAPER[found[0]], style)


def _in_pixels(size: re.Match[str]) -> str:
    """Return the width of a chart in pixels; the height follows."""
    return f' width="{float(size[1]) * PIXELS_PER_POINT:.0f}"'


def _in_the_page(style: str) -> str:
    """Return a style with the page's font and colours."""
    return _COLOR.sub(lambda found: _OF_THE_PAGE[found[0]], _FONT_FAMILY.sub("", style))


# -- PNG -------------------------------------------------------------------------------------------


PIXELS_PER_INCH = 144
DRAWN_BY = f"bribe-arena {arena.__version__}, matplotlib {mpl.__version__}"
_HEAD_BYTES = 512
"""Bytes at the start of a PNG that hold its metadata."""
_COLORS = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")
"""The properties of a matplotlib artist that may be colours of the page."""


def picture_of(figure: Figure, name: str, title: str, text: str) -> Picture:
    """Return the picture of a figure made inside `drawing`; see `svg_of` for the parameters."""
    svg = svg_of(figure, name, title, text)
    figure.set_layout_engine(None)  # the PNG keeps the layout of the SVG
    return Picture(svg, cache(lambda: _png_of(figure)))


def is_of_these_versions(png: bytes) -> bool:
    """Return whether a PNG was drawn by this version of the arena with this one of matplotlib."""
    return DRAWN_BY.encode() in png[:_HEAD_BYTES]


def _png_of(figure: Figure) -> bytes:
    """Return a figure as PNG in light colours. The figure gets these colours."""
    for artist in figure.findobj():
        _put_on_paper(artist)
    canvas = io.BytesIO()
    with drawing():
        figure.savefig(
            canvas,
            format="png",
            dpi=PIXELS_PER_INCH,
            facecolor="#ffffff",
            metadata={"Software": DRAWN_BY},
        )
    return canvas.getvalue()


def _put_on_paper(artist: Artist) -> None:
    """Replace the placeholders among the colours of an artist."""
    for name in _COLORS:
        get, put = getattr(artist, f"get_{name}", None), getattr(artist, f"set_{name}", None)
        if get is None or put is None:
            continue
        colors = get()
        if isinstance(colors, str):  # most; quicker than the conversions below
            if colors in ON_PAPER:
                put(ON_PAPER[colors])
            continue
        many = to_rgba_array(colors)
        on_paper = [to_rgba(ON_PAPER.get(to_hex(color), to_hex(color)), color[3]) for color in many]
        if len(many) and any(to_hex(color) in ON_PAPER for color in many):
            put(on_paper if len(many) > 1 or _is_collection(artist) else on_paper[0])


def _is_collection(artist: Artist) -> bool:
    return hasattr(artist, "get_paths")
