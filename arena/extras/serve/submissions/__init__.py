"""Submissions on the server: stored files, the queue of checks, the checker, versions."""
