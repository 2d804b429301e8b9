"""Containerfiles of bots, for languages that the machine of a contest lacks."""

import json
import tomllib
from pathlib import Path

from arena.errors import SettingsError

CONTAINERFILE = "Containerfile"
IMAGES = {
    "c": "docker.io/library/gcc:14",
    "cpp": "docker.io/library/gcc:14",
    "go": "docker.io/library/golang:1",
    "java": "docker.io/library/eclipse-temurin:21",
    "javascript": "docker.io/library/node:22-slim",
    "rust": "docker.io/library/rust:1-slim",
    "shell": "docker.io/library/debian:stable-slim",
}
"""By language: an image that has what its bots need. Bots in Python need the arena itself."""
TEMPLATE = """\
# The image of this bot. Build it once, in this folder: podman build --tag {name} .
# The teacher enters it in contest.toml:
#
#     [[bot]]
#     name = "{name}"
#     command = ["podman", "run", "--rm", "-i", "--network", "none", "{name}"]
#     folder = "."
FROM {image}
WORKDIR /bot
COPY . .
{build}CMD {command}
"""


def add_containerfile(folder: Path, language: str) -> Path:
    """Add a Containerfile to the folder of a new bot, and return its path.

    `language` is one of `IMAGES`.

    Raises:
        SettingsError: the file cannot be written.
    """
    described = tomllib.loads((folder / "bot.toml").read_text("utf-8"))
    build = described.get("build")
    text = TEMPLATE.format(
        name=described["name"],
        image=IMAGES[language],
        build=f"RUN {build}\n" if build else "",
        command=json.dumps(described["command"]),
    )
    path = folder / CONTAINERFILE
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"cannot write {path}: {error.strerror}") from None
    return path
