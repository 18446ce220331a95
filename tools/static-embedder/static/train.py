"""Learns the table: the sum of a text's rows, at length one, is to be the teacher's vector of that text."""

import time
from dataclasses import dataclass

import numba
import numpy as np

from .bags import Bags


@dataclass(frozen=True)
class Course:
    """How it is taught."""

    epochs: int = 6
    batch: int = 512
    rate: float = 2e-3
    seed: int = 5


@numba.njit(cache=False, fastmath=False)
def sums(table, rows, starts, order, out):  # type: ignore[no-untyped-def]
    """The sum of the rows of each text of `order`."""
    for place in range(len(order)):
        text = order[place]
        row = out[place]
        row[:] = 0
        for at in range(starts[text], starts[text + 1]):
            row += table[rows[at]]


@numba.njit(cache=False, fastmath=False)
def _step(table, first, second, slot, rows, starts, order, gradients, buffer, touched, rate, correction1, correction2):  # type: ignore[no-untyped-def]
    """Adam on the rows that the batch has; the moments of others wait."""
    count = 0
    for place in range(len(order)):
        text = order[place]
        for at in range(starts[text], starts[text + 1]):
            row = rows[at]
            own = slot[row]
            if own < 0:
                own = count
                slot[row] = own
                touched[own] = row
                buffer[own, :] = 0
                count += 1
            buffer[own] += gradients[place]
    for own in range(count):
        row = touched[own]
        slot[row] = -1
        for at in range(table.shape[1]):
            gradient = buffer[own, at]
            first[row, at] = 0.9 * first[row, at] + 0.1 * gradient
            second[row, at] = 0.999 * second[row, at] + 0.001 * gradient * gradient
            table[row, at] -= rate * (first[row, at] / correction1) / (np.sqrt(second[row, at] / correction2) + 1e-8)


def unit(rows: np.ndarray) -> np.ndarray:
    """Each row at length one; a row of zeros stays."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def embed(table: np.ndarray, bags: Bags, order: np.ndarray | None = None) -> np.ndarray:
    """The vectors of texts."""
    order = np.arange(len(bags)) if order is None else order
    out = np.empty((len(order), table.shape[1]), np.float32)
    sums(table, bags.rows, bags.starts, order, out)
    return unit(out)


def train(table: np.ndarray, bags: Bags, targets: np.ndarray, course: Course) -> np.ndarray:
    """The learnt table; `targets` has the teacher's vector of each text."""
    table = table.astype(np.float32).copy()
    first, second = np.zeros_like(table), np.zeros_like(table)
    slot = np.full(len(table), -1, np.int32)
    buffer, touched = np.empty_like(table), np.empty(len(table), np.int32)
    random = np.random.default_rng(course.seed)
    per_epoch = len(bags) // course.batch
    steps = per_epoch * course.epochs
    step = 0
    for epoch in range(course.epochs):
        order = random.permutation(len(bags))
        started, total = time.monotonic(), 0.0
        for at in range(per_epoch):
            batch = np.sort(order[at * course.batch : (at + 1) * course.batch])
            step += 1
            raw = np.empty((len(batch), table.shape[1]), np.float32)
            sums(table, bags.rows, bags.starts, batch, raw)
            lengths = np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-12)
            vectors = raw / lengths
            wanted = unit(targets[batch].astype(np.float32))
            total += float((vectors * wanted).sum(1).mean())
            # Of one minus the cosine; what lies along the vector itself changes nothing.
            gradient = vectors * (vectors * wanted).sum(1, keepdims=True) - wanted
            gradient /= lengths * len(batch)
            rate = course.rate * (1 - (step - 1) / steps)
            _step(
                table, first, second, slot, bags.rows, bags.starts, batch, gradient.astype(np.float32), buffer, touched,
                np.float32(rate), np.float32(1 - 0.9**step), np.float32(1 - 0.999**step),
            )  # fmt: skip
        print(f"epoch {epoch + 1}: cosine {total / per_epoch:.4f}, {time.monotonic() - started:.1f} s", flush=True)
    return table
