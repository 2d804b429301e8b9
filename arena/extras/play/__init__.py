"""A person plays against bots in the terminal.

From the core it takes the table and its bots (`commands.table_options`), a game that is watched
(`terminal`), and what happens in it in words (`narration`).
"""
