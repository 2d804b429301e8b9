"""Run bot processes, exchange messages with them, and measure their CPU time and memory."""
