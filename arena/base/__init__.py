"""Types and helpers shared by all packages."""
