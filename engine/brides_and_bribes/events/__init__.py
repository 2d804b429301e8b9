"""What seats are told as a game goes on: the events as data, and the notes they are made from."""
