"""A web server where students submit bots and follow a contest.

`server` starts the application (`app`) and its child processes. `web` checks each request before
a handler in `pages` processes it. Other modules, such as `checker` and `ladder`, implement parts
of a contest.
"""
