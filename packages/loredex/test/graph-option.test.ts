import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineOptions } from "@loredex/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { Engine } from "../src/engine.ts";
import { serve } from "../src/serve.ts";
import { runIn } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { withoutRuntime } from "./support/without-runtime.ts";

/** The options that engines are opened with from now on. */
function openedWith(): EngineOptions[] {
  const all: EngineOptions[] = [];
  const open = Engine.open;
  const spy = vi.spyOn(Engine, "open").mockImplementation((options = {}) => {
    all.push(options);
    return open(options);
  });
  onTestFinished(() => spy.mockRestore());
  return all;
}

it("a command that opens the data directory takes the graph that is set, in the environment or in the file", async () => {
  const folder = await temporaryDirectory();
  const all = openedWith();
  const data = ["--data", join(folder, "data")];
  expect(await runIn({}, "bot", "create", "a", ...data)).toMatchObject({ code: 0 });
  expect(await runIn({ LOREDEX_GRAPH: "hnswlib" }, "bot", "list", ...data)).toMatchObject({ code: 0 });
  const file = join(folder, "settings.json");
  await writeFile(file, JSON.stringify({ graph: "hnswlib" }));
  expect(await runIn({}, "bot", "list", "--config", file, ...data)).toMatchObject({ code: 0 });
  expect(all.map(({ graph }) => graph)).toEqual(["built-in", "hnswlib", "hnswlib"]);
  expect(await runIn({ LOREDEX_GRAPH: "faiss" }, "bot", "list", ...data)).toMatchObject({
    code: 2,
    err: expect.stringContaining('LOREDEX_GRAPH must be one of built-in, hnswlib, not "faiss"'),
  });
});

it("serve gives its graph to the engine", async () => {
  const all = openedWith();
  const options = { port: 0, embedders: {}, graph: "hnswlib" } as const;
  const server = await serve({ directory: await temporaryDirectory(), ...options });
  await server.close();
  expect(all.map(({ graph }) => graph)).toEqual(["hnswlib"]);
});

it("doctor has a line on the graph that is set, and none on the built-in one", async () => {
  // Encoders that are missing are told sooner than loaded.
  withoutRuntime();
  const data = ["--data", join(await temporaryDirectory(), "data")];
  const checked = async (environment: Record<string, string>): Promise<number> => {
    const { out } = await runIn(environment, "doctor", "--json", ...data);
    const { checks }: { checks: { name: string }[] } = JSON.parse(out);
    return checks.filter(({ name }) => name === "graph hnswlib").length;
  };
  expect([await checked({ LOREDEX_GRAPH: "hnswlib" }), await checked({})]).toEqual([1, 0]);
});
