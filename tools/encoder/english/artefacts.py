"""The files that the package ships: names, layout, checksums, model card, and the table its tests compare with."""

import base64
import hashlib
import json
import shutil
from pathlib import Path
from string import Template

import numpy as np
from tokenizers import Tokenizer

from . import source
from .export import Encoder
from .reference import Reference
from .rotation import Faithfulness, Rotation
from .source import sha256

ID = "minilm-l6-256"
MODEL = "encoder.int8.onnx"
TOKENIZER = "tokenizer.json"
ROTATION = "rotation.f32"
MANIFEST = "manifest.json"
MODEL_CARD = "MODEL.md"
LICENCE = "LICENSE"
# Of the ways in rotation.py, the one that kept cosines best; MODEL.md has the figures of all.
ROTATED = "axes about the mean, applied about the origin"

_HERE = Path(__file__).parent
# The model's licence is this repository's as well: the Apache License 2.0.
_LICENCE_TEXT = _HERE.parents[2] / "LICENSE"


def _json(value: object, **options: object) -> str:
    return json.dumps(value, ensure_ascii=False, **options) + "\n"


def write_tokenizer(tokenizer: dict, directory: Path) -> Path:
    """The source's tokenizer without its padding and its cut at 128 pieces: whoever encodes decides on the length."""
    path = directory / TOKENIZER
    path.write_text(_json(tokenizer | {"truncation": None, "padding": None}, separators=(",", ":")), "utf-8")
    return path


def write_rotation(axes: np.ndarray, directory: Path) -> Path:
    """One row an axis, float32, little-endian, no header: the manifest has the shape."""
    path = directory / ROTATION
    path.write_bytes(axes.astype("<f4").tobytes())
    return path


def write_manifest(directory: Path, dimensions: int, hidden: int, tokens_max: int) -> Path:
    """What the files are, with lengths and checksums. The version follows from the checksums."""
    files = {}
    for role, name in (("model", MODEL), ("tokenizer", TOKENIZER), ("rotation", ROTATION)):
        path = directory / name
        files[role] = {"name": name, "bytes": path.stat().st_size, "sha256": sha256(path)}
    contents = "".join(file["sha256"] for file in files.values())
    manifest = {
        "id": ID,
        "version": hashlib.sha256(f"{contents}{tokens_max}".encode()).hexdigest()[:12],
        "dimensions": dimensions,
        "hidden": hidden,
        "tokensMax": tokens_max,
        "source": {
            "model": "sentence-transformers/all-MiniLM-L6-v2",
            "licence": "Apache-2.0",
            "package": f"{source.PACKAGE} {source.VERSION}, PyPI",
            "wheelSha256": source.WHEEL_SHA256,
        },
        "files": files,
    }
    path = directory / MANIFEST
    path.write_text(_json(manifest, indent=2), "utf-8")
    return path


def read_manifest(directory: Path) -> dict:
    """The manifest as it was written."""
    return json.loads((directory / MANIFEST).read_text("utf-8"))


def write_licence(directory: Path) -> Path:
    """The text of the model's licence."""
    return Path(shutil.copyfile(_LICENCE_TEXT, directory / LICENCE))


def write_model_card(directory: Path, figures: dict[str, str], faithful: dict[str, Faithfulness]) -> Path:
    """MODEL.md, with the figures of this run."""
    rows = [
        f"| {name}{' (shipped)' if name == ROTATED else ''} | {way.error_all:.4f} | {way.error_near:.4f} | {way.neighbours_kept:.3f} |"
        for name, way in faithful.items()
    ]
    manifest = read_manifest(directory)
    files = [
        f"| `{file['name']}` | {file['bytes']:,} | `{file['sha256']}` |" for file in manifest["files"].values()
    ]
    card = Template((_HERE / "MODEL.template.md").read_text("utf-8")).substitute(
        figures,
        version=manifest["version"],
        wheel=manifest["source"]["package"],
        wheel_sha256=manifest["source"]["wheelSha256"],
        energy=f"{faithful[ROTATED].energy:.4f}",
        rotations="\n".join(rows),
        files="\n".join(files),
    )
    path = directory / MODEL_CARD
    path.write_text(card, "utf-8")
    return path


def _base64(vector: np.ndarray) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def write_fixture(
    path: Path, tokenizer: Tokenizer, reference: Reference, encoder: Encoder, rotation: Rotation
) -> Path:
    """One line for each sentence of fixture.json: its ids, and its vector by the source in double precision and by the shipped graph."""
    rows = []
    for text in json.loads((_HERE / "fixture.json").read_text("utf-8")):
        ids = tokenizer.encode(text).ids
        by_source = rotation.apply(reference.sentence(ids))
        by_graph = rotation.apply(encoder.sentence(ids))
        rows.append(_json({"text": text, "ids": ids, "source": _base64(by_source), "shipped": _base64(by_graph)}))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(rows), "utf-8")
    return path
