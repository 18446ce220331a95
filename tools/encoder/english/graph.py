"""The encoder as an ONNX graph of basic operators, in the shape that onnxruntime's transformer optimiser recognises."""

import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .source import Source

OPSET = 14
IR_VERSION = 8
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
# The input of a graph whose piece table lies outside: the rows of the pieces of one text, so nothing is padded and no mask is needed.
ROWS = "rows"
OUTPUT = "last_hidden_state"


class _Builder:
    """Collects nodes and constants, and names them."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def op(self, kind: str, *inputs: str, output: str | None = None, **attributes: object) -> str:
        name = f"{kind}_{len(self.nodes)}"
        result = output or f"{name}_out"
        self.nodes.append(helper.make_node(kind, list(inputs), [result], name=name, **attributes))
        return result

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants.setdefault(name, numpy_helper.from_array(value.copy(order="C"), name))
        return name

    def ints(self, *values: int) -> str:
        return self.constant("ints_" + "_".join(map(str, values)), np.array(values, np.int64))

    def number(self, value: float) -> str:
        return self.constant(f"number_{value:g}", np.array(value, np.float32))


class _Encoder:
    def __init__(self, source: Source, rows_given: bool) -> None:
        self.source = source
        self.rows_given = rows_given
        self.build = _Builder()

    def weight(self, name: str) -> str:
        return self.build.constant(name, self.source.weights[name])

    def linear(self, name: str, x: str) -> str:
        transposed = self.build.constant(name + ".weight.T", self.source.weights[name + ".weight"].T)
        return self.build.op("Add", self.weight(name + ".bias"), self.build.op("MatMul", x, transposed))

    def norm(self, name: str, x: str) -> str:
        """Layer normalisation, spelt out: the optimiser folds it into one operator."""
        build = self.build
        centred = build.op("Sub", x, build.op("ReduceMean", x, axes=[-1]))
        variance = build.op("ReduceMean", build.op("Pow", centred, build.number(2.0)), axes=[-1])
        deviation = build.op("Sqrt", build.op("Add", variance, build.number(self.source.epsilon)))
        scaled = build.op("Mul", build.op("Div", centred, deviation), self.weight(name + ".weight"))
        return build.op("Add", scaled, self.weight(name + ".bias"))

    def gelu(self, x: str) -> str:
        build = self.build
        error = build.op("Erf", build.op("Div", x, build.number(math.sqrt(2.0))))
        return build.op("Mul", build.op("Mul", x, build.op("Add", error, build.number(1.0))), build.number(0.5))

    def embeddings(self) -> str:
        build = self.build
        ids, _, types = INPUTS
        words = build.op("Gather", self.weight("embeddings.word_embeddings.weight"), ids)
        kinds = build.op("Gather", self.weight("embeddings.token_type_embeddings.weight"), types)
        tokens = build.op("Slice", build.op("Shape", ids), build.ints(1), build.ints(2))
        positions = build.op(
            "Slice", self.weight("embeddings.position_embeddings.weight"), build.ints(0), tokens, build.ints(0)
        )
        return self.norm("embeddings.LayerNorm", build.op("Add", build.op("Add", words, kinds), positions))

    def given_rows(self) -> str:
        """The same sum with the rows of the pieces given. Kind 0 is every token's, so it is in the positions already."""
        build, table = self.build, "embeddings.{}_embeddings.weight"
        kind = self.source.weights[table.format("token_type")][0]
        positions = build.constant("positions", self.source.weights[table.format("position")] + kind)
        tokens = build.op("Slice", build.op("Shape", ROWS), build.ints(1), build.ints(2))
        placed = build.op("Add", ROWS, build.op("Slice", positions, build.ints(0), tokens, build.ints(0)))
        return self.norm("embeddings.LayerNorm", placed)

    def mask(self) -> str | None:
        """0 where there is a token and a large negative number where there is padding, one row a text."""
        if self.rows_given:
            return None
        build = self.build
        wide = build.op("Unsqueeze", build.op("Unsqueeze", INPUTS[1], build.ints(1)), build.ints(2))
        missing = build.op("Sub", build.number(1.0), build.op("Cast", wide, to=TensorProto.FLOAT))
        return build.op("Mul", missing, build.number(-10000.0))

    def attention(self, prefix: str, x: str, mask: str | None) -> str:
        build, size = self.build, self.source.hidden // self.source.heads

        def heads(part: str, order: list[int]) -> str:
            flat = self.linear(f"{prefix}attention.self.{part}", x)
            return build.op(
                "Transpose", build.op("Reshape", flat, build.ints(0, 0, self.source.heads, size)), perm=order
            )

        query, key, value = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]), heads("value", [0, 2, 1, 3])
        scores = build.op("Div", build.op("MatMul", query, key), build.number(math.sqrt(size)))
        shares = build.op("Softmax", scores if mask is None else build.op("Add", scores, mask), axis=-1)
        mixed = build.op("Transpose", build.op("MatMul", shares, value), perm=[0, 2, 1, 3])
        joined = build.op("Reshape", mixed, build.ints(0, 0, self.source.hidden))
        return self.linear(prefix + "attention.output.dense", joined)

    def graph(self) -> onnx.GraphProto:
        x, mask = self.given_rows() if self.rows_given else self.embeddings(), self.mask()
        for layer in range(self.source.layers):
            prefix = f"encoder.layer.{layer}."
            x = self.norm(
                prefix + "attention.output.LayerNorm", self.build.op("Add", self.attention(prefix, x, mask), x)
            )
            widened = self.gelu(self.linear(prefix + "intermediate.dense", x))
            x = self.norm(
                prefix + "output.LayerNorm", self.build.op("Add", self.linear(prefix + "output.dense", widened), x)
            )
        self.build.op("Identity", x, output=OUTPUT)
        shape = ["batch", "tokens"]
        rows = [*shape, self.source.hidden]
        if self.rows_given:
            inputs = [helper.make_tensor_value_info(ROWS, TensorProto.FLOAT, rows)]
        else:
            inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in INPUTS]
        output = helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, rows)
        constants = list(self.build.constants.values())
        return helper.make_graph(self.build.nodes, self.source.name, inputs, [output], constants)


def plain_model(source: Source, rows_given: bool = False) -> onnx.ModelProto:
    """The whole encoder in basic operators, checked by ONNX's own rules. With `rows_given` the piece table is left out of it."""
    model = helper.make_model(
        _Encoder(source, rows_given).graph(), opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
    )
    onnx.checker.check_model(model, full_check=True)
    return model
