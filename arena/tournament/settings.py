"""Define the settings of a run."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from arena.base.contracts import Field, Group, SandboxSettings
from arena.base.errors import SettingsError
from arena.base.protocol import Limits
from arena.base.record import NEW_MARK, OLD_MARK, Entrant, Name
from arena.plugins import bots, get_schedule
from arena.rating.certificate import Order, Result, StopRule
from arena.schedule.plan import DEFAULT_SIZES, BlockSizes, count_boards
from arena.schedule.randomness import Randomness, Secret, SecretSettings
from arena.schedule.schedules import VERSIONS
from engine import Variant, get_variant

# Settings may be untrusted, and some tables have a cell for each pair of bots.
MAX_ROUNDS, MAX_VARIANTS, MAX_ENTRANTS = 10_000_000, 100, 1_000


class PairedBlock(msgspec.Struct, frozen=True):
    """One pairing of an adaptive schedule. Its boards form a block."""

    variant: str
    round: int
    field: str
    """Hash of the bots' names and code when the pairing was made. Empty if a later pairing was
    made for other bots."""
    groups: tuple[Group, ...]


class Dropped(msgspec.Struct, frozen=True):
    """Bots that have left a run."""

    # Bots that have left remain entrants, because the schedule depends on all entrants.
    bots: tuple[str, ...]
    games: dict[str, int]


class Settings(msgspec.Struct, frozen=True):
    """All settings of a run that affect its results."""

    rounds: Annotated[int, Meta(ge=0, le=MAX_ROUNDS)]
    seed: int | None
    """Seed of the run's random generators, or None if a secret is used instead of a seed."""
    variants: Annotated[tuple[Name, ...], Meta(max_length=MAX_VARIANTS)]
    entrants: Annotated[tuple[Entrant, ...], Meta(max_length=MAX_ENTRANTS)]
    limits: Limits
    schedule: str = "round-robin"
    challengers: tuple[str, ...] = ()
    withdrawal: bool = True
    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
    secret: SecretSettings | None = None
    """Public data about the run's secret, such as its hash, or None if the run uses a seed."""
    block_sizes: BlockSizes | msgspec.UnsetType = msgspec.UNSET  # unset: the default sizes
    stop_rule: StopRule | msgspec.UnsetType = msgspec.UNSET
    order: Order | msgspec.UnsetType = msgspec.UNSET
    """Column by which tables are sorted. By default, runs with a stop rule are sorted by score, and
    other runs by rating."""
    result: Result | msgspec.UnsetType = msgspec.UNSET
    """How the sides of a board are ranked. The default is by placement."""
    dropped: Dropped | msgspec.UnsetType = msgspec.UNSET
    final: bool | msgspec.UnsetType = msgspec.UNSET
    joined: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Names of the bots that joined after the run had started, earliest first."""
    paired: tuple[PairedBlock, ...] | msgspec.UnsetType = msgspec.UNSET

    def joining(self, former: "Settings") -> "Settings":
        """Return settings for resuming a run. Bots that aren't in `former` have joined."""
        known = {entrant.name for entrant in former.entrants}
        new = sorted([entrant.name for entrant in self.entrants if entrant.name not in known])
        joined = (*(former.joined or ()), *new)
        return msgspec.structs.replace(self, joined=joined or msgspec.UNSET, paired=former.paired)

    @property
    def is_final(self) -> bool:
        return self.final is True

    @property
    def dropped_bots(self) -> frozenset[str]:
        return frozenset() if self.dropped is msgspec.UNSET else frozenset(self.dropped.bots)

    def staying(self, variant: Variant) -> list[str]:
        return [name for name in self.players(variant) if name not in self.dropped_bots]

    def chance(self, secret: Secret | None = None) -> Randomness:
        """Return the run's source of randomness.

        Raise `SettingsError` if the secret is missing or wrong, or if there is neither a secret
        nor a seed.
        """
        shares_deals = self.schedule == VERSIONS
        if self.secret is None:
            if self.seed is None:
                raise SettingsError("got settings without seed and secret, expected one of the two")
            return Randomness(self.seed, shares_deals=shares_deals)
        if secret and secret.hash != self.secret.hash and self.secret.run:
            secret = secret.of_run(self.secret.run)  # may be the contest's secret
        if secret is None or secret.hash != self.secret.hash:
            got = f"one with SHA-256 {secret.hash}" if secret else "none"
            raise SettingsError(
                f"got {got}, expected the secret with SHA-256 {self.secret.hash}, from which the "
                "deals of this run follow"
            )
        return Randomness(secret, self.secret.with_fingerprints, shares_deals)

    @property
    def sizes(self) -> BlockSizes:
        return DEFAULT_SIZES if self.block_sizes is msgspec.UNSET else self.block_sizes

    @property
    def adapts(self) -> bool:
        """Whether pairings depend on earlier results."""
        return get_schedule(self.schedule).adapts

    @property
    def orders_by_score(self) -> bool:
        """True if leaderboards are sorted by score, False if they are sorted by rating."""
        return self.stop_rule is not msgspec.UNSET or self.order == "score"

    @property
    def ranked_by(self) -> Result:
        return "placement" if self.result is msgspec.UNSET else self.result

    @property
    def is_comparison(self) -> bool:
        marks = sorted([name[-len(OLD_MARK) :] for name in self.challengers])
        return self.schedule == VERSIONS and marks == sorted([OLD_MARK, NEW_MARK])

    @property
    def may_end_early(self) -> bool:
        return self.stop_rule is not msgspec.UNSET or self.is_comparison

    def players(self, variant: Variant) -> list[str]:
        """Return the bots that play a variant. Guest bots are included only to fill empty seats."""
        playing = [entrant for entrant in self.entrants if entrant.plays(variant.id)]
        regulars = [entrant.name for entrant in playing if not entrant.guest]
        guests = [entrant.name for entrant in playing if entrant.guest]
        staying = [name for name in regulars if name not in self.dropped_bots]
        return regulars + guests[: max(0, variant.seats - len(staying))]

    def field(self, variant_id: str) -> Field:
        variant = get_variant(variant_id)
        playing = sorted(self.staying(variant) if self.adapts else self.players(variant))
        challengers = [name for name in playing if name in self.challengers]
        joined = [name for name in self.joined or () if name in playing]
        first = max(0, variant.seats + len(joined) - len(playing))  # earlier ones fill a board
        return Field(variant, tuple(playing), tuple(challengers), tuple(joined[first:]))


def check_settings(settings: Settings) -> None:
    """Check that the settings are consistent and that there are enough bots."""
    schedule = get_schedule(settings.schedule)
    if settings.challengers and not schedule.takes_challengers:
        raise SettingsError(
            f"schedule {schedule.name!r} does not take challengers: choose one that does, for "
            "example with `--set schedule=gauntlet`, or leave out the challengers"
        )
    if schedule.adapts and settings.stop_rule is not msgspec.UNSET:
        raise SettingsError(
            f"`until` cannot end a run with the schedule {schedule.name!r}, whose tables are "
            "neither balanced nor random: remove one of the two settings"
        )
    if len(settings.entrants) > MAX_ENTRANTS:
        raise SettingsError(
            f"got {len(settings.entrants):,} bots, expected at most {MAX_ENTRANTS:,} in a run"
        )
    for variant in map(get_variant, settings.variants):
        _check_seats(settings, variant)
        count_boards(schedule, settings.field(variant.id))


def _check_seats(settings: Settings, variant: Variant) -> None:
    playing = settings.staying(variant)
    missing = variant.seats - len(playing)
    if missing <= 0:
        return
    others = [
        bot
        for bot in bots().values()
        if bot.name not in playing
        and (not bot.games or variant.game in bot.games)
        # slow bundled bots search, which needs worlds
        and (variant.has_worlds or bot.quick)
    ]
    names = ", ".join([bot.name for bot in others])
    ways = [f"add {missing} with --bot (a file, a folder{f', or one of {names}' if names else ''})"]
    guests = any(entrant.guest for entrant in settings.entrants)
    if not guests and sum([bot.quick for bot in others]) >= missing:  # otherwise it has not helped
        ways.append("add guests with `--set entrants.fill=true`")
    play = "plays" if len(playing) == 1 else "play"
    raise SettingsError(
        f"{variant.id} has {variant.seats} seats, but only {len(playing)} of the bots {play} "
        f"{variant.game} ({', '.join(playing) or 'none'}): {', '.join(ways)}, or choose other "
        "variants with --variant"
    )


def check_bot_folders(
    settings: Settings, results: Path, site: Path | None = None, secret: Path | None = None
) -> None:
    """Raise `SettingsError` if a sandboxed bot could read private files or other bots' files."""
    if settings.sandbox.level != "isolated":
        return
    places = [
        ("results", "--results", results),
        ("site", "`publish`", site),
        ("secret", "`secret`", secret),
    ]
    own = [(bot, Path(bot.origin)) for bot in settings.entrants if not bot.files]
    more = ", or other paths with `--set sandbox.readable`"
    read = [
        (Path(path).resolve(), f"{path}, which all bots may read", more)
        for path in settings.sandbox.readable
    ]
    read += [
        (at, f"the folder of {bot.name}, which can read everything in it", "") for bot, at in own
    ]
    for folder, what, also in read:
        for name, option, place in places:
            if place and place.resolve().is_relative_to(folder):
                raise SettingsError(
                    f"the {name} would be in {what}: choose another place with {option}{also}"
                )
    for bot, folder in own:
        for other in settings.entrants:
            is_inside = Path(other.origin).is_relative_to(folder)
            if is_inside and (other.files or other.origin != bot.origin):
                raise SettingsError(
                    f"{other.name} is in the folder of {bot.name}, which can read everything in "
                    "it: put each bot into a folder of its own"
                )
