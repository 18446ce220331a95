"""English text of many subjects, in an order that depends on nothing but itself: what is common and what is rare. One JSON object a line."""

import argparse
import json
from pathlib import Path

from . import sentences

OF_DOCS = 14_000
OF_WORDNET = 40_000


def main() -> None:
    """All of it, to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True, help="wn.dict.dz")
    parser.add_argument("--docs", type=Path, nargs="+", required=True, help="directories of markdown")
    given = parser.parse_args()
    docs = sentences.sample(sentences.docs_sentences(given.docs), OF_DOCS)
    glosses = sentences.sample(sentences.wordnet_sentences(given.wordnet), OF_WORDNET)
    for text in sentences.sample([*docs, *glosses], OF_DOCS + OF_WORDNET):
        print(json.dumps({"language": "en", "text": text}, ensure_ascii=False))


if __name__ == "__main__":
    main()
