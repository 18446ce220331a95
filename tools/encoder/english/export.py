"""From the source to the shipped graph: plain, fused, int8; each step is checked."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer
from onnxruntime.transformers.fusion_options import FusionOptions

from .graph import INPUTS, ROWS, plain_model
from .source import Source

# What a graph is given for the ids of a text.
Feeds = Callable[[list[int]], dict[str, np.ndarray]]


def id_feeds(ids: list[int]) -> dict[str, np.ndarray]:
    """For a graph that has its piece table."""
    row = np.array([ids], np.int64)
    return dict(zip(INPUTS, (row, np.ones_like(row), np.zeros_like(row)), strict=True))


def row_feeds(table: np.ndarray) -> Feeds:
    """For a graph whose piece table lies outside."""
    return lambda ids: {ROWS: table[None, ids]}


def fusions(layers: int) -> dict[str, int]:
    """Each layer has one Attention, one BiasGelu and two SkipLayerNormalization; the embeddings' sum and norm are one more."""
    return {"Attention": layers, "BiasGelu": layers, "SkipLayerNormalization": 2 * layers + 1}


def write_plain(source: Source, path: Path, rows_given: bool = False) -> Path:
    """The graph of basic operators, fp32."""
    onnx.save(plain_model(source, rows_given), path)
    return path


def write_fused(source: Source, plain: Path, path: Path) -> Path:
    """The same computation in onnxruntime's own operators, fp32."""
    fused = optimizer.optimize_model(
        str(plain),
        model_type="bert",
        num_heads=source.heads,
        hidden_size=source.hidden,
        optimization_options=FusionOptions("bert"),
        opt_level=0,
    )
    found = {kind: count for kind, count in fused.get_fused_operator_statistics().items() if count}
    if found != (expected := fusions(source.layers)):
        raise SystemExit(f"The optimiser fused {found}, expected {expected}: its patterns or the graph have changed.")
    fused.save_model_to_file(str(path))
    return path


def write_int8(levelled: Path, path: Path) -> Path:
    """Weights as int8, one scale a channel; activations are quantised while it runs."""
    quantize_dynamic(
        levelled,
        path,
        weight_type=QuantType.QInt8,
        per_channel=True,
        # Seven bits of eight: two products of 8 bits saturate the 16-bit sums of processors without VNNI, which
        # costs more than the bit does and would make vectors depend on the processor.
        reduce_range=True,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )
    return path


class Encoder:
    """An exported graph, run the way the product runs it: one text a call, one thread."""

    def __init__(self, path: Path, feeds: Feeds = id_feeds) -> None:
        self._feeds = feeds
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def sentence(self, ids: list[int]) -> np.ndarray:
        """The mean over the tokens, of length one."""
        mean = self._session.run(None, self._feeds(ids))[0][0].astype(np.float64).mean(0)
        return mean / np.linalg.norm(mean)

    def sentences(self, rows: list[list[int]]) -> np.ndarray:
        """One vector a row of ids."""
        return np.stack([self.sentence(row) for row in rows])


def cosines(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Cosine of each row with its counterpart; rows have length one."""
    return (left * right).sum(1)
