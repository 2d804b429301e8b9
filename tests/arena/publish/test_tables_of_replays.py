"""Tables that replays draw, in a browser."""

import re
import sys
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from arena.match.referee import start_game
from arena.plugins import registered
from arena.publish.layout import drawing_script, replay_page
from tests import presented_game
from tests.arena.playing import make_game
from tests.arena.publish.browsing import (
    NAMES,
    VARIANTS,
    Site,
    a_variant,
    click_until_disabled,
    go_to,
    needs_chromium,
    open_replay,
    pieces,
    show_step,
    step_of,
    write_replay,
)
from tests.arena.runs import play_out

pytestmark = needs_chromium

SIX = (*NAMES, "dee", "eve", "someone-with-a-long-name")
OVERLAPS = """() => {
    const board = document.querySelector("#table svg").getBoundingClientRect();
    const inside = (box, x, y) =>
        box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    const all = [...document.querySelectorAll("#table .piece")];
    const covers = ".card, .panel, .pill, .arrow-word, circle, .of-seat-back";
    const solid = new Map(all.map((piece) => [piece,
        [...piece.querySelectorAll(covers)].map((one) => one.getBoundingClientRect())]));
    const texts = [...document.querySelectorAll("#table text")]
        .filter((one) => one.textContent.trim())
        .map((one) => {
            const { left, right, top, bottom, height } = one.getBoundingClientRect();
            const piece = one.closest(".piece");
            return { words: `${one.textContent} of ${piece.dataset.id}`, piece,
                left, right, top: top + height * 0.22, bottom: bottom - height * 0.22 };
        });
    const wrong = texts.filter((one) =>
        !inside(board, one.left + 1, one.top) || !inside(board, one.right - 1, one.bottom));
    texts.forEach((one, at) => texts.slice(at + 1).forEach((other) => {
        const [left, right] = [Math.max(one.left, other.left), Math.min(one.right, other.right)];
        const [top, bottom] = [Math.max(one.top, other.top), Math.min(one.bottom, other.bottom)];
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const isHidden = one.piece !== other.piece  // as in a fan of cards
            && solid.get(other.piece).some((box) => inside(box, x, y));
        if (right - left > 2 && bottom - top > 2 && !isHidden) {
            wrong.push({ words: `${one.words} and ${other.words}` });
        }
    }));
    return wrong.map((one) => one.words);
}"""
"""Return texts on the table that overlap, or are cut off by its edge."""


def open_new_replay(page: Page, site: Site, variant: str, seed: int = 7) -> int:
    """Open the replay of a game that is not in the run, and return the number of its steps."""
    names = SIX[: int(re.findall(r"\d", variant)[0])]
    record = play_out(make_game(variant, seed, names))
    write_replay(site, record)
    page.goto(site.at("file", replay_page(record.key)))
    return page.locator("#moves button").count()


@pytest.mark.parametrize("size", [(1280, 720), pytest.param((375, 812), marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "variant",
    [
        "bribery/4-advanced",
        *[
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("pot-de-vin/3", "pot-de-vin/6-teams")
        ],
        *[pytest.param(f"brides-and-bribes/{seats}", marks=pytest.mark.slow) for seats in (3, 5)],
    ],
)
def test_a_table_has_one_height_and_no_text_upon_another(
    page: Page, site: Site, variant: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")
    steps = open_new_replay(page, site, variant)
    heights = set()
    for step in [*range(0, steps - 4, 3 if steps < 100 else 9), *range(steps - 4, steps)]:
        show_step(page, step)
        assert page.evaluate(OVERLAPS) == [], step
        box = page.locator("#table svg").bounding_box()
        assert box
        heights.add(box["height"])
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert len(heights) == 1
    assert max(heights) <= (720 if size[0] > 800 else 1700)


@pytest.mark.parametrize("size", [(1280, 720), (375, 812)])
@pytest.mark.parametrize("variant", ["pot-de-vin/3", "pot-de-vin/4"])
def test_no_card_of_a_hand_lies_upon_another(
    page: Page, site: Site, variant: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_new_replay(page, site, variant)
    upon = page.evaluate(
        """() => {
            const cards = [...document.querySelectorAll("#table .piece:has(.medal) .card")];
            const boxes = cards.map((one) => one.getBoundingClientRect());
            return [boxes.length, boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) =>
                one.left < other.right - 1 && other.left < one.right - 1 &&
                one.top < other.bottom - 1 && other.top < one.bottom - 1)).length];
        }"""
    )
    assert upon == [37 if variant.endswith("3") else 41, 0], "hands, and the trump"


@a_variant
def test_pieces_move_to_their_new_places_unless_motion_is_reduced(
    page: Page, site: Site, variant: str
) -> None:
    moving = "document.getAnimations().filter(one => one.effect.target.closest('.piece')).length"
    open_replay(page, site, variant, at=9)
    before = dict(pieces(page))
    assert page.evaluate(f"document.getElementById('next').click(), {moving}") > 0
    moved = [key for key, place in pieces(page) if before.get(key, place) != place]
    assert moved
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    assert page.evaluate(f"document.getElementById('next').click(), {moving}") == 0


def test_cards_that_may_follow_are_lit(page: Page, site: Site) -> None:
    record = open_replay(page, site, "pot-de-vin/3")
    state = start_game(record.variant, record.deal)
    for at, action in enumerate(record.actions[:12]):
        page.evaluate(f"location.hash = '#{at}.1'")  # after a trick, when the next one begins
        expect(page.locator("#count")).to_have_text(re.compile(rf"^{at} /"))
        legal = [one.removeprefix("play ") for one in state.legal_actions() if one != "pass"]
        lit = page.locator("#table .lit:not([data-slug=pass])")
        assert sorted(lit.evaluate_all("all => all.map(one => one.dataset.slug)")) == sorted(legal)
        state.apply(action)


@pytest.mark.parametrize(
    ("variant", "seed"),
    [
        ("pot-de-vin/3", 7),
        *[
            pytest.param(f"pot-de-vin/{form}", seed, marks=pytest.mark.slow)
            for form in ("4-teams", "6-teams")
            for seed in range(4)
        ],
    ],
)
def test_the_rows_of_a_side_add_up_to_its_points(
    page: Page, site: Site, variant: str, seed: int
) -> None:
    steps = open_new_replay(page, site, variant, seed)
    shown = page.evaluate(
        """() => {
            const { moves } = arena.withBeats(replay);
            const sum = (texts) => texts.reduce(
                (all, one) => all + Number(one.textContent.replace("\\u2212", "-")), 0);
            return arena.tables(arena.withBeats(replay)).map(({ open }, step) => {
                if (step) document.getElementById("next").click();
                const all = (seat) => sum([...document.querySelectorAll(
                    `[data-id=track-${seat}] .total`)]);
                const rows = open.teams.map((side) => side.map(all).reduce((a, b) => a + b));
                const counted = [...document.querySelectorAll("[data-id=count] .on-felt.strong")];
                return { rows, points: open.score_now.map((side) => side.points),
                    beat: moves[step].beat, over: open.phase === "over",
                    counted: counted.map((one) => sum([one])) };
            });
        }"""
    )
    assert len(shown) == steps
    for step in shown[:-1]:
        if step["beat"] != 0 and not step["over"]:
            assert step["rows"] == step["points"]
    jokers = [step for step in shown if step["over"] and step["beat"]]
    assert all(sum(step["rows"]) == sum(step["counted"]) for step in jokers)
    assert jokers[-1]["rows"] == jokers[-1]["points"]
    assert sorted(jokers[-1]["counted"]) == sorted(jokers[-1]["points"])


def test_a_trick_is_shown_whole_with_its_trump_and_then_goes_to_its_winner(
    page: Page, site: Site
) -> None:
    record = open_replay(page, site, "pot-de-vin/3")
    moves, tables = page.evaluate(
        "(one => [one.moves, arena.tables(one)])(arena.withBeats(replay))"
    )
    ends = [step for step, move in enumerate(moves) if move.get("beat") == 0]
    assert moves[ends[-1]]["at"] == len(record.actions), "the last trick, too"
    for step in ends:
        show_step(page, step)
        trick = tables[step]["open"]["history"][-1]
        cards = [turn["action"].split()[1] for turn in trick["trick"] if turn["action"] != "pass"]
        large = "id => document.querySelector(`[data-id=${id}] .medal`) !== null"
        assert [page.evaluate(large, card) for card in (*cards, trick["trump"])].count(False) == 0
        upcoming = tables[step]["open"]["trump"]
        assert upcoming not in dict(pieces(page)), "not yet"
        assert f"{record.entrants[trick['winner']]} wins: highest" in page.inner_text("#table ul")
        show_step(page, step + 1)
        assert not any(page.evaluate(large, card) for card in (*cards, trick["trump"]))
        assert upcoming is None or page.evaluate(large, upcoming)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_each_move_is_marked(page: Page, site: Site, variant: str) -> None:
    open_replay(page, site, variant)
    for viewer in ("", "1"):
        page.select_option("#seat", viewer)
        unmarked = page.evaluate(
            """() => arena.withBeats(replay).moves.flatMap((move, step) => {
                if (step) document.getElementById("next").click();
                const marks = document.querySelectorAll("#table .last").length;
                return move.seat !== null && move.told !== "" && !marks ? [step] : [];
            })"""
        )
        assert unmarked == []
        page.keyboard.press("Home")


def test_an_official_shows_who_bribed_it_and_a_seal_if_one_side_is_alone(
    page: Page, site: Site
) -> None:
    record = open_replay(page, site, "bribery/3-advanced")
    go_to(page, len(record.actions))
    view = page.evaluate("arena.tables(replay).at(-1).open")
    shown = dict(pieces(page))
    for official in view["board"]:
        assert official["card"] in shown
        for bribe in official["bribes"]:
            assert bribe["card"] in shown
    for state in view["control"]["officials"]:
        assert (f"seal-{state['card']}" in shown) == state["dominated"]
    spades = page.locator("[data-id='head-s'] title").first.text_content()
    assert spades
    votes = next(one["votes"] for one in view["control"]["countries"] if one["country"] == "s")
    assert [int(number) for number in re.findall(r" (\d+)[, ]", spades)] == votes


@pytest.mark.usefixtures("toys")
def test_a_game_without_a_drawing_is_shown_field_by_field(page: Page, site: Site) -> None:
    record = play_out(make_game("high-card/3", 7, NAMES))
    write_replay(site, record)
    page.goto(site.at("file", replay_page(record.key)))
    page.keyboard.press("f")  # there is no fault to go to
    assert step_of(page) == 0
    assert "hand of seat 2" in page.inner_text("#table")
    page.select_option("#seat", "1")
    assert "hand of seat 2" not in page.inner_text("#table")
    assert click_until_disabled(page, "next") == len(record.actions)


def test_a_game_of_a_plugin_is_drawn_by_its_table_of_places(page: Page, site: Site) -> None:
    with registered(sys.modules[presented_game.__name__]):
        record = play_out(make_game("high-card/3", 8, NAMES))
        write_replay(site, record)
        state = start_game(record.variant, record.deal)
    (site.folder / drawing_script("high-card")).write_text(presented_game.SCRIPT)
    page.emulate_media(reduced_motion="reduce")
    page.goto(site.at("file", replay_page(record.key)))
    views: list[Any] = [state.view(seat) for seat in range(3)]
    shown = {key for key, _ in pieces(page)}
    assert shown == {"ground", *[f"card-{card}" for view in views for card in view.hand]}
    page.select_option("#seat", "1")
    assert len(pieces(page)) == 1 + len(views[1].hand)
