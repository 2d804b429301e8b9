"""Submissions that are alike: their comparison, and the report for the teacher."""
