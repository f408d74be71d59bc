"""A dictionary with a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, MutableMapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LRUCache(MutableMapping[K, V]):
    """Forgets what was used longest ago once the sizes of its values sum to more than `maxsize`. Not thread-safe."""

    def __init__(self, maxsize: float, getsizeof: Callable[[V], float] = lambda _: 1) -> None:
        self._maxsize, self._getsizeof = maxsize, getsizeof
        self._values: OrderedDict[K, V] = OrderedDict()
        self._size = 0.0

    def __getitem__(self, key: K) -> V:
        value = self._values[key]
        self._values.move_to_end(key)
        return value

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        self._values[key] = value
        self._size += self._getsizeof(value)
        while self._size > self._maxsize:
            del self[next(iter(self._values))]

    def __delitem__(self, key: K) -> None:
        self._size -= self._getsizeof(self._values.pop(key))

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[K]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
