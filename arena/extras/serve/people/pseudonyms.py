"""Pseudonyms of students: an adjective and an animal."""

from collections.abc import Callable, Container

ADJECTIVES = (
    "Amber Azure Bold Brave Bright Bronze Calm Clever Cobalt Coral Crimson Daring Eager Emerald "
    "Fleet Gentle Golden Grand Hazel Indigo Ivory Jade Jolly Keen Lively Lucky Maroon Merry Misty "
    "Noble Olive Pearl Placid Plucky Proud Quick Quiet Ruby Rustic Sage Scarlet Silver Steady "
    "Sunny Swift Teal Violet Wise"
).split()
ANIMALS = (
    "Badger Beaver Bison Buzzard Camel Cheetah Condor Crane Dolphin Eagle Falcon Ferret Finch Fox "
    "Gazelle Gecko Hare Hawk Heron Ibex Jackal Jaguar Kestrel Kiwi Lark Lemur Leopard Lynx Magpie "
    "Marten Mole Moose Newt Ocelot Orca Osprey Otter Owl Panda Penguin Puffin Raven Robin Salmon "
    "Seal Stork Tapir Wren"
).split()


def draw_pseudonym(draw: Callable[[int], int], taken: Container[str]) -> str:
    """Return a pseudonym that is not `taken`. `draw(n)` returns a random number below `n`.

    When the pairs of words run out, a number follows them.
    """
    number = 0
    while True:
        words = f"{ADJECTIVES[draw(len(ADJECTIVES))]} {ANIMALS[draw(len(ANIMALS))]}"
        number += 1
        name = words if number <= 100 else f"{words} {number}"
        if name not in taken:
            return name
