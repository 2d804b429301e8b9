"""Commands for teachers: create contests, print grades, and write reports for students."""
