"""A run as a static site that people look at in a browser."""
