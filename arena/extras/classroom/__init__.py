"""Commands for teachers: new contests, grades, reports."""
