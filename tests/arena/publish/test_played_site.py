"""The site of one played game: every link leads to a page of it, the rules too."""

import os
from pathlib import Path

import pytest

from arena.publish.played_site import publish_game
from tests.arena.playing import make_game
from tests.arena.publish.sites import pages_of, target
from tests.arena.runs import play_out


@pytest.mark.parametrize("variant", ["bribery/2", "pot-de-vin/3"])
def test_every_link_leads_somewhere_in_the_site(tmp_path: Path, variant: str) -> None:
    file, site = tmp_path / "game.json", tmp_path / "site"
    file.write_text("{}")
    names = ("ann", "bob", "cy")[: int(variant[-1])]
    publish_game(play_out(make_game(variant, 7, names)), file, site)
    pages = pages_of(site)
    assert f"rules/{variant.partition('/')[0]}.html" in pages
    for path, page in pages.items():
        for link in page.links():
            there, place = target(site, path, link)
            assert there.is_file(), f"{path} links to {link}"
            if place and path.startswith("games/"):
                assert f'id="{place}"' in there.read_text("utf-8"), f"{path} links to {link}"


def test_its_pages_tell_when_it_was_played(tmp_path: Path) -> None:
    file, site = tmp_path / "game.json", tmp_path / "site"
    file.write_text("{}")
    os.utime(file, (0, 0))
    publish_game(play_out(make_game("bribery/2", 7, ("ann", "bob"))), file, site)
    state = (site / "static" / "state.js").read_text()
    assert '"played":1,' in state
    assert '"updated":"1970-01-01T00:00:00Z"' in state
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert 'id="state-script"' in text, page
        assert 'id="theme"' in text, page
