"""The folder of a new bot: a small bot that plays, and its test."""

import random
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from arena.errors import BotError
from arena.match.referee import Reply, referee
from arena.match.seat_messages import Turns
from arena.protocol import PROTOCOL, Bye, End, Hello, Limits, Message, Start, write
from engine import Variant

LANGUAGES = ("python", "javascript", "c", "shell")
CONVERSATION = "conversation.jsonl"
SEED = 7
"""The seed of the game in the conversation."""
_TEST = "test_bot.py"
_NAME_IN_EXAMPLES = "my-bot"


def make_bot(folder: Path, name: str, language: str, variant: Variant) -> list[str]:
    """Create the folder of a bot that plays any legal action, and return its files.

    Its test sends the lines of the referee in one game of `variant` to the bot.

    Raises:
        BotError: the folder exists already or cannot be written.
    """
    examples = files("bots").joinpath("examples")
    texts = {file.name: _read(file) for file in examples.joinpath(language).iterdir()}
    texts["bot.toml"] = texts["bot.toml"].replace(_NAME_IN_EXAMPLES, name)
    texts[_TEST] = _read(examples.joinpath(_TEST))
    lines = [write(message) for message in conversation(name, variant)]
    texts[CONVERSATION] = b"".join(lines).decode()
    try:
        folder.mkdir(parents=True)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise BotError(f"{folder} exists already: choose another name for the bot") from None
    except OSError as error:
        raise BotError(f"cannot write {folder}: {error.strerror}") from None
    return sorted(texts)


def conversation(name: str, variant: Variant) -> list[Message]:
    """Return the messages of the referee to a bot in one game. All seats play at random."""
    rng = random.Random(SEED)
    state = variant.start(variant.deal(rng))
    seat = rng.randrange(variant.seats)
    turns = Turns(1, "full", Limits())
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
                said.append(turns.write(asked))
            answer = Reply(rng.choice(asked.legal))
    except StopIteration:
        outcome = state.outcome()
    return [*said, End(1, outcome.points, outcome.ranks, ()), Bye()]


def _read(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")
