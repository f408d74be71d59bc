"""Neurons on their way through a step, all on one plane, so that what moves there has turned. NumPy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from featdash.geometry.neurons import FLAT, NOWHERE, NeuronMap, star_places, stress_of


def turning_maps(layers: Sequence[np.ndarray], directions: np.ndarray, folded: bool) -> list[NeuronMap]:
    """Maps of the same neurons in each of `layers` (K of shape (p, d)) around the stars at ±u_i (folded: at u_i).

    The plane is that of classical scaling (Torgerson 1952), by cosines (folded: absolute values), of the neurons of the
    first and of the last layer together with the stars of the orthonormal `directions` (r, d); it is turned so that the
    stars lie as near to `star_places` as they can. All layers are placed on it by their similarity to these (Gower
    1968): a neuron's place depends on its direction alone, and moves as smoothly as that does.
    The stress of a map is that of its own neurons and the stars; see `stress_of`.
    """
    units = [_unit_rows(W) for W in layers]
    stars = directions if folded else np.stack([directions, -directions], axis=1).reshape(-1, directions.shape[1])
    landmarks = np.concatenate([units[0], units[-1], stars])
    similarity = _similarity(landmarks, landmarks, folded)
    means = similarity.mean(axis=0)
    values, vectors = np.linalg.eigh(similarity - means - means[:, None] + similarity.mean())
    values, vectors = values[::-1][:2], vectors[:, ::-1][:, :2]
    axes = np.where(values > FLAT * len(similarity), vectors / np.sqrt(np.maximum(values, FLAT)), 0.0)

    def place(rows: np.ndarray) -> np.ndarray:
        to_landmarks = _similarity(rows, landmarks, folded)
        plane = np.zeros((len(rows), 2))
        plane[:, : axes.shape[1]] = (
            to_landmarks - means - to_landmarks.mean(axis=1, keepdims=True) + similarity.mean()
        ) @ axes
        return plane

    turn, shift = _onto(place(stars), star_places(len(directions), folded), place(units[0]))
    drawn_stars = place(stars) @ turn + shift
    maps = []
    for unit in units:
        points, everything = place(unit) @ turn + shift, np.concatenate([unit, stars])
        apart = np.sqrt(np.maximum(2 - 2 * _similarity(everything, everything, folded), 0))
        np.fill_diagonal(apart, 0)
        maps.append(NeuronMap(points, drawn_stars, stress_of(np.concatenate([points, drawn_stars]), apart)))
    return maps


def map_arrays(plane: NeuronMap, folded: bool) -> dict[str, np.ndarray]:
    """A map as plain arrays: points, stars and stress, the names of a folded one with _folded."""
    ending = "_folded" if folded else ""
    return {
        f"points{ending}": plane.points.astype(np.float32),
        f"stars{ending}": plane.stars.astype(np.float32),
        f"stress{ending}": np.asarray(plane.stress, np.float32),
    }


def _unit_rows(W: np.ndarray) -> np.ndarray:
    """Rows of unit norm; zero rows stay zero."""
    norms = np.linalg.norm(W, axis=1, keepdims=True)
    return np.divide(W, norms, out=np.zeros_like(W, dtype=float), where=norms > 0)


def _similarity(rows: np.ndarray, others: np.ndarray, folded: bool) -> np.ndarray:
    """Cosines of unit rows, or their absolute values where w and -w are one neuron."""
    cosines = np.clip(rows @ others.T, -1.0, 1.0)
    return np.abs(cosines) if folded else cosines


def _onto(stars: np.ndarray, aim: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rotation or reflection (2, 2), and the shift after it, that bring the stars (s, 2) nearest to their aim.

    Orthogonal Procrustes (Schönemann 1966), without a shift for a lone star. Stars on one line leave a reflection open:
    the first of the points with a height is then up.
    """
    alone = len(stars) < 2
    here, there = (np.zeros(2) if alone else rows.mean(axis=0) for rows in (stars, aim))
    left, _, right = np.linalg.svd((stars - here).T @ (aim - there))
    turn = left @ right
    if np.all(np.abs(aim[:, 1]) < NOWHERE):
        heights = ((points - here) @ turn)[:, 1]
        tall = np.flatnonzero(np.abs(heights) > NOWHERE * np.max(np.abs(heights), initial=0.0))
        turn = turn * [1, np.sign(heights[tall[0]])] if len(tall) else turn
    return turn, there - here @ turn
