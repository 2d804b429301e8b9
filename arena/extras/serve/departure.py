"""A person leaves the contest, or comes back: the roster, the submissions and the runs.

A final never changes. The games of a bot that leaves a run no longer count, and those of the others
stay: the schedule still has the bot, so that the boards of all others keep their players, deals and
keys. The games of the bot are set aside, and count again once it is back. `arena verify` and the
digest use the settings of the run, which say who has left.
"""

from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from arena.base.errors import SettingsError, StoreError
from arena.contest.settings import Contest
from arena.extras.serve.enrolment import enrol, has_left, move_bots, remove_people
from arena.extras.serve.people import People
from arena.tournament.game_queue import kept_games
from arena.tournament.games import with_dropped
from arena.tournament.run import finish
from arena.tournament.runs import run_names, settings_of_run
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete
from arena.tournament.store import Store
from engine import get_variant


def check_known(people: People, contest: Contest, person_id: str) -> None:
    """Raise `ServeError` for an id that is of no person, no submission and no run."""
    is_bot = contest.entrants.submissions and Path(contest.entrants.submissions, person_id).is_dir()
    if not (is_bot or has_left(contest, person_id) or [*_runs_of(contest, person_id)]):
        people.require(person_id)


def leave(people: People, contest: Contest, person_id: str) -> list[str]:
    """Take a person out, and return a sentence for each thing that this changes, and on its finals.

    Nothing is returned of a person who is out already.

    Raises:
        ServeError: others share the bot, or it is being checked.
    """
    done = []
    if person := people.get(person_id):
        remove_people(people, contest, [person])
        done = [f"{person.name} ({person.id}) is removed"]
    elif move_bots(contest, [person_id], is_back=False):
        done = [f"{person_id} is removed"]
    return _with_runs(done, contest, person_id, is_back=False)


def come_back(people: People, contest: Contest, person_id: str) -> list[str]:
    """Bring a person back who was taken out, as `leave` does."""
    done = []
    if gone := {person.id: person for person in people.removed()}.get(person_id):
        enrol(people, contest, [gone.as_student])
        done = [f"{gone.name} ({gone.id}) is back"]
    elif move_bots(contest, [person_id], is_back=True):
        done = [f"{person_id} is back"]
    return _with_runs(done, contest, person_id, is_back=True)


def leave_run(store: Store, dropped: Collection[str], *, fill: bool = False) -> str:
    """Leave out the games of the bots that are `dropped`, and of no others, from a run.

    A bot that was dropped before and is not any more is in the run again, with its games. Returns a
    sentence on what counts.

    Raises:
        SettingsError: too few would stay in a run without guests (with `fill`, its next command
            adds some), or the schedule of the run depends on its games.
    """
    settings = store.settings()
    _check_leaving(settings, dropped, fill=fill)
    chance = settings.chance(store.secret(settings.secret))
    before = store.count()
    now = with_dropped(settings, dropped, chance)
    store.reschedule(now, kept_games(store, now, chance))
    if complete := is_complete(store):
        finish(store)
    more = "" if complete else "; games are missing now: the command of the run plays them"
    return f"the run {store.name}: {store.count()} games count, formerly {before}{more}"


def _runs_of(contest: Contest, bot: str) -> Iterator[tuple[Path, Settings]]:
    """Yield the runs in which a bot of the contest has a place, those played last first."""
    results = Path(contest.results)
    for name in run_names(results):
        settings = settings_of_run(results / name)
        if settings and any(bot == each.name and not each.guest for each in settings.entrants):
            yield results / name, settings


def _with_runs(done: list[str], contest: Contest, bot: str, *, is_back: bool) -> list[str]:
    """Change the runs of a bot, and return what was `done` with what that changed."""
    finals = []
    for folder, settings in _runs_of(contest, bot):
        if settings.is_final:
            finals.append(f"the final {folder.name} stays as it is")
        elif (bot in settings.dropped_bots) == is_back:
            dropped = settings.dropped_bots - {bot} if is_back else settings.dropped_bots | {bot}
            try:
                with Store.own(folder) as store:
                    done.append(leave_run(store, dropped, fill=contest.entrants.fill))
            except (StoreError, SettingsError) as error:
                done.append(f"the run {folder.name} keeps its games: {error}")
    return [*done, *finals] if done else []


def _check_leaving(settings: Settings, dropped: Collection[str], *, fill: bool) -> None:
    instead = "play the contest without the bot under another name, with --name"
    if settings.stop_rule is not msgspec.UNSET or settings.boards_per_deal > 1:
        raise SettingsError(
            "which boards it plays depends on the games before them, so no bot can leave it: "
            + instead
        )
    if fill or any(entrant.guest for entrant in settings.entrants):
        return
    for variant in map(get_variant, settings.variants):
        staying = [name for name in settings.players(variant) if name not in dropped]
        if len(staying) < variant.seats:
            raise SettingsError(
                f"{variant.id} has {variant.seats} seats, but only {len(staying)} bots would stay: "
                + instead
            )
