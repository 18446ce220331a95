"""The encoder once more, in plain numpy and double precision: what every export is held against."""

import math

import numpy as np

from .source import Source

# Abramowitz and Stegun's approximations of erf are good to 1e-7 only; the standard library's is exact.
erf = np.frompyfunc(math.erf, 1, 1)


def _norm(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, epsilon: float) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon) * weight + bias


def _gelu(x: np.ndarray) -> np.ndarray:
    return x * 0.5 * (1.0 + erf(x / math.sqrt(2.0)).astype(np.float64))


class Reference:
    """One text at a time, no mask needed."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._weights = {name: value.astype(np.float64) for name, value in source.weights.items()}

    def _linear(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self._weights[name + ".weight"].T + self._weights[name + ".bias"]

    def _layer_norm(self, name: str, x: np.ndarray) -> np.ndarray:
        return _norm(x, self._weights[name + ".weight"], self._weights[name + ".bias"], self._source.epsilon)

    def _attention(self, prefix: str, x: np.ndarray) -> np.ndarray:
        tokens, heads = x.shape[0], self._source.heads
        size = self._source.hidden // heads
        query, key, value = (
            self._linear(f"{prefix}attention.self.{part}", x).reshape(tokens, heads, size).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(size)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ value
        return mixed.transpose(1, 0, 2).reshape(tokens, self._source.hidden)

    def tokens(self, ids: list[int]) -> np.ndarray:
        """The last hidden state, one row a token."""
        table = "embeddings.{}_embeddings.weight"
        x = self._weights[table.format("word")][ids]
        x = x + self._weights[table.format("position")][: len(ids)] + self._weights[table.format("token_type")][0]
        x = self._layer_norm("embeddings.LayerNorm", x)
        for layer in range(self._source.layers):
            prefix = f"encoder.layer.{layer}."
            attended = self._linear(prefix + "attention.output.dense", self._attention(prefix, x))
            x = self._layer_norm(prefix + "attention.output.LayerNorm", attended + x)
            widened = _gelu(self._linear(prefix + "intermediate.dense", x))
            x = self._layer_norm(prefix + "output.LayerNorm", self._linear(prefix + "output.dense", widened) + x)
        return x

    def sentence(self, ids: list[int]) -> np.ndarray:
        """The mean over the tokens, of length one."""
        mean = self.tokens(ids).mean(0)
        return mean / np.linalg.norm(mean)
