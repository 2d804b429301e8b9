"""What happens to a request before its handler runs: sessions, checks and limits."""
