"""Create folders for new bots from the templates in `bots/templates`."""

import pprint
import random
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.base.protocol import PROTOCOL, Bye, End, Hello, Limits, Message, Ready, Turn, write
from arena.extras.develop.templates import TEMPLATES, texts_of, write_folder
from arena.match.referee import referee, start_message
from arena.match.seat_messages import SeatMessages
from arena.match.seats import Reply
from engine import Variant

LANGUAGES = ("python", "javascript", "c", "shell", "rust", "go", "java", "cpp")
CONVERSATION = "conversation.jsonl"
SEED = 7
_TEST = "test_bot.py"
_NAME_IN_TEMPLATES = "my-bot"
LANGUAGE_MODEL = "llm"


def make_bot(folder: Path, name: str, template: str, variant: Variant) -> list[Path]:
    """Create a folder with a minimal bot, and return the paths of its files.

    `template` is the bot's language, or `LANGUAGE_MODEL`. Raise `SettingsError` if the folder
    already exists or if a file can't be written.
    """
    texts = texts_of(TEMPLATES.joinpath(template), [(_NAME_IN_TEMPLATES, name)])
    if template != LANGUAGE_MODEL:  # its test would need a language model
        texts[_TEST] = TEMPLATES.joinpath(_TEST).read_text("utf-8")
        messages = conversation(name, variant)
        texts[CONVERSATION] = b"".join(map(write, messages)).decode()
        if template == "python" and variant.on_request:  # other games document their views
            start = "\n\nif __name__"
            text = texts["bot.py"].replace("games = ()", f'games = ("{variant.game}",)')
            texts["bot.py"] = text.replace(start, _example(variant, messages) + start)
    return sorted(write_folder(folder, texts))


def _example(variant: Variant, messages: Sequence[Message]) -> str:
    turn = next(message for message in messages if isinstance(message, Turn))
    view = msgspec.json.decode(turn.view)
    shown = pprint.pformat(
        {"view": view, "legal": turn.legal}, sort_dicts=False, width=96, compact=True
    )
    lines = [f"What `act` gets in a turn of {variant.id}; {CONVERSATION} has a whole game:", ""]
    return "\n" + "".join([f"\n{f'# {line}'.rstrip()}" for line in [*lines, *shown.splitlines()]])


def build_command(folder: Path) -> str:
    return str(tomllib.loads((folder / "bot.toml").read_text("utf-8")).get("build", ""))


def conversation(name: str, variant: Variant) -> list[Message]:
    """Return the messages that a bot would receive in a game with random moves."""
    rng = random.Random(SEED)
    state = variant.start(variant.deal(rng))
    seat = rng.randrange(variant.seats)
    turns = SeatMessages(1, Ready(PROTOCOL), Limits())
    messages: list[Message] = [
        Hello(PROTOCOL, "example", name, Limits()),
        start_message(variant, seat, SEED, table=1),
    ]
    refereeing = referee(state)
    answer: Reply | None = None
    try:
        while True:
            decision = refereeing.send(answer)  # type: ignore[arg-type]  # None starts a generator
            if decision.seat == seat:
                messages.append(turns.turn(decision))
            answer = Reply(rng.choice(decision.legal))
    except StopIteration:
        outcome = state.outcome()
    return [*messages, End(1, outcome.points, outcome.ranks, ()), Bye()]
