"""Run games between bots, enforce time limits, and communicate with the bot processes."""
