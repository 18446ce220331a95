"""From origins to the texts that the teacher is asked about: sentences, headings, questions, and passages of several sentences."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass

from .origins import Origin
from .prose import Page

SENTENCE_CHARACTERS_MAX = 400
# As long as what the product searches: a passage is filled up to the first figure and never exceeds the second.
PASSAGE_CHARACTERS = 600
PASSAGE_CHARACTERS_MAX = 1_200
HEADING_CHARACTERS_MAX = 90

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])")
_WORD = re.compile(r"[A-Za-z]{2,}")
_VERBS = frozenset(
    """add allow assign back block build change check choose clear close configure connect convert copy create customize cut define delete
    deploy disable display download edit enable exclude export filter find fix format get give hide host import include increase insert install
    join limit list make manage merge migrate modify monitor move open optimize prevent print protect recover reduce remove rename repair replace
    report reset resize restore restrict run save scan search select send set share show sort split start stop switch sync test track
    transfer troubleshoot turn uninstall update upgrade upload use verify view work write""".split()
)


@dataclass(frozen=True, order=True)
class Text:
    """One text to teach. `kind` is "sentence" or "passage"."""

    text: str
    origin: str
    kind: str


def sentences_of(block: str) -> list[str]:
    """The sentences of a paragraph."""
    return [part.strip() for part in _SENTENCE_END.split(block)]


def usable(text: str, words_min: int, characters_max: int) -> bool:
    """Whether a text is words of English, more or less, and of a fitting length."""
    if len(text) > characters_max or not text.isascii() and sum(character.isascii() for character in text) < 0.9 * len(text):
        return False
    words = _WORD.findall(text)
    return len(words) >= words_min and sum(map(len, words)) >= 0.6 * len(text.replace(" ", ""))


def passages_of(page: Page) -> list[str]:
    """Neighbouring blocks of a page, joined until they are as long as a passage of the product."""
    passages: list[str] = []
    open_blocks: list[str] = [page.title] if page.title else []
    length = len(page.title)
    for block in page.blocks:
        if open_blocks and length + len(block) > PASSAGE_CHARACTERS_MAX:
            passages.append("\n".join(open_blocks))
            open_blocks, length = [], 0
        open_blocks.append(block[:PASSAGE_CHARACTERS_MAX])
        length += len(block)
        if length >= PASSAGE_CHARACTERS:
            passages.append("\n".join(open_blocks))
            open_blocks, length = [], 0
    if length > PASSAGE_CHARACTERS / 3:
        passages.append("\n".join(open_blocks))
    return passages


def asked(heading: str) -> list[str]:
    """A heading that tells to do something, as the question of someone who wants to."""
    first, _, rest = heading.partition(" ")
    if first.lower() not in _VERBS or not rest or heading.endswith("?"):
        return []
    task = f"{first.lower()} {rest}".rstrip(".:")
    return [f"How do I {task}?", f"how to {task}"]


def texts_of(origin: Origin) -> set[Text]:
    """Everything of an origin that is worth teaching, each text once."""
    found: set[Text] = set()

    def take(text: str, kind: str, words_min: int, characters_max: int) -> None:
        text = text.strip()
        if usable(text, words_min, characters_max):
            found.add(Text(text, origin.name, kind))

    for text in origin.lone:
        take(text, "sentence", 1, SENTENCE_CHARACTERS_MAX)
    for page in origin.pages:
        for block in [page.title, *page.blocks]:
            if len(block) <= HEADING_CHARACTERS_MAX:
                for question in asked(block):
                    take(question, "sentence", 3, SENTENCE_CHARACTERS_MAX)
            for sentence in sentences_of(block):
                take(sentence, "sentence", 2, SENTENCE_CHARACTERS_MAX)
        for passage in passages_of(page):
            take(passage, "passage", 30, PASSAGE_CHARACTERS_MAX + PASSAGE_CHARACTERS)
    return found


# How much of an origin comes early, against the others: what is many and of one kind comes later.
_WEIGHT = {"package descriptions": 0.4, "GCIDE": 0.3, "WordNet": 0.5, "encyclopedia": 2.5}
# Passages cost the teacher four times as much as sentences; those of the encyclopedia are the most like what users have.
_PASSAGE_WEIGHT = {"encyclopedia": 4.0, "product docs": 1.0, "GCIDE": 0.1}
_PASSAGE_WEIGHT_OTHERS = 0.4
# There are few, and what is embedded most often is a question.
_QUESTION_WEIGHT = 6.0


def _place(text: Text) -> float:
    uniform = int.from_bytes(hashlib.sha256(text.text.encode()).digest()[:8]) / 2**64
    passage = text.kind == "passage"
    weight = _PASSAGE_WEIGHT.get(text.origin, _PASSAGE_WEIGHT_OTHERS) if passage else _WEIGHT.get(text.origin, 1.0)
    asks = not passage and (text.text.endswith("?") or text.text.startswith("how to "))
    return uniform / (weight * _QUESTION_WEIGHT if asks else weight)


def in_order(origins: list[Origin]) -> list[Text]:
    """All texts, so that every beginning of the list is a fair sample; the order depends on nothing but the texts."""
    unique: dict[str, Text] = {}
    for origin in origins:
        for text in sorted(texts_of(origin)):
            unique.setdefault(text.text, text)
    return sorted(unique.values(), key=lambda text: (_place(text), text.text))


def counts(texts: list[Text]) -> Counter[tuple[str, str]]:
    """How many texts of each origin and kind."""
    return Counter((text.origin, text.kind) for text in texts)


def digest(texts: list[Text]) -> str:
    """SHA-256 over the texts in order, to tell one list from another."""
    return hashlib.sha256("\n".join(text.text for text in texts).encode()).hexdigest()
