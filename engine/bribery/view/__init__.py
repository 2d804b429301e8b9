"""Build a seat's or a spectator's view of a Bribery game [10.1, 10.3]."""

from engine.bribery.view.board import BoardView, update_board
from engine.bribery.view.build import build_view
from engine.bribery.view.structs import OfficialControl, OfficialView, PendingView, View

__all__ = [
    "BoardView",
    "OfficialControl",
    "OfficialView",
    "PendingView",
    "View",
    "build_view",
    "update_board",
]
