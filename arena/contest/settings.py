"""Define all settings of a contest and their default values."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Annotated, Any, Literal, NamedTuple, TypeGuard, get_args

import msgspec
from msgspec import Meta

from arena.base.contracts import AUTO, Bounds
from arena.base.errors import BotError, SettingsError
from arena.base.protocol import Limits
from arena.rating.certificate import Confidence, Epsilon, Result, StopRule
from engine import get_variant, variants
from engine.plugins import all_variants, unknown_game, variants_of

# -- times -------------------------------------------------------------------------------------

LATE_RULES = ("accept", "refuse")

Timeliness = Literal["on time", "late", "too late"]


class Deadline(NamedTuple):
    due: datetime
    refuses: bool = False

    def judge(self, at: datetime) -> Timeliness:
        if at <= self.due:
            return "on time"
        return "too late" if self.refuses else "late"


def read_time(text: str, zone: tzinfo | None, *, starts: bool = False) -> datetime:
    """Parse a time typed by a user, such as `2026-12-01 18:00` or `2026-12-01 18:00+01:00`.

    `zone` is the time zone for times without a UTC offset. A date without a time is read as
    23:59, or as 00:00 if `starts` is true.

    Raises:
        SettingsError: The time is invalid.
    """
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        raise SettingsError(
            f"got the time {text[:40]!r}, expected one such as '2026-12-01 18:00', or with a zone "
            "'2026-12-01 18:00+01:00'"
        ) from None
    if not 2000 <= time.year < 2100:  # others overflow in some zone
        raise SettingsError(f"got the time {text[:40]!r}, expected one from 2000 to 2099")
    if not starts and len(text.strip()) == len("2026-12-01"):
        time = time.replace(hour=23, minute=59)
    if time.tzinfo:
        return time
    folds = [time.replace(fold=fold) for fold in (0, 1)]
    first, second = [one.replace(tzinfo=zone) if zone else one.astimezone() for one in folds]
    if first.utcoffset() != second.utcoffset():  # when clocks change
        raise SettingsError(
            f"got the time {text.strip()!r}, which is skipped or repeated when clocks "
            f"change: write '{first.isoformat(' ', 'minutes')}' or "
            f"'{second.isoformat(' ', 'minutes')}'"
        )
    return first


def shown_time(time: datetime) -> str:
    """Format a time in local time, including the name of the time zone."""
    return f"{time.astimezone():%Y-%m-%d %H:%M %Z}"


# -- tables ------------------------------------------------------------------------------------

_MAX_BOT_NAME_CHARS = 40
_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")

RISK = (
    "submissions may read, change and delete everything that the account of the server can, "
    "and use the network"
)
Names = tuple[str, ...]
QUICK = "quick"
INTERPRETERS = ("node", "deno", "java", "ruby", "perl", "php", "lua", "sh", "bash")


class Program(msgspec.Struct, frozen=True):
    """A `[[bot]]` table adds a bot that is started by an arbitrary command."""

    name: str
    command: Annotated[Names, Meta(min_length=1)]
    folder: str
    """The folder in which the command starts. Its files are part of the bot's fingerprint."""
    waits: bool = False
    """Whether the bot spends most of its time waiting for a GPU or another machine."""


class EntrantsTable(msgspec.Struct, frozen=True):
    """The `[entrants]` table determines which bots play."""

    inbox: str | None = None
    """The folder that stores students' submissions. Default: no submissions."""
    bots: Names = ()
    """Names or paths of the bots in the run. The name `quick` means all quick bots."""
    challengers: Names = ()
    """Names, paths or student ids of the bots that are challengers in a `gauntlet`."""
    fill: bool = False
    """Fill empty seats with bundled bots."""
    interpreters: Names = INTERPRETERS
    """Installed programs other than `python` that a bot's command may start."""
    roster: str | None = None
    """CSV file with the students. Default: anyone may submit."""
    versions_a_day: Annotated[int, Meta(ge=1)] | None = None
    """Maximum number of new versions that a student may submit per day. Default: no limit."""


class DeadlineTable(msgspec.Struct, frozen=True):
    """The `[deadline]` table sets the period in which students can submit bots."""

    opens: str | None = None
    """Submissions before this time are rejected. Default: no restriction."""
    due: str | None = None
    """The deadline for submissions. If no time zone is given, the time zone of this machine is
    used. Default: no deadline."""
    late: str = LATE_RULES[0]
    """`accept` to accept late submissions and mark them as late, or `refuse` to reject them."""

    def opening(self) -> datetime | None:
        return read_time(self.opens, None, starts=True) if self.opens else None

    def deadline(self) -> Deadline | None:
        """Return the deadline, or None if none is set.

        Raises:
            SettingsError: The deadline is invalid.
        """
        if not self.due:
            return None
        due, opens = read_time(self.due, None), self.opening()
        if opens and due <= opens:
            raise SettingsError(
                f"got the deadline {self.due!r}, expected a time after {self.opens!r}, when "
                "submissions open"
            )
        return Deadline(due, self.late == "refuse")


class SandboxTable(msgspec.Struct, frozen=True):
    """The `[sandbox]` table limits what bots can do on the machine."""

    level: str = AUTO
    """The sandbox level: `isolated`, `none` or `auto`. The level `auto` isolates bots where
    possible."""
    memory_mib: Annotated[int, Meta(ge=16)] = Bounds().memory_mib
    """Maximum total memory of a bot's processes, in MiB."""
    processes: Annotated[int, Meta(ge=1)] = Bounds().processes
    """Maximum number of processes and threads per bot."""
    file_mib: Annotated[int, Meta(ge=1)] = Bounds().file_mib
    """Maximum size of a file that a bot writes, in MiB."""
    readable: Names = ()
    """Files and folders that isolated bots may read."""

    @property
    def bounds(self) -> Bounds:
        return Bounds(self.memory_mib, self.processes, self.file_mib)


class SiteTable(msgspec.Struct, frozen=True):
    """The `[site]` table contains the text and links for the contest's website. It doesn't affect
    runs.
    """

    title: str = ""
    """Title of the contest. Default: the name of the run."""
    about: str = ""
    """A sentence about the contest. Default: the number of bots and games."""
    address: str = ""
    """Address of the published site, such as `https://ai.example.edu/spring/`. Needed for preview
    pictures of shared links."""
    enter: str = ""
    """A sentence that explains how to take part."""
    enter_at: str = ""
    """The address where people can join the contest, such as the address of the contest server."""
    home: str = ""
    """Home page of the contest or course."""


class MachineTable(msgspec.Struct, frozen=True):
    """The `[machine]` table determines where games are played. It doesn't affect results."""

    executor: str = "local"
    """The executor that distributes games to worker processes."""
    scheduler: str | None = None
    """Address of the Dask scheduler. Default: start a cluster on this machine."""
    workers: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    """Number of worker processes. Default: one per core."""
    tables: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    """Number of concurrent games per worker. Default: depends on the speed of the bots."""
    waiting_games: Annotated[int, Meta(ge=0, le=1_000)] = 0
    """Number of concurrent games per worker for bots with `waits = true` in `bot.toml`. With 0,
    `waits` has no effect."""
    pin: bool = True
    """Run each worker and its bots on a single core."""


class ServeTable(msgspec.Struct, frozen=True):
    """The `[serve]` table configures the contest server. It doesn't affect runs."""

    pseudonyms: bool = False
    """Show pseudonyms instead of names on the public leaderboard."""
    freeze_minutes: Annotated[int, Meta(ge=0, le=525_600)] = 0
    """Number of minutes before the deadline when the leaderboard freezes, or 0 for no freeze. The
    leaderboard stays frozen until the final is over, or until the deadline if there is no final."""
    final: bool = True
    """Play a final after the deadline. The final uses new deals."""
    final_rounds: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """Number of rounds in the final. 0 means as many rounds as on the ladder."""
    review_seconds: Annotated[int, Meta(ge=0, le=3600)] = 120
    """Time limit for game reviews in seconds. 0 disables reviews."""
    accepted_risk: str = ""
    """Allows submissions to run without isolation. The required text is quoted in
    [Security](security.md#a-contest-server)."""


class Contest(msgspec.Struct, frozen=True):
    """The settings of a contest, as written in `contest.toml`."""

    name: str | None = None
    """Name of the run's folder in `results`. Default: the date and time."""
    results: str = "results"
    """Folder for all runs."""
    publish: str | None = None
    """The folder to which `arena publish` writes the website. Contest servers also write the
    website, unless `serve.pseudonyms` is true."""
    games: Names = ()
    """Games to play in every variant. Default: all games, unless `variants` is set."""
    variants: Names = ()
    """Variants to play in addition to `games`."""
    rounds: Annotated[int, Meta(ge=1, le=1_000_000)] = 60
    """Number of rounds per variant. If `until` is set, a variant can end earlier."""
    until: str | None = None
    """`certain` ends a variant as soon as the order of its bots is certain. Default: play all
    rounds."""
    epsilon: Epsilon | None = None
    """Two scores count as equal if they differ by less than `epsilon`. Used with `until`.
    Default: 0.05."""
    confidence: Confidence | None = None
    """Confidence level for the order of the bots, in percent. Used with `until`. Default: 95."""
    order: str | None = None
    """How to sort tables: by `rating` or by `score`. Default: `rating`, or `score` with `until`."""
    result: str = "placement"
    """Rank bots by their `placement` in each game, or by their total `points`."""
    secret: str | None = None
    """File with the secret that seeds all deals. Default: a new secret for each run."""
    seed: int | None = None
    """A seed for reproducible experiments, used instead of a secret. Bots can predict the deals."""
    schedule: str = "round-robin"
    """The name of the schedule that determines which bots play against each other."""
    withdrawal: bool = True
    """Withdraw bots that have too many faults."""
    entrants: EntrantsTable = EntrantsTable()
    deadline: DeadlineTable = DeadlineTable()
    limits: Limits = Limits()
    sandbox: SandboxTable = SandboxTable()
    machine: MachineTable = MachineTable()
    site: SiteTable = SiteTable()
    serve: ServeTable = ServeTable()
    programs: tuple[Program, ...] = msgspec.field(default=(), name="bot")
    """Bots that may run any program. Such bots must be entered in `contest.toml`."""

    def stop_rule(self) -> StopRule | None:
        """Return the rule for stopping early, or None if all rounds are played.

        Raises:
            SettingsError: The contest's settings for stopping early contradict each other.
        """
        given = {"epsilon": self.epsilon, "confidence": self.confidence}
        known = {name: value for name, value in given.items() if value is not None}
        if self.until is None:
            if known:
                name, value = next(iter(known.items()))
                raise SettingsError(
                    f"got {name} {value:g} without a stop rule: add `--until certain` (in a "
                    f'contest file `until = "certain"`), or leave out {name}'
                )
            return None
        if self.order == "rating":
            raise SettingsError(
                "got the order `rating` with `--until certain`, which compares scores: remove one "
                "of the two"
            )
        for variant in chosen_variants(self.variants, self.games):
            if get_variant(variant).has_one_deal:
                raise SettingsError(
                    f"got `--until certain` for {variant}, which has only one deal: more boards "
                    "would be copies, so set `--rounds` instead"
                )
        return StopRule(**known)

    @property
    def ranked_by(self) -> Result:
        return "points" if self.result == "points" else "placement"


# -- settings by their keys --------------------------------------------------------------------


def all_settings(kind: type[msgspec.Struct] = Contest, table: str = "") -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        key = table + field.name
        if field.type in (SiteTable, ServeTable):
            continue
        if is_table(field.type):
            settings |= all_settings(field.type, f"{key}.")
        elif not table_in(field.type):
            settings[key] = field
    return settings


def value_of(contest: Contest, key: str) -> Any:
    value: Any = contest
    for name in key.split("."):
        value = getattr(value, name)
    return value


def is_table(kind: object) -> TypeGuard[type[msgspec.Struct]]:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def table_in(kind: object) -> type[msgspec.Struct] | None:
    inner = next(iter(get_args(kind)), None)
    return inner if is_table(inner) else None


def override(contest: Contest, given: Mapping[str, Any]) -> Contest:
    if "games" in given or "variants" in given:  # both choose what is played
        contest = msgspec.structs.replace(contest, games=(), variants=())
    if "seed" in given or "secret" in given:  # either determines all deals
        contest = msgspec.structs.replace(contest, seed=None, secret=None)
    for key, value in given.items():
        table, _, name = key.rpartition(".")
        change = {name: value}
        if table:
            change = {table: msgspec.structs.replace(getattr(contest, table), **change)}
        contest = msgspec.structs.replace(contest, **change)
    return contest


# -- checks ------------------------------------------------------------------------------------


def checked_run_name(name: str) -> str:
    """Return the name of a run.

    Raises:
        SettingsError: The name is invalid.
    """
    if not _RUN_NAME.fullmatch(name):
        raise SettingsError(
            f"{name[:80]!r} cannot be the name of a run: expected 1 to 100 letters, digits and any "
            "of _ . + -, starting with a letter or digit"
        )
    return name


def checked_bot_name(name: str) -> str:
    """Return a bot name in NFC. Letters of any script are allowed.

    Raises:
        BotError: The bot name is invalid.
    """
    kinds = [unicodedata.category(letter)[0] for letter in name]
    is_safe = all(
        kind in "LMN" or letter in "_.+-" for letter, kind in zip(name, kinds, strict=True)
    )
    is_short = 1 <= len(name) <= _MAX_BOT_NAME_CHARS and unicodedata.is_normalized("NFC", name)
    if not (is_safe and is_short and (kinds[0] in "LN" or name[0] == "_")):
        raise BotError(
            f"{name!r} cannot be the name of a bot: expected 1 to {_MAX_BOT_NAME_CHARS} letters, "
            "digits and any of _ . + -"
        )
    return name


def check_risk(text: str) -> None:
    if text not in ("", RISK):
        raise SettingsError(f"got {text[:200]!r}, expected exactly {RISK!r}, or leave it out")


def check_game(game: str) -> None:
    if not variants_of(game):
        raise SettingsError(unknown_game(game))


def check_interpreter(name: str) -> None:
    if not name or "/" in name or "\0" in name:
        raise SettingsError(
            f"{name[:80]!r} is not the name of a program on the PATH: use [[bot]] to enter a bot "
            "with any command"
        )


def chosen_variants(variant_ids: Sequence[str], games: Sequence[str]) -> tuple[str, ...]:
    """Return the given variants, plus all variants of the given games. By default, return all
    variants.

    Raise `SettingsError` if a game is unknown, or if both a variant and its game are given.
    """
    for game in games:
        check_game(game)
    chosen = [get_variant(variant_id).id for variant_id in variant_ids]
    for variant_id in chosen:
        if (game := get_variant(variant_id).game) in games:
            raise SettingsError(
                f"got both the variant {variant_id} and its game {game}: remove the variant to "
                "play the whole game, or the game to play only the variant"
            )
    if len(games) == 1:  # a run starts faster without the other games
        chosen += variants_of(games[0])
    elif games or not chosen:
        playable = all_variants() if games else variants()
        chosen += [
            variant.id for variant in playable.values() if variant.game in games or not games
        ]
    return tuple(dict.fromkeys(chosen))
