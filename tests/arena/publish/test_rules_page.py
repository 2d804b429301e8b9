"""The rules on a site: whole, linked by section, and without a way to steer the page."""

import re

import pytest

from arena.narration.telling import telling_of
from arena.publish.rules_page import RulesPage, read_rules, rules_of
from engine import variants

GAMES = sorted({variant.game for variant in variants().values()})


@pytest.mark.parametrize("game", GAMES)
def test_rules_have_the_game_in_a_minute_and_their_sections(game: str) -> None:
    rules = rules_of(game)
    assert rules is not None
    assert rules.minute.startswith("<p>")
    assert "<li>" in rules.minute
    assert "<h2" not in rules.minute
    assert rules.minute in rules.html
    places = set(re.findall(r'<h[2-6] id="([^"]+)"', rules.html))
    assert {section.place for section in rules.sections} <= places
    links = re.findall(r'href="([^"]+)"', rules.html)
    assert links
    assert {link.removeprefix("#") for link in links} <= places, "only to sections of this page"
    assert rules.html.count("<table>") == rules.html.count("<caption") > 3
    labels = re.findall(r'aria-label="([^"]+)"', rules.html)
    assert len(set(labels)) == len(labels)
    terms = telling_of(game).legend
    assert len(terms) > 3
    assert {term.place for term in terms} <= places


def test_rules_link_to_their_own_sections() -> None:
    rules = read_rules(
        "# Toy: the rules\n\nSee [docs](../docs/x.md) and [1.2], [9].\n\n"
        "## The game in a minute\n\n<script>alert(1)</script> `[1.2]`\n\n"
        "## 1. Play\n\n### 1.2 Draw\n\n| a |\n|---|\n| b |\n"
    )
    assert rules.title == "Toy: the rules"
    assert "docs and " in rules.html
    assert '<a href="#s1-2">[1.2]</a>, [9].' in rules.html
    assert "&lt;script&gt;" in rules.minute
    assert "<code>[1.2]</code>" in rules.minute
    assert [section.place for section in rules.sections] == ["the-game-in-a-minute", "s1"]
    assert telling_of("toy").legend == ()


def test_rules_without_headings_have_one_part() -> None:
    assert read_rules("Guess the card.") == RulesPage("", "", "", (), "<p>Guess the card.</p>\n")
