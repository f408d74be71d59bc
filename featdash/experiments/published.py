"""The points of Figure 1 as published, to lay over our own."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from pathlib import Path

FIGURE1 = Path(__file__).with_name("damian2022_figure1.csv")


@dataclass(frozen=True)
class PublishedPoint:
    """Squared excess risk: mean, and mean ∓ one standard deviation over 10 seeds (d = 10, noise variance 1)."""

    width: int
    method: str
    n: int
    mean: float
    low: float
    high: float


@functools.cache
def published_source() -> str:
    """Where the points come from, as the file itself says."""
    lines = FIGURE1.read_text(encoding="utf-8").splitlines()
    return " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))


@functools.cache
def published_figure1() -> tuple[PublishedPoint, ...]:
    """All points, in the order of the file: by width, method and n."""
    lines = FIGURE1.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return tuple(
        PublishedPoint(
            int(row["width"]), row["method"], int(row["n"]), *(float(row[name]) for name in ("mean", "low", "high"))
        )
        for row in rows
    )
