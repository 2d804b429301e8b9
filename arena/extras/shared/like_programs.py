"""Programs that are alike, by the passages that two of them share and most others lack.

A passage is a sequence of `PASSAGE_WORDS` tokens of a program. Comments, docstrings and layout do
not count. All names count as equal, and so do all numbers and all strings.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from importlib.resources import files
from itertools import combinations
from pathlib import Path, PurePath
from typing import NamedTuple

import msgspec
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Name, Number, String, Text

from arena.base.errors import BotError
from arena.base.record import Entrant
from arena.contest.fingerprint import code_of, opened
from arena.contest.reader import Reader

LANGUAGES = {
    ".py": "python", ".js": "javascript", ".mjs": "javascript", ".ts": "typescript", ".c": "c",
    ".h": "c", ".cpp": "cpp", ".cc": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".rs": "rust",
    ".go": "go", ".java": "java", ".kt": "kotlin", ".cs": "csharp", ".rb": "ruby", ".php": "php",
    ".lua": "lua", ".pl": "perl", ".sh": "bash", ".hs": "haskell", ".jl": "julia",
    ".scala": "scala", ".swift": "swift", ".r": "r",
}  # fmt: skip
"""By the suffix of a file: the lexer of its language."""
MAX_PROGRAM_BYTES = 256 * 1024
"""The most program text of a bot that is compared. Larger programs contain generated tables."""
PASSAGE_WORDS = 20
"""Words of a passage. Programs that have nothing to do with each other share shorter ones."""
MIN_SHARED = 0.4
"""The part of the shorter program that like programs share. Of the modules of this project that
were written apart, with 60 passages or more, no two share more than 0.31."""
MIN_PASSAGES = 60
"""Passages of its own below which nothing is said of a program."""
MIN_COMMON_BOTS = 6
"""With so many programs, a passage that more than half of them share counts as that of a lesson."""
TOO_LITTLE = "too little that is its own"
_HASH_BYTES = 6
NAME, NUMBER, STRING = "n", "0", "s"
"""Tokens that stand for each name, number and string."""

Span = tuple[int, int]
"""Start and end in a text, in characters."""


class ProgramText(msgspec.Struct, frozen=True):
    """The text of a bot's program in one language, and its passages."""

    language: str
    text: str
    places: dict[int, list[Span]]
    """By the hash of a passage: where it is in the text."""

    def pieces(self, shared: Set[int]) -> list[tuple[str, bool]]:
        """Return the text in pieces, each with whether it is in one of the `shared` passages."""
        found, at = [], 0
        for start, end in sorted([span for passage in shared for span in self.places[passage]]):
            found += [(self.text[at:start], False), (self.text[max(start, at) : end], True)]
            at = end
        return [(piece, is_in) for piece, is_in in [*found, (self.text[at:], False)] if piece]


class LikePair(NamedTuple):
    """Two bots with like programs."""

    bots: tuple[str, str]
    language: str
    passages: Set[int]
    """The shared ones, without those that are public or common."""
    sizes: tuple[int, int]
    """Passages of each program that are its own."""

    @property
    def share(self) -> float:
        """The shared part of the shorter program."""
        return len(self.passages) / min(self.sizes)


class ComparedPrograms(NamedTuple):
    """The result of comparing programs."""

    pairs: tuple[LikePair, ...]
    """The most alike first."""
    compared: tuple[str, ...]
    """The bots with enough of their own."""
    left_out: dict[str, str]
    """By bot, why it was not compared."""
    texts: Mapping[str, Sequence[ProgramText]]
    """By bot."""


def compare_bots(
    bots: Iterable[Entrant], left_out: Mapping[str, str] = {}, *, reader: Reader
) -> ComparedPrograms:
    """Compare the programs of bots, which `reader` reads.

    `left_out` has reasons why other bots cannot be compared. It is read after the last of `bots`.
    """
    texts: dict[str, Sequence[ProgramText]] = {}
    reasons: dict[str, str] = {}
    for bot in bots:
        try:
            texts[bot.name] = reader.run(bot.name, read_programs, bot)
        except BotError as error:
            reasons[bot.name] = str(error)
    found = compare_programs(texts, public_passages())
    return found._replace(left_out={**found.left_out, **reasons, **left_out})


def read_programs(bot: Entrant) -> tuple[ProgramText, ...]:
    """Return the programs of a bot by language, its files in the order of their names.

    A `Reader` runs this.

    Raises:
        BotError: it has no program in a known language, too much text, or a file is a link.
        OSError: a file cannot be read.
    """
    texts: dict[str, str] = defaultdict(str)
    left = MAX_PROGRAM_BYTES
    for path in sorted(code_of(bot)):
        if language := language_of(path):
            name = path.relative_to(bot.folder).as_posix()
            with opened(bot) as inside, inside.open(name) as file:
                content = file.read(left + 1)
            left -= len(content)
            if left < 0:
                raise BotError(f"its program has more than {MAX_PROGRAM_BYTES:,} bytes")
            texts[language] += content.decode(errors="replace").rstrip() + "\n"
    if not texts:
        raise BotError("it has no program in a known language")
    return tuple([divide(text, language) for language, text in texts.items()])


def language_of(path: PurePath) -> str | None:
    """Return the lexer of a file of a program, or None for other files."""
    return LANGUAGES.get(path.suffix.lower())


def divide(text: str, language: str) -> ProgramText:
    """Return a text with its passages."""
    words = list(_words(text, language))
    places: dict[int, list[Span]] = defaultdict(list)
    for first in range(len(words) - PASSAGE_WORDS + 1):
        row = words[first : first + PASSAGE_WORDS]
        passage = " ".join([word for word, *_ in row]).encode(errors="replace")
        digest = hashlib.blake2b(passage, digest_size=_HASH_BYTES).digest()
        places[int.from_bytes(digest)].append((row[0][1], row[-1][2]))
    return ProgramText(language, text, dict(places))


def _words(text: str, language: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a text that count, with their starts and ends. A string is one word."""
    string: Span | None = None
    for start, kind, value in get_lexer_by_name(language).get_tokens_unprocessed(text):
        if kind in Text or kind in Comment or kind in String.Doc:
            continue
        if kind in String:
            string = (string[0] if string else start, start + len(value))
            continue
        if string:
            yield STRING, *string
            string = None
        word = NAME if kind in Name else NUMBER if kind in Number else value
        yield word, start, start + len(value)
    if string:
        yield STRING, *string


@cache
def public_passages() -> Mapping[str, frozenset[int]]:
    """Return by language the passages of installed bots and of the templates of `arena new`."""
    found: dict[str, frozenset[int]] = defaultdict(frozenset)
    for path in Path(str(files("bots"))).rglob("*"):
        if (language := language_of(path)) and path.is_file():
            found[language] |= divide(path.read_text("utf-8"), language).places.keys()
    return found


def compare_programs(
    texts: Mapping[str, Sequence[ProgramText]], public: Mapping[str, Set[int]] = {}
) -> ComparedPrograms:
    """Return the pairs of programs of one language that share at least `MIN_SHARED`.

    Args:
        texts: by bot, its programs.
        public: by language, passages that do not count.
    """
    by_language: dict[str, dict[str, Set[int]]] = defaultdict(dict)
    for bot, programs in texts.items():
        for program in programs:
            own = program.places.keys() - public.get(program.language, set())
            by_language[program.language][bot] = own
    pairs: list[LikePair] = []
    compared: set[str] = set()
    for language, group in by_language.items():
        known = _without_common(group)
        compared |= known.keys()
        for (name, first), (other, second) in combinations(sorted(known.items()), 2):
            shared = first & second
            if len(shared) >= MIN_SHARED * min(len(first), len(second)):
                sizes = len(first), len(second)
                pairs.append(LikePair((name, other), language, shared, sizes))
    pairs.sort(key=lambda pair: (-pair.share, pair.bots, pair.language))
    left_out = dict.fromkeys(texts.keys() - compared, TOO_LITTLE)
    return ComparedPrograms(tuple(pairs), tuple(sorted(compared)), left_out, texts)


def _without_common(programs: Mapping[str, Set[int]]) -> dict[str, Set[int]]:
    """Return the passages that are not common, of programs with enough of them."""
    counts = Counter([passage for own in programs.values() for passage in own])
    most = len(programs) / 2 if len(programs) >= MIN_COMMON_BOTS else len(programs)
    common = {passage for passage, many in counts.items() if many > most}
    own = {bot: passages - common for bot, passages in programs.items()}
    return {bot: passages for bot, passages in own.items() if len(passages) >= MIN_PASSAGES}
