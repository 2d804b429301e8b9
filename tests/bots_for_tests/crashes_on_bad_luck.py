"""Takes any legal action, but its dice tell it to crash in many a game."""

from arena.bot import Bot


class CrashesOnBadLuck(Bot):
    def act(self, view, legal):
        if self.rng.random() < 0.03:
            raise RuntimeError(f"bad luck in {self.table.variant}")
        return self.rng.choice(legal)
