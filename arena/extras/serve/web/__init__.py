"""What happens to a request before its handler: sessions, checks, limits. Also the `Site`."""
