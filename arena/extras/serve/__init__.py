"""The web server of a contest, for a class and its teacher.

From the top: `server` starts the application (`app`) and its child processes. The handlers are in
`pages`; they use `web`, which checks requests. Below are the contest's own parts: `people`,
`submissions`, the `ladder` with its standings, games in the browser (`play`), the
`overview` and `class_grades` of the teacher, and a copy of all (`backup`).

From the core it takes contests and submissions (`contest`), runs and how to play them
(`tournament`), the checks of bots (`check`), pages and replays (`publish`, `narration`), and bots
for games in the browser (`agents`).
"""
