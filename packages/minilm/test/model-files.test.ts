import { expect, it } from "vitest";
import { shipsWholeModel } from "../../encoder/test/shipped-model.ts";
import { MINILM } from "../src/minilm.ts";
import { bytesOf, manifest } from "./model-files.ts";

shipsWholeModel(MINILM);

it("the rotation is of the promised shape, with axes at right angles and of length one", async () => {
  const { dimensions, hidden } = await manifest();
  const bytes = Buffer.from(await bytesOf("rotation"));
  expect(bytes.length).toBe(dimensions * hidden * 4);
  const at = (axis: number, column: number) => bytes.readFloatLE((axis * hidden + column) * 4);
  for (const [left, right] of [
    [0, 0],
    [0, 1],
    [7, 7],
    [7, 200],
    [255, 255],
    [254, 255],
  ] as const) {
    let product = 0;
    for (let column = 0; column < hidden; column += 1) product += at(left, column) * at(right, column);
    expect(product).toBeCloseTo(left === right ? 1 : 0, 5);
  }
});
