"""The review of a game: at which of its decisions a bot lost it, judged by what it knew then."""
