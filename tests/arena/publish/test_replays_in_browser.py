"""The replays of a run's site in a browser, opened as files and from a server."""

import re

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from arena.match.referee import start_game
from arena.publish.layout import replay_page
from arena.publish.replays import LEFT_OUT
from tests.arena.publish.browsing import (
    HOSTILE,
    PHONE,
    VARIANTS,
    Site,
    each_variant,
    needs_chromium,
    open_replay,
    pieces,
    step_of,
    watch,
)

pytestmark = needs_chromium


@each_variant
def test_replay_steps_forward_and_back(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    start = pieces(page)
    assert page.locator("#ending").count() == 0
    page.keyboard.press("End")
    assert step_of(page) == len(record.actions)
    ends = page.locator("#ending li").all_inner_texts()
    assert len(ends) == len(record.entrants)
    for seat, (name, points) in enumerate(zip(record.entrants, record.points, strict=True)):
        (line,) = [end for end in ends if end.startswith(str(seat))]
        assert line.partition("\n")[0].endswith(f"{name} {points} points")
    ranks = page.evaluate("[...document.querySelectorAll('#ending li')].map(one => one.value)")
    assert ranks == sorted(record.ranks)
    assert "last because of its fault" in page.inner_text("#ending")
    page.keyboard.press("Home")
    for button in ("next", "back"):
        page.evaluate(
            f"for (let at = 0; at < 20; at++) document.getElementById('{button}').click()"
        )
    assert step_of(page) == 0
    assert pieces(page) == start


@each_variant
def test_browser_shows_engine_views(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    state = start_game(record.variant, record.deal)
    steps = {at: step for step, at in enumerate(page.evaluate("replay.moves.map(one => one.at)"))}
    for number, action in enumerate(record.actions):
        if number % 40 == 7 and number in steps:
            for seat in (None, *range(len(record.entrants))):
                view = msgspec.json.decode(msgspec.json.encode(state.view(seat)))
                shown = page.evaluate(
                    "([step, seat]) => arena.seen(arena.tables(window.replay)[step], seat).view",
                    [steps[number], seat],
                )
                assert shown == {key: view[key] for key in view if key not in LEFT_OUT}
        state.apply(action)


# -- stepping --------------------------------------------------------------------------------------


def test_keys_step_and_address_keeps_the_step(page: Page, site: Site) -> None:
    record = open_replay(page, site, "bribery/3-advanced", at=12)
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    assert step_of(page) == 13
    expect(page).to_have_url(re.compile("#13$"))
    page.keyboard.press("End")
    assert step_of(page) == len(record.actions)
    page.keyboard.press("Home")
    assert step_of(page) == 0
    page.keyboard.press("?")
    page.locator("#seat").focus()
    page.keyboard.press("End")  # is the list's own
    assert step_of(page) == 0
    page.uncheck("#keys-on")
    page.locator("#replay").click(position={"x": 1, "y": 1})
    page.keyboard.press("End")
    assert step_of(page) == 0
    page.evaluate("location.hash = '#9999'")
    expect(page.locator("#count")).to_have_text(f"{len(record.actions)} / {len(record.actions)}")


def test_address_keeps_the_seat(page: Page, site: Site) -> None:
    record = open_replay(page, site, "bribery/3-advanced", at=12)
    page.select_option("#seat", "1")
    expect(page).to_have_url(re.compile("#12&seat=1$"))
    page.focus("#seat")
    page.keyboard.press("ArrowRight")
    assert (step_of(page), page.input_value("#seat")) == (13, "1")
    expect(page).to_have_url(re.compile("#13&seat=1$"))
    page.goto(site.at("file", "index.html"))
    page.goto(site.at("file", replay_page(record.key)) + "#9&seat=2")
    assert (step_of(page), page.input_value("#seat")) == (9, "2")
    assert page.locator('#table [data-id^="hidden-0"]').count() > 0
    page.evaluate("location.hash = '#7&seat=9'")  # there is no such seat
    expect(page.locator("#count")).to_have_text(re.compile("^7 /"))
    assert page.input_value("#seat") == "2"


def test_click_on_graph_jumps_to_step(page: Page, site: Site) -> None:
    record = open_replay(page, site, VARIANTS[0])
    assert page.locator("#graph .line").count() == len(record.entrants)
    assert page.locator("#graph .at-fault").count() == len(record.faults)
    graph = page.locator("#graph")
    box = graph.bounding_box()
    assert box
    graph.click(position={"x": box["width"] - 1, "y": 5})
    assert step_of(page) == len(record.actions)
    changes = page.evaluate("arena.leadChanges(arena.courseOf(replay))")
    assert page.locator("#graph .at-change").count() == len(changes)


def test_swiping_changes_the_move(browser: Browser, site: Site) -> None:
    with browser.new_context(viewport=PHONE, has_touch=True) as phone:
        page = phone.new_page()
        open_replay(page, site, VARIANTS[0], at=5)
        swipe = """([from, to]) => {
            const table = document.getElementById("table");
            const touch = { pointerType: "touch", clientY: 300, bubbles: true };
            table.dispatchEvent(new PointerEvent("pointerdown", { ...touch, clientX: from }));
            table.dispatchEvent(new PointerEvent("pointerup", { ...touch, clientX: to }));
        }"""
        page.evaluate(swipe, [200, 100])
        assert step_of(page) == 6
        page.evaluate(swipe, [100, 200])
        page.evaluate(swipe, [100, 120])  # too short
        assert step_of(page) == 5


def test_the_moves_are_one_tab_stop(page: Page, site: Site) -> None:
    open_replay(page, site, VARIANTS[0], at=4)
    stops = page.evaluate(
        """[...document.querySelectorAll("a, button, input, select, summary, [tabindex]")].filter(
            one => one.tabIndex >= 0 && !one.disabled && one.offsetParent).length"""
    )
    assert stops < 45
    move = page.locator("#moves [tabindex='0']")
    assert move.count() == 1
    move.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowUp"):
        before = step_of(page)
        page.keyboard.press(key)
        assert (step_of(page) > before) == (key != "ArrowUp")
        focused = page.evaluate("document.activeElement.querySelector('.at').textContent")
        assert focused == str(step_of(page))


@pytest.mark.slow
def test_autoplay_can_be_stopped(page: Page, site: Site) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(3_600_000)  # time goes on only when the test says so
    record = open_replay(page, site, "pot-de-vin/3")
    page.select_option("#speed", label="very fast")
    page.locator("#speed").blur()
    page.keyboard.press(" ")
    page.clock.run_for(5 * 350 + 10)  # the move that ends the trick is shown in two beats
    assert step_of(page) == 4
    assert page.get_attribute("#play", "aria-pressed") == "true"
    page.keyboard.press(" ")
    page.clock.run_for(1000)
    assert step_of(page) == 4
    for key in ("End", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    page.click("#play")
    page.clock.run_for(10 * 350)
    assert step_of(page) == len(record.actions)
    assert page.get_attribute("#play", "aria-pressed") == "false"


def test_click_on_move_or_chapter_jumps(page: Page, site: Site) -> None:
    open_replay(page, site, "brides-and-bribes/3")
    page.locator("#moves button").nth(5).click()
    current = page.locator("#moves [aria-current=step]")
    assert current.inner_text().startswith(str(step_of(page)))
    page.select_option("#chapter", label="Round 2, placement")
    replay = page.evaluate("window.replay.chapters")
    (step,) = [one["step"] for one in replay if one["title"] == "Round 2, placement"]
    assert page.input_value("#step") == str(step)


# -- a move ----------------------------------------------------------------------------------------


def test_move_shows_alternatives(page: Page, site: Site) -> None:
    at = 10  # in the middle of a trick
    record = open_replay(page, site, "pot-de-vin/3", at=at)
    state = start_game(record.variant, record.deal)
    for action in record.actions[: at - 1]:
        state.apply(action)
    others = len(state.legal_actions()) - 1
    state.apply(record.actions[at - 1])
    assert page.inner_text("#now .next").startswith(f"next: {state.seat_to_act}")
    assert page.locator("#table .is-next").count() > 0
    assert others
    page.click("#now .could summary")
    assert page.locator("#now .could li").count() >= others
    page.click("#next")
    assert page.locator("#now .could").get_attribute("open") is not None, "it stays open"


def test_jumps_to_faults(page: Page, site: Site) -> None:
    record = open_replay(page, site, VARIANTS[0])
    (fault,) = record.faults
    page.click("#fault")
    assert step_of(page) == fault.action + 1
    assert "Fault (illegal): answered 'nonsense'" in page.inner_text("#now")
    assert "stand-in" in page.inner_text("#now")
    page.keyboard.press("Home")
    expect(page).to_have_url(
        re.compile("#0$")
    )  # a click on the address that is there changes nothing
    page.click("#result a[href^='#']")
    expect(page.locator("#count")).to_have_text(re.compile(rf"^{fault.action + 1} /"))


def test_replay_links_to_rules(page: Page, site: Site) -> None:
    open_replay(page, site, VARIANTS[0])
    page.click("#legend summary")
    link = page.locator("#legend dd a").first
    section = link.inner_text().removeprefix("Rules, ")
    link.click()
    page.wait_for_url(f"**/rules/*.html#s{section.replace('.', '-')}")
    assert page.locator(":target").inner_text().startswith(section)


# -- what a seat sees ------------------------------------------------------------------------------


def test_seat_sees_only_its_own_hand(page: Page, site: Site) -> None:
    record = open_replay(page, site, "pot-de-vin/3", at=20)
    state = start_game(record.variant, record.deal)
    for action in record.actions[:20]:
        state.apply(action)
    page.select_option("#seat", "1")
    view = msgspec.json.decode(msgspec.json.encode(state.view(1)))
    shown = [key for key, _ in pieces(page)]
    backs = [sum(key.startswith(f"hidden-{seat}-") for key in shown) for seat in range(3)]
    assert backs == [view["hand_sizes"][0], 0, view["hand_sizes"][2]]
    assert {*view["hand"]} <= {*shown}
    words = page.locator("#table ul").inner_text()
    assert view["hand"][0].replace("-", " ").capitalize() in words
    page.select_option("#seat", "")
    assert not [key for key, _ in pieces(page) if key.startswith("hidden")]


def test_seat_sees_only_its_own_notes(page: Page, site: Site) -> None:
    record = open_replay(page, site, "brides-and-bribes/3")
    everything = page.inner_text("#moves")
    assert {f"seat {seat}" for seat in range(3)} <= set(re.findall("seat [0-9]", everything))
    page.select_option("#seat", "2")
    seen = page.inner_text("#moves")
    assert set(re.findall("seat [0-9]</b>", seen)) == {"seat 2</b>"}
    assert "answered 'nonsense'" not in seen
    assert "Fault (illegal)" in seen
    lines = page.locator("#moves button").all_inner_texts()
    moves = page.evaluate("replay.moves.map(one => [one.seat, one.at])")
    secret = 0
    for (seat, at), line in zip(moves, lines, strict=True):
        if at and seat != 2 and record.actions[at - 1].split()[0] in ("send", "reinforce"):
            assert "a tile" in line
            secret += 1
    assert secret > 5


# -- strangers, small screens, and no scripts ------------------------------------------------------


def test_shows_bot_output_as_text(page: Page, site: Site) -> None:
    record = site.game(VARIANTS[0])
    page.goto(site.at("file", replay_page(record.key)))
    assert HOSTILE in page.locator("#table ul").inner_text()
    assert HOSTILE in page.inner_text("#result")
    assert "<b>seat" in page.inner_text("#moves")
    assert "\\x1b[2J" in page.inner_text("#moves")
    assert page.locator("img").count() == 0


def test_controls_stay_visible_on_a_phone(browser: Browser, site: Site) -> None:
    with browser.new_context(viewport=PHONE, has_touch=True) as phone:
        page = phone.new_page()
        open_replay(page, site, "brides-and-bribes/3")
        assert "Swipe" in page.inner_text("#brief")
        cut = """[...document.querySelectorAll(".top a")].filter(one =>
            one.getBoundingClientRect().right > innerWidth || one.scrollWidth > one.clientWidth)"""
        assert page.evaluate(f"{cut}.length") == 0
        for part in ("top", "table", "moves"):
            page.evaluate(
                "id => (document.getElementById(id) || document.body).scrollIntoView()", part
            )
            box = page.locator(".steps").bounding_box()
            assert box
            assert 0 <= box["y"] <= PHONE["height"] - box["height"] + 1
        page.click("#next")
        assert "Swipe" not in page.inner_text("#brief")


def test_printed_replay_has_table_and_moves(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")
    open_replay(page, site, "pot-de-vin/3", at=5)
    moves = page.evaluate("arena.withBeats(replay).moves.length")
    assert page.locator("#replay button:visible").count() == moves
    assert not page.locator("#replay select").first.is_visible()
    is_whole = "list => list.scrollHeight <= list.clientHeight + 1"
    assert page.locator("#moves").evaluate(is_whole)
    assert page.locator("#table svg").is_visible()


def test_replay_without_scripts_is_a_table(browser: Browser, site: Site, wrong: list[str]) -> None:
    with browser.new_context(java_script_enabled=False) as plain:
        watch(plain, site, wrong)
        page = plain.new_page()
        record = site.game("pot-de-vin/3")
        page.goto(site.at("file", replay_page(record.key)))
        assert page.locator("#replay").is_hidden()
        assert page.locator("noscript tbody tr").count() == len(record.actions) + 1
        assert page.locator("#result tbody tr").count() == 3
    assert wrong == []
