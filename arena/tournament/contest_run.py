"""The run of a contest: its settings and bots, by `contest.toml` and the run so far."""

from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.contest.lineup import Lineup, RunBots, find_lineup, rules_of
from arena.contest.run_roster import ROSTER, read_run_roster, run_roster
from arena.contest.secret_file import SECRET_FILE, draw_secret, read_secret
from arena.contest.settings import Contest
from arena.contest.snapshots import Snapshots
from arena.contracts import SandboxSettings
from arena.errors import SettingsError
from arena.record import Entrant
from arena.schedule.chance import Secret, SecretSettings
from arena.tournament.games import with_dropped
from arena.tournament.settings import Settings, check_bot_folders, check_settings
from arena.tournament.store import DATABASE, Store


class RunSoFar(NamedTuple):
    """What a run has before it begins or is resumed."""

    former: Settings | None
    """The settings of a run that is resumed."""
    secret: Secret | None
    """None if its deals follow from a seed."""
    snapshots: Snapshots


def former_settings(folder: Path) -> Settings | None:
    """Return the settings of the run to be resumed; None if it is a new run."""
    if not (folder / DATABASE).is_file():
        return None
    with Store.open(folder) as store:
        return store.settings(Settings)


def secret_of(contest: Contest, folder: Path, former: Settings | None) -> Secret | None:
    """Return the secret from which all deals follow; None if they follow from a seed."""
    if contest.seed is not None:
        return None
    if contest.secret is not None:
        path = Path(contest.secret)
        if not path.exists():
            raise SettingsError(
                f"there is no secret in {path}: put the file back (each run keeps a copy, "
                f"{SECRET_FILE} in its folder), or remove the setting `secret`, so that a new run "
                "draws a secret of its own"
            )
        return read_secret(path)
    if former and former.secret:
        with Store.open(folder) as store:
            return store.secret(former.secret)
    return draw_secret()


def lineup_of(
    contest: Contest, variants: tuple[str, ...], sandbox: SandboxSettings, run: RunSoFar
) -> Lineup:
    """Return the bots of a contest that play now. Each one is copied for the run and started once.

    Raises:
        BotError: a bot that is entered by name or path does not exist or does not start.
    """

    def check(bot: Entrant) -> None:
        # Not above: most runs start without checks, and their first game comes earlier.
        from arena.contest.contest_check import checker

        checker(contest, sandbox)(bot)

    former = run.former.entrants if run.former else ()
    bots = RunBots(former, run.snapshots)
    return find_lineup(contest, variants, sandbox, bots, check if contest.entrants.check else None)


def settings_of(
    contest: Contest,
    variants: tuple[str, ...],
    sandbox: SandboxSettings,
    lineup: Lineup,
    run: RunSoFar,
) -> Settings:
    """Return the settings of a contest's run with this lineup. Bots that have left stay left.

    Raises:
        SettingsError: the lineup cannot fill every table, or bots may read what they must not.
    """
    former, secret = run.former, run.secret
    left = former.dropped_bots if former else frozenset[str]()
    entrants = [run.snapshots.settled(one) for one in lineup.entrants if one.name not in left]
    entrants += [one for one in former.entrants if one.name in left] if former else []
    settings = Settings(
        rounds=contest.rounds,
        seed=contest.seed,
        variants=variants,
        entrants=tuple(entrants),
        limits=contest.limits,
        schedule=contest.schedule,
        challengers=lineup.challengers,
        withdrawal=contest.withdrawal,
        sandbox=sandbox,
        secret=SecretSettings(secret.hash) if secret else None,
        stop_rule=contest.stop_rule() or msgspec.UNSET,
        order="score" if contest.order == "score" and not contest.until else msgspec.UNSET,
    )
    if left:
        settings = with_dropped(settings, left, settings.chance(secret))
    check_settings(settings)
    secret_file = Path(contest.secret) if contest.secret is not None else None
    check_bot_folders(settings, Path(contest.results), contest.site, secret_file)
    return settings


def keep_roster(store: Store, contest: Contest, lineup: Lineup) -> None:
    """Keep in the run's folder who its students are, and when they have submitted."""
    if rules := rules_of(contest):
        roster = run_roster(rules, lineup.students, read_run_roster(store.folder).students)
        store.write(ROSTER, roster.as_json())
