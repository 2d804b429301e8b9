from arena.base.errors import ArenaError as ArenaError
from arena.base.record import GameRecord as GameRecord
from arena.interface import compare as compare
from arena.interface import open_run as open_run
from arena.interface import run as run
from arena.played_run import LeaderboardTable as LeaderboardTable
from arena.played_run import Run as Run
from arena.tournament.contest_run import RunObserver as RunObserver
from arena.tournament.play_game import play as play

__version__: str
