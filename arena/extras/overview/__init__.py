"""List games, bots and runs.

From the core, it uses registrations (`plugins`), and runs with their settings, records and
standings (`tournament`).
"""
