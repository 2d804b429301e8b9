"""The contest server for a class and its teacher.

`server` starts the application (`app`) and its child processes. `web` checks each request before
a handler in `pages` processes it. The other modules implement parts of a contest, such as the
`checker` and the `ladder`.
"""
