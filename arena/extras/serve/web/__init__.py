"""Everything that happens before the handler of a request runs: sessions, checks and limits."""
