"""Arrays with names: what is written is read back, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest

from featdash.recipes.events import Frame, NamedArrays, flatten, nest
from featdash.runs.codec import roundtrip
from featdash.theory.ridge_path import SpectralPath


@dataclass(frozen=True, eq=False)
class Curve(NamedArrays):
    """x, y (n,); y2 (n,) of a second sample."""

    x: np.ndarray
    y: np.ndarray
    y2: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Finish(NamedArrays):
    """One field of each kind."""

    name: str
    n: int
    lam: float
    settled: bool
    profile: Curve
    path: Mapping[str, SpectralPath]
    curves: Mapping[str, Curve]
    biases: Mapping[str, np.ndarray]
    rescue: Curve | None = None


CURVE = Curve(np.arange(3.0), np.arange(3, dtype=np.float32))
PATH = SpectralPath(np.ones(2), np.ones(2), np.zeros(2), 1.0, {"test": np.ones((2, 3))})
FINISH = Finish("ntk", 10, 0.5, True, CURVE, {"ntk": PATH}, {"a": CURVE, "b": CURVE}, {"a": np.zeros(4)})


def test_arrays_are_named_after_fields_parts_and_their_fields():
    ends = {f"{curve}/{part}" for curve in ("profile", "curves/a", "curves/b") for part in "xy"}
    path = {f"path/ntk/{part}" for part in ("ritz", "pull", "tail", "level", "roots.test")}
    assert set(FINISH.to_arrays()) == {"name", "n", "lam", "settled", "biases/a", *ends, *path}
    assert set(CURVE.to_arrays("c/")) == {"c/x", "c/y"}


def test_what_is_written_is_read_back_from_another_process():
    event = roundtrip(Frame("finish", 0, FINISH.to_arrays("p/") | CURVE.to_arrays("q/")))
    assert isinstance(event, Frame)
    read = Finish.from_arrays(event.arrays, "p/")
    assert (read.name, read.n, read.lam, read.settled) == ("ntk", 10, 0.5, True)
    assert [type(value) for value in (read.name, read.n, read.lam, read.settled)] == [str, int, float, bool]
    assert read.rescue is None
    assert read.profile.y2 is None
    assert read.profile.y.dtype == np.float32
    assert read.path["ntk"].roots["test"].shape == (2, 3)
    assert list(read.curves) == ["a", "b"]
    written, again = FINISH.to_arrays(), read.to_arrays()
    assert list(written) == list(again)
    for name, array in written.items():
        np.testing.assert_array_equal(array, again[name])


def test_parts_of_one_kind_share_a_frame():
    arrays = flatten({"ntk": CURVE, "algorithm1": CURVE})
    assert list(arrays) == ["ntk/x", "ntk/y", "algorithm1/x", "algorithm1/y"]
    read = nest(Curve, arrays)
    assert list(read) == ["ntk", "algorithm1"]
    np.testing.assert_array_equal(read["ntk"].y, CURVE.y)


def test_a_missing_array_is_named():
    with pytest.raises(KeyError, match="c/y"):
        Curve.from_arrays({"c/x": np.ones(2)}, "c/")
