import type { Storage, Store } from "@loredex/core";
import { expect, it } from "vitest";
import { count } from "../../../test/support/counts.ts";
import { openHastily, postgresPart, type Server, startServer } from "./support/server.ts";

const NODES = 3;
const CRASHES = process.env.TESTS_SHORT === "1" ? 3 : 10;

it.skipIf(postgresPart.isMissing)(
  postgresPart.named("a server that crashes again and again loses no acknowledged append, and stores none twice"),
  async () => {
    const server = await startServer();
    const storages = await Promise.all(
      Array.from({ length: NODES }, () => openHastily(server.url, { timeoutMs: 500 })),
    );
    try {
      await storages[0]?.create("bot");
      const acknowledged = new Set<string>();
      const crashes = crashAgainAndAgain(server);
      await Promise.all(storages.map((storage, node) => writeUntil(crashes, storage, `node ${node}`, acknowledged)));
      count("acknowledged appends to a server that crashes", acknowledged.size);
      const texts = await textsIn(storages[0]);
      expect(new Set(texts).size).toBe(texts.length);
      expect([...acknowledged].filter((text) => !texts.includes(text))).toEqual([]);
      expect(acknowledged.size).toBeGreaterThan(CRASHES);
    } finally {
      await Promise.all(storages.map((storage) => storage.close()));
      await server.stop();
    }
  },
);

interface Crashes {
  areOver: boolean;
}

function crashAgainAndAgain(server: Server): Crashes {
  const crashes: Crashes = { areOver: false };
  const run = async () => {
    for (let crash = 1; crash <= CRASHES; crash += 1) {
      await new Promise((settle) => setTimeout(settle, 500));
      await server.kill();
      await server.start();
    }
  };
  void run().finally(() => {
    crashes.areOver = true;
  });
  return crashes;
}

/** Appends one text after the other. What was refused may be stored all the same: it is not tried again. */
async function writeUntil(crashes: Crashes, storage: Storage, name: string, acknowledged: Set<string>): Promise<void> {
  const store = await recovered(storage, () => undefined);
  for (let n = 1; !crashes.areOver; n += 1) {
    const text = `${name}, append ${n}`;
    try {
      await store.append(Buffer.from(text));
      acknowledged.add(text);
    } catch {
      await store.shared?.follow(() => undefined).catch(() => new Promise((settle) => setTimeout(settle, 50)));
    }
  }
  await store.close();
}

async function textsIn(storage: Storage | undefined): Promise<string[]> {
  if (storage === undefined) return [];
  const texts: string[] = [];
  await expect.poll(() => storage.shared?.silentMs()).toBe(0);
  const store = await recovered(storage, (text) => texts.push(text));
  await store.close();
  return texts;
}

async function recovered(storage: Storage, tell: (text: string) => void): Promise<Store> {
  const store = await storage.open("bot");
  await store.recover({ snapshot: () => undefined, record: (_, payload) => tell(Buffer.from(payload).toString()) });
  return store;
}
