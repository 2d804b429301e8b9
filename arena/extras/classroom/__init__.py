"""Commands for teachers who create contests and grade bots."""
