import { openPostgres } from "@loredex/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { CuttingProxy } from "../../../test/nodes/cutting-proxy.ts";
import { postgresPart, serverOfFile } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a connection that is reset during a statement"), () => {
  const server = serverOfFile();

  it("ends neither the process nor the storage, and each record is stored once", async () => {
    const proxy = await CuttingProxy.open(Number(new URL(server.url()).port || 5432));
    const storage = await openPostgres(proxy.before(server.url()), { schema: server.newSchema() });
    onTestFinished(() => storage.close());
    await storage.create("bot");
    const store = await storage.open("bot");
    onTestFinished(() => store.close());
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    for (let record = 1; record <= 20; record++) {
      const appended = store.append(Buffer.from(`record ${record}`));
      // In some turns the statement is on its way, in others its answer.
      for (let turn = 0; turn < record % 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      proxy.cut();
      expect(await appended).toBe(record);
    }
  });
});
