"""Sessions, permission checks and limits for requests."""
