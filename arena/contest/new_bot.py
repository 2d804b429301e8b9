"""The folder of a new bot: a small bot that plays, and its test."""

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
POLICY = "policy"
"""The template of a bot with a trained policy, beside those of the languages."""


def make_bot(
    folder: Path, name: str, template: str, variant: Variant, policy: Path | None = None
) -> list[str]:
    """Create the folder of a bot that plays any legal action, and return its files.

    Its test sends the lines of the referee in one game of `variant` to the bot.

    Args:
        folder: the folder.
        name: the id of the bot.
        template: the language of the bot, or `POLICY`.
        variant: of the game in its test.
        policy: the file of its policy, which is copied.

    Raises:
        SettingsError: the folder exists already or cannot be written.
    """
    templates = files("bots").joinpath("templates")
    texts = {file.name: _read(file) for file in _files(templates.joinpath(template))}
    texts["bot.toml"] = texts["bot.toml"].replace(_NAME_IN_TEMPLATES, name)
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
