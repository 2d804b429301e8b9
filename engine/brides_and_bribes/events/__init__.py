"""Events of Brides & Bribes: what each seat is told during a game, from the notes of its log."""
