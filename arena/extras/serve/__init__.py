"""The contest server for a class and its teacher.

`server` starts the application (`app`) and its child processes. `web` checks each request before
a handler in `pages` processes it. Other modules implement the parts of a contest, such as
`people`, the `checker`, the `ladder`, games in the browser (`play`) and `backup`.
"""
