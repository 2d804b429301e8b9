"""Work of a teacher beside the runs: contests, collecting bots, grades, reports, changed runs.

From the core it takes the intake of submissions (`contest`, `commands.submit`), runs with their
students and grades (`tournament`, `contest`), and what is shown of games and faults (`publish`,
`check`).
"""
