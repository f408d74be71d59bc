"""Cosine similarity of the neurons of a first layer, drawn in the plane by classical scaling (MDS). NumPy only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FLAT = 1e-12  # an eigenvalue below this share of the largest is rounding: the picture has no extent there
NOWHERE = 1e-6  # a star closer to the centre than this share of the picture's radius has no direction


@dataclass(frozen=True, eq=False)
class NeuronMap:
    """Neurons and stars in the plane.

    points : (p, 2); stars : (s, 2); the origin is the centroid of all that are not zero, where zero rows are put too.
    stress : how much the plane distorts the distances, 0 (exact) to 1; see `stress_of`.
    """

    points: np.ndarray
    stars: np.ndarray
    stress: float


def cosine_similarity(W: np.ndarray) -> np.ndarray:
    """cos of the angle between each two rows of W (m, d): (m, m), in -1..1; 0 with a zero row."""
    directions = _directions(W)
    return np.clip(directions @ directions.T, -1.0, 1.0)


def similarity_map(W: np.ndarray, stars: np.ndarray, folded: bool, previous: NeuronMap | None = None) -> NeuronMap:
    """The plane in which neurons W (p, d) and reference directions `stars` (s, d) keep their mutual distances best.

    Distance: the chord √(2 - 2 cos), from 0 to 2; `folded` takes w and -w as one neuron: √(2 - 2 |cos|), from 0 to √2.
    Classical scaling: the two leading eigenvectors of the doubly centred cos (or |cos|), as in scikit-learn's
    ClassicalMDS, but flat where that gives NaN (all neurons parallel, or |cos| that no Euclidean distance has).

    Orientation: with `previous`, the map of the same neurons in the same order, the rotation or reflection about the
    origin nearest to it (orthogonal Procrustes, no scaling); else the first star to the right, the next one up.
    Errors: ValueError if `previous` shows another number of neurons or stars.
    """
    rows = np.concatenate([W, stars])
    live = np.any(rows != 0, axis=1)
    similarity = cosine_similarity(rows[live])
    if folded:
        similarity = np.abs(similarity)
    plane = np.zeros((len(rows), 2))
    plane[live] = _classical_scaling(similarity)
    stress = stress_of(plane[live], np.sqrt(np.maximum(2 - 2 * similarity, 0)))
    turn = _standing(plane, len(W)) if previous is None else _towards(plane, previous, len(W))
    plane = plane @ turn
    return NeuronMap(plane[: len(W)], plane[len(W) :], stress)


def stress_of(plane: np.ndarray, distances: np.ndarray) -> float:
    """Kruskal's stress-1 of a picture (p, 2) against distances δ (p, p), at the picture's best scale; in 0..1.

    min_b √( Σ (δ_ij - b d_ij)² / Σ δ_ij² ) = √( 1 - (Σ δ d)² / (Σ δ² Σ d²) ), d the distances in the picture, i < j.
    Kruskal (1964): 0 perfect, 0.05 good, 0.1 fair, 0.2 poor. 0 where all δ are 0.
    """
    apart = plane[:, None, :] - plane[None, :, :]
    drawn = np.sqrt(np.sum(apart**2, axis=2))
    wanted, both = np.sum(distances**2), np.sum(drawn * distances)
    if wanted == 0:
        return 0.0
    explained = both**2 / (wanted * np.sum(drawn**2)) if both > 0 else 0.0
    return float(np.sqrt(max(1 - explained, 0.0)))


def _directions(W: np.ndarray) -> np.ndarray:
    """Rows of unit norm, divided by their largest entry first, lest tiny rows underflow; zero rows stay zero."""
    W = np.asarray(W, dtype=float)
    largest = np.max(np.abs(W), axis=1, keepdims=True, initial=0.0)
    W = np.divide(W, largest, out=np.zeros_like(W), where=largest > 0)
    norms = np.linalg.norm(W, axis=1, keepdims=True)
    return np.divide(W, norms, out=W, where=norms > 0)


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


def _standing(plane: np.ndarray, p: int) -> np.ndarray:
    """The orthogonal (2, 2) that puts the first star with a direction to the right, the next thing with height up."""
    ordered = np.concatenate([plane[p:], plane[:p]])
    radii = np.linalg.norm(ordered, axis=1)
    least = NOWHERE * np.max(radii, initial=0.0)
    leading = np.flatnonzero(radii > least)
    if len(leading) == 0:
        return np.eye(2)
    x, y = ordered[leading[0]] / radii[leading[0]]
    turn = np.array([[x, -y], [y, x]])
    heights = (ordered @ turn)[:, 1]
    tall = np.flatnonzero(np.abs(heights) > least)
    return turn * [1, np.sign(heights[tall[0]])] if len(tall) else turn


def _towards(plane: np.ndarray, previous: NeuronMap, p: int) -> np.ndarray:
    """The orthogonal (2, 2) R that minimises ‖plane R - previous‖ in Frobenius norm (Schönemann 1966)."""
    before = np.concatenate([previous.points, previous.stars])
    if len(previous.points) != p or before.shape != plane.shape:
        shown = f"{len(previous.points)} neurons and {len(previous.stars)} stars"
        raise ValueError(f"previous must show the same neurons and stars as this map, got {shown}; start a new series")
    left, _, right = np.linalg.svd(plane.T @ before)
    return left @ right
