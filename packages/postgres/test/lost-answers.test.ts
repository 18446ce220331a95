import { inspect } from "node:util";
import type { StatementEvent, Storage, Store } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Fate, TcpProxy } from "./support/proxy.ts";
import { openHastily, PASSWORD, postgresPart, serverOfFile, sql } from "./support/server.ts";

const UNREACHABLE = { code: "UNREACHABLE" };
const APPEND = /^with moved as \(\s*update \S+heads set head/;

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a storage whose connections break"), () => {
  const server = serverOfFile();
  let proxy: TcpProxy;
  let storage: Storage;
  let other: Storage;
  let store: Store;
  let schema: string;
  let url: URL;

  beforeEach(async () => {
    const behind = new URL(server.url());
    proxy = new TcpProxy(Number(behind.port));
    url = new URL(server.url());
    url.host = `127.0.0.1:${await proxy.listen()}`;
    schema = server.newSchema();
    storage = await openHastily(url.href, { schema, connections: 3, timeoutMs: 700 });
    other = await openPostgres(server.url(), { schema, connections: 2 });
    await storage.create("bot");
    store = await opened(storage);
  });

  afterEach(async () => {
    proxy.fateOf = () => "passes";
    proxy.isRefusing = false;
    await store.close();
    await Promise.all([storage.close(), other.close()]);
    await proxy.close();
  });

  /** Decides on the first statement of a kind; the others pass. */
  function once(statements: RegExp, fate: Fate, then: () => void = () => undefined): void {
    let isDone = false;
    proxy.fateOf = (statement) => {
      if (isDone || !statements.test(statement)) return "passes";
      isDone = true;
      then();
      return fate;
    };
  }

  /** Loses the answer to the next append. It is sent again once `then` has ended. */
  function losesThen(then: () => Promise<unknown>): void {
    let [sent, isDone] = [0, false];
    proxy.fateOf = (statement) => {
      if (!APPEND.test(statement)) return "passes";
      sent += 1;
      if (sent === 1) return "after";
      if (sent === 2) void then().then(() => (isDone = true));
      return isDone ? "passes" : "before";
    };
  }

  /** The store of a node that tries for long, so that a slow machine loses nothing else. */
  async function openedPatiently(): Promise<Store> {
    const patient = await openPostgres(url.href, { schema, connections: 2, timeoutMs: 30_000 });
    const opening = await opened(patient);
    onTestFinished(async () => {
      await opening.close();
      await patient.close();
    });
    return opening;
  }

  const append = (text: string, to = store) => to.append(Buffer.from(text));
  const stored = async () => textsIn(other);

  it.each(["before", "after"] as const)(
    "stores an append once whose connection breaks %s it is executed",
    async (fate) => {
      await append("one");
      once(APPEND, fate);
      expect(await Promise.all(["two", "three"].map((text) => append(text)))).toEqual([2, 3]);
      expect(await append("four")).toBe(4);
      expect(await stored()).toEqual(["one", "two", "three", "four"]);
    },
  );

  it("tells how often a statement was sent again, and which have failed", async () => {
    const told: StatementEvent[] = [];
    storage.shared?.observe((event) => told.push(event));
    once(APPEND, "after");
    await append("one");
    expect(told).toContainEqual({ kind: "append", durationMs: expect.any(Number), retries: 1, failed: false });
    told.length = 0;
    once(APPEND, "before", () => {
      proxy.isRefusing = true;
    });
    await expect(append("two")).rejects.toMatchObject(UNREACHABLE);
    const failed = told.filter(({ failed }) => failed);
    expect(failed).toEqual([
      { kind: "append", durationMs: expect.any(Number), retries: expect.any(Number), failed: true },
    ]);
    expect(failed[0]?.retries).toBeGreaterThan(0);
  });

  it("finds an append whose answer was lost below what another node appended since", async () => {
    const theirs = await opened(other);
    let appended: Promise<number> | undefined;
    // The statement is sent again only after the other node has appended to what it stored.
    let sent = 0;
    proxy.fateOf = (statement) => {
      if (!APPEND.test(statement)) return "passes";
      sent += 1;
      if (sent === 1) return "after";
      if (appended === undefined)
        appended = theirs.shared?.follow(() => undefined).then(() => append("theirs", theirs));
      return sent < 4 ? "before" : "passes";
    };
    expect(await append("ours")).toBe(1);
    expect(await appended).toBe(2);
    await expect(append("too late")).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await followed(store)).toEqual([[2, "theirs"]]);
    await theirs.close();
  });

  it("says UNREACHABLE if it cannot be found out, and hands the record out when it can", async () => {
    once(APPEND, "after", () => {
      proxy.isRefusing = true;
    });
    const failed: string[] = [];
    const first = store.append(Buffer.from("stored"), () => failed.push("first"));
    const second = first
      .catch(() => undefined)
      .then(() => store.append(Buffer.from("never"), () => failed.push("second")));
    await expect(first).rejects.toMatchObject(UNREACHABLE);
    await expect(second).rejects.toMatchObject(UNREACHABLE);
    expect(failed).toEqual(["first", "second"]);
    proxy.isRefusing = false;
    await expect.poll(() => storage.shared?.silentMs()).toBe(0);
    expect(await followed(store)).toEqual([[1, "stored"]]);
    expect(await append("next")).toBe(2);
    expect(await stored()).toEqual(["stored", "next"]);
  });

  it.each(["a purge", "snapshots"])(
    "says UNREACHABLE of an append whose answer was lost, and whose record %s of another node deleted",
    async (by) => {
      const theirs = await opened(other);
      const sections = [{ name: "all", version: 1, chunks: [Buffer.from("stored")] }];
      const deleteRecords = async () => {
        await followed(theirs);
        if (by === "a purge") await theirs.purge(async (sequence) => ({ sequence, sections }));
        for (let n = 2; by === "snapshots" && n <= 4; n += 1) {
          await append(String(n), theirs);
          await theirs.writeSnapshot(n, sections);
        }
      };
      const patient = await openedPatiently();
      losesThen(deleteRecords);
      await expect(append("stored", patient)).rejects.toMatchObject(UNREACHABLE);
      await expect(followed(patient)).rejects.toMatchObject({ code: "REPLACED" });
      await theirs.close();
    },
  );

  it("says UNREACHABLE of an append whose answer was lost, whatever refuses its second try", async () => {
    const rename = (from: string, to: string) => sql(server.url(), `alter table ${schema}.${from} rename to ${to}`);
    const patient = await openedPatiently();
    losesThen(() => rename("heads", "hidden"));
    await expect(append("stored", patient)).rejects.toMatchObject(UNREACHABLE);
    await rename("hidden", "heads");
    expect(await followed(patient)).toEqual([[1, "stored"]]);
  });

  it("refuses every call at once while the server is known not to answer, and asks it in the background", async () => {
    proxy.isRefusing = true;
    proxy.cut();
    await expect(store.shared?.follow(() => undefined)).rejects.toMatchObject(UNREACHABLE);
    const clockMs = storage.shared?.nowMs() ?? 0;
    const { connections } = proxy;
    const calls = [
      append("x"),
      store.readCache("graph"),
      storage.list(),
      storage.exists("bot"),
      store.shared?.lease("job", 1_000),
    ];
    const results = await Promise.allSettled([...calls, storage.shared?.admit("key", 1), store.writeSnapshot(0, [])]);
    for (const result of results) {
      expect(result).toMatchObject({ status: "rejected", reason: UNREACHABLE });
      expect(inspect(result)).not.toContain(encodeURIComponent(PASSWORD));
    }
    expect(proxy.connections - connections).toBeLessThanOrEqual(1);
    await expect.poll(() => storage.shared?.silentMs()).toBeGreaterThan(0);
    expect(storage.shared?.nowMs()).toBeGreaterThanOrEqual(clockMs);
    proxy.isRefusing = false;
    await expect.poll(() => storage.shared?.silentMs()).toBe(0);
    expect(await append("again")).toBe(1);
  });

  it("counts a server as unreachable that gives no answer in time", async () => {
    proxy.fateOf = () => "never";
    await expect(append("x")).rejects.toMatchObject(UNREACHABLE);
    await expect(storage.list()).rejects.toMatchObject(UNREACHABLE);
  });

  it("loses and repeats nothing if connections are cut again and again", async () => {
    let statements = 0;
    proxy.fateOf = () => {
      statements += 1;
      if (statements % 7 === 0) return "after";
      return statements % 5 === 0 ? "before" : "passes";
    };
    const theirs = await opened(other);
    const ours: string[] = [];
    const writer = async (own: Store, name: string) => {
      for (let n = 1; n <= 30; n += 1) {
        const text = `${name} ${n}`;
        while (!(await tried(own, text, ours))) await followed(own, ours);
      }
    };
    await Promise.all([writer(store, "a"), writer(theirs, "b")]);
    await theirs.close();
    const texts = await stored();
    expect(texts.toSorted()).toEqual(
      ["a", "b"].flatMap((name) => Array.from({ length: 30 }, (_, n) => `${name} ${n + 1}`)).toSorted(),
    );
  });

  /** Whether an append was stored, at once or as a record that a follow handed out. */
  async function tried(own: Store, text: string, seen: string[]): Promise<boolean> {
    try {
      await append(text, own);
      return true;
    } catch {
      for (;;) {
        try {
          await followed(own, seen);
          return seen.includes(text);
        } catch {
          await new Promise((settle) => setTimeout(settle, 20));
        }
      }
    }
  }
});

async function opened(storage: Storage): Promise<Store> {
  const store = await storage.open("bot");
  await store.recover({ snapshot: () => undefined, record: () => undefined });
  return store;
}

/** The records that a follow hands out; their texts are also added to `seen`. */
async function followed(store: Store, seen: string[] = []): Promise<[number, string][]> {
  const told: [number, string][] = [];
  await store.shared?.follow((sequence, payload) => {
    told.push([sequence, Buffer.from(payload).toString()]);
    seen.push(Buffer.from(payload).toString());
  });
  return told;
}

async function textsIn(storage: Storage): Promise<string[]> {
  const texts: string[] = [];
  const store = await storage.open("bot");
  await store.recover({
    snapshot: () => undefined,
    record: (_, payload) => {
      texts.push(Buffer.from(payload).toString());
    },
  });
  await store.close();
  return texts;
}
