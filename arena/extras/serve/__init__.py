"""The contest server for a class and its teacher.

`server` starts the application (`app`) and its child processes. Request handlers are in `pages`;
`web` checks requests before they run. The other modules implement the parts of a contest:
`people`, the `checker`, the `ladder`, games in the browser (`play`) and `backup`.
"""
