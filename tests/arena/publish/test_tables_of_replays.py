"""Tables that replays draw, in a browser."""

import re
import sys
from itertools import chain
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
    click_until_disabled,
    each_variant,
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
READINGS = """() => {
  const read = () => {
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
    return [wrong.map((one) => one.words), board.height];
  };
  const moves = [...document.querySelectorAll("#moves button")];
  const [last, some] = [moves.length - 4, moves.length < 100 ? 3 : 9];
  return moves.filter((_, step) => step >= last || step % some === 0)
      .map((move) => (move.click(), read()));
}"""
"""Returns texts on the table that overlap or are cut off by its edge, and its height, by step."""
SCENES = """() => {
    const scenes = [];
    arena.Board.prototype.show = (scene) => scenes.push(scene.pieces);
    const next = document.getElementById("next");
    while (!next.disabled) next.click();
    const isTold = ({ look, face }) =>
        /\\blast\\b/.test(look) || ["pdv-track", "pdv-count"].includes(face[0]);
    return scenes.map((pieces) =>
        pieces.filter(isTold).map(({ id, look, face }) => [id, look || "", face]));
}"""
"""Returns marked pieces, and those that tell points, of each step after the start.

Nothing is drawn, which takes most of the time.
"""


def open_new_replay(page: Page, site: Site, variant: str) -> None:
    """Open the replay of a game that is not in the run."""
    names = SIX[: int(re.findall(r"\d", variant)[0])]
    record = play_out(make_game(variant, 7, names))
    write_replay(site, record)
    page.goto(site.at("file", replay_page(record.key)))


@pytest.mark.parametrize("size", [(1280, 720), pytest.param((375, 812), marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "variant",
    [
        "pot-de-vin/6-teams",
        *[
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("bribery/4-advanced", "brides-and-bribes/5")
        ],
    ],
)
def test_table_has_fixed_height_without_overlaps(
    page: Page, site: Site, variant: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_new_replay(page, site, variant)
    overlaps, heights = zip(*page.evaluate(READINGS), strict=True)
    assert not any(overlaps)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert len({*heights}) == 1
    assert heights[0] <= (720 if size[0] > 800 else 1700)


def test_animates_pieces_unless_motion_is_reduced(page: Page, site: Site) -> None:
    page.emulate_media(reduced_motion="no-preference")
    moving = "document.getAnimations().filter(one => one.effect.target.closest('.piece')).length"
    open_replay(page, site, VARIANTS[0], at=9)
    before = dict(pieces(page))
    assert page.evaluate(f"document.getElementById('next').click(), {moving}") > 0
    moved = [key for key, place in pieces(page) if before.get(key, place) != place]
    assert moved
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    assert page.evaluate(f"document.getElementById('next').click(), {moving}") == 0


def test_highlights_legal_cards(page: Page, site: Site) -> None:
    record = open_replay(page, site, "pot-de-vin/3")
    state = start_game(record.variant, record.deal)
    for at, action in enumerate(record.actions[:6]):
        page.evaluate(f"location.hash = '#{at}.1'")  # after a trick, when the next one begins
        expect(page.locator("#count")).to_have_text(re.compile(rf"^{at} /"))
        legal = [one.removeprefix("play ") for one in state.legal_actions() if one != "pass"]
        lit = page.locator("#table .lit:not([data-slug=pass])")
        assert sorted(lit.evaluate_all("all => all.map(one => one.dataset.slug)")) == sorted(legal)
        state.apply(action)


@pytest.mark.parametrize(
    "form", ["3", *[pytest.param(one, marks=pytest.mark.slow) for one in ("4-teams", "6-teams")]]
)
def test_rows_add_up_to_points(page: Page, site: Site, form: str) -> None:
    open_new_replay(page, site, f"pot-de-vin/{form}")
    page.keyboard.press("End")
    drawn = page.locator("#table .total").all_text_contents()
    page.keyboard.press("Home")
    moves, tables = page.evaluate(
        "(one => [one.moves, arena.tables(one).map(({ open }) => open)])(arena.withBeats(replay))"
    )
    jokers = []
    for move, table, scene in zip(moves[1:], tables[1:], page.evaluate(SCENES), strict=True):
        faces = {piece: face for piece, _, face in scene}
        tracks = [faces[f"track-{seat}"][3] for seat in range(int(form[0]))]
        totals = [[row["total"] for row in rows if row["total"] is not None] for rows in tracks]
        rows = [sum(sum(totals[seat]) for seat in side) for side in table["teams"]]
        points = [side["points"] for side in table["score_now"]]
        beat, is_over = move.get("beat"), table["phase"] == "over"
        if beat != 0 and not is_over:
            assert rows == points
        if is_over and beat:
            counted = [line["numbers"][-1] for line in faces["count"][2]]
            assert sum(rows) == sum(counted)
            jokers.append(rows)
    assert jokers
    assert (jokers[-1], sorted(counted)) == (points, sorted(points))
    assert [int(text.replace("\u2212", "-")) for text in drawn] == [*chain(*totals)]


def test_shows_whole_trick_with_trump(page: Page, site: Site) -> None:
    record = open_replay(page, site, "pot-de-vin/3")
    moves, tables = page.evaluate(
        "(one => [one.moves, arena.tables(one)])(arena.withBeats(replay))"
    )
    ends = [step for step, move in enumerate(moves) if move.get("beat") == 0]
    assert moves[ends[-1]]["at"] == len(record.actions), "the last trick, too"
    for step in (*ends[:2], ends[-1]):
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
@each_variant
def test_marks_each_move(page: Page, site: Site, variant: str) -> None:
    open_replay(page, site, variant)
    for viewer in ("", "1"):
        page.select_option("#seat", viewer)
        moves = page.evaluate("arena.withBeats(replay).moves.slice(1)")
        marks = [any("last" in look for _, look, _ in scene) for scene in page.evaluate(SCENES)]
        for move, is_marked in zip(moves, marks, strict=True):
            assert is_marked or move["seat"] is None or move["told"] == "", move
        page.keyboard.press("Home")


def test_official_shows_bribes_and_domination(page: Page, site: Site) -> None:
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
def test_game_without_drawing_shows_fields(page: Page, site: Site) -> None:
    record = play_out(make_game("high-card/3", 7, NAMES))
    write_replay(site, record)
    page.goto(site.at("file", replay_page(record.key)))
    page.keyboard.press("f")  # there is no fault to go to
    assert step_of(page) == 0
    assert "hand of seat 2" in page.inner_text("#table")
    page.select_option("#seat", "1")
    assert "hand of seat 2" not in page.inner_text("#table")
    assert click_until_disabled(page, "next") == len(record.actions)


def test_plugin_game_is_drawn_by_places(page: Page, site: Site) -> None:
    with registered(sys.modules[presented_game.__name__]):
        record = play_out(make_game("high-card/3", 8, NAMES))
        write_replay(site, record)
        state = start_game(record.variant, record.deal)
    (site.folder / drawing_script("high-card")).write_text(presented_game.SCRIPT)
    page.goto(site.at("file", replay_page(record.key)))
    views: list[Any] = [state.view(seat) for seat in range(3)]
    shown = {key for key, _ in pieces(page)}
    assert shown == {"ground", *[f"card-{card}" for view in views for card in view.hand]}
    page.select_option("#seat", "1")
    assert len(pieces(page)) == 1 + len(views[1].hand)
