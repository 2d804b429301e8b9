"""Bot processes: their pipes, lines, resource usage and cores."""
