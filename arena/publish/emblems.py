"""Derive the emblems and colors of bots from their names."""

import hashlib
from typing import Final, NamedTuple

from markupsafe import Markup

# The file `static/style.css` defines the colors for light and dark mode.
COLORS: Final = 12
# The lighter part of a shield of 20 by 24 units.
DIVISIONS: Final = (
    "M0 0h10v24H0z",
    "M0 11h20v13H0z",
    "M0 0h20L0 22z",
    "M0 0l20 22H0z",
    "M0 0h20v7H0z",
    "M0 0h5v24H0zM15 0h5v24h-5z",
    "M7 0h6v24H7z",
    "M0 8h20v6H0z",
    "M0 20L10 10l10 10v4L10 15 0 24z",
    "M0 0h10v11H0zM10 11h10v13H10z",
    "M0 0l10 9L20 0v3l-8 8 8 8v5L10 13 0 24v-5l8-8-8-8z",
    "M8 0h4v9h8v4h-8v11H8V13H0V9h8z",
)
CHARGES: Final = (
    "M10 5.5a5.5 5.5 0 1 0 .1 0z",
    "M10 4.5l6 6.5-6 6.5-6-6.5z",
    "M5 6h10v10H5z",
    "M10 4l1.9 4.3 4.7.4-3.6 3 1.1 4.6L10 13.9l-4.1 2.4L7 11.7l-3.6-3 4.7-.4z",
    "M13.5 5.2A6 6 0 1 0 13.5 16.8 5 5 0 1 1 13.5 5.2z",
    "M10 4.5l6 11.5H4z",
    "M10 17.5L4 6h12z",
    "M10 17C2 11 4 5.5 7.3 5.5c1.7 0 2.7 1.3 2.7 2.3 0-1 1-2.3 2.7-2.3C16 5.5 18 11 10 17z",
    "M8 5h4v4h4v4h-4v4H8v-4H4V9h4z",
    "M4 7l3.2 3L10 5l2.8 5L16 7v9H4z",
)


class Emblem(NamedTuple):
    color: int
    division: int
    charge: int


def emblem_of(name: str) -> Emblem:
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=3).digest()
    color, division, charge = digest
    return Emblem(1 + color % COLORS, division % len(DIVISIONS), charge % len(CHARGES))


def emblem(name: str, place: str = "") -> Markup:
    """Return a bot's emblem as an SVG image that screen readers ignore.

    `place` is the HTML id of the image.
    """
    parts = emblem_of(name)
    return Markup(
        '<svg{} class="emblem bot-{}" viewBox="0 0 20 24" width="20" height="24" '
        'aria-hidden="true" focusable="false"><path fill="currentColor" d="M0 0h20v24H0z"/>'
        '<path class="division" d="{}"/><path class="charge" d="{}"/></svg>'
    ).format(
        Markup(' id="{}"').format(place) if place else "",
        parts.color,
        DIVISIONS[parts.division],
        CHARGES[parts.charge],
    )
