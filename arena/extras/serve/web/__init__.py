"""Sessions, checks and limits that apply to a request before its handler runs."""
