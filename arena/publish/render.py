"""Pages from templates, with everything that strangers wrote escaped."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena import __version__
from arena.protocol import printable
from arena.publish.layout import bot_page, game_page, replay_page, to_root, variant_page
from arena.publish.pages import milliseconds, result_of, title_of

TEMPLATES = Path(__file__).parent / "templates"


class Link(NamedTuple):
    """A place of the site and what it is called; `path` is from the root."""

    text: str
    path: str


class Renderer:
    """Makes the pages of one site."""

    def __init__(self, run: str, navigation: Sequence[Link]) -> None:
        """Take the name of the run, and what the head of each page links to."""
        self._environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            finalize=_finalize,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(
            run=run,
            navigation=tuple(navigation),
            version=__version__,
            bot_page=bot_page,
            game_page=game_page,
            variant_page=variant_page,
            replay_page=replay_page,
            title_of=title_of,
            milliseconds=milliseconds,
            result_of=result_of,
        )

    def page(self, template: str, path: str, **values: object) -> str:
        """Return the page that will lie at `path`, whose links begin with `root`."""
        return self._environment.get_template(template).render(
            path=path, root=to_root(path), **values
        )


def _finalize(value: object) -> object:
    """Make text harmless for who copies it into a terminal; jinja2 then escapes what is HTML."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value
