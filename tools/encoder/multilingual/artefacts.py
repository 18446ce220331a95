"""The files that the package ships: names, checksums, model card, and the tables its tests compare with."""

import base64
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from string import Template

import numpy as np
from english.source import sha256
from tokenizers import Tokenizer

from . import source
from .source import Multilingual

ID = "multilingual-e5-small-376"
MODEL = "encoder.int8.onnx"
PIECES = "pieces.bin"
ROWS = "rows.q4"
COMMON = "common.f32"
ROTATION = "rotation.f32"
MANIFEST = "manifest.json"

_HERE = Path(__file__).parent
_LICENCE = """MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def _json(value: object, **options: object) -> str:
    return json.dumps(value, ensure_ascii=False, **options) + "\n"


def write_floats(values: np.ndarray, path: Path) -> None:
    """Row after row, float32, little-endian, no header."""
    path.write_bytes(values.astype("<f4").tobytes())


def write_manifest(model: Multilingual, directory: Path, dimensions: int, tokens_max: int) -> dict:
    """What the files are, with lengths and checksums. The version follows from the checksums."""
    files = {}
    for role, name in (("model", MODEL), ("pieces", PIECES), ("rows", ROWS), ("common", COMMON), ("rotation", ROTATION)):
        path = directory / name
        files[role] = {"name": name, "bytes": path.stat().st_size, "sha256": sha256(path)}
    contents = "".join(file["sha256"] for file in files.values())
    manifest = {
        "id": ID,
        "version": hashlib.sha256(f"{contents}{tokens_max}".encode()).hexdigest()[:12],
        "dimensions": dimensions,
        "hidden": model.source.hidden,
        "tokensMax": tokens_max,
        "source": {"model": f"intfloat/{source.NAME}", "licence": "MIT", "package": model.origin},
        "files": files,
    }
    (directory / MANIFEST).write_text(_json(manifest, indent=2), "utf-8")
    return manifest


def write_licence(directory: Path) -> None:
    """The text of the model's licence."""
    (directory / "LICENSE").write_text(_LICENCE, "utf-8")


def write_model_card(manifest: dict, directory: Path, figures: dict[str, str]) -> None:
    """MODEL.md, with the figures of this run."""
    files = [f"| `{file['name']}` | {file['bytes']:,} | `{file['sha256']}` |" for file in manifest["files"].values()]
    card = Template((_HERE / "MODEL.template.md").read_text("utf-8")).substitute(
        figures,
        version=manifest["version"],
        origin=manifest["source"]["package"],
        wheel_sha256=source.WHEEL_SHA256,
        files="\n".join(files),
    )
    (directory / "MODEL.md").write_text(card, "utf-8")


@dataclass(frozen=True)
class Row:
    """A text of the table of test vectors, and its vectors by the source in double precision and by the shipped graph."""

    text: str
    ids: list[int]
    source: np.ndarray
    shipped: np.ndarray


def write_vectors(rows: list[Row], path: Path) -> None:
    """One line a text."""

    def coded(vector: np.ndarray) -> str:
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()

    lines = [
        _json({"text": row.text, "ids": row.ids, "source": coded(row.source), "shipped": coded(row.shipped)})
        for row in rows
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), "utf-8")


def texts_of_table() -> list[str]:
    """The texts of the table of test vectors."""
    return json.loads((_HERE / "fixture.json").read_text("utf-8"))


class Draw:
    """The same numbers here as in the test that draws the same texts."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, end: int) -> int:
        self._state = (self._state * 1_103_515_245 + 12_345) % 2**31
        return (self._state >> 8) % end


BATCHES = 20
TEXTS_A_BATCH = 500


def drawn_text(pieces: list[str], draw: Draw) -> str:
    """Some pieces one after the other, with spaces where they have them: words that nobody wrote, cut in many ways."""
    return "".join(pieces[4 + draw.below(len(pieces) - 4)] for _ in range(1 + draw.below(24))).replace("\u2581", " ")


def write_drawn(tokenizer: Tokenizer, pieces: list[str], path: Path) -> None:
    """For each batch of drawn texts one hash of all their ids."""
    hashes = []
    for batch in range(BATCHES):
        draw = Draw(batch)
        texts = [drawn_text(pieces, draw) for _ in range(TEXTS_A_BATCH)]
        ids = [" ".join(map(str, encoding.ids)) for encoding in tokenizer.encode_batch(texts)]
        hashes.append(hashlib.sha256("\n".join(ids).encode()).hexdigest())
    path.write_text(_json({"textsABatch": TEXTS_A_BATCH, "sha256": hashes}, indent=2), "utf-8")
