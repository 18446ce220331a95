"""Teacher vectors on disk: what was asked once is never asked again, and a run that was stopped goes on where it was."""

import hashlib
from pathlib import Path

import numpy as np

_KEY_BYTES = 12


def key(text: str) -> bytes:
    """What a text is known by."""
    return hashlib.sha256(text.encode()).digest()[:_KEY_BYTES]


class Taught:
    """Two files that only grow: keys, and vectors as float16 in the same order. A half-written end is cut off when opened."""

    def __init__(self, directory: Path, teacher_version: str, dimensions: int) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._keys = directory / f"{teacher_version}.keys"
        self._vectors = directory / f"{teacher_version}.f16"
        self._dimensions = dimensions
        keys = self._keys.read_bytes() if self._keys.exists() else b""
        size = self._vectors.stat().st_size if self._vectors.exists() else 0
        count = min(len(keys) // _KEY_BYTES, size // (2 * dimensions))
        for path, width in ((self._keys, _KEY_BYTES), (self._vectors, 2 * dimensions)):
            with path.open("ab") as file:
                file.truncate(count * width)
        self._rows = {keys[at * _KEY_BYTES : (at + 1) * _KEY_BYTES]: at for at in range(count)}

    def __contains__(self, text: str) -> bool:
        return key(text) in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, texts: list[str], vectors: np.ndarray) -> None:
        """Appends; vectors first, so that a key never stands without its vector."""
        with self._vectors.open("ab") as file:
            file.write(vectors.astype("<f2").tobytes())
        with self._keys.open("ab") as file:
            file.write(b"".join(key(text) for text in texts))
        for text in texts:
            self._rows[key(text)] = len(self._rows)

    def read(self, texts: list[str]) -> np.ndarray:
        """The vectors of texts that were all taught, as float16, one row each."""
        every = np.memmap(self._vectors, "<f2", "r").reshape(-1, self._dimensions)
        return np.asarray(every[[self._rows[key(text)] for text in texts]])
