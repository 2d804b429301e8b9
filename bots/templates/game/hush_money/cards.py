"""Cards of Hush Money: officials, the notes of each variant, and actions as strings."""

OFFICIALS = (1, 2, 3, 4, 5)  # their influence, in the order of sale
HAND_SIZE = len(OFFICIALS)
NOTES = {2: range(1, 13), 3: range(1, 19)}  # by number of seats
BRIBES = [f"bribe {note}" for note in range(19)]  # the action that pays each note
