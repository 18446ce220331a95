"""The files that the package ships: the table as int8, its scales, the pieces and pairs it is for, manifest, model card, test vectors."""

import base64
import hashlib
import json
import shutil
from pathlib import Path
from string import Template

import numpy as np

from .packages import sha256
from .teacher import Teacher

ID = "student-256"
PIECES = "pieces.txt"
PAIRS = "pairs.u16"
ROWS = "rows.i8"
SCALES = "scales.f32"
MANIFEST = "manifest.json"
MODEL_CARD = "STATIC.md"
LICENCE = "LICENSE"
BYTES_MAX = 12_000_000

_HERE = Path(__file__).parent
_LICENCE_TEXT = _HERE.parents[2] / "LICENSE"


def rounded(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row as int8, and the float32 that it is multiplied by."""
    scales = np.maximum(np.abs(table).max(1), 1e-12).astype(np.float32) / 127
    return np.rint(table / scales[:, None]).astype(np.int8), scales


def write_table(directory: Path, vocabulary: list[str], pairs: np.ndarray, table: np.ndarray) -> None:
    """The four files of the manifest."""
    rows, scales = rounded(table)
    halves = np.stack(np.divmod(pairs, len(vocabulary)), 1) if len(pairs) else np.zeros((0, 2))
    (directory / PIECES).write_text("\n".join(vocabulary) + "\n", "utf-8")
    (directory / PAIRS).write_bytes(halves.astype("<u2").tobytes())
    (directory / ROWS).write_bytes(rows.tobytes())
    (directory / SCALES).write_bytes(scales.astype("<f4").tobytes())


def write_manifest(directory: Path, teacher: Teacher) -> dict:
    """What the files are, with lengths and checksums. The version follows from the checksums."""
    names = {"pieces": PIECES, "pairs": PAIRS, "rows": ROWS, "scales": SCALES}
    files = {
        role: {"name": name, "bytes": (directory / name).stat().st_size, "sha256": sha256(directory / name)}
        for role, name in names.items()
    }
    total = sum(file["bytes"] for file in files.values())
    if total > BYTES_MAX:
        raise SystemExit(f"The student has {total:,} bytes, more than {BYTES_MAX:,}.")
    contents = "".join(file["sha256"] for file in files.values())
    manifest = {
        "id": ID,
        "version": hashlib.sha256(contents.encode()).hexdigest()[:12],
        "teacher": {"id": teacher.id, "version": teacher.version},
        "dimensions": teacher.dimensions,
        "files": files,
    }
    (directory / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    return manifest


def write_licence(directory: Path) -> None:
    """The text of the licence."""
    shutil.copyfile(_LICENCE_TEXT, directory / LICENCE)


def write_model_card(directory: Path, manifest: dict, figures: dict[str, str]) -> None:
    """STATIC.md, with the figures of this run."""
    files = [f"| `{file['name']}` | {file['bytes']:,} | `{file['sha256']}` |" for file in manifest["files"].values()]
    card = Template((_HERE / "STATIC.template.md").read_text("utf-8")).substitute(
        figures, version=manifest["version"], teacher=manifest["teacher"]["id"],
        teacher_version=manifest["teacher"]["version"], files="\n".join(files),
    )  # fmt: skip
    (directory / MODEL_CARD).write_text(card, "utf-8")


def write_fixture(path: Path, texts: list[str], vectors: np.ndarray, teacher: Teacher) -> None:
    """One line a text: the student's vector as the files give it, and the teacher's."""

    def packed(vector: np.ndarray) -> str:
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()

    lines = [
        json.dumps({"text": text, "student": packed(vector), "teacher": packed(teacher.vector(text))}, ensure_ascii=False)
        for text, vector in zip(texts, vectors, strict=True)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")
