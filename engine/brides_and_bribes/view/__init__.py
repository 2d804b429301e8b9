"""What a seat may know of a position: its view as data, and how a view is built."""

from engine.brides_and_bribes.view.build import view_for
from engine.brides_and_bribes.view.structs import (
    BoroughView,
    BrideView,
    DelegationView,
    PlayerView,
    ResolutionView,
    View,
)

__all__ = [
    "BoroughView",
    "BrideView",
    "DelegationView",
    "PlayerView",
    "ResolutionView",
    "View",
    "view_for",
]
