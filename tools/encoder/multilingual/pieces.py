"""Which pieces are kept: those that text of the counted languages is made of."""

import unicodedata
from collections import Counter
from dataclasses import dataclass

import numpy as np
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

# <s>, <pad>, </s>, <unk>: what the model knows them by.
SPECIALS = 4
BEGIN, END, UNKNOWN = 0, 2, 3
SPACE = "\u2581"
WEIGHT_OF_PROGRAMS = 0.2
WEIGHT_OF_PROGRAMS_ALONE = 0.1
WEIGHT_OF_LIKELIHOOD = 0.1
# "query: " and "passage: " are made of these.
_OF_PREFIXES = {"que", "ry", "passage"}


def reference_tokenizer(pieces: list[str], scores: list[float]) -> Tokenizer:
    """The tokenizer that the package's own is held against. It reads a literal `<s>` as that mark, the package's as three signs."""
    made = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), unk_id=UNKNOWN, byte_fallback=False))
    made.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    made.pre_tokenizer = pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always")
    return made


def count_pieces(tokenizer: Tokenizer, words: Counter[str], pieces: int) -> np.ndarray:
    """How often each piece is used in these words."""
    counts = np.zeros(pieces)
    texts = list(words)
    for start in range(0, len(texts), 50_000):
        part = texts[start : start + 50_000]
        for text, encoding in zip(part, tokenizer.encode_batch_fast(part), strict=True):
            for piece in encoding.ids:
                counts[piece] += words[text]
    return counts


@dataclass(frozen=True)
class Kept:
    """The old numbers of the pieces that stay, in order; and for each language the share of its pieces, as often as they are used, that stays."""

    numbers: list[int]
    shares: dict[str, float]


def _is_kept(piece: str) -> bool:
    """Single signs, so that any text has pieces; what no list of words counts: numbers, signs, abbreviations; and what stands before every text."""
    bare = piece.removeprefix(SPACE)
    has_letters = any(unicodedata.category(sign).startswith("L") for sign in bare)
    return len(bare) <= 1 or not has_letters or (bare.isascii() and bare.isupper()) or bare in _OF_PREFIXES


def _shares(counts: np.ndarray) -> np.ndarray:
    return counts / counts.sum()


@dataclass(frozen=True)
class Counted:
    """How often each piece is used in one language, by its origins."""

    language: str
    # Absent for languages that have no list of words.
    words: np.ndarray | None
    # Absent for languages that no program speaks.
    programs: np.ndarray | None

    def uses(self) -> np.ndarray:
        """What a language says for its pieces. Translated programs use few words, and each of them once or twice: little is learnt from them."""
        if self.words is None:
            return WEIGHT_OF_PROGRAMS_ALONE * _shares(self.programs)
        if self.programs is None:
            return _shares(self.words)
        return _shares(self.words) + WEIGHT_OF_PROGRAMS * _shares(self.programs)

    def kept(self, numbers: list[int]) -> float:
        """The share of the uses that stays, by the origin that keeps less."""
        origins = [counts for counts in (self.words, self.programs) if counts is not None]
        return min(float(_shares(counts)[numbers].sum()) for counts in origins)


def choose(pieces: list[str], scores: list[float], counted: list[Counted], count: int) -> Kept:
    """The pieces that are used most, and a little by how likely the model takes them for: it has seen more texts than any list."""
    likely = np.exp(np.array(scores))
    likely[:SPECIALS] = 0.0
    uses = _shares(sum(language.uses() for language in counted)) + WEIGHT_OF_LIKELIHOOD * _shares(likely)
    always = np.array([number < SPECIALS or _is_kept(piece) for number, piece in enumerate(pieces)])
    # The last number is <mask>, which no text has.
    uses[-1] = -1.0
    numbers = sorted(np.argsort(-(uses + 2.0 * always), kind="stable")[:count].tolist())
    return Kept(numbers, {language.language: language.kept(numbers) for language in counted})


def words_of(texts: list[str]) -> Counter[str]:
    """How often each word stands in the texts."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text.split())
    return counts
