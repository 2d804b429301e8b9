"""Pseudonyms: two words that are free, and a number when words run out."""

from arena.extras.serve.people import ADJECTIVES, ANIMALS, draw_pseudonym


def test_a_pseudonym_has_a_word_of_each_kind() -> None:
    drawn = iter([2, 3])
    asked: list[int] = []

    def draw(below: int) -> int:
        asked.append(below)
        return next(drawn)

    assert draw_pseudonym(draw, ()) == f"{ADJECTIVES[2]} {ANIMALS[3]}"
    assert asked == [len(ADJECTIVES), len(ANIMALS)]
    assert len({*ADJECTIVES}) == len({*ANIMALS}) == 48


def test_a_number_follows_after_a_hundred_pairs_that_are_taken() -> None:
    taken = {f"{ADJECTIVES[0]} {ANIMALS[0]}"}
    assert draw_pseudonym(lambda _: 0, taken) == f"{ADJECTIVES[0]} {ANIMALS[0]} 101"
    late = iter([*[0] * 198, 1, 1])
    assert draw_pseudonym(lambda _: next(late), taken) == f"{ADJECTIVES[1]} {ANIMALS[1]}"


def test_pseudonyms_do_not_run_out() -> None:
    taken: set[str] = set()
    for number in range(len(ADJECTIVES) * len(ANIMALS)):
        at = iter(divmod(number, len(ANIMALS)))
        taken.add(draw_pseudonym(lambda _, at=at: next(at), taken))
    assert len(taken) == len(ADJECTIVES) * len(ANIMALS)
    more = draw_pseudonym(lambda _: 0, taken)
    assert more not in taken
    assert more.startswith(f"{ADJECTIVES[0]} {ANIMALS[0]} ")
