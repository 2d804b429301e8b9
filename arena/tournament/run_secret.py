"""Find the secret that determines the deals of a run."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.base.errors import SettingsError
from arena.contest.contest_file import read_contest
from arena.contest.secret_file import SECRET_FILE, draw_secret, read_secret
from arena.contest.settings import Contest
from arena.schedule.randomness import Secret, SecretSettings
from arena.tournament.settings import Settings
from arena.tournament.store import Store


class RunSecret(NamedTuple):
    secret: Secret
    run: str = ""
    """Name of the run if the run's secret was derived from the contest's secret, otherwise an
    empty string."""

    def settings(self, *, with_fingerprints: bool = True) -> SecretSettings:
        return SecretSettings(self.secret.hash, with_fingerprints, self.run or msgspec.UNSET)


def secret_of(
    contest: Contest, folder: Path, former: Settings | None, run: str = ""
) -> RunSecret | None:
    """Return the secret of a run, or None if the contest has a seed instead."""
    if contest.seed is not None:
        return None
    known = former.secret if former else None
    if contest.secret is None:
        if known is None:
            return RunSecret(draw_secret())
        with Store.open(folder) as store:
            secret = store.secret(known)
        assert secret
        return RunSecret(secret, known.run or "")
    path = Path(contest.secret)
    if not path.exists():
        raise SettingsError(
            f"there is no secret in {path}: put the file back (each run keeps a copy, "
            f"{SECRET_FILE} in its folder), or remove the setting `secret`, so that a new run "
            "draws a secret of its own"
        )
    secret = read_secret(path)
    is_shared = known is not None and known.hash == secret.hash
    return RunSecret(secret.of_run(run), run) if run and not is_shared else RunSecret(secret)


def other_run(
    contest: Contest, folder: Path, contest_file: Path | None, options: Collection[str]
) -> str:
    """Return the run's name if it differs from the name in the contest file. Otherwise, return an
    empty string.
    """
    if contest_file is None or "secret" in options:
        return ""
    own = read_contest(contest_file).name if "name" in options else contest.name
    return "" if own == folder.name else folder.name
