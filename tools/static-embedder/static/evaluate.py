"""Measures a student on judged sets: evaluate --model DIRECTORY --data DIRECTORY [--teacher DIRECTORY] [--tuning].

A document is its best part, as in the product: its title, and stretches of about 300 characters under the title. Words are BM25
over whole documents; both together are weighted means. With --teacher, the teacher's vectors of the same parts are asked for too
(an hour of one core; kept in that directory).
"""

import argparse
import json
from pathlib import Path

import numpy as np

from .bags import Bags, pieces_of, with_pairs
from .build import TEACHER
from .judged import JudgedSet, ndcg, read_judged
from .taught import Taught
from .teacher import Teacher
from .texts import sentences_of
from .train import embed
from .words import bm25

PART_CHARACTERS = 300
# Share of the dense score: chosen on the questions for tuning. The teacher's is the weight of its embedder.
STUDENT_WEIGHT = 0.3
ASKING_WEIGHT = 0.4
TEACHER_WEIGHT = 0.5


class Table:
    """The shipped files, as a function from texts to vectors."""

    def __init__(self, directory: Path, teacher: Teacher) -> None:
        manifest = json.loads((directory / "manifest.json").read_text("utf-8"))
        names = {role: directory / file["name"] for role, file in manifest["files"].items()}
        self._pieces = len(names["pieces"].read_text("utf-8").splitlines())
        halves = np.frombuffer(names["pairs"].read_bytes(), "<u2").reshape(-1, 2).astype(np.int64)
        self._pairs = halves[:, 0] * self._pieces + halves[:, 1]
        scales = np.frombuffer(names["scales"].read_bytes(), "<f4")
        rows = np.frombuffer(names["rows"].read_bytes(), np.int8).reshape(len(scales), -1)
        self._table = rows.astype(np.float32) * scales[:, None]
        self._tokenizer = teacher.tokenizer

    def vectors(self, texts: list[str]) -> np.ndarray:
        """One row a text."""
        bags: Bags = pieces_of(self._tokenizer, texts, most=None)
        return embed(self._table, with_pairs(bags, self._pairs, self._pieces))


def parts_of(document: str, has_own_title: bool) -> list[str]:
    """The texts that stand for a document."""
    title, _, body = document.partition("\n")
    parts, part = [], ""
    for sentence in sentences_of(body):
        if part and len(part) + len(sentence) > PART_CHARACTERS:
            parts.append(f"{title}\n{part}")
            part = ""
        part = f"{part} {sentence}".strip()
    if part:
        parts.append(f"{title}\n{part}")
    return [title, *parts] if has_own_title or not parts else parts


def best_of_parts(questions: np.ndarray, parts: np.ndarray, owners: np.ndarray, documents: int) -> np.ndarray:
    """The cosine of each document's best part, at least 0."""
    present, starts = np.unique(owners, return_index=True)
    scores = np.zeros((len(questions), documents), np.float32)
    for start in range(0, len(questions), 500):
        cosines = np.maximum(0, questions[start : start + 500] @ parts.T)
        scores[start : start + 500, present] = np.maximum.reduceat(cosines, starts, axis=1)
    return scores


def teacher_vectors(texts: list[str], taught: Taught, teacher: Teacher) -> np.ndarray:
    """The teacher's, asked for once."""
    todo = list(dict.fromkeys(text for text in texts if text not in taught))
    for start in range(0, len(todo), 200):
        chunk = todo[start : start + 200]
        taught.add(chunk, np.stack([teacher.vector(text) for text in chunk]))
    return taught.read(texts).astype(np.float32)


def measure(judged: JudgedSet, chosen: np.ndarray, table: Table, taught: Taught | None, teacher: Teacher) -> dict[str, float]:
    """nDCG@10 in percent, by way."""
    # The title of a SQuAD paragraph is that of its article: many paragraphs share it.
    own_titles = "SQuAD" not in judged.name and "XQuAD" not in judged.name
    parts = [(part, at) for at, document in enumerate(judged.documents) for part in parts_of(document, own_titles)]
    texts, owners = [part for part, _ in parts], np.array([owner for _, owner in parts])
    questions = [judged.questions[at] for at in chosen]
    gains = [judged.gains[at] for at in chosen]
    words = bm25(judged.documents, questions)

    def fused(left: np.ndarray, right: np.ndarray, weight: float) -> float:
        dense = best_of_parts(left, right, owners, len(judged.documents))
        return 100 * float(ndcg(weight * dense + (1 - weight) * words, gains).mean())

    asked, own = table.vectors(questions), table.vectors(texts)
    found = {
        "BM25": 100 * float(ndcg(words, gains).mean()),
        "student": fused(asked, own, 1.0),
        "BM25 + student": fused(asked, own, STUDENT_WEIGHT),
    }
    if taught is not None:
        theirs = teacher_vectors(texts, taught, teacher)
        found["student asks, teacher's parts"] = fused(asked, theirs, ASKING_WEIGHT)
        found["teacher"] = fused(teacher_vectors(questions, taught, teacher), theirs, TEACHER_WEIGHT)
    return found


def main() -> None:
    """Prints a table: a row a set, the mean below."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, help="directory to keep the teacher's vectors in")
    parser.add_argument("--tuning", action="store_true", help="the questions that settings are chosen by, instead of those to report")
    given = parser.parse_args()
    teacher = Teacher(TEACHER)
    taught = Taught(given.teacher, teacher.version, teacher.dimensions) if given.teacher else None
    table = Table(given.model, teacher)
    rows: list[dict[str, float]] = []
    for judged in read_judged(given.data):
        chosen = np.flatnonzero(judged.tuned == given.tuning)
        if len(chosen) == 0:
            continue
        rows.append(measure(judged, chosen, table, taught, teacher))
        if len(rows) == 1:
            print(f"| | {' | '.join(rows[0])} |\n|{'---|' * (len(rows[0]) + 1)}")
        print(f"| {judged.name}, {len(chosen):,} questions | {' | '.join(f'{value:.1f}' for value in rows[-1].values())} |", flush=True)
    means = [np.mean([row[way] for row in rows]) for way in rows[0]]
    print(f"| mean | {' | '.join(f'{value:.1f}' for value in means)} |")


if __name__ == "__main__":
    main()
