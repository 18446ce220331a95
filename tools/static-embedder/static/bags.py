"""Texts as bags of rows of the table: the piece of each place, and where the table has one, the pair of neighbours."""

from dataclasses import dataclass

import numba
import numpy as np
from tokenizers import Tokenizer

PIECES_MAX = 254


@dataclass(frozen=True)
class Bags:
    """Row numbers of all texts one after the other; text i has those from `starts[i]` to `starts[i + 1]`."""

    rows: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, texts: np.ndarray) -> "Bags":
        """The bags of some of the texts, in the order given."""
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(np.diff(self.starts)[texts], out=starts[1:])
        parts = [self.rows[self.starts[text] : self.starts[text + 1]] for text in texts]
        return Bags(np.concatenate(parts) if parts else self.rows[:0], starts)

    def or_else(self, row: int) -> "Bags":
        """The same bags, with one row in those that have none."""
        parts = [self.rows[start:end] if end > start else [row] for start, end in zip(self.starts, self.starts[1:], strict=False)]
        starts = np.zeros_like(self.starts)
        np.cumsum([len(part) for part in parts], out=starts[1:])
        return Bags(np.concatenate(parts).astype(np.int32), starts)


def pieces_of(tokenizer: Tokenizer, texts: list[str], most: int | None = PIECES_MAX) -> Bags:
    """Pieces without the marks of the ends; as many as the teacher reads, unless told otherwise."""
    whole = Tokenizer.from_str(tokenizer.to_str())
    whole.no_truncation()
    parts: list[np.ndarray] = []
    for start in range(0, len(texts), 10_000):
        encoded = whole.encode_batch_fast(texts[start : start + 10_000], add_special_tokens=False)
        parts += [np.array(encoding.ids[:most], np.int32) for encoding in encoded]
    starts = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    return Bags(np.concatenate(parts) if parts else np.zeros(0, np.int32), starts)


def telling_pairs(bags: Bags, pieces: int, count: int, least: int = 5) -> np.ndarray:
    """The pairs of neighbours that stand together more often than by chance, as `first * pieces + second`, sorted.

    Each counts as often as it is met, times the logarithm of how much more often that is than its pieces would by themselves.
    """
    rows = bags.rows.astype(np.int64)
    within = np.ones(len(rows) - 1, bool)
    within[bags.starts[1:-1] - 1] = False
    values, counts = np.unique((rows[:-1] * pieces + rows[1:])[within], return_counts=True)
    alone = np.bincount(rows, minlength=pieces)
    first, second = np.divmod(values, pieces)
    gain = counts * np.log(counts * len(rows) / (alone[first] * alone[second]))
    gain[counts < least] = 0
    return np.sort(values[np.argsort(-gain, kind="stable")[:count]])


@numba.njit(cache=False)
def _with_pairs(rows, starts, pairs, pieces):  # type: ignore[no-untyped-def]
    out = np.empty(2 * len(rows), np.int32)
    out_starts = np.zeros_like(starts)
    end = 0
    for text in range(len(starts) - 1):
        for at in range(starts[text], starts[text + 1]):
            out[end] = rows[at]
            end += 1
            if at + 1 < starts[text + 1]:
                pair = np.int64(rows[at]) * pieces + rows[at + 1]
                place = np.searchsorted(pairs, pair)
                if place < len(pairs) and pairs[place] == pair:
                    out[end] = pieces + place
                    end += 1
        out_starts[text + 1] = end
    return out[:end].copy(), out_starts


def with_pairs(bags: Bags, pairs: np.ndarray, pieces: int) -> Bags:
    """The same bags with a row for each of the pairs that they have: row `pieces + place of the pair`."""
    return Bags(*_with_pairs(bags.rows, bags.starts, pairs, pieces)) if len(pairs) else bags
