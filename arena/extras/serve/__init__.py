"""A web server where students submit bots and see leaderboards and replays.

`server` starts the application (`app`) and its child processes. `web` checks each request before
a handler in `pages` processes it.
"""
