"""Sentences to measure on: product docs, dictionary glosses and examples, package summaries. Never a judged set."""

import gzip
import hashlib
import re
from pathlib import Path

CHARACTERS_MAX = 600
WORDS_MIN = 3

_FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.S)
_TEMPLATE = re.compile(r"\{\{.*?\}\}|<[^>\n]+>|!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_LEAD = re.compile(r"^[\s#>*+-]+|^\s*\d+[.)]\s+", re.M)
_MARKS = re.compile(r"[*`|_]{1,3}")


def _clean(text: str) -> str:
    return " ".join(text.split())[:CHARACTERS_MAX].strip()


def markdown_paragraphs(text: str) -> list[str]:
    """The paragraphs, list items and headings of a markdown page, without their marks."""
    body = _LINK.sub(r"\1", _TEMPLATE.sub(" ", _FENCE.sub("\n", _FRONT_MATTER.sub("", text))))
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[#*+-]|\d+[.)])\s)", body)
    return [_clean(_MARKS.sub("", _LEAD.sub("", block))) for block in blocks]


def docs_sentences(directories: list[Path]) -> list[str]:
    """All paragraphs of all markdown files below the directories."""
    files = sorted(file for directory in directories for file in directory.rglob("*") if file.suffix in {".md", ".mdx"})
    return [part for file in files for part in markdown_paragraphs(file.read_text("utf-8", errors="replace"))]


def wordnet_sentences(dictionary: Path) -> list[str]:
    """Every sense's gloss, and every quoted example on its own."""
    text = gzip.decompress(dictionary.read_bytes()).decode("utf-8", errors="replace")
    # A sense starts on an indented line with a part of speech, a number or both, and ends where the next one or an entry starts.
    senses = re.findall(r"^ {4}(?:[a-z]+ )?(?:\d+)?: (.*?)(?=^ {4}(?:[a-z]+ )?(?:\d+)?: |^\S)", text, re.M | re.S)
    sentences: list[str] = []
    for sense in senses:
        plain = re.sub(r"\[(?:syn|ant|also): .*?\]", "", sense, flags=re.S).replace("{", "").replace("}", "")
        examples = re.findall(r'"([^"]+)"', plain)
        sentences += [_clean(plain.split('"')[0].rstrip(" ;\n")), *(_clean(example) for example in examples)]
    return sentences


def summary_sentences(file: Path) -> list[str]:
    """One summary a line."""
    return [_clean(line) for line in file.read_text("utf-8", errors="replace").splitlines()]


def _rank(sentence: str) -> bytes:
    return hashlib.sha256(sentence.encode()).digest()


def sample(sentences: list[str], count: int) -> list[str]:
    """`count` different sentences in an order that depends on nothing but themselves; fewer if there are fewer."""
    usable = {sentence for sentence in sentences if len(sentence.split()) >= WORDS_MIN}
    return sorted(usable, key=_rank)[:count]


def paragraphs(sentences: list[str], count: int, each: int = 10) -> list[str]:
    """Long texts: runs of neighbouring sentences, spread over the list."""
    step = max(1, len(sentences) // count)
    return [" ".join(sentences[start : start + each]) for start in range(0, len(sentences), step)][:count]


def digest(sentences: list[str]) -> str:
    """SHA-256 over the sentences in order, to tell one sample from another."""
    return hashlib.sha256("\n".join(sentences).encode()).hexdigest()
