"""Render pages from templates, and escape untrusted text."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena import __version__
from arena.base.protocol import printable
from arena.plugins import presentation_of
from arena.publish.emblems import emblem, emblem_of
from arena.publish.layout import (
    NOT_FOUND,
    RECORDS,
    SHARED_PICTURE,
    STATIC,
    bot_page,
    drawing_script,
    game_page,
    replay_page,
    rules_page,
    to_root,
    variant_page,
)
from arena.publish.pages import in_words, milliseconds, result_of, short_title, title_of
from arena.rating.columns import web_columns, web_text
from arena.rating.verdicts import shown_first, verdict
from engine import get_variant

TEMPLATES = Path(__file__).parent / "templates"
STATIC_FILES = Path(__file__).parent / STATIC


class Link(NamedTuple):
    text: str
    path: str


def static_files() -> list[tuple[str, bytes]]:
    files = [
        (f"{STATIC}/{file.name}", file.read_bytes()) for file in sorted(STATIC_FILES.iterdir())
    ]
    return [*files, (".nojekyll", b"")]  # GitHub Pages: serve the files as they are


class Banner(NamedTuple):
    title: str
    about: str = ""
    """A sentence about the contest. Default: the number of bots and games."""
    address: str = ""
    """The site's URL with a trailing slash, or an empty string if the URL is unknown."""
    enter: str = ""
    enter_at: str = ""
    home: str = ""


class Renderer:
    def __init__(
        self,
        run: str,
        navigation: Sequence[Link],
        page_of_bot: Callable[[str], str] = bot_page,
        banner: Banner | None = None,
        *,
        has_emblems: bool = True,
    ) -> None:
        """Set what all pages have in common.

        `page_of_bot` maps a bot's displayed name to the path of its page. If `has_emblems` is
        false, emblems of bots are shown only in replays.
        """
        self._banner = banner or Banner(run)
        self._environment = page_environment()
        self._values: Mapping[str, object] = {
            "run": run,
            "records": RECORDS,
            "banner": self._banner,
            "navigation": tuple(navigation),
            "base_page": "base.html",
            "bot_page": page_of_bot,
            "game_page": game_page,
            "variant_page": variant_page,
            "replay_page": replay_page,
            "rules_page": rules_page,
            "drawing_script": drawing_script,
            "shared_picture": SHARED_PICTURE,
        }
        if not has_emblems:
            own = {"emblem": lambda name, place="": emblem(name, place) if place else Markup("")}
            self._values = {**self._values, **own}

    def page(self, template: str, path: str, **values: object) -> str:
        # Hosts show this page at any missing address, so its links must be absolute.
        root = self._banner.address if path == NOT_FOUND else to_root(path)
        shown = {**self._values, "path": path, "root": root, **values}
        return self._environment.get_template(template).render(shown)


@cache
def page_environment(*folders: Path) -> Environment:
    """Return a Jinja environment. Templates in the given folders override the built-in
    templates.
    """
    # Templates are slow to compile, so each is compiled once per process.
    environment = Environment(
        loader=FileSystemLoader([*folders, TEMPLATES]),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        version=__version__,
        web_columns=web_columns,
        web_text=web_text,
        title_of=title_of,
        shown_first=shown_first,
        verdict=verdict,
        milliseconds=milliseconds,
        emblem=emblem,
        result_of=result_of,
        presentation_of=presentation_of,
    )
    environment.filters["shell"] = shlex.quote
    environment.filters["bot_color"] = lambda name: emblem_of(name).color
    environment.filters["in_words"] = in_words
    environment.filters["short_title"] = lambda variant: short_title(get_variant(variant))
    return environment


def _finalize(value: object) -> object:
    # Control characters could harm the terminal of someone who copies the text.
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value
