import type { Storage, Store } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a purge while another node writes a snapshot"), () => {
  const server = serverOfFile();
  let schema: string;
  let storages: Storage[];
  let a: Store;
  let b: Store;

  /** A store with three records, open on two nodes. */
  beforeEach(async () => {
    schema = server.newSchema();
    storages = [];
    for (let n = 0; n < 2; n += 1) storages.push(await openPostgres(server.url(), { schema, connections: 3 }));
    const [one, two] = storages as [Storage, Storage];
    await one.create("bot");
    a = (await opened(one)).store;
    for (const text of ["one", "secret", "three"]) await a.append(Buffer.from(text));
    b = (await opened(two)).store;
  });

  afterEach(async () => {
    await Promise.all([a.close(), b.close()]);
    await Promise.all(storages.map((storage) => storage.close()));
  });

  const purge = (store: Store) => store.purge(async (sequence) => ({ sequence, sections: [section("purged")] }));

  it("loses nothing and leaves nothing if the purge runs while the snapshot is written", async () => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("before secret");
      await purge(a);
      yield Buffer.from("after secret");
    }
    await b.writeSnapshot(3, [{ name: "all", version: 1, chunks: chunks() }]).catch(() => undefined);
    await expectPurged();
  });

  it("loses nothing and leaves nothing if the purge runs before the snapshot's first byte", async () => {
    const sections = [section("secret")];
    let purged: Promise<unknown> | undefined;
    // Read once the snapshot is checked, and before anything of it is written.
    Object.defineProperty(sections, "entries", {
      value: () => {
        purged = purge(a);
        return [][Symbol.iterator]();
      },
    });
    await b.writeSnapshot(3, sections).catch(() => undefined);
    await purged;
    await expectPurged();
  });

  it("gives way to a later snapshot that is stored while the purge waits for its turn, and purges with the second try", async () => {
    let pass = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      pass = resolve;
    });
    await b.append(Buffer.from("four"));
    let followed: Promise<void> | undefined;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      // Keeps the purge from ending.
      followed = a.shared?.follow(() => gate);
      yield Buffer.from("purged");
    }
    const purged = a.purge(async (sequence) => ({
      sequence,
      sections: [{ name: "all", version: 1, chunks: chunks() }],
    }));
    await untilWritten();
    await b.writeSnapshot(4, [section("others")]);
    pass();
    await followed;
    await expect(purged).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await snapshots()).toEqual(["others"]);
    await a.shared?.follow(() => undefined);
    await purge(a);
    await expectPurged();
  });

  /** Resolves when the snapshot of the purge is written. */
  async function untilWritten(): Promise<void> {
    for (;;) {
      const written = await sql(server.url(), `select 1 from ${schema}.objects where contents <> ''`);
      if (written.length > 0) return;
    }
  }

  async function expectPurged(): Promise<void> {
    const { texts, snapshot } = await readAgain();
    expect([snapshot, ...texts]).toEqual(["purged"]);
    expect(await snapshots()).toEqual(["purged"]);
    expect(await sql(server.url(), `select 1 from ${schema}.objects`)).toHaveLength(1);
  }

  async function snapshots(): Promise<unknown[]> {
    const left = await sql(server.url(), `select convert_from(bytes, 'UTF8') as text from ${schema}.chunks`);
    return left.map(({ text }) => text);
  }

  async function readAgain(): Promise<{ readonly texts: string[]; readonly snapshot: string | undefined }> {
    const late = await openPostgres(server.url(), { schema, connections: 2 });
    try {
      const { store, texts, snapshot } = await opened(late);
      await store.close();
      return { texts, snapshot: snapshot() };
    } finally {
      await late.close();
    }
  }
});

const section = (text: string) => ({ name: "all", version: 1, chunks: [Buffer.from(text)] });

async function opened(storage: Storage) {
  const store = await storage.open("bot");
  const texts: string[] = [];
  let snapshot: string | undefined;
  await store.recover({
    snapshot: ({ sections }) => {
      snapshot = Buffer.from(sections.get("all")?.bytes ?? []).toString();
    },
    record: (_, payload) => void texts.push(Buffer.from(payload).toString()),
  });
  return { store, texts, snapshot: () => snapshot };
}
