"""The contest server for a class and its teacher.

`server` starts the application (`app`) and its child processes. Request handlers are in `pages`;
`web` checks requests before they run. Below them are the parts of the contest itself: `people`,
`submissions`, the `ladder` with its standings, games in the browser (`play`), the teacher's
`overview` and `class_grades`, and `backup`.

From the core, the server uses contests and submissions (`contest`), runs (`tournament`), bot
checks (`check`), pages and replays (`publish`, `narration`), and bots for games in the browser
(`agents`).
"""
