"""Pages that are made when the docs are built, and links that work on GitHub and on the site.

The build fails if a committed picture is older than what its command prints. MkDocs calls the
functions `on_...`; `mkdocs.yml` names this file.
"""

import hashlib
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from rich.text import Text

from arena.cli import main
from engine import Encoding, Slice, variants

CHECKOUT = Path(__file__).parent.parent
SAMPLE = CHECKOUT / "docs" / "README.md"
"""The page whose commands play and publish the sample contest."""
SAMPLE_SITE = "sample"
"""The folder of its site among the pages."""
OUTSIDE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
    "engine/bribery/rules.md": "rules/bribery.md",
    "engine/brides_and_bribes/rules.md": "rules/brides-and-bribes.md",
    "engine/pot_de_vin/rules.md": "rules/pot-de-vin.md",
}
"""Pages outside `docs`, by their path in the checkout, with their path on the site."""
API = {
    "arena": (
        "The interface in Python",
        [
            *(f"arena.interface.{name}" for name in ("run", "open_run", "compare")),
            *("arena.played_run.Run", "arena.played_run.LeaderboardTable"),
            "arena.tournament.play_game.play",
            "arena.tournament.contest_run.RunObserver",
        ],
    ),
    "bots": ("Bots in Python", ["arena.bot", "arena.sdk.bot_class"]),
    "search": ("Search for bots", ["arena.sdk.search", "arena.sdk.race", "arena.sdk.guide"]),
    "games": (
        "The contract of a game",
        [
            "engine.game",
            "engine.log",
            "engine.contract",
            "engine.fields",
            "engine.encoding",
            "engine.conformance",
        ],
    ),
    "plugins": ("Hooks and what plugins implement", ["arena.plugins", "arena.base.contracts"]),
    "records": (
        "Records and messages",
        ["arena.base.record", "arena.base.protocol", "arena.base.errors"],
    ),
    "learning": (
        "Environments for learning",
        ["arena.extras.learn.single_agent", "arena.extras.learn.vector"],
    ),
}
"""The pages of the reference that are made from docstrings: their title and what has them."""
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)]*|)\)")
"""A link to a file: its text, its target and its anchor, which may be empty."""
FENCE = re.compile(r"^```([\w-]+) .*$", re.MULTILINE)
"""The beginning of a block with words for the tests behind its language."""
SAMPLE_PAGE = f"{SAMPLE_SITE}/index.html"
BUTTON = f'<p><a class="md-button md-button--primary" href="{SAMPLE_PAGE}">Open its site</a></p>'
"""Takes the place of a comment on the page of the sample."""


# -- what MkDocs calls ---------------------------------------------------------------------------


def on_config(config: Any) -> Any:
    """Offer other versions of the site where `mike` publishes them; elsewhere there are none."""
    if "MIKE_DOCS_VERSION" in os.environ:
        config.extra["version"] = {"provider": "mike", "default": "latest"}
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are not in `docs`."""
    from mkdocs.structure.files import File

    pages = {site: (CHECKOUT / path).read_text("utf-8") for path, site in OUTSIDE.items()}
    pages["reference/command-line.md"] = command_line()
    pages["reference/encodings.md"] = encodings()
    for name, (title, modules) in API.items():
        parts = [f"# {title}\n", *[f"::: {module}\n" for module in modules]]
        pages[f"reference/{name}.md"] = "\n".join(parts)
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Any, files: Any, **_: Any) -> str:
    """Return a page whose relative links lead to pages of the site, or are plain text."""
    on_site = page.file.src_uri
    in_checkout = {site: path for path, site in OUTSIDE.items()}.get(on_site, f"docs/{on_site}")

    def on_the_site(link: re.Match[str]) -> str:
        text, target, anchor = link.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(in_checkout), target))
        found = OUTSIDE.get(path, path.removeprefix("docs/"))
        if files.get_file_from_path(found) is None:
            return text  # a file of the checkout that is no page
        return f"[{text}]({posixpath.relpath(found, posixpath.dirname(on_site) or '.')}{anchor})"

    if in_checkout == "docs/README.md":
        page.meta["hide"] = ["navigation", "toc"]
        markdown = markdown.replace("<!-- the site of the sample -->", BUTTON)
        markdown = markdown.replace('href="#a-sample-contest"', f'href="{SAMPLE_PAGE}"')
    return LINK.sub(on_the_site, FENCE.sub(r"```\1", markdown))


def on_post_build(*, config: Any, **_: Any) -> None:
    """Add the site of the sample, and check the pictures, unless the pages are being edited."""
    from mkdocs.exceptions import PluginError

    if click.get_current_context().info_name == "serve":
        return
    site = Path(config.site_dir, SAMPLE_SITE)
    publish_sample(site)
    with tempfile.TemporaryDirectory() as folder:
        found = shown_by(site, "\n".join(type_session(Path(folder)).values()))
    if old := old_pictures(json.loads(SHOWN.read_text("utf-8")), found):
        raise PluginError(
            f"older than what their commands print: {', '.join(old)}; run `python docs/pictures.py`"
        )


def publish_sample(to: Path) -> None:
    """Run the commands of the page of the sample, and copy the site that they make to `to`."""
    (commands,) = re.findall(r"(?ms)^```sh\n(.*?)^```$", SAMPLE.read_text("utf-8"))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path}
    with tempfile.TemporaryDirectory() as folder:
        command = ["sh", "-eu", "-c", commands]
        subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
        shutil.copytree(Path(folder, "site"), to)


# -- pictures ------------------------------------------------------------------------------------

PICTURES = CHECKOUT / "docs" / "pictures"
SHOWN = PICTURES / "shown.json"
"""By picture: digests of the file and of what it shows."""
LEARNING = CHECKOUT / "docs" / "learning.csv"
BOARD, GAME = "brides-and-bribes", "bribery/4"
"""The game of the leaderboard, and the variant of the replay."""
COLUMNS, MARGIN = 80, 2
SESSION = (
    "arena new my-bot",
    "arena check my-bot --game pot-de-vin",
    "arena run --rounds 60 --seed 7 --game pot-de-vin --bot my-bot --bot quick --name first-try",
)
"""What the picture of a terminal shows."""
SCHEMES = ("light", "dark")


def run_arena(*words: str, folder: Path) -> str:
    """Run a command of the arena at 78 columns and return what it prints, with its colours."""
    more = {"COLUMNS": str(COLUMNS - MARGIN), "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    command = [str(Path(sys.executable).with_name("arena")), *words]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | more, capture_output=True, text=True, check=True
    )
    return done.stdout.replace(f"{os.path.abspath(sys.prefix)}/bin/", "")  # as on any machine


def type_session(folder: Path) -> dict[str, str]:
    """Return what each command of the session prints."""
    return {line: run_arena(*line.split()[1:], folder=folder) for line in SESSION}


def replay_in(site: Path) -> dict[str, Any]:
    """Return the entry of the replay of which pictures are made."""
    catalogue = json.loads((site / "index.json").read_text("utf-8"))
    return next(each for each in catalogue["replays"] if each["variant"] == GAME)


def shown_by(site: Path, printed: str) -> dict[str, str]:
    """Return a digest of what each picture shows that can be made again.

    Args:
        site: the site of the sample.
        printed: what the session prints.
    """
    board = json.loads((site / "files" / "leaderboard.json").read_text("utf-8"))
    rows = [
        [row["bot"], row["games"], *[f"{row[name]:.3f}" for name in ("rating", "score")]]
        for row in board["by_game"][BOARD]
    ]
    replay = {name: replay_in(site)[name] for name in ("title", "bots", "points")}
    # Times and memory differ each time.
    words = re.sub(r"[\d,.]+ (?=ms|MiB)", "", " ".join(Text.from_ansi(printed).plain.split()))
    found: dict[str, object] = {"learning.svg": LEARNING.read_text("utf-8"), "terminal.svg": words}
    for scheme in SCHEMES:
        found[f"leaderboard-{scheme}.png"] = rows
        found |= dict.fromkeys([f"replay-{scheme}.webp", f"replay-still-{scheme}.webp"], replay)
    return {name: _digest(json.dumps(shown).encode()) for name, shown in found.items()}


def note_shown(found: dict[str, str]) -> None:
    """Write what the pictures show, which were made just now."""
    noted = {
        name: [_digest((PICTURES / name).read_bytes()), shows] for name, shows in found.items()
    }
    SHOWN.write_text(json.dumps(noted, indent=1, sort_keys=True) + "\n", "utf-8")


def old_pictures(noted: dict[str, list[str]], found: dict[str, str]) -> list[str]:
    """Return the pictures that were not made of what was found."""
    return [
        name
        for name, shows in sorted(found.items())
        if noted.get(name) != [_digest((PICTURES / name).read_bytes()), shows]
    ]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


# -- the command line ----------------------------------------------------------------------------


def command_line() -> str:
    """Return the page with the help of all commands, as it is printed on 80 columns."""
    parts = [
        "# The command line\n\nThe output of `arena --help` and of the `--help` of each command. "
        "Results go to stdout, everything else to stderr. The exit code is 0 on success, 1 on an "
        "error with one sentence that explains it, and 2 for wrong usage.\n"
    ]
    for words in [[], *words_of(main)]:
        result = CliRunner().invoke(main, [*words, "--help"], prog_name="arena", terminal_width=80)
        parts.append(f"## arena {' '.join(words)}".rstrip() + f"\n\n```text\n{result.stdout}```\n")
    return "\n".join(parts)


def words_of(group: click.Group) -> Iterator[list[str]]:
    """Yield the words of each command of a group, and of those of groups in it."""
    for name in sorted(group.commands):
        yield [name]
        inner = group.commands[name]
        if isinstance(inner, click.Group):
            yield from [[name, *words] for words in words_of(inner)]


# -- encodings -----------------------------------------------------------------------------------

TITLES = {
    "pot-de-vin": "Pot de Vin",
    "bribery": "Bribery",
    "brides-and-bribes": "Brides & Bribes",
}
HEAD = """# Encodings for learning

Actions as numbers and views as vectors of signed bytes, for each variant.
[For researchers](../researchers.md) tells how to use them.

Seats and sides are counted from the viewer, clockwise: row or column 0 of a seat is the viewer. A
part of `3 x 52` numbers is a table, row by row; `Slice.label` names each number. The numbers of a
part are 0 or 1 unless the table has bounds, which are the widest of the variants. Divided by the
upper bound of its part, a number is at most 1. The option `history=k` adds a part `history` of k
rows: the kind, the seat and the named words of the last k events, the newest first.
"""


def encodings() -> str:
    """Return the page with the numbers of actions and observations."""
    return HEAD + "".join(_game(game) for game in TITLES)


def _game(game: str) -> str:
    of_variants = {
        name.partition("/")[2]: variant.encoding()
        for name, variant in variants().items()
        if variant.game == game
    }
    lines = [f"\n## {TITLES[game]}\n", "| variant | actions | length |", "|---|---|---|"]
    lines += [
        f"| `{game}/{name}` | {len(encoding.actions)} | {encoding.size} |"
        for name, encoding in of_variants.items()
    ]
    shown = set()
    for name, encoding in of_variants.items():
        if encoding.actions in shown:
            continue
        shown.add(encoding.actions)
        same = [
            f"`/{other}`" for other in of_variants if of_variants[other].actions == encoding.actions
        ]
        lines += [
            f"\nActions of {', '.join(same)}:\n",
            "| numbers | first | last |",
            "|---|---|---|",
        ]
        lines += _actions(of_variants[name])
    names = " | ".join(f"`/{name}`" for name in of_variants)
    lines += [
        f"\n| part | {names} | numbers | meaning |",
        "|---|---|---|" + "---|" * len(of_variants),
    ]
    return "\n".join([*lines, *_slices(of_variants)]) + "\n"


def _actions(encoding: Encoding) -> Iterator[str]:
    """Yield a row for each run of actions with the same verb."""
    number = 0
    for _, run in groupby(encoding.actions, key=lambda action: action.split()[0]):
        actions = [*run]
        end = number + len(actions) - 1
        numbers = f"{number} to {end}" if end > number else str(number)
        yield f"| {numbers} | `{actions[0]}` | `{actions[-1]}` |"
        number = end + 1


def _slices(of_variants: dict[str, Encoding]) -> Iterator[str]:
    """Yield a row for each part that a variant has."""
    parts: dict[str, list[Slice]] = {}
    for encoding in of_variants.values():
        for part in encoding.slices:
            parts.setdefault(part.name, []).append(part)
    for name, same in parts.items():
        sizes = [_size(encoding, name) for encoding in of_variants.values()]
        low, high = min(part.low for part in same), max(part.high for part in same)
        bounds = "" if (low, high) == (0, 1) else f"{low} to {high}"
        yield f"| `{name}` | {' | '.join(sizes)} | {bounds} | {same[0].meaning} |"


def _size(encoding: Encoding, name: str) -> str:
    for part in encoding.slices:
        if part.name == name:
            rows, columns = len(part.rows), len(part.columns)
            return str(columns) if part.rows == ("",) else f"{rows} x {columns}"
    return ""
