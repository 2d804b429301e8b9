"""The people of a contest: students and teachers, their links, tokens and pseudonyms."""
