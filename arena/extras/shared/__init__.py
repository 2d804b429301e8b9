"""Code shared by the packages in `arena.extras`."""
