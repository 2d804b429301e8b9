"""Results of complete boards in the order of a run, in little memory."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from arena.rating.board_result import BoardResult


class ResultLog:
    """Board results, to which more can be added. A board of n seats takes 2 + 4 n bytes or less."""

    def __init__(self, results: Iterable[BoardResult] = ()) -> None:
        """Begin with some results."""
        self.boards: Counter[str] = Counter()
        """By variant, the number of results."""
        self.ranks: dict[str, Counter[tuple[int, ...]]] = {}
        """By variant, the number of results with these ranks."""
        self._variants: dict[str, tuple[int, ...]] = {}
        """The sizes of the sides of each variant."""
        self._places: dict[str, int] = {}
        """The place of each variant in `_variants`."""
        self._numbers: dict[str, int] = {}
        """By entrant, from 0, in the order in which they came."""
        self._order = array("H")
        """The variant of each result, as its place in `_variants`."""
        self._data = array("H")
        """The entrants of each result, then the ranks of its sides."""
        for result in results:
            self.add(result)

    def add(self, result: BoardResult) -> None:
        """Add a result."""
        variant, numbers = result.variant, self._numbers
        if variant not in self._variants:
            self._places[variant] = len(self._variants)
            self._variants[variant] = tuple(map(len, result.sides))
            self.ranks[variant] = Counter()
        self.boards[variant] += 1
        self.ranks[variant][result.ranks] += 1
        self._order.append(self._places[variant])
        names = chain.from_iterable(result.sides)
        own = [numbers.setdefault(name, len(numbers)) for name in names]
        self._data.extend([*own, *result.ranks])

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[BoardResult]:
        variants = [(name, sum(sizes), sizes) for name, sizes in self._variants.items()]
        name_of, data, first = list(self._numbers).__getitem__, self._data, 0
        for number in self._order:
            variant, entrants, sizes = variants[number]
            end = first + entrants
            playing = map(name_of, data[first:end])
            if entrants == len(sizes):
                sides: tuple[tuple[str, ...], ...] = tuple(zip(playing, strict=True))
            else:
                sides = tuple([tuple(islice(playing, size)) for size in sizes])
            first = end + len(sizes)
            yield BoardResult(variant, sides, tuple(data[end:first]))
