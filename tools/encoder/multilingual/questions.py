"""Texts as short as questions, in every language that packages carry: what noise is told apart from. One JSON object a line."""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

from . import texts

OF_HELP = 200
OF_PROGRAMS = 30
OF_WORDS = 90
# Of a list's words the most frequent ones: behind them are misspellings.
LISTED = 60_000
# Six of ten words as often as they are written, the others as the list goes: a question asks about what is rare.
FREQUENT_SHARE = 0.6
WITHOUT_SPACES = ("ja", "zh")


def in_order(found: set[str]) -> list[str]:
    """An order that depends on nothing but the texts themselves."""
    return sorted(found, key=lambda text: hashlib.sha256(text.encode()).digest())


def help_texts(packages: list[Path], work: Path) -> Iterator[tuple[str, str, str]]:
    """Paragraphs of help pages, whole: invented words are made after them, too."""
    for package in packages:
        if "-help-" in package.name:
            paragraphs = {text for text in texts.help_paragraphs(texts.unpack(package, work)) if len(text) >= 60}
            for text in in_order(paragraphs)[:OF_HELP]:
                yield "help", texts.language_of(package), text


def program_texts(packages: list[Path], work: Path) -> Iterator[tuple[str, str, str]]:
    """What programs say in 93 languages."""
    for package in packages:
        if "-l10n-" in package.name:
            found = {" ".join(text.split()) for text in texts.translations(texts.unpack(package, work))}
            for text in in_order({text for text in found if 8 <= len(text) <= 120})[:OF_PROGRAMS]:
                yield "program", texts.language_of(package), text


def words_in_a_row(wheel: Path) -> Iterator[tuple[str, str, str]]:
    """Words of one language that have nothing to do with each other: they mean something all the same."""
    for language, counts in texts.word_lists(wheel):
        draw = random.Random(language)
        words = [word for word, _ in counts.most_common(LISTED) if len(word) > 1]
        for _ in range(OF_WORDS):
            chosen = []
            for _ in range(draw.randint(1, 8)):
                frequent = draw.random() < FREQUENT_SHARE
                chosen.append(words[int(len(words) ** draw.random()) - 1] if frequent else draw.choice(words))
            yield "words", language, ("" if language in WITHOUT_SPACES else " ").join(chosen)


def main() -> None:
    """All of them, to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="directory for what lies between")
    parser.add_argument("--packages", type=Path, required=True, help="directory of the Debian packages with texts")
    parser.add_argument("--wordfreq", type=Path, required=True, help="the wheel of wordfreq")
    given = parser.parse_args()
    packages = sorted(given.packages.glob("*.deb"))
    unpacked = given.work / "unpacked"
    for found in (help_texts(packages, unpacked), program_texts(packages, unpacked), words_in_a_row(given.wordfreq)):
        for kind, language, text in found:
            print(json.dumps({"kind": kind, "language": language, "text": text}, ensure_ascii=False))


if __name__ == "__main__":
    main()
