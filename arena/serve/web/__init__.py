"""Requests before a page answers them: who sends them, what is allowed, and the site they reach."""
