"""Run bot processes: pipes, processor time, memory and cores."""
