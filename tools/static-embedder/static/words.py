"""BM25 with Snowball stems, to see what vectors add to words: k1 1.2, b .75, divided by the question's upper bound."""

import re
from collections import Counter

import numpy as np
import snowballstemmer

_K1, _B = 1.2, 0.75
_TOKEN = re.compile(r"[a-z0-9]+")
_stemmer = snowballstemmer.stemmer("english")
_stems: dict[str, str] = {}


def _terms(text: str) -> list[str]:
    found = []
    for token in _TOKEN.findall(text.lower()):
        if token not in _stems:
            _stems[token] = _stemmer.stemWord(token)
        found.append(_stems[token])
    return found


def bm25(documents: list[str], questions: list[str]) -> np.ndarray:
    """Scores from 0 to 1, a row a question."""
    counted = [Counter(_terms(document)) for document in documents]
    lengths = np.array([sum(counts.values()) for counts in counted], np.float32)
    norms = _K1 * (1 - _B + _B * lengths / lengths.mean())
    postings: dict[str, tuple[list[int], list[int]]] = {}
    for number, counts in enumerate(counted):
        for term, count in counts.items():
            numbers, frequencies = postings.setdefault(term, ([], []))
            numbers.append(number)
            frequencies.append(count)
    scores = np.zeros((len(questions), len(documents)), np.float32)
    for row, question in zip(scores, questions, strict=True):
        bound = 0.0
        for term in sorted(set(_terms(question))):
            numbers, frequencies = postings.get(term, ([], []))
            idf = np.log(1 + (len(documents) - len(numbers) + 0.5) / (len(numbers) + 0.5))
            bound += idf * (_K1 + 1)
            frequency = np.array(frequencies, np.float32)
            row[numbers] += idf * frequency * (_K1 + 1) / (frequency + norms[numbers])
        row /= bound or 1
    return scores
