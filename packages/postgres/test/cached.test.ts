import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadedSnapshot, Storage, Store } from "@loredex/core";
import { storageContract } from "@loredex/core/testing";
import { openPostgres } from "@loredex/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../src/database.ts";
import { DiskCache } from "../src/disk-cache.ts";
import { settingsOf } from "../src/options.ts";
import { PostgresStorage } from "../src/postgres-storage.ts";
import { TcpProxy } from "./support/proxy.ts";
import { postgresPart, serverOfFile } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a storage with copies on the disk of a node"), () => {
  const server = serverOfFile();
  let directory: string;
  let proxy: TcpProxy;
  let schema: string;
  let proxyPort: number;
  const opened: Storage[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "loredex-cached-"));
    proxy = new TcpProxy(Number(new URL(server.url()).port));
    proxyPort = await proxy.listen();
    schema = server.newSchema();
  });

  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close();
    await proxy.close();
    await rm(directory, { recursive: true, force: true });
  });

  const newPlace = async () => {
    const place = server.newSchema();
    return () => openPostgres(server.url(), { schema: place, connections: 4, cacheDirectory: directory });
  };
  for (const { name, run } of storageContract(newPlace, { shared: true })) it(`keeps the contract: ${name}`, run);

  async function node(cacheDirectory?: string): Promise<Storage> {
    const url = new URL(server.url());
    url.port = String(proxyPort);
    const storage = await openPostgres(url.href, {
      schema,
      ...(cacheDirectory === undefined ? {} : { cacheDirectory }),
    });
    opened.push(storage);
    return storage;
  }

  async function recovered(storage: Storage): Promise<{ store: Store; snapshot: LoadedSnapshot | undefined }> {
    const store = await storage.open("bot");
    let snapshot: LoadedSnapshot | undefined;
    await store.recover({
      snapshot: (loaded) => {
        snapshot = loaded;
      },
      record: () => undefined,
    });
    return { store, snapshot };
  }

  /** The folder with the copies of this test's schema. */
  async function place(): Promise<string> {
    return join(directory, (await readdir(directory)).find((name) => name.includes(schema)) ?? "");
  }

  const TEXT = Buffer.from("the text of an article ".repeat(100_000));
  const sections = [
    { name: "empty", version: 1, chunks: [] },
    { name: "articles", version: 1, chunks: [TEXT] },
    { name: "index", version: 3, chunks: [Buffer.from("derived")], isDerived: true },
  ];

  /** A bot with a snapshot and a block of token codes, made by a node without copies. */
  async function filled(): Promise<Storage> {
    const storage = await node();
    await storage.create("bot");
    const { store } = await recovered(storage);
    await store.append(Buffer.from("a record"));
    await store.writeSnapshot(1, sections);
    const blocks = store.blocks?.("codes");
    await blocks?.open("label");
    await blocks?.append({ id: "doc", version: 1, first: 0 }, [Buffer.from("one"), Buffer.from("two")]);
    await store.close();
    return storage;
  }

  /** Opens the bot on a node that lives for this, with what it asked the server. */
  async function use(): Promise<{ statements: string[]; text: string | undefined; code: string | undefined }> {
    const storage = await node(directory);
    proxy.statements.length = 0;
    const { store, snapshot } = await recovered(storage);
    const blocks = store.blocks?.("codes");
    const block = (await blocks?.open("label"))?.blocks[0];
    const code = block && (await blocks?.read(block, 1, 2))?.[0];
    const statements = [...proxy.statements];
    await store.close();
    await storage.close();
    opened.splice(opened.indexOf(storage), 1);
    const text = snapshot?.sections.get("articles")?.bytes;
    return { statements, text: text && Buffer.from(text).toString(), code: code && Buffer.from(code).toString() };
  }

  const read = (statements: readonly string[], column: string) =>
    statements.filter((statement) => statement.includes(column));

  it("reads the bytes of a bot once for all processes of a node", async () => {
    await filled();
    const first = await use();
    expect(read(first.statements, ".chunks")).toHaveLength(1);
    expect(read(first.statements, "select bytes from")).toHaveLength(1);
    const second = await use();
    expect(read(second.statements, ".chunks")).toEqual([]);
    expect(read(second.statements, "select bytes from")).toEqual([]);
    for (const { text, code } of [first, second]) {
      expect(text).toBe(TEXT.toString());
      expect(code).toBe("two");
    }
  });

  it("asks the server few questions to open a bot", async () => {
    await filled();
    const storage = await node();
    proxy.statements.length = 0;
    const { store } = await recovered(storage);
    expect(proxy.statements).toHaveLength(3);
    await store.close();
  });

  it("reads damaged copies from the database again", async () => {
    await filled();
    await use();
    const [id = ""] = await readdir(await place());
    const copies = join(await place(), id);
    for (const name of await readdir(copies)) await writeFile(join(copies, name), "damaged");
    const again = await use();
    expect(again.text).toBe(TEXT.toString());
    expect(again.code).toBe("two");
    expect(read(again.statements, ".chunks")).toHaveLength(1);
    expect(read((await use()).statements, ".chunks")).toEqual([]);
  });

  it("deletes the copies of a bot that this node purges or removes", async () => {
    await filled();
    await use();
    const storage = await node(directory);
    const { store } = await recovered(storage);
    const [id = ""] = await readdir(await place());
    expect(await readdir(join(await place(), id))).toHaveLength(2);
    await store.purge(async () => ({ sequence: 1, sections: [] }));
    expect(await readdir(await place())).toEqual([]);
    await store.close();
    await use();
    await storage.remove("bot");
    expect(await readdir(await place())).toEqual([]);
  });

  it("deletes the copies of a bot that another node has purged when it opens the bot, or removed when it starts", async () => {
    const other = await filled();
    await use();
    const { store } = await recovered(other);
    await store.purge(async () => ({ sequence: 1, sections: [] }));
    await store.close();
    const [id = ""] = await readdir(await place());
    await (await recovered(await node(directory))).store.close();
    // Neither the old snapshot nor the deleted token codes: the new snapshot.
    await expect.poll(async () => readdir(join(await place(), id))).toHaveLength(1);
    await other.remove("bot");
    const started = await node(directory);
    await expect.poll(async () => readdir(await place())).toEqual([]);
    await started.close();
    opened.splice(opened.indexOf(started), 1);
  });

  it("shares its folder with other programs and other databases, and deletes nothing of theirs", async () => {
    await filled();
    await use();
    const copies = await readdir(await place());
    expect(copies).toHaveLength(1);
    const theirs = join(directory, randomUUID());
    await mkdir(theirs);
    await writeFile(join(theirs, "work"), "theirs");
    await mkdir(join(await place(), randomUUID()));
    opened.push(await openPostgres(server.url(), { schema: server.newSchema(), cacheDirectory: directory }));
    await node(directory);
    // The sweep has deleted an empty folder of its own: it has been here.
    await expect.poll(async () => readdir(await place())).toEqual(copies);
    expect(await readdir(theirs)).toEqual(["work"]);
    expect(await readdir(await place())).toEqual(copies);
  });

  it("writes snapshots without waiting for the disk to delete the copies of older ones", async () => {
    let removals = 0;
    class StuckCache extends DiskCache {
      override remove(): Promise<void> {
        removals += 1;
        return new Promise(() => undefined);
      }
    }
    await filled();
    const database = new Database(settingsOf("openPostgres", server.url(), { schema }));
    const deps = { directory: join(directory, "stuck"), bytesMax: 1_048_576, logger: undefined };
    const storage = new PostgresStorage(database, (stored) => new StuckCache({ ...deps, stored }));
    opened.push(storage);
    const { store } = await recovered(storage);
    for (const sequence of [2, 3]) {
      await store.append(Buffer.from("another record"));
      await store.writeSnapshot(sequence, sections);
    }
    expect(removals).toBe(1);
    await store.close();
  });
});
