"""Find the bot in a file or folder, and read its command from `bot.toml`.

A bot's files are untrusted and must be read through `read_untrusted`, which limits time and
memory.
"""

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from arena.base.errors import BotError, SubmissionError
from arena.base.protocol import printable
from arena.base.record import Entrant
from arena.base.text_file import decode_text
from arena.contest.archive import (
    MAX_DEPTH,
    copy_build,
    copy_submission,
    is_code,
)
from arena.contest.fingerprint import files_of, fingerprint
from arena.contest.settings import checked_bot_name
from arena.contest.untrusted_files import UntrustedFolder
from engine.errors import guess

BOT_FILE = "bot.toml"
BOT_PROGRAM = "bot.py"
MAX_BOT_FILE_BYTES = 16 * 1024
MAX_DESCRIPTION_CHARS = 200
MAX_SHOWN_CHARS = 300
PYTHON = ("python", "python3")
MADE, COPIED = "made", "copied"
PACKED = (".py", ".zip")
_EXPECTED = 'name = "my-bot" and command = ["python", "bot.py"], or another program'


class FoundBot(NamedTuple):
    entrant: Entrant
    build: str = ""
    notes: tuple[str, ...] = ()

    @property
    def has_to_be_built(self) -> bool:
        return bool(self.build) and not os.path.isdir(self.entrant.folder)


class _BotToml(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    command: tuple[str, ...]
    waits: bool = False
    build: str = ""
    description: Annotated[str, msgspec.Meta(max_length=MAX_DESCRIPTION_CHARS)] = ""
    settings: dict[str, Any] = {}


def _from_file(path: Path) -> FoundBot:
    with UntrustedFolder(path.parent, path.name) as inside:
        names = files_of(path.name, inside)
        return _python_bot(path, path.stem, names, inside, tuple(names))


def _from_folder(
    folder: Path,
    name: str | None,
    interpreters: Collection[str],
    *,
    may_be_unbuilt: bool = False,
) -> FoundBot:
    # `name` takes precedence over the name in `bot.toml`. If `may_be_unbuilt` is true, a bot with a
    # `build` command may lack its program.
    with UntrustedFolder(folder) as inside:
        described = _read_bot_toml(folder, inside)
        names = inside.files(is_code)
        code = [folder / name for name in names]
        if may_be_unbuilt and described.build and described.command:
            code_to_be = [*code, *[folder / word for word in described.command]]
        else:
            code_to_be = code
            _check_built(described, folder)
        command = _command(described.command, folder, code_to_be, interpreters)
        code_now = fingerprint(command, code, folder, untrusted=inside)
    name = checked_bot_name(name or described.name)
    description = printable(" ".join(described.description.split())) or msgspec.UNSET
    entrant = Entrant(
        name, command, str(folder), code_now, waits=described.waits, description=description
    )
    return FoundBot(entrant, described.build, tuple(_hiding(names)))


def _from_program(program: Path, name: str) -> FoundBot:
    with UntrustedFolder(program.parent) as inside:
        names = inside.files(is_code)
        alone = tuple(names) if names == [program.name] else ()
        bot = _python_bot(program, name, names, inside, alone)
    misnamed = [
        f"ignored {each}: rename it to {BOT_FILE} if it describes the bot"
        for each in {"bot.toml.txt", "bot.txt"} & {*names}
    ]
    return bot._replace(notes=(*bot.notes, *misnamed))


def _python_bot(
    program: Path, name: str, code: Sequence[str], inside: UntrustedFolder, files: tuple[str, ...]
) -> FoundBot:
    folder = program.parent
    command = (sys.executable, "-P", "-m", "arena.bot", program.name)
    code_now = fingerprint(command, [folder / file for file in code], folder, None, inside)
    entrant = Entrant(checked_bot_name(name), command, str(folder), code_now, files=files)
    return FoundBot(entrant, notes=tuple(_hiding(code)))


def _hiding(names: Iterable[str]) -> list[str]:
    return [
        f"{name} shadows Python's module {module}: rename it"
        for name in names
        if (module := name.removesuffix(".py").removesuffix("/__init__")) != name
        and module in sys.stdlib_module_names
    ]


# -- what `read_untrusted` calls ----------------------------------------------------------------


def named_bot(path: Path, interpreters: tuple[str, ...]) -> FoundBot:
    return _from_folder(path, None, interpreters) if path.is_dir() else _from_file(path)


def incoming_bot(source: Path, name: str, interpreters: tuple[str, ...], scratch: Path) -> FoundBot:
    folder = scratch / COPIED
    folder.mkdir()  # with the usual mode, since the scratch folder is private
    skipped = copy_submission(source, folder)
    try:
        bot = _bot_in(folder.resolve(), name, interpreters, may_be_unbuilt=True)
    except BotError as error:
        shown = str(error).replace(str(folder.resolve()), printable(str(source)))
        raise type(error)(shown) from None
    program = Path(bot.entrant.command[0])
    if program.is_relative_to(bot.entrant.folder) and program.is_file():
        program.chmod(0o755)  # zips made on Windows lose the executable bit
    entrant = msgspec.structs.replace(bot.entrant, source=str(source.absolute()))
    return FoundBot(entrant, bot.build, (*skipped, *bot.notes))


def built_bot(archive: Path, made: Path, name: str, interpreters: tuple[str, ...]) -> FoundBot:
    made.mkdir()
    copy_build(archive, made, f"the build of {name}")
    return _bot_in(made.resolve(), name, interpreters)


# -- which one is the bot ----------------------------------------------------------------------


def _bot_in(
    top: Path, name: str, interpreters: Collection[str], may_be_unbuilt: bool = False
) -> FoundBot:
    # The bot is described by `bot.toml`, or is `bot.py` or the only Python file. The bot may also
    # be in the only subfolder that could contain a bot.
    here = top
    notes: list[str] = []
    for _ in range(MAX_DEPTH):
        children = code_in(here)
        bot = None
        if here / BOT_FILE in children:
            bot = _from_folder(here, name, interpreters, may_be_unbuilt=may_be_unbuilt)
        elif program := _program_in(children):
            bot = _from_program(program, name)
        if bot:
            return bot._replace(notes=(*notes, *bot.notes))
        folders = [child for child in children if child.is_dir()]
        bots = folders if len(folders) == 1 else list(filter(_looks_like_bot, folders))
        if len(bots) > 1:
            raise SubmissionError(
                f"there are several bots in {top}: expected one, found "
                f"{', '.join([printable(bot.name) for bot in bots])}"
            )
        if not bots:
            break
        here = bots[0]
        notes += [
            f"skipped {printable(child.name)}: the bot is in {printable(here.name)}"
            for child in children
            if child != here
        ]
    raise SubmissionError(
        f"there is no bot in {top}: expected {BOT_FILE}, {BOT_PROGRAM}, or a single .py file"
    )


def _program_in(children: Collection[Path]) -> Path | None:
    programs = [child for child in children if child.suffix.lower() == ".py" and child.is_file()]
    named = [program for program in programs if program.name == BOT_PROGRAM]
    chosen = named or programs
    return chosen[0] if len(chosen) == 1 else None


def _looks_like_bot(folder: Path) -> bool:
    children = code_in(folder)
    return folder / BOT_FILE in children or _program_in(children) is not None


def code_in(folder: Path) -> list[Path]:
    return sorted([child for child in folder.iterdir() if is_code(Path(child.name))])


def started_program(program: str, folder: Path) -> str:
    if program in PYTHON:
        return sys.executable
    return str(folder / program) if os.path.isfile(folder / program) else program


def _read_bot_toml(folder: Path, inside: UntrustedFolder) -> _BotToml:
    path = folder / BOT_FILE
    try:
        with inside.open(BOT_FILE) as file:
            text = file.read(MAX_BOT_FILE_BYTES + 1)
    except FileNotFoundError:
        raise BotError(
            f"{folder} is not a bot: it has no {BOT_FILE}; write one with {_EXPECTED}, or name the "
            ".py file itself"
        ) from None
    except OSError as error:
        raise BotError(f"cannot read {path}: {error.strerror}") from None
    if len(text) > MAX_BOT_FILE_BYTES:
        raise BotError(f"{path} is longer than {MAX_BOT_FILE_BYTES:,} bytes; expected {_EXPECTED}")
    try:
        return msgspec.toml.decode(decode_text(text), type=_BotToml)
    except (ValueError, RecursionError) as error:
        reason = " ".join(printable(str(error)).split())
        if len(reason) > MAX_SHOWN_CHARS:
            reason = f"{reason[:MAX_SHOWN_CHARS]}..."
        raise BotError(f"{path}: {reason}; expected {_EXPECTED}") from None


def _check_built(described: _BotToml, folder: Path) -> None:
    program = described.command[0] if described.command else ""
    is_own = os.sep in program and "\0" not in program and not _leads_out(program)
    if described.build and is_own and not (folder / program).exists():
        raise BotError(
            f"{folder} has no {_shown(program)}: run its build command {_shown(described.build)} "
            "in that folder, or submit the bot with `arena submit`"
        )


def _command(
    command: tuple[str, ...], folder: Path, code: Collection[Path], interpreters: Collection[str]
) -> tuple[str, ...]:
    path = folder / BOT_FILE
    if not command or any("\0" in part for part in command):
        raise BotError(
            f"{path}: `command` is empty or contains a NUL character; expected {_EXPECTED}"
        )
    program, *arguments = command
    if program not in (*PYTHON, *interpreters) and folder / program not in code:
        raise BotError(
            f"{path}: `command` starts {_shown(program)}: expected an existing file of the bot, or "
            f"one of {', '.join((PYTHON[0], *interpreters))} (`interpreters` in contest.toml and "
            "`--set entrants.interpreters` allow other programs)"
        )
    for argument in arguments:
        if _leads_out(argument):
            raise BotError(
                f"{path}: `command` names {_shown(argument)}, which is outside the bot's folder"
            )
    script = next((word for word in arguments if not word.startswith("-")), "")
    is_file = Path(script).suffix[1:].isalpha() and not {"-c", "-m"} & {*arguments}
    if program in (*PYTHON, *interpreters) and is_file and folder / script not in code:
        known = [str(file.relative_to(folder)) for file in code]
        raise BotError(
            f"{path}: `command` names {_shown(script)}, which does not exist"
            f"{guess(script, known)} expected a file of the bot"
        )
    return (started_program(program, folder), *arguments)


def _leads_out(path: str) -> bool:
    return os.path.isabs(path) or os.path.normpath(path).split(os.sep)[0] == os.pardir


def _shown(text: str) -> str:
    return f"{text!a}" if len(text) <= 100 else f"{text[:100]!a}..."
