"""What only the teacher sees: the overview of the contest, and grades."""
