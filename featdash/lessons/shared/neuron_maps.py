"""The same few neurons of a layer as they move, pictured from one angle."""

from __future__ import annotations

import numpy as np

from featdash.geometry.similarity import NeuronMap, similarity_map

SHOWN_NEURONS = 120  # more dots than this and a projector shows a blob


def neuron_sample(width: int) -> np.ndarray:
    """Indices of at most SHOWN_NEURONS, spread evenly over a layer of `width`."""
    return np.unique(np.linspace(0, width - 1, min(width, SHOWN_NEURONS)).astype(int))


class MapCamera:
    """Takes the maps of one set of neurons, each led on from the one before; their stars stand still.

    foldings : which maps are taken, with w and -w as two neurons (False) or as one (True).
    """

    def __init__(self, foldings: tuple[bool, ...] = (False, True)) -> None:
        self._maps: dict[bool, NeuronMap | None] = dict.fromkeys(foldings)

    def arrays(self, W: np.ndarray, directions: np.ndarray) -> dict[str, np.ndarray]:
        """points, stars and stress of the neurons W (p, d) with stars at ± each of `directions` (r, d).

        The same with _folded: w and -w are one neuron, and only the + stars are shown.
        """
        arrays: dict[str, np.ndarray] = {}
        for folded, last in self._maps.items():
            drawn = self._maps[folded] = similarity_map(W, directions, folded, last)
            ending = "_folded" if folded else ""
            arrays |= {
                f"points{ending}": drawn.points.astype(np.float32),
                f"stars{ending}": drawn.stars.astype(np.float32),
                f"stress{ending}": np.asarray(drawn.stress, np.float32),
            }
        return arrays
