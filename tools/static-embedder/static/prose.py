"""Pages of prose in whatever form a package holds them, as a title and its paragraphs."""

import gzip
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path


@dataclass(frozen=True)
class Page:
    """A title, and headings, paragraphs and list items in the order of the page, without marks."""

    title: str
    blocks: list[str]


_BLOCKS = {"p", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "title", "desc", "para"}
_SKIPPED = {"script", "style", "pre", "nav", "header", "footer", "aside", "screen", "code-block", "table", "info", "noscript"}


class _Reader(HTMLParser):
    """Reads HTML, and Mallard's XML, which has the same names for what matters here."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[tuple[str, str]] = []
        self._text: list[str] = []
        self._name = ""
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self._skipped.append(tag)
        elif tag in _BLOCKS:
            self.flush()
            self._name = tag

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            if tag == self._skipped[-1]:
                self._skipped.pop()
        elif tag in _BLOCKS:
            self.flush()

    def handle_data(self, data: str) -> None:
        if not self._skipped and self._name:
            self._text.append(data)

    def flush(self) -> None:
        text = " ".join("".join(self._text).split())
        if text:
            self.blocks.append((self._name, text))
        self._text, self._name = [], ""


def marked_page(text: str) -> Page:
    """A page of HTML or Mallard."""
    reader = _Reader()
    reader.feed(text)
    reader.flush()
    titles = [block for name, block in reader.blocks if name == "title"]
    title = titles[0] if titles else ""
    return Page(title, [block for name, block in reader.blocks if block != title])


def marked_pages(directory: Path, patterns: tuple[str, ...]) -> list[Page]:
    """All pages below a directory whose paths match."""
    files = sorted({file for pattern in patterns for file in directory.glob(pattern) if file.is_file()})
    return [marked_page(file.read_text("utf-8", errors="replace")) for file in files]


_FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
_FRONT_MATTER = re.compile(r"\A---\r?\n.*?\n---\r?\n", re.S)
_TEMPLATE = re.compile(r"\{\{.*?\}\}|<[^>\n]+>|!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_LEAD = re.compile(r"^[\s#>*+-]+|^\s*\d+[.)]\s+", re.M)
_MARKS = re.compile(r"[*`|_]{1,3}")


def markdown_page(text: str) -> Page:
    """A page of markdown. Its front matter is left out, the title as well: descriptions are questions of a judged set."""
    body = _LINK.sub(r"\1", _TEMPLATE.sub(" ", _FENCE.sub("\n", _FRONT_MATTER.sub("", text))))
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[#*+-]|\d+[.)])\s)", body)
    blocks = [" ".join(_MARKS.sub("", _LEAD.sub("", part)).split()) for part in parts]
    blocks = [block for block in blocks if block]
    return Page(blocks[0] if blocks and len(blocks[0]) < 120 else "", blocks)


def markdown_pages(directories: list[Path]) -> list[Page]:
    """All markdown below the directories."""
    files = sorted(file for directory in directories for file in directory.rglob("*") if file.suffix in {".md", ".mdx"})
    return [markdown_page(file.read_text("utf-8", errors="replace")) for file in files]


def dictionary_entries(file: Path) -> list[Page]:
    """Entries of a dictionary in dictd's form: a term at the start of a line, what is said of it below, indented."""
    text = gzip.decompress(file.read_bytes()).decode("utf-8", errors="replace")
    entries = re.split(r"\n(?=\S)", text)
    pages = []
    for entry in entries:
        term, _, said = entry.partition("\n")
        blocks = [" ".join(block.split()) for block in re.split(r"\n\s*\n", said)]
        pages.append(Page(term.strip(), [block for block in blocks if block]))
    return pages
