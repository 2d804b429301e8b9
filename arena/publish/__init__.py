"""Build the website of a run."""
