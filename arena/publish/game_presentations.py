"""Files of a site that the plugin of a game brings: its rules page and its drawing in replays."""

from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markupsafe import Markup

from arena.plugins import presentation_of
from arena.publish.layout import drawing_script, rules_page
from arena.publish.render import Renderer


def presented_files(games: Iterable[str], renderer: Renderer) -> Iterator[tuple[str, str]]:
    """Yield the files for `games` as path and content; none for a game without a presentation."""
    for game in games:
        presentation = presentation_of(game)
        if presentation.replay:
            yield drawing_script(game), presentation.replay
        if presentation.rules:
            page = rules_page(game)
            rules = rules_as_html(presentation.rules)
            yield page, renderer.page("rules.html", page, game=game, rules=rules)


def rules_as_html(markdown: str) -> Markup:
    """Return rules in Markdown as HTML. HTML in them is shown as text."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    return Markup(reader.render(markdown))  # it escapes
