"""Play against bots in the terminal.

From the core, it uses the table and its bots (`commands.table_options`), watched games
(`terminal`), and descriptions of events in words (`narration`).
"""
