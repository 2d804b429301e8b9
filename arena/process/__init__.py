"""Run bot processes: communicate over pipes and measure their processor time and memory."""
