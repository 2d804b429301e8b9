"""A bot that asks the view for a field that it does not have gets a hint, and no other bot."""

from typing import Any

import pytest

from arena.sdk.view_hint import add_view_hint

VIEW = {"hand": ["aldo-1"], "gems": 3}


class Player:
    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view

    def of_view(self, key: str) -> object:
        return self.view[key]


def of_view(view: dict[str, Any], key: str) -> object:
    return view[key]


@pytest.mark.parametrize(
    "look",
    [lambda: VIEW["hands"], lambda: of_view(VIEW, "hands"), lambda: Player(VIEW).of_view("hands")],
)
def test_hint_names_the_fields_of_the_view(look: Any) -> None:
    with pytest.raises(KeyError) as caught:
        look()
    add_view_hint(caught.value, VIEW)
    assert caught.value.__notes__ == [
        "hint: the view: did you mean 'hand'? its fields are hand, gems"
    ]


@pytest.mark.parametrize(
    "look", [lambda: {}["hands"], lambda: of_view({}, "hands"), lambda: {"a": VIEW}["b"]["hand"]]
)
def test_other_objects_give_no_hint(look: Any) -> None:
    with pytest.raises(KeyError) as caught:
        look()
    add_view_hint(caught.value, VIEW)
    assert not hasattr(caught.value, "__notes__")
