"""Counts of requests."""

from limits import RateLimitItemPerSecond

from arena.extras.serve.web.contest_site import ContestSite, open_site
from tests.arena.extras.serve.visiting import Clock

RATE = RateLimitItemPerSecond(3, 10, "test")


def test_each_key_has_its_count_for_a_time(site: ContestSite, clock: Clock) -> None:
    counts = site.counts
    assert [counts.wait_s(RATE, "ann") for _ in range(5)] == [0, 0, 0, 10, 10]
    assert counts.wait_s(RATE, "bob") == 0
    clock.now += 4
    assert counts.wait_s(RATE, "ann") == 6
    clock.now += 6
    assert counts.wait_s(RATE, "ann") == 0


def test_counts_outlast_a_restart_until_they_end(site: ContestSite, clock: Clock) -> None:
    for _ in range(3):
        site.counts.wait_s(RATE, "ann")
    site.counts.keep()
    again = open_site(site.contest_file, clock=clock)
    assert again.counts.wait_s(RATE, "ann") == 10
    clock.now += 10
    again.counts.keep()
    assert again.counts.reset() == 0
    again.database.close()
