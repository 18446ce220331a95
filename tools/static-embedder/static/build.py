"""From nothing to packages/core/model/static: fetch, read, ask the teacher, train, round, write. What was done before is not done again."""

import argparse
import json
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np

from . import artefacts
from .bags import Bags, pieces_of, telling_pairs, with_pairs
from .origins import read_all
from .packages import PACKAGES, unpack
from .taught import Taught
from .teach import teach
from .teacher import Teacher
from .texts import Text, digest, in_order
from .train import Course, embed, train, unit

HELD_BACK = 3_000
PAIRS = 14_000
# Words that are everywhere say little: a row starts as the teacher's vector of the piece, times a / (a + share of the piece).
RARITY = 1e-3
COSINE_LEAST = 0.85
TEACHER = Path(__file__).parents[3] / "packages/minilm/model"
_NOTHING = "[CLS]"


def descriptions(directory: Path) -> Path:
    """Debian's package descriptions, from the archive's own index; the release's day decides what is in it."""
    file = directory / "descriptions.txt"
    if not file.exists():
        lists = directory / "lists"
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        update = ["apt-get", "-o", "Acquire::Languages=en", "-o", f"Dir::State::lists={lists.resolve()}", "update", "--quiet"]
        subprocess.run(update, check=True, stdout=subprocess.DEVNULL)
        found = sorted(lists.glob("*_debian_dists_*_main_i18n_Translation-en*"))
        smallest_last = sorted(found, key=lambda path: -path.stat().st_size)
        helper = ["/usr/lib/apt/apt-helper", "cat-file", str(smallest_last[0])]
        file.write_bytes(subprocess.run(helper, check=True, stdout=subprocess.PIPE).stdout)
    return file


def piece_vectors(teacher: Teacher, work: Path) -> np.ndarray:
    """The teacher's vector of each piece alone; that of nothing at all stands for the empty text."""
    file = work / f"pieces-{teacher.version}.npy"
    if not file.exists():
        count = teacher.tokenizer.get_vocab_size()
        first, last = teacher.tokenizer.encode("").ids
        vectors = np.stack([teacher.vector_of([first, piece, last]) for piece in range(count)])
        vectors[teacher.tokenizer.token_to_id(_NOTHING)] = teacher.vector("")
        np.save(file, vectors.astype(np.float32))
    return np.load(file)


def start(pieces: np.ndarray, bags: Bags, pairs: int) -> np.ndarray:
    """The table before anything is learnt: pieces by rarity, pairs at zero."""
    share = np.bincount(bags.rows, minlength=len(pieces)) / len(bags.rows)
    weighted = pieces * (RARITY / (RARITY + share))[:, None]
    return np.concatenate([weighted, np.zeros((pairs, pieces.shape[1]))]).astype(np.float32)


def cosines(table: np.ndarray, bags: Bags, targets: np.ndarray) -> np.ndarray:
    """Cosine of each text's vector with the teacher's."""
    return (embed(table, bags) * unit(targets.astype(np.float32))).sum(1)


def origin_rows(texts: list[Text]) -> str:
    """What was taught, by origin, as rows of a table."""
    licences = {package.holds: (f"{package.registry} `{package.name}` {package.version}", package.licence) for package in PACKAGES}
    licences["product docs"] = ("directories given (see `tools/static-embedder`)", "CC BY 4.0, Apache-2.0, CC BY-SA 4.0")
    licences["package descriptions"] = ("Debian's index", "that of each package")
    counted = Counter((text.origin, text.kind) for text in texts)
    names = sorted({text.origin for text in texts})
    return "\n".join(
        f"| {name} | {licences[name][0]} | {licences[name][1]} | {counted[name, 'sentence']:,} | {counted[name, 'passage']:,} |"
        for name in names
    )


def arguments() -> argparse.Namespace:
    """What the command line gives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="directory for packages, vectors and what lies between")
    parser.add_argument("--out", type=Path, required=True, help="the package's directory for the student")
    parser.add_argument("--fixture", type=Path, required=True, help="file for the table of test vectors")
    parser.add_argument("--docs", type=Path, nargs="+", required=True, help="directories of markdown")
    parser.add_argument("--count", type=int, required=True, help="texts to learn from, the first of the list")
    parser.add_argument("--threads", type=int, default=1, help="threads that ask the teacher")
    return parser.parse_args()


def main() -> None:
    """Everything, in order."""
    given = arguments()
    contents = {package.name: unpack(package, given.work / "packages") for package in PACKAGES}
    texts = in_order(read_all(contents, descriptions(given.work), given.docs))[: given.count]
    teacher = Teacher(TEACHER)
    taught = Taught(given.work / "taught", teacher.version, teacher.dimensions)
    teach(texts, taught, TEACHER, given.threads)

    targets = taught.read([text.text for text in texts])
    vocabulary = [piece for piece, _ in sorted(teacher.tokenizer.get_vocab().items(), key=lambda entry: entry[1])]
    plain = pieces_of(teacher.tokenizer, [text.text for text in texts])
    learnt = np.arange(HELD_BACK, len(texts))
    pairs = telling_pairs(plain.take(learnt), len(vocabulary), PAIRS)
    bags = with_pairs(plain, pairs, len(vocabulary))
    table = start(piece_vectors(teacher, given.work), plain, len(pairs))
    table = train(table, bags.take(learnt), targets[learnt], Course())

    held_back = bags.take(np.arange(HELD_BACK))
    rows, scales = artefacts.rounded(table)
    shipped = rows * scales[:, None]
    found = cosines(shipped, held_back, targets[:HELD_BACK])
    if found.mean() < COSINE_LEAST:
        raise SystemExit(f"Mean cosine with the teacher is {found.mean():.4f}, less than {COSINE_LEAST}.")
    passage = np.array([text.kind == "passage" for text in texts[:HELD_BACK]])
    figures = {
        "pairs": f"{len(pairs):,}",
        "texts": f"{len(learnt):,}",
        "texts_sha256": digest(texts),
        "origins": origin_rows(texts[HELD_BACK:]),
        "held_back": f"{HELD_BACK:,}",
        "cosine": f"{found.mean():.4f}",
        "cosine_sentences": f"{found[~passage].mean():.4f}",
        "cosine_passages": f"{found[passage].mean():.4f}",
        "cosine_float": f"{cosines(table, held_back, targets[:HELD_BACK]).mean():.4f}",
    }
    given.out.mkdir(parents=True, exist_ok=True)
    artefacts.write_table(given.out, vocabulary, pairs, table)
    manifest = artefacts.write_manifest(given.out, teacher)
    artefacts.write_licence(given.out)
    artefacts.write_model_card(given.out, manifest, figures)
    examples = json.loads((Path(__file__).parent / "fixture.json").read_text("utf-8"))
    cut = with_pairs(pieces_of(teacher.tokenizer, examples, most=None), pairs, len(vocabulary))
    nothing = teacher.tokenizer.token_to_id(_NOTHING)
    vectors = embed(shipped.astype(np.float32), cut.or_else(nothing))
    artefacts.write_fixture(given.fixture, examples, vectors, teacher)
    print(json.dumps(figures | {"version": manifest["version"]}, indent=2), flush=True)


if __name__ == "__main__":
    main()
