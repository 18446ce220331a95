import { join } from "node:path";
import { Engine, LoredexError } from "@loredex/core";
import { expect, it, onTestFinished } from "vitest";
import { withStores } from "../../core/test/support/changed-stores.ts";
import { FakeEmbedder } from "../../core/test/support/fake-embedder.ts";
import { KeptStorage } from "../../core/test/support/kept-storage.ts";
import { engineOperator } from "../src/operator/engine-operator.ts";
import { serveOperator } from "../src/operator/operator-server.ts";
import { writeFiles } from "./support/files.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("an import that waits for vectors ends with 1 where the bot takes no writes any more, and says what mends it", async () => {
  const storage = withStores(new KeptStorage(), (store) => {
    const append = store.append.bind(store);
    store.append = async (payload, onFailed, frees) => {
      const isVectors = Buffer.from(payload).includes('"kind":"vectors"');
      if (isVectors) throw new LoredexError("READ_ONLY", "Writes are refused. Check the disk, then restart.");
      return append(payload, onFailed, frees);
    };
  });
  const fake = { languages: ["en"], open: async () => new FakeEmbedder() };
  const engine = await Engine.open({ storage, embedders: { fake } });
  const directory = await temporaryDirectory();
  const server = await serveOperator(engineOperator(engine), { directory, logger: () => undefined });
  onTestFinished(async () => {
    await server.close();
    await engine.close();
  });
  await engine.createBot({ name: "b" });
  await writeFiles(directory, { "page.md": "# The shop\n\nYou can buy a car here.\n" });
  const waited = await run("import", "b", join(directory, "page.md"), "--wait-vectors", "--data", directory);
  expect(waited).toMatchObject({
    code: 1,
    err: "1 added, 0 changed, 0 unchanged\n1 document is found by words alone, and that stays so until this is mended: Writes are refused. Check the disk, then restart.\n",
  });
});
