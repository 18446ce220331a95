import type { RecoveryReport, Storage, Store } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Settings, settingsOf } from "../src/options.ts";
import { PostgresStorage } from "../src/postgres-storage.ts";
import { migrate } from "../src/schema.ts";
import { LateDatabase } from "./support/late-database.ts";
import { postgresPart, serverOfFile } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(
  postgresPart.named("a node that was stopped before it deletes what is old"),
  () => {
    const server = serverOfFile();

    /** A node that can be late, and another one, with the same store. */
    async function twoNodes() {
      const settings: Settings = settingsOf("test", server.url(), { schema: server.newSchema() });
      const databases = [new LateDatabase(settings), new LateDatabase(settings)] as const;
      const [late] = databases;
      await migrate(late);
      const storages = databases.map((database) => new PostgresStorage(database));
      const stores: Store[] = [];
      for (const [i, storage] of storages.entries()) {
        if (i === 0) await storage.create("bot");
        stores.push(await opened(storage));
        onTestFinished(async () => {
          await stores[i]?.close();
          await storage.close();
        });
      }
      const [a, b] = stores;
      const [, other] = storages;
      if (a === undefined || b === undefined || other === undefined) throw new Error("there are two");
      return { late, a, b, other };
    }

    async function opened(storage: Storage): Promise<Store> {
      const store = await storage.open("bot");
      await recovered(store);
      return store;
    }

    function recovered(store: Store): Promise<RecoveryReport> {
      return store.recover({ snapshot: () => undefined, record: () => undefined });
    }

    /** Appends a record and writes a snapshot of it. */
    async function step(store: Store): Promise<void> {
      await store.shared?.follow(() => undefined);
      const sequence = await store.append(Buffer.from("a record"));
      await store.writeSnapshot(sequence, section());
    }

    const section = () => [{ name: "all", version: 1, chunks: [Buffer.from("everything")] }];

    it.each(["a snapshot", "a purge"])("keeps the later snapshots of another node: %s", async (calls) => {
      const { late, a, b, other } = await twoNodes();
      for (let i = 0; i < 3; i++) {
        await step(a);
        await b.shared?.follow(() => undefined);
      }
      let [now, last] = [b, 0];
      const before = async (): Promise<void> => {
        if (calls === "a purge") {
          await b.close();
          now = await opened(other);
          onTestFinished(() => now.close());
        }
        for (let i = 0; i < 3; i++) await step(now);
        last = now.sizes().logBytesSinceSnapshot;
      };
      late.late = { fits: /^select store, object, bytes/, before };
      if (calls === "a snapshot") await a.writeSnapshot(await a.append(Buffer.from("a record")), section());
      else await a.purge(async (through) => ({ sequence: through, sections: section() }));
      expect(late.late).toBeUndefined();
      expect(last).toBe(0);
      await now.close();
      const again = await other.open("bot");
      onTestFinished(() => again.close());
      expect(await recovered(again)).toMatchObject({ damagedSnapshots: 0, replayedRecords: 0 });
    });
  },
);
