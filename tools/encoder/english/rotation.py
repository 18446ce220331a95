"""384 dimensions to 256: an orthonormal basis whose first axes carry most of what sentence vectors are made of."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rotation:
    """Rows are the axes. The mean is subtracted before they are applied; zero where nothing is."""

    axes: np.ndarray
    mean: np.ndarray

    def apply(self, vectors: np.ndarray) -> np.ndarray:
        """Rotated, shortened, and of length one again."""
        rotated = (vectors - self.mean) @ self.axes.T
        return rotated / np.linalg.norm(rotated, axis=-1, keepdims=True)


def _axes(moments: np.ndarray, dimensions: int) -> np.ndarray:
    _, columns = np.linalg.eigh(moments)
    axes = columns.T[::-1][:dimensions]
    # An axis and its opposite serve alike: the sign is fixed so that two runs agree.
    largest = np.abs(axes).argmax(1)
    return axes * np.sign(axes[np.arange(len(axes)), largest])[:, None]


def candidates(vectors: np.ndarray, dimensions: int) -> dict[str, Rotation]:
    """Three ways to do it; which one keeps cosines best is for `faithfulness` to say."""
    mean = vectors.mean(0)
    about_mean = _axes(np.cov(vectors.T, bias=True), dimensions)
    none = np.zeros_like(mean)
    return {
        "about the origin": Rotation(_axes(vectors.T @ vectors / len(vectors), dimensions), none),
        "axes about the mean, applied about the origin": Rotation(about_mean, none),
        "about the mean": Rotation(about_mean, mean),
    }


@dataclass(frozen=True)
class Faithfulness:
    """How well cosines survive, over all pairs of sentences that took no part in finding the axes."""

    energy: float
    error_all: float
    error_near: float
    neighbours_kept: float


def faithfulness(rotation: Rotation, vectors: np.ndarray, neighbours: int = 10) -> Faithfulness:
    """`error_*` are mean absolute differences of cosines: over all pairs, and over each sentence's nearest ones."""
    before, after = vectors @ vectors.T, (rotated := rotation.apply(vectors)) @ rotated.T
    for cosines in (before, after):
        np.fill_diagonal(cosines, -1.0)
    error = np.abs(before - after)
    near = np.argpartition(-before, neighbours, axis=1)[:, :neighbours]
    found = np.argpartition(-after, neighbours, axis=1)[:, :neighbours]
    kept = sum(len(set(left) & set(right)) for left, right in zip(near.tolist(), found.tolist(), strict=True))
    return Faithfulness(
        energy=float((((vectors - rotation.mean) @ rotation.axes.T) ** 2).sum(1).mean()),
        error_all=float(error.sum() / (error.size - len(error))),
        error_near=float(np.take_along_axis(error, near, axis=1).mean()),
        neighbours_kept=kept / near.size,
    )
