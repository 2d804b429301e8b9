"""Code shared by several extras. Extras don't import each other, and the core doesn't need it."""
