"""A run: from settings to a schedule, games and stored records."""
