"""Text of many languages, each in an order that depends on nothing but itself: what is common and what is rare. One JSON object a line."""

import argparse
import json
from collections import defaultdict
from pathlib import Path

from . import questions, texts

# Of each language: about as many windows as are counted.
CHARACTERS_MAX = 400_000


def main() -> None:
    """All of it, to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="directory for what lies between")
    parser.add_argument("--packages", type=Path, required=True, help="directory of the Debian packages with texts")
    given = parser.parse_args()
    found: defaultdict[str, set[str]] = defaultdict(set)
    for package in sorted(given.packages.glob("libreoffice-*.deb")):
        unpacked = texts.unpack(package, given.work / "unpacked")
        read = texts.help_paragraphs(unpacked) if "-help-" in package.name else texts.translations(unpacked)
        found[texts.language_of(package)] |= {" ".join(text.split()) for text in read}
    for language, of_language in sorted(found.items()):
        left = CHARACTERS_MAX
        for text in questions.in_order({text for text in of_language if len(text) >= 8}):
            print(json.dumps({"language": language, "text": text}, ensure_ascii=False))
            left -= len(text)
            if left <= 0:
                break


if __name__ == "__main__":
    main()
