"""The neurons of a first layer: how much of them lies in the principal subspace span(U), and how alike they are (MDS).

Maps of cosine similarity are drawn in the plane around stars that stand still. NumPy only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FLAT = 1e-12  # an eigenvalue below this share of the largest is rounding: the picture has no extent there
NOWHERE = 1e-6  # a height below this share of the picture's radius is none
SETTLED = 1e-4  # of the squared distances: an iteration that gains less moves no point that an eye could follow
LONGEST = 300  # iterations; a map that has not settled by then is shown as it is, with its stress
SHOWN_NEURONS = 120  # more dots than this and a projector shows a blob


@dataclass(frozen=True, eq=False)
class NeuronMap:
    """Neurons and stars in the plane.

    points : (p, 2); stars : (s, 2), at places that depend on s and on the folding alone; zero rows are at the origin.
    stress : how much the plane distorts the distances, 0 (exact) to 1; see `stress_of`.
    """

    points: np.ndarray
    stars: np.ndarray
    stress: float


def cosine_similarity(W: np.ndarray) -> np.ndarray:
    """cos of the angle between each two rows of W (m, d): (m, m), in -1..1; 0 with a zero row."""
    directions = _directions(W)
    return np.clip(directions @ directions.T, -1.0, 1.0)


def star_places(directions: int, folded: bool) -> np.ndarray:
    """Where the stars of so many orthonormal directions u_i stand in every map: (2r, 2) for ±u_i, folded (r, 2).

    Unfolded: on the unit circle, -u_i opposite u_i, the u_i evenly over half of it from the right: for r <= 2 all
    distances are exact. Folded: evenly on the circle on which neighbours are √2 apart, as orthogonal directions are,
    but no larger than the unit circle; one alone is to the right of the middle.
    """
    turn = np.pi * np.arange(directions) * (2 if folded else 1) / max(directions, 1)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if not folded:
        return np.stack([circle, -circle], axis=1).reshape(-1, 2)
    return circle * min(np.sqrt(0.5) / np.sin(np.pi / max(directions, 2)), 1.0)


def similarity_map(W: np.ndarray, directions: np.ndarray, folded: bool, previous: NeuronMap | None = None) -> NeuronMap:
    """The neurons W (p, d) around the stars at ±u_i (folded: at u_i) of the orthonormal `directions` (r, d).

    Distance δ: the chord √(2 - 2 cos), from 0 to 2; `folded` takes w and -w as one neuron: √(2 - 2 |cos|), 0 to √2.
    The stars stand at `star_places`, so that pictures of different layers can be compared; the neurons go where their
    distances d from each other and from the stars fit best: Σ (δ - d)² over pairs i < j is lowered by majorization
    with fixed points (SMACOF; Borg and Groenen 2005, chapters 8 and 10), from classical scaling, turned to the stars.

    Stars on one line leave a reflection across it open: the first neuron with a height is up; with `previous`, the
    map of the same neurons in the same order, the reflection is the one nearer to it.
    Errors: ValueError if `previous` shows another number of neurons or stars.
    """
    stars = star_places(len(directions), folded)
    if previous is not None and (len(previous.points), len(previous.stars)) != (len(W), len(stars)):
        counts = f"{len(previous.points)} neurons and {len(previous.stars)} stars"
        raise ValueError(f"previous must show the same neurons and stars as this map, got {counts}; start a new series")
    unit = _directions(W)
    live = np.any(unit != 0, axis=1)
    both_ways = np.stack([directions, -directions], axis=1).reshape(-1, unit.shape[1])
    cosines = cosine_similarity(np.concatenate([unit[live], directions if folded else both_ways]))
    similarity = np.abs(cosines) if folded else cosines
    apart = np.sqrt(np.maximum(2 - 2 * similarity, 0))
    np.fill_diagonal(apart, 0)
    points = np.zeros((len(W), 2))
    points[live] = _around(stars, _upright(_classical_scaling(similarity), stars), apart)
    if previous is not None and _on_one_line(stars):
        points *= [1, -1 if np.sum(points[:, 1] * previous.points[:, 1]) < 0 else 1]
    return NeuronMap(points, stars, stress_of(np.concatenate([points[live], stars]), apart))


def stress_of(plane: np.ndarray, distances: np.ndarray) -> float:
    """Kruskal's stress-1 of a picture (p, 2) against distances δ (p, p), at the picture's best scale; in 0..1.

    min_b √( Σ (δ_ij - b d_ij)² / Σ δ_ij² ) = √( 1 - (Σ δ d)² / (Σ δ² Σ d²) ), d the distances in the picture, i < j.
    Kruskal (1964): 0 perfect, 0.05 good, 0.1 fair, 0.2 poor. 0 where all δ are 0.
    """
    lengths = _lengths(plane)
    scale, both = np.sum(distances**2), np.sum(lengths * distances)
    if scale == 0:
        return 0.0
    share = both**2 / (scale * np.sum(lengths**2)) if both > 0 else 0.0
    return float(np.sqrt(max(1 - share, 0.0)))


def _directions(W: np.ndarray) -> np.ndarray:
    """Rows of unit norm, divided by their largest entry first, lest tiny rows underflow; zero rows stay zero."""
    W = np.asarray(W, dtype=float)
    largest = np.max(np.abs(W), axis=1, keepdims=True, initial=0.0)
    W = np.divide(W, largest, out=np.zeros_like(W), where=largest > 0)
    norms = np.linalg.norm(W, axis=1, keepdims=True)
    return np.divide(W, norms, out=W, where=norms > 0)


def _lengths(plane: np.ndarray) -> np.ndarray:
    """(p, p) distances between the rows of a plane (p, 2)."""
    return np.hypot(*(plane[:, None, axis] - plane[None, :, axis] for axis in (0, 1)))


def _classical_scaling(similarity: np.ndarray) -> np.ndarray:
    """(p, 2) coordinates whose inner products approximate the doubly centred similarity; flat axes are 0."""
    plane = np.zeros((len(similarity), 2))
    if len(similarity) == 0:
        return plane
    means = similarity.mean(axis=0)
    values, vectors = np.linalg.eigh(similarity - means - means[:, None] + means.mean())
    values, vectors = values[::-1][:2], vectors[:, ::-1][:, :2]
    extent = np.where(values > FLAT * len(similarity), values, 0.0)
    plane[:, : len(values)] = vectors * np.sqrt(extent)
    return plane


def _upright(plane: np.ndarray, stars: np.ndarray) -> np.ndarray:
    """The neurons of a plane (p + s, 2), moved so that its last rows lie as near to the stars (s, 2) as they can.

    Orthogonal Procrustes (Schönemann 1966), without a shift for a lone star; stars on one line leave a reflection open:
    the first neuron is then up.
    """
    count = len(plane) - len(stars)
    middle, aim = (rows.mean(axis=0) if len(stars) > 1 else np.zeros(2) for rows in (plane[count:], stars))
    left, _, right = np.linalg.svd((plane[count:] - middle).T @ (stars - aim))
    points = (plane[:count] - middle) @ (left @ right) + aim
    tall = np.flatnonzero(np.abs(points[:, 1]) > NOWHERE * np.max(np.abs(points), initial=0.0))
    return points * [1, np.sign(points[tall[0], 1])] if len(tall) and _on_one_line(stars) else points


def _on_one_line(stars: np.ndarray) -> bool:
    """Whether the stars are on the horizontal axis, so that a reflection across it leaves them where they are."""
    return bool(np.all(np.abs(stars[:, 1]) < NOWHERE))


def _around(stars: np.ndarray, points: np.ndarray, apart: np.ndarray) -> np.ndarray:
    """Neurons (p, 2), led from `points` to where Σ (δ - d)² has settled; stars (s, 2) held, apart (p + s, p + s) : δ.

    An iteration solves Σ_j (y_i - y_j) = Σ_j δ_ij (z_i - z_j) / d_ij for the neurons y, z the places before.
    """
    p, s, misfit = len(points), len(stars), np.inf
    scale = np.sum(apart[:p] ** 2)
    for _ in range(LONGEST if p else 0):
        places = np.concatenate([points, stars])
        lengths = _lengths(places)
        before, misfit = misfit, float(np.sum((apart[:p] - lengths[:p]) ** 2))
        if before - misfit <= SETTLED * scale:
            break
        ratio = np.divide(apart, lengths, out=np.zeros_like(apart), where=lengths > 0)[:p]
        sums = ratio.sum(axis=1, keepdims=True) * points - ratio @ places + stars.sum(axis=0)
        # The neurons' block of the Laplacian (p + s) I - 1 1', solved; without stars the middle is free and stays.
        points = (sums + sums.sum(axis=0) / s) / (p + s) if s else sums / p
    return points


def neuron_sample(width: int) -> np.ndarray:
    """Indices of at most SHOWN_NEURONS, spread evenly over a layer of `width`."""
    return np.unique(np.linspace(0, width - 1, min(width, SHOWN_NEURONS)).astype(int))


class MapRecorder:
    """Maps of one set of neurons, each led on from the one before; their stars stand still.

    foldings : which maps are made, with w and -w as two neurons (False) or as one (True).
    """

    def __init__(self, foldings: tuple[bool, ...] = (False, True)) -> None:
        self._maps: dict[bool, NeuronMap | None] = dict.fromkeys(foldings)

    def arrays(self, W: np.ndarray, directions: np.ndarray) -> dict[str, np.ndarray]:
        """points, stars and stress of the neurons W (p, d) with stars at ± each of `directions` (r, d).

        The same with _folded: w and -w are one neuron, and only the + stars are shown.
        """
        arrays: dict[str, np.ndarray] = {}
        for folded, last in self._maps.items():
            plane = self._maps[folded] = similarity_map(W, directions, folded, last)
            ending = "_folded" if folded else ""
            arrays |= {
                f"points{ending}": plane.points.astype(np.float32),
                f"stars{ending}": plane.stars.astype(np.float32),
                f"stress{ending}": np.asarray(plane.stress, np.float32),
            }
        return arrays


def subspace_share(W: np.ndarray, U: np.ndarray) -> np.ndarray:
    """The squared fraction ‖U w_j‖² / ‖w_j‖² of each row's norm inside span(U): (m,), in 0..1; 0 for a zero row.

    W : (m, d); U : (r, d), orthonormal rows. A random row has share r/d on average.
    """
    whole = np.sum(W**2, axis=1)
    inside = np.sum((W @ U.T) ** 2, axis=1)
    return np.minimum(np.divide(inside, whole, out=np.zeros_like(inside), where=whole > 0), 1.0)


def alignment(W: np.ndarray, U: np.ndarray) -> float:
    """The squared fraction of the layer's norm inside span(U): ‖WUᵀ‖²_F / ‖W‖²_F, in 0..1; 0 if W is zero.

    The mean of `subspace_share` with every neuron weighted by its squared norm, as it weighs in the features. The plain
    mean is lower: a neuron that starts nearly orthogonal to u has a gradient of almost no norm, and what there is of it
    is noise (Figure 1's target at n = 10⁴: 0.93 weighted, 0.81 plain).
    """
    whole = float(np.sum(W**2))
    return min(float(np.sum((W @ U.T) ** 2)) / whole, 1.0) if whole > 0 else 0.0


def leading_directions(W: np.ndarray) -> np.ndarray:
    """The right singular vectors v_1, v_2, ... of W (m, d) as rows (d, d), largest singular value first.

    Beyond the rank of W they are an arbitrary orthonormal completion. Signs are arbitrary.
    """
    triangle = np.linalg.qr(W, mode="r")  # same right singular vectors, d rows in place of m
    return np.linalg.svd(triangle, full_matrices=True)[2]


def overlap_matrix(W: np.ndarray, U: np.ndarray, k: int) -> np.ndarray:
    """|<u_i, v_j>| between the principal directions and the k leading right singular vectors of W: (r, k), in 0..1."""
    if not 1 <= k <= W.shape[1]:
        raise ValueError(f"k must be from 1 to d = {W.shape[1]}, got {k}; lower k")
    return np.minimum(np.abs(U @ leading_directions(W)[:k].T), 1.0)


def principal_angles(W: np.ndarray, U: np.ndarray) -> np.ndarray:
    """The principal angles between span(U) and span(v_1 ... v_r), r the rows of U: degrees, ascending, (r,).

    Cosines are the singular values of U Vᵀ, sines those of V - V UᵀU; each angle is taken from the one that is
    accurate there (Björck and Golub 1973).
    """
    V = leading_directions(W)[: len(U)]
    cosines = np.linalg.svd(U @ V.T, compute_uv=False)
    sines = np.linalg.svd(V - (V @ U.T) @ U, compute_uv=False)[::-1]
    angles = np.where(cosines**2 < 0.5, np.arccos(np.minimum(cosines, 1)), np.arcsin(np.minimum(sines, 1)))
    return np.degrees(angles)
