"""Bot processes: pipes, lines, resource usage and cores."""
