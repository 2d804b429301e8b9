"""Makes the pictures of the docs again: `python docs/pictures.py`, into `docs/pictures`.

A leaderboard and a moving replay of the sample contest, light and dark, and the ladder of a class,
as Chromium shows them; the first minutes in a terminal, and the learning curves in `learning.csv`.
It needs the extras `docs`, `test` and `serve`, bubblewrap and Chromium.
"""

import csv
import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import matplotlib
from made_pages import (
    BOARD,
    COLUMNS,
    LEARNING,
    SCHEMES,
    note_shown,
    publish_sample,
    replay_in,
    run_arena,
    shown_by,
    type_session,
)
from made_pages import PICTURES as TO
from matplotlib.figure import Figure
from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page, sync_playwright
from rich.console import Console
from rich.text import Text

ARENA = str(Path(sys.executable).with_name("arena"))
SIZE = {"width": 1120, "height": 700}
SMALL = {"width": 800, "height": 700}
"""For what the start page shows side by side."""
LEADERBOARD: FloatRect = {"x": 0, "y": 54, "width": 800, "height": 508}
TABLE: FloatRect = {"x": 4, "y": 52, "width": 792, "height": 488}
"""The part of a small page with a leaderboard, and that with a replay: without the menu."""
MOVES = 20
"""The last ones of the replay, which are shown."""
FRAMES_MS = (80, 80, 640)
"""Durations of the frames of a move: while pieces move, and when they have come to rest."""
END_MS = 4000
STUDENTS = ("ann", "ben")
SVG = """<svg viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg">
<title>A terminal with the first minutes</title>
<style>text {{ font: {char_height}px monospace; }} {styles}</style>
<rect width="100%" height="100%" rx="8" fill="#1b1f27"/>
<defs>{lines}</defs>
<g transform="translate(8, 12)">{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""
"""The terminal as an SVG, with fonts of the reader's machine."""


def shot(page: Page, clip: FloatRect | None = None) -> Image.Image:
    """Return what a page shows, or the part `clip` of it."""
    return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")


def save(page: Page, name: str, clip: FloatRect | None = None) -> None:
    """Save what a page shows, with at most 256 colours."""
    shot(page, clip).quantize(256).save(TO / f"{name}.png", optimize=True)


def draw_sample(browser: Browser, site: Path, scheme: Literal["light", "dark"]) -> None:
    """Save a leaderboard and a replay of the sample contest, in the colours of `scheme`."""
    page = browser.new_page(viewport=SMALL, color_scheme=scheme)
    page.goto((site / "game" / f"{BOARD}.html").as_uri())
    save(page, f"leaderboard-{scheme}", LEADERBOARD)
    page.goto((site / replay_in(site)["page"]).as_uri())
    page.keyboard.press("End")
    for _ in range(MOVES):
        page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(1000)  # until the pieces have come to rest
    frames, durations = [shot(page, TABLE)], [sum(FRAMES_MS)]
    for _ in range(MOVES):
        page.keyboard.press("ArrowRight")
        for duration in FRAMES_MS:
            frames.append(shot(page, TABLE))
            durations.append(duration)
    durations[-1] = END_MS
    moving, still = TO / f"replay-{scheme}.webp", TO / f"replay-still-{scheme}.webp"
    frames[0].save(
        moving,
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        quality=50,
        method=6,
    )
    frames[-1].save(still, quality=80)
    page.close()


def draw_terminal(printed_by: dict[str, str]) -> None:
    """Save the first minutes as an SVG."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    for line, printed in printed_by.items():
        console.print(Text.from_ansi(f"\x1b[1m$ {line}\x1b[0m"))
        console.print(Text.from_ansi(printed.strip()), "", soft_wrap=True, sep="\n")
    TO.joinpath("terminal.svg").write_text(console.export_svg(code_format=SVG, unique_id="arena"))


def draw_learning() -> None:
    """Save the learning curves, each with its intervals, as an SVG."""
    with LEARNING.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    fields = list(dict.fromkeys([(row["variant"], row["rival"]) for row in rows]))
    figure = Figure(figsize=(9, 2.8), layout="constrained")
    for axes, (variant, rival) in zip(figure.subplots(1, len(fields)), fields, strict=True):
        own = [row for row in rows if row["variant"] == variant]
        for number, seed in enumerate(dict.fromkeys([row["seed"] for row in own])):
            points = [row for row in own if row["seed"] == seed]
            steps = [int(row["steps"]) / 1000 + number for row in points]  # bars side by side
            difference, low, high = [
                [100 * float(row[name]) for row in points] for name in ("difference", "low", "high")
            ]
            axes.plot(steps, difference, marker=".", color=f"C{number}", label=f"seed {seed}")
            axes.vlines(steps, low, high, color=f"C{number}")
        axes.axhline(0, color="#999999", linewidth=0.8)
        axes.set(title=variant, xlabel="thousand decisions of PPO")
        axes.set_ylabel(f"difference to {rival}, %")
        axes.legend(frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
    # Neither the date nor random ids: the same curves give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "arena", "svg.fonttype": "none"}):
        figure.savefig(TO / "learning.svg", metadata={"Date": None})


@contextmanager
def ladder(folder: Path) -> Iterator[str]:
    """Serve a class's contest and give the address of its server."""
    run_arena("init", "class", folder=folder)
    settings = folder / "class" / "contest.toml"
    settings.write_text(re.sub("(?m)^bots = .*$", 'bots = ["quick"]', settings.read_text()))
    for student in STUDENTS:
        run_arena("new", student, folder=folder)
        run_arena("submit", student, "--to", "class", "--name", student, folder=folder)
    command = [ARENA, "serve", "class", "--port", "0"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http://[^/\s]+", server.stdout.readline())
        assert found
        yield found[0]
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Make all pictures."""
    TO.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = Path(scratch)
        printed = type_session(folder)
        draw_terminal(printed)
        draw_learning()
        publish_sample(folder / "site")
        options = {"executable_path": "/usr/bin/chromium", "args": ["--no-sandbox"]}
        browser = playwright.chromium.launch(**options)
        for scheme in SCHEMES:
            draw_sample(browser, folder / "site", scheme)
        page = browser.new_page(viewport=SIZE)
        with ladder(folder) as address:
            page.goto(address)
            page.wait_for_timeout(20_000)  # for the first complete boards
            page.reload()
            save(page, "ladder")
        note_shown(shown_by(folder / "site", "\n".join(printed.values())))


if __name__ == "__main__":
    main()
