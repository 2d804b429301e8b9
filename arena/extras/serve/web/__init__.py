"""Authenticate requests, check permissions, and limit request rates."""
