"""The students that Locust simulates for `benchmarks.serve_load`."""

import itertools
import json
import os
import time
from pathlib import Path

import gevent
from locust import FastHttpUser, between, task

PLAN = json.loads(Path(os.environ["SERVE_LOAD_PLAN"]).read_text("utf-8"))
"""Sign-in links, and upload times in seconds after the start of the benchmark."""
BEGAN = time.monotonic()
NUMBERS = itertools.count()
LOOK_S = 2.0
"""Seconds between two requests for the page that shows a bot's check."""
BOT = """\
from arena.bot import Bot, run


class MyBot(Bot):  # of student {number}
    def act(self, view, legal):
        return legal[{number} % len(legal)]


run(MyBot)
"""


class Student(FastHttpUser):
    """A simulated student who requests a page every few seconds, and may upload a bot."""

    wait_time = between(0.5 * PLAN["look_every_s"], 1.5 * PLAN["look_every_s"])

    def on_start(self) -> None:
        self.number = next(NUMBERS)
        self.own = ""
        link = PLAN["links"][self.number]
        self.client.get(link, name="/sign-in/LINK")
        self.client.post(link, name="/sign-in/LINK")
        if self.number < len(PLAN["uploads_at_s"]):
            gevent.spawn_later(PLAN["uploads_at_s"][self.number], self.hand_in)

    @task(6)
    def look_at_the_ladder(self) -> None:
        self.client.get("/")

    @task(3)
    def look_at_the_own_page(self) -> None:
        self.client.get("/me")

    @task(1)
    def look_at_the_last_check(self) -> None:
        if self.own:
            self.client.get(self.own, name="/submissions/N")
        else:
            self.client.get("/me")

    def hand_in(self) -> None:
        """Upload a bot, and report when the submission page first shows a verdict."""
        code = BOT.format(number=self.number)
        began = time.monotonic()
        answer = self.client.post("/submissions", data={"code": code}, allow_redirects=False)
        self.own = str(answer.headers["Location"]) if answer.headers and answer.ok else ""
        while self.own:
            steps = self.client.get(f"{self.own}/steps", name="/submissions/N/steps").text or ""
            if "<b>Accepted" in steps or "<b>Refused" in steps:
                self.environment.events.request.fire(
                    request_type="CHECK",
                    name="first verdict",
                    response_time=(time.monotonic() - began) * 1000,
                    response_length=0,
                    exception=None if "<b>Accepted" in steps else ValueError(steps),
                    context={},
                )
                return
            gevent.sleep(LOOK_S)
