"""Asks the teacher about every text, in order, until told to stop: teach --work DIRECTORY --docs DIRECTORY... [--count N] [--threads N]."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from .taught import Taught
from .teacher import Teacher
from .texts import Text

CHUNK = 1_000


def teach(texts: list[Text], taught: Taught, model: Path, threads: int) -> None:
    """Adds the vectors of all texts that have none."""
    todo = [text.text for text in texts if text.text not in taught]
    teachers = [Teacher(model) for _ in range(threads)]
    started = time.monotonic()
    with ThreadPoolExecutor(threads) as pool:
        for start in range(0, len(todo), CHUNK):
            chunk = todo[start : start + CHUNK]
            parts = [chunk[at::threads] for at in range(threads)]
            done = pool.map(lambda job: [job[0].vector(text) for text in job[1]], zip(teachers, parts, strict=True))
            vectors = np.empty((len(chunk), teachers[0].dimensions), np.float32)
            for at, rows in enumerate(done):
                if rows:
                    vectors[at::threads] = rows
            taught.add(chunk, vectors)
            if start % (10 * CHUNK) == 0:
                rate = (start + len(chunk)) / (time.monotonic() - started)
                print(f"taught {len(taught):,} of {len(texts):,}, {rate:.0f} a second", flush=True)
