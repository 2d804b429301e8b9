"""Commands for teachers: create contests and print grades."""
