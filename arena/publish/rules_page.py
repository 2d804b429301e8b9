"""Render the rules of games as HTML."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from arena.narration.telling import section_id
from arena.plugins import presentation_of

MINUTE: Final = "The game in a minute"
_NUMBER: Final = re.compile(r"(\d+(?:\.\d+)*)\.? ")
_FIRST_SENTENCE: Final = re.compile(r"^(.*?[.!?])(?: .*)?$")
_REFERENCE: Final = re.compile(r"\[(\d+(?:\.\d+)*)\]")


class Section(NamedTuple):
    place: str
    title: str


class RulesPage(NamedTuple):
    title: str
    sentence: str
    minute: str
    sections: tuple[Section, ...]
    html: str


def rules_of(game: str) -> RulesPage | None:
    """Return the rules of a game, or None if the game's plugin has no rules."""
    text = presentation_of(game).rules
    return read_rules(text) if text else None


@cache
def read_rules(text: str) -> RulesPage:
    """Parse rules in Markdown. Raw HTML is shown as text."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    places = _mark_headings(tokens)
    _unlink(tokens)

    def html(part: Sequence[Token]) -> str:
        return str(markdown.renderer.render(part, markdown.options, {}))

    for kind, rule in _render_rules(set(places)).items():
        markdown.add_render_rule(kind, rule)
    title = tokens[1].content if tokens and tokens[0].tag == "h1" else ""
    chapters = [token for token in tokens if token.type == "heading_open" and token.tag == "h2"]
    named = {str(token.attrs["id"]): places[str(token.attrs["id"])] for token in chapters}
    minute = _section(tokens, MINUTE)
    first = next((token.content for token in minute if token.type == "inline"), "")
    return RulesPage(
        title=title,
        sentence=_FIRST_SENTENCE.sub(r"\1", " ".join(first.split())),
        minute=html(minute),
        sections=tuple([Section(place, name) for place, name in named.items()]),
        html=html(tokens[3:] if title else tokens),
    )


def _mark_headings(tokens: Sequence[Token]) -> dict[str, str]:
    """Add an id such as `s7-2` to each heading, and return a dict of the headings by id."""
    places = {}
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            number = _NUMBER.match(inline.content)
            slug = re.sub(r"[^a-z0-9]+", "-", inline.content.lower()).strip("-")
            place = section_id(number[1]) if number else slug
            token.attrs["id"] = place
            places[place] = inline.content
    return places


def _unlink(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.children:
            kept = [
                child for child in token.children if child.type not in ("link_open", "link_close")
            ]
            token.children = kept


def _section(tokens: Sequence[Token], title: str) -> Sequence[Token]:
    headings = [at for at, token in enumerate(tokens) if token.type == "heading_open"]
    for at, following in pairwise([*headings, len(tokens)]):
        if tokens[at + 1].content == title:
            return tokens[at + 3 : following]
    return ()


def _render_rules(places: set[str]) -> dict[str, Callable[..., str]]:
    def link(found: re.Match[str]) -> str:
        place = section_id(found[1])
        return f'<a href="#{place}">{found[0]}</a>' if place in places else found[0]

    def text(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
        return _REFERENCE.sub(link, escapeHtml(tokens[at].content))

    def table(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
        title = escapeHtml(_table_title(tokens, at))
        scroll = f'<div class="scroll" role="region" aria-label="Table: {title}" tabindex="0">'
        return f'{scroll}<table>\n<caption class="unseen">{title}</caption>\n'

    return {
        "text": text,
        "table_open": table,
        "table_close": lambda *_: "</table></div>\n",
        "th_open": lambda _, tokens, at, *__: (
            '<th scope="col">' if tokens[at + 1].content else "<td>"
        ),
        "th_close": lambda _, tokens, at, *__: "</th>" if tokens[at - 1].content else "</td>",
        "fence": lambda _, tokens, at, *__: (
            f'<pre tabindex="0"><code>{escapeHtml(tokens[at].content)}</code></pre>\n'
        ),
    }


def _table_title(tokens: Sequence[Token], at: int) -> str:
    first = max([index for index in range(at) if tokens[index].type == "heading_open"], default=-1)
    title = tokens[first + 1].content if first >= 0 else ""
    before = sum(token.type == "table_open" for token in tokens[max(0, first) : at])
    return f"{title}, {before + 1}" if before else title
