"""Tests of games against bots without scripts."""

import html
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from httpx2 import Response

from arena.contest.bot_files import BOT_FILE
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.browser_game import state_of
from arena.extras.serve.play.game_store import StoredBrowserGame
from arena.extras.serve.web.contest_site import ContestSite
from arena.plugins import registered
from tests.arena.contest.submitted import accept
from tests.arena.extras.serve.play.test_game_content import slugs_in
from tests.arena.extras.serve.visiting import Browser
from tests.arena.playing import Games
from tests.engine.high_card import HighCard

EACH_GAME = {
    "pot-de-vin/3": "greedy",
    "bribery/3-advanced": "banker",
    "brides-and-bribes/3": "suitor",
}


@pytest.fixture
def contest_file(contest_file: Path) -> Path:
    variants = ", ".join([f'"{one}"' for one in EACH_GAME])
    text = contest_file.read_text()
    contest_file.write_text(text.replace('variants = ["pot-de-vin/3"]', f"variants = [{variants}]"))
    return contest_file


class Page(NamedTuple):
    id: str
    text: str

    @property
    def move(self) -> str:
        found = re.search(r'name="move" value="(\d+)"', self.text)
        return found[1] if found else ""

    @property
    def actions(self) -> list[str]:
        found = re.findall(r'name="action" value="([^"]*)"', self.text)
        return [html.unescape(one) for one in found]

    @property
    def state(self) -> str:
        found = re.search(r'data-state="(\w+)"', self.text)
        assert found
        return found[1]

    @property
    def table(self) -> dict[str, Any]:
        found = re.search(r'id="table-data">(.*?)</script>', self.text)
        assert found
        table: dict[str, Any] = json.loads(found[1])
        return table


def page_of(answer: Response) -> Page:
    assert answer.status_code == 200, answer.text
    return Page(answer.url.path.rpartition("/")[2], answer.text)


def begin(browser: Browser, variant_id: str = "pot-de-vin/3", bot: str = "") -> Page:
    """Start a game, by default against the game's default bot."""
    form = {
        "variant": variant_id,
        "opponent": bot or f"bot:{EACH_GAME.get(variant_id, 'random')}",
    }
    return page_of(browser.post("/play", form))


def act(browser: Browser, page: Page, choice: int = 0) -> Page:
    form = {"move": page.move, "action": page.actions[choice]}
    return page_of(browser.post(f"/play/{page.id}", form))


def play_out(browser: Browser, page: Page) -> Page:
    while page.state == "asked":
        page = act(browser, page)
    return page


def stored(site: ContestSite, page: Page) -> StoredBrowserGame:
    found = site.games.get(page.id)
    assert found is not None
    return found


@pytest.mark.parametrize("variant_id", EACH_GAME)
def test_student_plays_a_game_and_watches_its_replay(anns: Browser, variant_id: str) -> None:
    choice = anns.get("/play").text
    assert f'value="{variant_id}"' in choice
    assert f'value="bot:{EACH_GAME[variant_id]}"' in choice
    page = begin(anns, variant_id)
    assert page.state == "asked"
    assert 'id="task"' in page.text
    end = play_out(anns, page)
    assert end.state == "done"
    replay = anns.get(f"/play/{page.id}/replay")
    assert replay.status_code == 200
    assert 'id="replay"' in replay.text
    data = anns.get(f"/play/{page.id}/replay.js")
    assert data.headers["content-type"].startswith("text/javascript")
    assert data.text.startswith("window.replay = ")
    assert f"/play/{page.id}/replay" in anns.get("/play").text


def test_offers_variants_of_the_contest(anns: Browser) -> None:
    assert "pot-de-vin/4" not in anns.get("/play").text
    form = {"variant": "pot-de-vin/4", "opponent": "bot:greedy"}
    assert anns.post("/play", form).status_code == 404


def test_opening_the_page_resumes_a_game(anns: Browser, site: ContestSite) -> None:
    """The server was killed just after it had stored the person's action."""
    page = begin(anns)
    game = stored(site, page).game
    now = msgspec.structs.replace(game, actions=(*game.actions, page.actions[0]))
    assert site.games.extend(page.id, game, now)
    after = page_of(anns.get(f"/play/{page.id}"))
    assert after.state == "asked"
    assert int(after.move) > int(page.move) + 1


def test_old_pages_and_illegal_actions_change_nothing(anns: Browser, site: ContestSite) -> None:
    old = begin(anns)
    now = act(anns, old)
    assert act(anns, old, 1) == now
    for action in ("nonsense", "", "play aldo-99"):
        answer = anns.post(f"/play/{now.id}", {"move": now.move, "action": action})
        assert (answer.status_code, "not legal at the moment" in answer.text) == (400, True)
    assert len(stored(site, now).game.actions) == int(now.move)


@pytest.mark.parametrize("variant_id", EACH_GAME)
def test_page_contains_no_hidden_cards(anns: Browser, site: ContestSite, variant_id: str) -> None:
    """`test_game_content` tests what a page shows during a game."""
    page = begin(anns, variant_id)
    game = stored(site, page).game
    state = state_of(game)
    known = slugs_in([state.view(game.seat), state.events(game.seat)], state.variant.game)
    hidden = slugs_in(game.deal, state.variant.game) - known
    shown = re.sub(r'id="facts-data">.*?</script>', "", page.text.partition("<main")[2])
    assert hidden
    assert not [card for card in hidden if f'"{card}"' in shown]
    assert str(game.seeds[0]) not in page.text


def test_others_cannot_see_or_change_a_game(
    anns: Browser, bobs: Browser, teachers: Browser, visitor: Browser, site: ContestSite
) -> None:
    page = begin(anns)
    here = f"/play/{page.id}"
    for browser in (bobs, teachers):
        for path in (here, f"{here}/replay", f"{here}/replay.js"):
            assert browser.get(path).status_code == 404
        form = {"move": page.move, "action": page.actions[0]}
        assert browser.post(here, form).status_code == 404
    for path in ("/play", here):
        assert visitor.get(path).status_code == 401
    assert len(stored(site, page).game.actions) == int(page.move)
    play_out(anns, page)
    assert bobs.get(f"{here}/replay").status_code == 404
    assert teachers.get(f"{here}/replay").status_code == 200


@pytest.mark.parametrize(
    ("variant", "bot", "status"),
    [
        ("tafl/2", "bot:greedy", 404),
        ("", "bot:greedy", 404),
        ("pot-de-vin/3", "bot:banker", 400),  # of another game
        ("pot-de-vin/3", "student:bob", 400),
        ("pot-de-vin/3", "bot:/bin/sh", 400),
        ("pot-de-vin/3", "student:../../etc", 400),
    ],
)
def test_rejects_values_that_the_form_does_not_offer(
    anns: Browser, site: ContestSite, ann: ContestPerson, variant: str, bot: str, status: int
) -> None:
    answer = anns.post("/play", {"variant": variant, "opponent": bot})
    assert answer.status_code == status
    assert site.games.of_person(ann.id) == []


def test_plays_games_of_plugins(anns: Browser) -> None:
    with registered(Games(HighCard())):
        file = anns.site.contest_file
        file.write_text(file.read_text().replace("variants = [", f'variants = ["{HighCard.id}", '))
        assert "High Card" in anns.get("/play").text
        page = begin(anns, HighCard.id)
        assert "replay-parts.js" in page.text
        assert "/rules/" not in page.text
        end = play_out(anns, page)
        assert end.state == "done"
        assert anns.get(f"/play/{page.id}/replay").status_code == 200


BOT = """import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif said["type"] == "turn":
        act = {"type": "act", "table": said["table"], "turn": said["turn"]}
        print(json.dumps({**act, "action": said["legal"][-1]}), flush=True)
"""


def hand_in(site: ContestSite, owner: str, code: str = BOT) -> None:
    toml = f'name = "{owner}"\ncommand = ["python3", "bot.py"]\n'
    accept(site.folder, owner, {BOT_FILE: toml, "bot.py": code})


def test_offers_only_own_bots_as_opponents(anns: Browser, bobs: Browser, site: ContestSite) -> None:
    hand_in(site, "ann")
    assert 'value="student:ann"' in anns.get("/play").text
    assert "student:ann" not in bobs.get("/play").text
    page = begin(anns, bot="student:ann")
    assert sorted(page.table["names"]) == ["Ann Lee (you)", "Ann Lee-1", "Ann Lee-2"]
    end = play_out(anns, page)
    assert end.state == "done"
    assert stored(site, page).game.faults == ()
    refused = {"variant": "pot-de-vin/3", "opponent": "student:ann"}
    assert bobs.post("/play", refused).status_code == 400


def test_pages_hide_output_of_broken_bots(anns: Browser, site: ContestSite) -> None:
    hand_in(site, "ann", "import sys\nsys.exit('<script>alert(1)</script> secret')\n")
    page = begin(anns, bot="student:ann")
    while page.state == "asked" and not stored(site, page).game.faults:
        page = act(anns, page)
    assert "failed (crash), so a stand-in takes its turns from now on" in page.text
    assert "secret" not in page.text
    assert "<script>alert" not in page.text
