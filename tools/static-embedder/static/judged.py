"""The judged sets: documents, questions, who answers whom, and which questions are for tuning and which for reporting."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class JudgedSet:
    """`gains[question][document]` is 0 where nothing is said. `tuned` marks the questions that settings may be chosen by."""

    name: str
    documents: list[str]
    questions: list[str]
    gains: list[dict[int, float]]
    tuned: np.ndarray


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _gains(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    with path.open(encoding="utf-8") as file:
        for question, document, gain in list(csv.reader(file, delimiter="\t"))[1:]:
            if float(gain) > 0:
                found.setdefault(question, {})[document] = float(gain)
    return found


def _read(name: str, directory: Path, documents: str, judgements: str) -> tuple[JudgedSet, list[dict], list[str]]:
    rows = _lines(directory / documents)
    numbers = {row["_id"]: at for at, row in enumerate(rows)}
    gains = _gains(directory / judgements)
    asked = [row for row in _lines(directory / "queries.jsonl") if row["_id"] in gains]
    judged = JudgedSet(
        name,
        [f"{row['title']}\n{row['text']}".strip() for row in rows],
        [row["text"] for row in asked],
        [{numbers[document]: gain for document, gain in gains[row["_id"]].items()} for row in asked],
        np.zeros(len(asked), bool),
    )
    return judged, rows, [row["_id"] for row in asked]


def read_judged(data: Path) -> list[JudgedSet]:
    """All sets. To tune: SciFact's training claims, Cranfield's odd questions, every second article of SQuAD. The rest reports."""
    scifact, _, _ = _read("SciFact train", data / "scifact", "corpus.jsonl", "qrels.tsv")
    scifact.tuned[:] = True
    cranfield, _, names = _read("Cranfield", data / "cranfield", "corpus.jsonl", "qrels.tsv")
    cranfield.tuned[:] = [int(name) % 2 == 1 for name in names]
    squad, rows, _ = _read("SQuAD paragraphs", data / "squad_v1.1_dev", "paragraphs.jsonl", "qrels_paragraphs.tsv")
    articles = list(dict.fromkeys(row["doc_id"] for row in rows))
    for_tuning = set(articles[::2])
    squad.tuned[:] = [rows[next(iter(gains))]["doc_id"] in for_tuning for gains in squad.gains]
    xquad, rows, _ = _read("XQuAD en", data / "xquad/en", "paragraphs.jsonl", "qrels_paragraphs.tsv")
    xquad.tuned[:] = [rows[next(iter(gains))]["doc_id"] in for_tuning for gains in xquad.gains]
    stackfaq, _, _ = _read("StackFAQ", data / "stackfaq", "corpus.jsonl", "qrels.tsv")
    return [scifact, cranfield, squad, xquad, stackfaq]


def ndcg(scores: np.ndarray, gains: list[dict[int, float]], depth: int = 10) -> np.ndarray:
    """nDCG of each question: `scores` has a row a question and a column a document."""
    discounts = 1 / np.log2(np.arange(depth) + 2)
    depth = min(depth, scores.shape[1])
    top = np.argpartition(-scores, depth - 1, axis=1)[:, :depth]
    order = np.take_along_axis(top, np.argsort(-np.take_along_axis(scores, top, 1), axis=1, kind="stable"), 1)
    values = np.zeros(len(gains))
    for at, wanted in enumerate(gains):
        found = sum(wanted.get(int(document), 0.0) * discount for document, discount in zip(order[at], discounts, strict=False))
        best = sum(gain * discount for gain, discount in zip(sorted(wanted.values(), reverse=True), discounts, strict=False))
        values[at] = found / best
    return values
