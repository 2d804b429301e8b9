"""Code shared by several packages in `arena.extras`, which must not import each other."""
