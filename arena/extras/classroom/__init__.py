"""Commands that create contests and print grades."""
