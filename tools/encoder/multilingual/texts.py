"""Open text of many languages, out of packages: translated programs, their help, and lists of words with how often they are written."""

import gettext
import gzip
import html
import re
import subprocess
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgpack

# What a program's translations have that is no text: placeholders, marks of access keys.
_NO_TEXT = re.compile(r"%\w+|\$\([^)]*\)|[~_&](?=\w)|<[^>]*>")
_BLOCK = re.compile(r"<(p|h[1-6]|li|td)\b[^>]*>(.*?)</\1>", re.S)
_TAG = re.compile(r"<[^>]+>")
# Rarer words than one in ten million are left out: names and misspellings.
_CENTIBELS_MAX = 700
# Lists are of words as they are looked up: most are small letters. In text every one can begin a sentence, and German nouns always do;
# some are written in capitals.
_CAPITALISED_SHARE = 0.5
_CAPITALS_SHARE = 0.05


def unpack(package: Path, directory: Path) -> Path:
    """The files of a Debian package."""
    target = directory / package.name.split("_")[0]
    if not target.exists():
        target.mkdir(parents=True)
        subprocess.run(["dpkg-deb", "-x", str(package), str(target)], check=True)
    return target


def translations(unpacked: Path) -> list[str]:
    """The strings of a translated program."""
    found: list[str] = []
    for path in sorted(unpacked.rglob("*.mo")):
        with path.open("rb") as file:
            catalog = gettext.GNUTranslations(file)
        found += [_NO_TEXT.sub("", value) for key, value in catalog._catalog.items() if key and isinstance(value, str)]  # noqa: SLF001
    return found


def help_paragraphs(unpacked: Path) -> list[str]:
    """The paragraphs of the help pages."""
    found: list[str] = []
    for path in sorted(unpacked.rglob("text/**/*.html")):
        for _, body in _BLOCK.findall(path.read_text("utf-8", "replace")):
            text = " ".join(html.unescape(_TAG.sub("", body)).split())
            if text:
                found.append(text)
    return found


def word_lists(wheel: Path) -> Iterator[tuple[str, Counter[str]]]:
    """For each language of wordfreq the words of its larger list that are not too rare, with how often they stand in a thousand million words."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.endswith(".msgpack.gz")}
        for language in sorted({name.split("_")[-1].split(".")[0] for name in names}):
            lists = [f"wordfreq/data/{size}_{language}.msgpack.gz" for size in ("large", "small")]
            name = next((name for name in lists if name in names), None)
            if name is None:
                continue
            _, *by_centibels = msgpack.unpackb(gzip.decompress(archive.read(name)), raw=False)
            counts: Counter[str] = Counter()
            for centibels, words in enumerate(by_centibels[:_CENTIBELS_MAX]):
                often = 10 ** (9 - centibels / 100)
                for word in words:
                    counts[word] += often
                    for form, share in ((word[:1].upper() + word[1:], _CAPITALISED_SHARE), (word.upper(), _CAPITALS_SHARE)):
                        if form != word:
                            counts[form] += often * share
            yield language, counts


def language_of(package: Path) -> str:
    """`libreoffice-help-zh-cn_...` and `libreoffice-l10n-zh-cn_...` → `zh-cn`."""
    return package.name.split("_")[0].split("-", 2)[2]
