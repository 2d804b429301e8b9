"""Build a seat's or a spectator's view of a Brides & Bribes game [10, 11]."""

from engine.brides_and_bribes.view.build import build_view
from engine.brides_and_bribes.view.structs import (
    BoroughView,
    BrideView,
    DelegationView,
    OwnView,
    PlayerView,
    ResolutionView,
    View,
)

__all__ = [
    "BoroughView",
    "BrideView",
    "DelegationView",
    "OwnView",
    "PlayerView",
    "ResolutionView",
    "View",
    "build_view",
]
