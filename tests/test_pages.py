"""Links, quotations and names of the code in the README and in `docs`."""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_docs import CHECKOUT, PAGES


def excerpts() -> Iterator[tuple[str, str]]:
    """Yield the name of a file and a block that a page quotes from it."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        yield from re.findall(
            r"^<!-- ([\w./-]+) -->\n```\w+\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL
        )


def test_excerpts_match_their_files() -> None:
    for file, excerpt in excerpts():
        assert excerpt in (CHECKOUT / file).read_text(encoding="utf-8")


def headings(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_are_valid() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target, heading in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text):
            linked = page.parent / target if target else page
            assert linked.exists(), f"{page.name} links to {target}"
            if heading:
                assert heading in headings(linked), f"{page.name} links to {target}#{heading}"


def test_never_installs_the_unregistered_name() -> None:
    texts = [*PAGES]
    for folder in ("arena", "benchmarks", "examples"):
        texts += [path for end in ("py", "html") for path in (CHECKOUT / folder).rglob(f"*.{end}")]
    for path in texts:
        told = re.search(r"(pip|pipx|uv tool) install '?bribe-arena", path.read_text("utf-8"))
        assert not told, f"{path} says `{told[0]}`"


# -- names of the code ---------------------------------------------------------------------------

ARCHITECTURE = CHECKOUT / "docs" / "architecture.md"


def test_rooms_and_modules_of_the_architecture_exist() -> None:
    roots = (CHECKOUT, CHECKOUT / "arena", CHECKOUT / "arena" / "extras", CHECKOUT / "engine")
    text = ARCHITECTURE.read_text(encoding="utf-8")
    for name in re.findall(r"`([\w/]+(?:/|\.py))`", text):
        assert any((root / name).exists() for root in roots), name


REFERENCES = runpy.run_path(str(CHECKOUT / "docs" / "references.py"))["PAGES"]


@pytest.mark.parametrize("name", REFERENCES)
def test_references_match_the_code(name: str) -> None:
    page = (CHECKOUT / "docs" / name).read_text(encoding="utf-8")
    assert page == REFERENCES[name](), "make it again: python docs/references.py"
