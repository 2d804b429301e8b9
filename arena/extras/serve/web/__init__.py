"""Steps of a request before its handler: sessions, checks, limits. Also the `Site`."""
