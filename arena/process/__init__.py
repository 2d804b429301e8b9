"""Run bot processes, exchange messages with them, and measure their processor time and memory."""
