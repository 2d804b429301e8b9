"""Links, quotations and names of the code in the README and in `docs`."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_docs import CHECKOUT, PAGES, name_of

MAX_README_BYTES = 5_000


def test_the_readme_is_short() -> None:
    assert (CHECKOUT / "README.md").stat().st_size < MAX_README_BYTES


def excerpts() -> Iterator[tuple[str, str]]:
    """Yield the name of a file and a block that a page quotes from it."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        yield from re.findall(
            r"^<!-- ([\w./-]+) -->\n```\w+\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL
        )


@pytest.mark.parametrize(("file", "excerpt"), list(excerpts()))
def test_an_excerpt_is_what_the_file_says(file: str, excerpt: str) -> None:
    assert excerpt in (CHECKOUT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def headings(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_to_a_heading_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", text):
        linked = page.parent / target if target else page
        assert heading in headings(linked), f"{page.name} links to {target}#{heading}"


# -- names of the code ---------------------------------------------------------------------------

ARCHITECTURE = CHECKOUT / "docs" / "architecture.md"
LIFE_OF_A_GAME = CHECKOUT / "docs" / "life-of-a-game.md"
NOT_OURS = {"poll", "contest.toml", "cards", "tiles"}
"""Names of the system, of a file of contests, and of modules that only some games have."""


def names_on(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the room of the section, or "", and each name of code that it has in backticks."""
    room = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## (?:`(\w+)/`)?", line):
            room = heading[1] or ""
        for name in re.findall(r"`([a-z_]\w*(?:[/.]\w+)*/?|[A-Z]\w*(?:\.\w+)*)`", line):
            yield room, name


@cache
def defined_in(module: Path) -> frozenset[str]:
    """Return what a module defines: `name`, `Class` and `Class.member`."""
    found = set()
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        names = _defined_by(node)
        found |= names
        if isinstance(node, ast.ClassDef):
            members = {name for statement in node.body for name in _defined_by(statement)}
            members |= {
                one.attr
                for one in ast.walk(node)
                if isinstance(one, ast.Attribute)
                and isinstance(one.ctx, ast.Store)
                and isinstance(one.value, ast.Name)
                and one.value.id == "self"
            }
            found |= {f"{node.name}.{name}" for name in members}
    return frozenset(found)


def _defined_by(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


@cache
def defined_anywhere() -> frozenset[str]:
    """Return what the arena and the engine define, members also without their class."""
    modules = [*CHECKOUT.glob("arena/**/*.py"), *CHECKOUT.glob("engine/**/*.py")]
    found = {name for module in modules for name in defined_in(module)}
    return frozenset(found | {name.rpartition(".")[2] for name in found})


def exists(room: str, name: str) -> bool:
    """Return whether a path, a module or a name of the code exists, seen from a room."""
    parts = re.split("[/.]", name)
    roots = [CHECKOUT / "arena" / room, CHECKOUT / "arena", CHECKOUT / room, CHECKOUT]
    if room == "engine":  # its section names modules that every game has
        roots += [path.parent for path in CHECKOUT.glob("engine/*/__init__.py")]
    for root in roots:
        if (root / name).exists():
            return True
        for depth in range(1, len(parts) + 1):
            module = root.joinpath(*parts[:depth]).with_suffix(".py")
            member = ".".join(parts[depth:])
            if module.is_file() and (not member or member in defined_in(module)):
                return True
    return name in defined_anywhere()


@pytest.mark.parametrize("page", [ARCHITECTURE, LIFE_OF_A_GAME], ids=name_of)
def test_every_name_of_the_code_exists(page: Path) -> None:
    names = [(room, name) for room, name in names_on(page) if name not in NOT_OURS]
    assert len(names) > 50
    assert [(room, name) for room, name in names if not exists(room, name)] == []


@pytest.mark.parametrize("name", ["driver.Room", "match/driver.Driver.sing", "walls.py", "cellar/"])
def test_a_name_that_is_gone_does_not_exist(name: str) -> None:
    assert not exists("match", name)


def test_the_life_of_a_game_names_the_room_of_each_step() -> None:
    names = {name for _, name in names_on(LIFE_OF_A_GAME)}
    assert {name for name in names if "." not in name} == {"play_all", "Driver"}
