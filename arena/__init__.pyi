from arena.errors import ArenaError as ArenaError
from arena.interface import LeaderboardTable as LeaderboardTable
from arena.interface import Run as Run
from arena.interface import compare as compare
from arena.interface import open_run as open_run
from arena.interface import run as run
from arena.play_game import play as play
from arena.record import GameRecord as GameRecord
from arena.tournament.contest_run import RunObserver as RunObserver

__version__: str
