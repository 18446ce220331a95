import type { GraphBackend } from "@loredex/core";
import { graphContract } from "@loredex/core/testing";
import { hnswlib } from "@loredex/hnswlib";
import { describe, expect, it } from "vitest";
import { BUILT_IN_GRAPHS } from "../../packages/core/src/index/vectors/hnsw.ts";
import { VectorRows } from "../../packages/core/src/index/vectors/rows.ts";
import { realDisks } from "../../packages/core/test/storage/kit.ts";
import { hnswlibPart } from "../../packages/core/test/support/graph-kinds.ts";
import { lawRuns } from "../support/law-runs.ts";
import { optionalPart } from "../support/optional-part.ts";

const newDisk = realDisks();
const newDirectory = async (): Promise<string> => (await newDisk()).directory;

/** The built-in graph reads more of the rows than the port has. The contract gives it the engine's own. */
const BACKENDS = [
  ["built in", BUILT_IN_GRAPHS as GraphBackend, optionalPart("the built-in graph", undefined)],
  ["@loredex/hnswlib", hnswlib(), hnswlibPart],
] as const;

for (const [name, backend, part] of BACKENDS)
  describe.skipIf(part.isMissing)(part.named(`the contract of a graph backend: ${name}`), () => {
    const drawn = { runs: lawRuns(30), seed: Math.floor(Math.random() * 2 ** 32) };
    for (const { name: demand, run } of graphContract(backend, newDirectory, drawn)) it(demand, run);

    it("tells why it takes nothing or is not saved", async () => {
      const graphs = await backend.open({ temporaryDirectory: await newDirectory() });
      if ("missing" in graphs) return expect.fail(graphs.missing.why);
      const rows = new VectorRows(2);
      rows.set(0, Int8Array.of(0, 1));
      const graph = graphs.empty(rows, 1);
      graph.insert(0);
      const saving = graph.save(1_000_000);
      expect(() => graph.insert(0)).toThrow("saved");
      const { length } = await saving;
      for (const bytesMax of [length - 1, 20])
        await expect(graph.save(bytesMax)).rejects.toThrow("every start builds it again");
      graph.close();
      expect(() => graph.insert(0)).toThrow("closed");
    });
  });
