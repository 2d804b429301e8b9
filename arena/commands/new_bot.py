"""The folder of a new bot: a small bot that plays, its test, its workflow and its container."""

import json
import random
import shutil
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from arena.errors import SettingsError
from arena.match.referee import referee
from arena.match.seat_messages import SeatMessages
from arena.match.seats import Reply
from arena.protocol import PROTOCOL, Bye, End, Hello, Limits, Message, Start, write
from engine import Variant

LANGUAGES = ("python", "javascript", "c", "shell", "rust", "go", "java", "cpp")
CONVERSATION = "conversation.jsonl"
SEED = 7
"""The seed of the game in the conversation."""
_TEST = "test_bot.py"
_NAME_IN_TEMPLATES = "my-bot"
POLICY, LANGUAGE_MODEL = "policy", "llm"
"""Templates beside those of the languages: a trained policy, and a bot that asks a language model.
The latter has no test, which would need the model."""


def make_bot(
    folder: Path, name: str, template: str, variant: Variant, policy: Path | None = None
) -> list[str]:
    """Create the folder of a bot that plays any legal action, and return its files.

    Its test sends the lines of the referee in one game of `variant` to the bot.

    Args:
        folder: the folder.
        name: the id of the bot.
        template: the language of the bot, `POLICY` or `LANGUAGE_MODEL`.
        variant: of the game in its test.
        policy: the file of its policy, which is copied.

    Raises:
        SettingsError: the folder exists already or cannot be written.
    """
    templates = files("bots").joinpath("templates")
    texts = {file.name: _read(file) for file in _files(templates.joinpath(template))}
    texts["bot.toml"] = texts["bot.toml"].replace(_NAME_IN_TEMPLATES, name)
    if template != LANGUAGE_MODEL:
        texts[_TEST] = _read(templates.joinpath(_TEST))
        lines = [write(message) for message in conversation(name, variant)]
        texts[CONVERSATION] = b"".join(lines).decode()
    write_folder(folder, texts)
    if policy:
        copied = f"policy{policy.suffix}"
        shutil.copy(policy, folder / copied)
        return sorted([*texts, copied])
    return sorted(texts)


def variant_of(policy: Path | None) -> str:
    """Return the variant for which a policy was trained; empty if its file does not say that.

    Raises:
        SettingsError: the file is none of a policy.
    """
    if policy is None or policy.suffix == ".onnx":
        return ""
    import numpy  # not above: most bots have no policy

    try:
        with numpy.load(policy) as arrays:
            return str(arrays["variant"])
    except (OSError, ValueError, KeyError) as error:
        raise SettingsError(
            f"got {policy} as a policy ({error}), expected an .onnx file, or an .npz file as "
            "`arena.extras.learn.policy_file.save_policy` writes it"
        ) from None


def build_command(folder: Path) -> str:
    """Return the command that makes the program of a new bot; empty if it needs none."""
    return str(tomllib.loads((folder / "bot.toml").read_text("utf-8")).get("build", ""))


def conversation(name: str, variant: Variant) -> list[Message]:
    """Return the messages of the referee to a bot in one game. All seats play at random."""
    rng = random.Random(SEED)
    state = variant.start(variant.deal(rng))
    seat = rng.randrange(variant.seats)
    turns = SeatMessages(1, "full", Limits())
    said: list[Message] = [
        Hello(PROTOCOL, "example", name, Limits()),
        Start(1, variant.game, variant.id, seat, variant.seats, variant.teams, SEED),
    ]
    refereeing = referee(state)
    answer: Reply | None = None
    try:
        while True:
            asked = refereeing.send(answer)  # type: ignore[arg-type]  # None starts a generator
            if asked.seat == seat:
                said.append(turns.turn(asked))
            answer = Reply(rng.choice(asked.legal))
    except StopIteration:
        outcome = state.outcome()
    return [*said, End(1, outcome.points, outcome.ranks, ()), Bye()]


def _files(folder: Traversable) -> Iterable[Traversable]:
    """Return the files of a folder; pip adds a `__pycache__` folder beside installed modules."""
    return (path for path in folder.iterdir() if path.is_file())


def _read(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")


def write_folder(folder: Path, texts: Mapping[str, str]) -> None:
    """Make `folder` and write each text to its path in it.

    Raises:
        SettingsError: `folder` exists, or it cannot be written.
    """
    try:
        folder.mkdir(parents=True)
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise SettingsError(f"{folder} exists already: choose another name") from None
    except OSError as error:
        raise SettingsError(f"cannot write {folder}: {error.strerror}") from None


# -- workflows and containers ------------------------------------------------------------------

TEMPLATES = Path(__file__).with_name("github_template")
WORKFLOWS = Path(".github", "workflows")
NOTHING_TO_BUILD = "echo nothing to build"
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
CONTAINER = """\
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
        SettingsError: it is there already, or cannot be written.
    """
    described = tomllib.loads((folder / "bot.toml").read_text("utf-8"))
    build = described.get("build")
    text = CONTAINER.format(
        name=described["name"],
        image=IMAGES[language],
        build=f"RUN {build}\n" if build else "",
        command=json.dumps(described["command"]),
    )
    return _write_new(folder / CONTAINERFILE, text)


def add_workflow(folder: Path, name: str, **words: str) -> Path:
    """Add a workflow of GitHub Actions to a folder, which is the root of a repository.

    Args:
        folder: the folder of a bot or a contest.
        name: `check.yml`, which checks a bot on each push, or `contest.yml`, which plays a contest
            and publishes its site.
        words: what replaces words of the template, such as `GAME_NAME`.

    Raises:
        SettingsError: it is there already, or cannot be written.
    """
    text = (TEMPLATES / name).read_text("utf-8")
    for word, value in words.items():
        text = text.replace(word, value)
    return _write_new(folder / WORKFLOWS / name, text)


def _write_new(path: Path, text: str) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise SettingsError(f"{path} exists already and was not changed") from None
    except OSError as error:
        raise SettingsError(f"cannot write {path}: {error.strerror}") from None
    return path
