"""References made from the code, to be read without building the site: `python docs/references.py`.

`settings.md` has every setting of `contest.toml`, and `bot-class.md` the class of a bot in Python.
"""

import ast
import inspect
from pathlib import Path

import msgspec

from arena.contest import settings
from arena.contest.settings import Contest
from arena.sdk import bot_class

DOCS = Path(__file__).parent
SETTINGS = """\
# contest.toml

This page lists every setting with its default. To regenerate this page, run
`python docs/references.py`. To change a setting for a single run, use `arena run --set KEY=VALUE`,
for example `--set limits.move_ms=500`. To get a file with the most common settings, run
`arena init`.
"""
BOT = """\
# arena.bot

A Python bot is a subclass of `arena.bot.Bot`. The [tutorial](students.md) shows how to write a bot,
and the [protocol page](protocol.md) describes the messages that bots exchange with the referee. To
regenerate this page, run `python docs/references.py`.

`run(MyBot)` talks to the referee on stdin and stdout. Everything the bot prints goes to its log.
"""


def meanings(source: str) -> dict[str, dict[str, tuple[str, str]]]:
    """Return by class and field its annotation and its description, from the source of a module."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ClassDef):
            continue
        fields = found.setdefault(node.name, {})
        for item, after in zip(node.body, [*node.body[1:], None], strict=True):
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                fields[item.target.id] = (ast.unparse(item.annotation), described(after))
    return found


def described(node: ast.stmt | None) -> str:
    """Return the description that a statement is, on one line; empty if it is none."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


def settings_page() -> str:
    """Return the page of `contest.toml`."""
    told = meanings(inspect.getsource(settings))
    told |= meanings(inspect.getsource(inspect.getmodule(settings.Limits)))  # type: ignore[arg-type]
    tables = {"": Contest, **inner_tables(Contest)}
    parts = [SETTINGS]
    for name, kind in tables.items():
        parts.append(f"## {f'[{name}]' if name else 'Above the tables'}\n")
        summary = " ".join((inspect.getdoc(kind) or "").split())
        parts.append(f"{summary}\n\n| key | default | meaning |\n|---|---|---|")
        for field in msgspec.structs.fields(kind):
            if not is_table(field.type):
                meaning = told.get(kind.__name__, {}).get(field.name, ("", ""))[1]
                key = f"{name}.{field.encode_name}" if name else field.encode_name
                parts.append(f"| `{key}` | {default_of(field)} | {meaning.replace('|', '/')} |")
        parts.append("")
    return "\n".join(parts)


def inner_tables(kind: type[msgspec.Struct]) -> dict[str, type[msgspec.Struct]]:
    """Return the tables of a contest by their names."""
    fields = msgspec.structs.fields(kind)
    return {field.encode_name: field.type for field in fields if is_table(field.type)}


def is_table(kind: object) -> bool:
    """Return whether a setting is a table of settings."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def default_of(field: msgspec.structs.FieldInfo) -> str:
    """Return the default of a setting as TOML has it; a dash if it has none."""
    value = field.default
    if value is msgspec.NODEFAULT:
        made = field.default_factory
        value = None if made is msgspec.NODEFAULT else made()
    if value in (None, ""):
        return ""
    return f"`{msgspec.json.encode(value).decode()}`"


def bot_page() -> str:
    """Return the page of the class of a bot."""
    source = inspect.getsource(bot_class)
    bot = bot_class.Bot
    parts = [BOT, "| attribute | type | meaning |\n|---|---|---|"]
    for name, (kind, meaning) in meanings(source)["Bot"].items():
        if not name.startswith("_"):
            shown = kind.replace("ClassVar[", "").removesuffix("]") if "ClassVar" in kind else kind
            parts.append(f"| `{name}` | `{shown}` | {meaning} |")
    parts.append("\n| method | meaning |\n|---|---|")
    for name, method in vars(bot).items():
        if inspect.isfunction(method) and not name.startswith("_"):
            names = [part for part in inspect.signature(method).parameters if part != "self"]
            first = " ".join((inspect.getdoc(method) or "").split())
            parts.append(f"| `{name}({', '.join(names)})` | {first} |")
    return "\n".join(parts) + "\n"


PAGES = {"settings.md": settings_page, "bot-class.md": bot_page}
"""By its file, what returns each page."""


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        Path(DOCS, name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
