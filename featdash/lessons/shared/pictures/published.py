"""The points of Figures 1 and 2 as published, to lay over our own."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from pathlib import Path

FIGURE1 = Path(__file__).with_name("damian2022_figure1.csv")
FIGURE2 = Path(__file__).with_name("damian2022_figure2.csv")


@dataclass(frozen=True)
class PublishedPoint:
    """Squared excess risk: mean, and mean ∓ one standard deviation over 10 seeds (d = 10, noise variance 1)."""

    width: int
    method: str
    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class PublishedTransferPoint:
    """Squared excess risk of the head refitted on N samples, the layer pretrained on n (d = 10, noise variance 1)."""

    n: int
    N: int
    mean: float


@functools.cache
def published_figure1() -> tuple[PublishedPoint, ...]:
    """All points, in the order of the file: by width, method and n."""
    return tuple(
        PublishedPoint(
            int(row["width"]), row["method"], int(row["n"]), *(float(row[name]) for name in ("mean", "low", "high"))
        )
        for row in _rows(FIGURE1)
    )


@functools.cache
def published_figure2() -> tuple[PublishedTransferPoint, ...]:
    """All points, in the order of the file: by n and N."""
    return tuple(PublishedTransferPoint(int(row["n"]), int(row["N"]), float(row["risk"])) for row in _rows(FIGURE2))


def _rows(file: Path) -> list[dict[str, str]]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))
