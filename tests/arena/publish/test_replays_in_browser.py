"""The replays of a run's site in a browser, opened as files and from a server."""

import re

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from arena.match.referee import start_game
from arena.publish.layout import replay_page
from arena.publish.replays import LEFT_OUT
from tests.arena.playing import make_game
from tests.arena.publish.browsing import (
    HOSTILE,
    NAMES,
    PHONE,
    VARIANTS,
    Site,
    a_variant,
    click_until_disabled,
    each_variant,
    needs_chromium,
    open_replay,
    step_of,
    watch,
    write_replay,
)
from tests.arena.runs import play_out

pytestmark = needs_chromium


@pytest.mark.parametrize(
    ("variant", "way"),
    [
        *[(variant, "file") for variant in VARIANTS],
        pytest.param(VARIANTS[0], "http", marks=pytest.mark.slow),
    ],
)
def test_a_replay_goes_to_its_end_and_back(page: Page, site: Site, variant: str, way: str) -> None:
    record = open_replay(page, site, variant, way)
    start = page.inner_html("#table")
    assert page.locator("#ending").is_hidden()
    assert click_until_disabled(page, "next") == len(record.actions)
    assert page.locator("#ending").is_visible()
    ends = page.locator("#ending li").all_inner_texts()
    assert len(ends) == len(record.entrants)
    for seat, (name, points) in enumerate(zip(record.entrants, record.points, strict=True)):
        (line,) = [end for end in ends if end.startswith(str(seat))]
        assert line.partition("\n")[0].endswith(f"{name} {points} points")
    ranks = page.evaluate("[...document.querySelectorAll('#ending li')].map(one => one.value)")
    assert ranks == sorted(record.ranks)
    assert click_until_disabled(page, "back") == len(record.actions)
    assert page.inner_html("#table") == start
    assert page.locator("#ending").is_hidden()


@each_variant
def test_the_browser_sees_what_the_engine_shows(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    state = start_game(record.variant, record.deal)
    for number, action in enumerate(record.actions):
        if number % 40 == 7:
            for seat in (None, *range(len(record.entrants))):
                view = msgspec.json.decode(msgspec.json.encode(state.view(seat)))
                shown = page.evaluate(
                    "([step, seat]) => arena.seen(arena.tables(window.replay)[step], seat).view",
                    [number, seat],
                )
                assert shown == {key: view[key] for key in view if key not in LEFT_OUT}
        state.apply(action)


def test_keys_step_and_the_address_keeps_the_step(page: Page, site: Site) -> None:
    record = open_replay(page, site, "bribery/3-advanced", at=12)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert step_of(page) == 13
    page.wait_for_url("**#13")
    page.keyboard.press("End")
    assert step_of(page) == len(record.actions)
    page.keyboard.press("Home")
    assert step_of(page) == 0
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.locator("#seat").focus()
    page.keyboard.press("End")  # is the list's own
    assert step_of(page) == 0
    page.evaluate("location.hash = '#9999'")
    expect(page.locator("#step")).to_have_value(str(len(record.actions)))


def test_a_seat_is_chosen_and_kept_in_the_address_and_arrows_step_on(
    page: Page, site: Site
) -> None:
    record = open_replay(page, site, "bribery/3-advanced", at=12)
    page.select_option("#seat", "1")
    page.wait_for_url("**#12&seat=1")
    page.focus("#seat")
    page.keyboard.press("ArrowRight")
    assert (step_of(page), page.input_value("#seat")) == (13, "1")
    page.wait_for_url("**#13&seat=1")
    page.goto(site.at("file", "index.html"))
    page.goto(site.at("file", replay_page(record.key)) + "#9&seat=2")
    assert (step_of(page), page.input_value("#seat")) == (9, "2")
    assert page.locator('[aria-label="hand of seat 1"] b').count() == 0
    page.evaluate("location.hash = '#7&seat=9'")  # there is no such seat
    expect(page.locator("#step")).to_have_value("7")
    assert page.input_value("#seat") == "2"


def test_the_key_for_faults_does_nothing_in_a_game_without_faults(page: Page, site: Site) -> None:
    record = play_out(make_game("pot-de-vin/3", 7, NAMES))
    assert not record.faults
    write_replay(site, record)
    page.goto(site.at("file", replay_page(record.key)) + "#5")
    page.keyboard.press("f")
    assert step_of(page) == 5
    assert page.inner_text("#count") == f"5 / {len(record.actions)}"
    page.keyboard.press("ArrowRight")
    assert step_of(page) == 6


@a_variant
def test_the_moves_are_one_tab_stop(page: Page, site: Site, variant: str) -> None:
    open_replay(page, site, variant, at=5)
    stops = page.evaluate(
        """[...document.querySelectorAll("a, button, input, select, summary, [tabindex]")].filter(
            one => one.tabIndex >= 0 && !one.disabled && one.offsetParent).length"""
    )
    assert stops < 40
    move = page.locator("#moves [tabindex='0']")
    assert move.count() == 1
    move.focus()
    for key, step in (("ArrowDown", 6), ("ArrowRight", 7), ("ArrowUp", 6)):
        page.keyboard.press(key)
        assert step_of(page) == step
        assert page.evaluate("document.activeElement.querySelector('.at').textContent") == str(step)


@a_variant
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_what_changed_is_on_the_screen(
    page: Page, site: Site, variant: str, size: tuple[int, int]
) -> None:
    """At the end, the ending is on the screen instead: see the test of it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_replay(page, site, variant)
    unseen = page.evaluate(
        """() => {
            const unseen = [];
            const next = document.getElementById("next");
            while (!next.disabled) {
                next.click();
                const fresh = document.querySelector("#table .fresh");
                const box = fresh && fresh.getBoundingClientRect();
                const now = document.getElementById("now").getBoundingClientRect();
                const hidden = box && (box.top < now.bottom || box.top > innerHeight);
                if (!next.disabled && (hidden || now.top < 0)) {
                    unseen.push(document.getElementById("step").value);
                }
            }
            return unseen;
        }"""
    )
    assert unseen == []


def test_brides_and_bribes_fits_one_screen_with_families_beside_boroughs(
    page: Page, site: Site
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    record = open_replay(page, site, "brides-and-bribes/3", at=40)
    page.evaluate("document.getElementById('replay').scrollIntoView()")
    for step in (40, 60, 80):
        page.evaluate(f"location.hash = '#{min(step, len(record.actions) - 1)}'")
        expect(page.locator("#step")).to_have_value(str(step))
        boxes = page.evaluate(
            "['.boroughs', '.of-families'].map(one => document.querySelector(one)).map("
            "one => { const box = one.getBoundingClientRect(); return [box.left, box.bottom]; })"
        )
        (left, bottom), (beside, lowest) = boxes
        assert beside > left + 500
        assert max(bottom, lowest) <= 900


def test_tiles_have_pictures_and_say_what_they_do(page: Page, site: Site) -> None:
    open_replay(page, site, "brides-and-bribes/3", at=30)
    tiles = page.locator("#table .tile:not(.back)")
    assert tiles.count() > 8
    assert page.locator("#table .tile:not(.back) > svg.icon path").count() == tiles.count()
    for title in tiles.evaluate_all("all => all.map(one => one.title)"):
        assert len(title.partition(": ")[2]) > 20
    kinds = page.evaluate("Object.values(window.replay.facts.kind)")
    assert set(kinds) == set(page.evaluate("Object.keys(arena.ICON_OF)"))
    assert page.evaluate("Object.values(arena.ICON_OF).every(sort => arena.ICONS[sort])")


@each_variant
def test_text_on_cards_is_at_least_12_pixels_high(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    for step in (3, len(record.actions) // 2, len(record.actions)):
        page.evaluate(f"location.hash = '#{step}'")
        expect(page.locator("#step")).to_have_value(str(step))
        small = page.evaluate(
            """[...document.querySelectorAll("#replay *")].filter(one =>
                [...one.childNodes].some(text => text.nodeType === 3 && text.data.trim())
                && parseFloat(getComputedStyle(one).fontSize) < 12).map(one => one.outerHTML)"""
        )
        assert small == []


def test_six_seats_fit_a_small_screen(page: Page, site: Site) -> None:
    names = ("ann", "bob", "cy", "dee", "eve", "a-longer-name")
    record = play_out(make_game("pot-de-vin/6-teams", 7, names))
    write_replay(site, record)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(site.at("file", replay_page(record.key)))
    page.evaluate("document.getElementById('replay').scrollIntoView()")
    for step in (*range(0, len(record.actions), 8), len(record.actions)):
        page.evaluate(f"location.hash = '#{step}'")
        expect(page.locator("#step")).to_have_value(str(step))
        bottoms = page.locator("#table .area").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().bottom)"
        )
        assert len(bottoms) == 6
        assert max(bottoms) <= 720, step
    page.click("#ending summary")
    assert page.locator("#ending .accounts dt").count() == 3
    assert page.locator("#ending .accounts").is_visible()


@a_variant
def test_the_end_says_why_points_and_ranks_came_about(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    page.keyboard.press("End")
    ending = page.inner_text("#ending")
    assert "How the points came about" in ending
    assert "last because of its fault" in ending
    assert page.locator("#ending .accounts dt").count() == len(record.entrants)
    box = page.evaluate("document.getElementById('ending').getBoundingClientRect().top")
    assert 0 <= box < 400


@a_variant
def test_a_replay_leads_to_the_rules_of_what_it_shows(page: Page, site: Site, variant: str) -> None:
    open_replay(page, site, variant)
    page.click("#legend summary")
    link = page.locator("#legend dd a").first
    section = link.inner_text().removeprefix("Rules, ")
    link.click()
    page.wait_for_url(f"**/rules/*.html#s{section.replace('.', '-')}")
    assert page.locator(":target").inner_text().startswith(section)


@each_variant
def test_whose_turn_is_next_is_marked(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant, at=3)
    state = start_game(record.variant, record.deal)
    for action in record.actions[:3]:
        state.apply(action)
    marked = page.locator("#table .is-next")
    assert marked.count() == 1
    assert f"seat-{state.seat_to_act}" in str(marked.get_attribute("class"))
    assert f"next: {state.seat_to_act}" in page.inner_text("#now .next")
    page.keyboard.press("End")
    assert marked.count() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant", [VARIANTS[0], pytest.param(VARIANTS[1], marks=pytest.mark.slow)]
)
def test_each_step_shows_how_much_it_has_changed_the_points(
    page: Page, site: Site, variant: str
) -> None:
    record = open_replay(page, site, variant)
    points = "#table .area .figure[data-name=points]"
    sums = [0] * len(record.entrants)
    shown = {}
    while page.locator("#next").is_enabled():
        page.locator("#next").click()
        for seat, text in enumerate(page.locator(points).all_inner_texts()):
            _, value, *change = text.replace("\u2212", "-").split()
            sums[seat] += int(*change or ["0"])
            shown[seat] = int(value)
    assert sums == list(shown.values())
    assert any(sums)


def test_on_paper_a_replay_has_the_table_and_all_moves(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")
    record = open_replay(page, site, "pot-de-vin/3", at=5)
    assert page.locator("#replay button:visible").count() == len(record.actions) + 1
    assert not page.locator("#replay select").first.is_visible()
    is_whole = "list => list.scrollHeight <= list.clientHeight + 1"
    assert page.locator("#moves").evaluate(is_whole)
    assert "5 /" in page.inner_text("#count")
    assert page.locator("#table .area").first.is_visible()


def test_numbers_stay_behind_names_that_are_written_from_right_to_left(
    page: Page, site: Site
) -> None:
    page.goto(site.at("file", "games/index.html"))
    gap = page.locator(".seats li:visible").first.evaluate(
        """item => {
            const name = item.querySelector("a");
            name.textContent = "\u0645\u062d\u0645\u062f";
            name.nextSibling?.remove();
            item.querySelector("b")?.remove();
            item.append(" 17");
            const range = document.createRange();
            range.selectNodeContents(item.lastChild);
            return range.getBoundingClientRect().left - name.getBoundingClientRect().right;
        }"""
    )
    assert gap >= -1


@pytest.mark.slow
def test_it_plays_by_itself_until_it_is_stopped(page: Page, site: Site) -> None:
    page.clock.install(time=0)
    record = open_replay(page, site, "pot-de-vin/3")
    page.clock.pause_at(3_600_000)  # time goes on only when the test says so
    page.select_option("#speed", label="very fast")
    page.locator("#speed").blur()
    page.keyboard.press(" ")
    page.clock.run_for(1000)
    assert step_of(page) == 4
    assert page.get_attribute("#play", "aria-pressed") == "true"
    page.keyboard.press(" ")
    page.clock.run_for(1000)
    assert step_of(page) == 4
    page.click("#play")
    page.clock.run_for(250 * len(record.actions))
    assert step_of(page) == len(record.actions)
    assert page.get_attribute("#play", "aria-pressed") == "false"


@a_variant
def test_a_fault_is_jumped_to(page: Page, site: Site, variant: str) -> None:
    record = open_replay(page, site, variant)
    (fault,) = record.faults
    page.click("#fault")
    assert step_of(page) == fault.action + 1
    assert "Fault (illegal): answered 'nonsense'" in page.inner_text("#now")
    assert "stand-in" in page.inner_text("#now")
    page.keyboard.press("Home")
    page.wait_for_url("**#0")  # a click on the address that is there changes nothing
    page.click("#result a[href^='#']")
    expect(page.locator("#step")).to_have_value(str(fault.action + 1))


def test_a_click_on_a_move_and_a_chapter_go_there(page: Page, site: Site) -> None:
    open_replay(page, site, "brides-and-bribes/3")
    page.locator("#moves button").nth(5).click()
    assert step_of(page) == 5
    assert page.locator("#moves [aria-current=step]").inner_text().startswith("5")
    page.select_option("#chapter", label="Round 2, placement")
    replay = page.evaluate("window.replay.chapters")
    (step,) = [one["step"] for one in replay if one["title"] == "Round 2, placement"]
    assert step_of(page) == step


@pytest.mark.usefixtures("toys")
def test_a_game_without_a_drawing_is_shown_field_by_field(page: Page, site: Site) -> None:
    record = play_out(make_game("high-card/3", 7, NAMES))
    write_replay(site, record)
    page.goto(site.at("file", replay_page(record.key)))
    assert "hand of seat 2" in page.inner_text("#table")
    page.select_option("#seat", "1")
    assert "hand of seat 2" not in page.inner_text("#table")
    assert click_until_disabled(page, "next") == len(record.actions)


# -- what a seat sees ------------------------------------------------------------------------------


def test_one_seat_sees_its_own_hand_and_the_backs_of_all_others(page: Page, site: Site) -> None:
    record = open_replay(page, site, "pot-de-vin/3", at=20)
    state = start_game(record.variant, record.deal)
    for action in record.actions[:20]:
        state.apply(action)
    page.select_option("#seat", "1")
    view = msgspec.json.decode(msgspec.json.encode(state.view(1)))
    hands = [page.locator(f'[aria-label="hand of seat {seat}"] .deck-card') for seat in range(3)]
    values = [hand.locator("b").all_inner_texts() for hand in hands]
    assert values == [[], [card.rpartition("-")[2] for card in view["hand"]], []]
    assert [hand.count() for hand in hands] == view["hand_sizes"]
    page.select_option("#seat", "")
    assert all(hand.locator("b").count() == hand.count() for hand in hands)


def test_one_seat_reads_its_own_notes_and_no_secret_of_others(page: Page, site: Site) -> None:
    record = open_replay(page, site, "brides-and-bribes/3")
    everything = page.inner_text("#moves")
    assert {f"seat {seat}" for seat in range(3)} <= set(re.findall("seat [0-9]", everything))
    page.select_option("#seat", "2")
    seen = page.inner_text("#moves")
    assert set(re.findall("seat [0-9]</b>", seen)) == {"seat 2</b>"}
    assert "answered 'nonsense'" not in seen
    assert "Fault (illegal)" in seen
    secret = [a for a in record.actions if a.split()[0] in ("send", "reinforce")]
    assert len(secret) > 10
    lines = page.locator("#moves button").all_inner_texts()
    state = start_game(record.variant, record.deal)
    for action, line in zip(record.actions, lines[1:], strict=True):
        if action in secret and state.seat_to_act != 2:
            assert "a tile" in line
        state.apply(action)


# -- strangers, small screens, and no scripts ------------------------------------------------------


@a_variant
def test_what_bots_say_is_shown_as_it_is(page: Page, site: Site, variant: str) -> None:
    record = site.game(variant)
    page.goto(site.at("file", replay_page(record.key)))
    assert HOSTILE in page.inner_text("#table")
    assert HOSTILE in page.inner_text("#result")
    assert "<b>seat" in page.inner_text("#moves")
    assert "\\x1b[2J" in page.inner_text("#moves")
    assert page.locator("img").count() == 0


@each_variant
def test_a_phone_is_wide_enough(
    browser: Browser, site: Site, wrong: list[str], variant: str
) -> None:
    with browser.new_context(viewport=PHONE, color_scheme="dark") as phone:
        watch(phone, site, wrong)
        page = phone.new_page()
        record = open_replay(page, site, variant)
        for step in (0, len(record.actions) // 2, len(record.actions)):
            page.evaluate(f"location.hash = '#{step}'")
            expect(page.locator("#step")).to_have_value(str(step))
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert wrong == []


def test_without_scripts_a_game_is_a_table_of_its_moves(
    browser: Browser, site: Site, wrong: list[str]
) -> None:
    with browser.new_context(java_script_enabled=False) as plain:
        watch(plain, site, wrong)
        page = plain.new_page()
        record = site.game("pot-de-vin/3")
        page.goto(site.at("file", replay_page(record.key)))
        assert page.locator("#replay").is_hidden()
        assert page.locator("noscript tbody tr").count() == len(record.actions) + 1
        assert page.locator("#result tbody tr").count() == 3
    assert wrong == []
