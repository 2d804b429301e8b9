"""Games in words, for the terminal and the web replay: actions, events, cards, points."""
