"""The teacher as it is shipped in packages/minilm: the same graph, pieces and rotation, one text a call."""

import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class Teacher:
    """Texts to vectors of length one. Refuses files that are not those of the manifest."""

    def __init__(self, directory: Path) -> None:
        manifest = json.loads((directory / "manifest.json").read_text("utf-8"))
        content = {}
        for role, file in manifest["files"].items():
            content[role] = (directory / file["name"]).read_bytes()
            if hashlib.sha256(content[role]).hexdigest() != file["sha256"]:
                raise SystemExit(f"{file['name']} of the teacher is not the file that its manifest names.")
        self.id: str = manifest["id"]
        self.version: str = manifest["version"]
        self.dimensions: int = manifest["dimensions"]
        self.axes = np.frombuffer(content["rotation"], "<f4").reshape(self.dimensions, manifest["hidden"])
        self.tokenizer = Tokenizer.from_str(content["tokenizer"].decode())
        self.tokenizer.enable_truncation(manifest["tokensMax"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(content["model"], options, providers=["CPUExecutionProvider"])

    def vector(self, text: str) -> np.ndarray:
        """The vector of one text, 256 numbers."""
        return self.vector_of(self.tokenizer.encode(text).ids)

    def vector_of(self, pieces: list[int]) -> np.ndarray:
        """The vector of pieces, those that mark the ends among them."""
        row = np.array([pieces], np.int64)
        feeds = dict(zip(_INPUTS, (row, np.ones_like(row), np.zeros_like(row)), strict=True))
        rotated = self.axes @ self._session.run(None, feeds)[0][0].mean(0)
        return rotated / np.linalg.norm(rotated)
