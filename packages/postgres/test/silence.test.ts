import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage, Store } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TcpProxy } from "./support/proxy.ts";
import { openHastily, PASSWORD, postgresPart, serverOfFile, sql } from "./support/server.ts";

const UNREACHABLE = { code: "UNREACHABLE" };

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a server that falls silent"), () => {
  const server = serverOfFile();
  let proxy: TcpProxy;
  let folder: string;
  let passwordFile: string;
  let storage: Storage;
  let other: Storage;
  let store: Store;
  let theirs: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "loredex-silence-"));
    passwordFile = join(folder, "password");
    writeFileSync(passwordFile, PASSWORD);
    const url = new URL(server.url());
    proxy = new TcpProxy(Number(url.port));
    url.host = `127.0.0.1:${await proxy.listen()}`;
    url.password = "";
    const schema = server.newSchema();
    storage = await openHastily(url.href, { schema, connections: 4, timeoutMs: 600, passwordFile });
    other = await openPostgres(server.url(), { schema, connections: 2 });
    await storage.create("bot");
    [store, theirs] = [await opened(storage), await opened(other)];
  });

  afterEach(async () => {
    proxy.fateOf = () => "passes";
    proxy.isRefusing = false;
    await Promise.all([store.close(), theirs.close()]);
    await Promise.all([storage.close(), other.close()]);
    await proxy.close();
    rmSync(folder, { recursive: true });
  });

  const append = (text: string, to = store) => to.append(Buffer.from(text));

  it("is not taken for silent when this process stood still while it answered", async () => {
    const schema = server.newSchema();
    const direct = await openHastily(server.url(), { schema, connections: 1, timeoutMs: 300 });
    await direct.create("bot");
    let troubles = 0;
    direct.shared?.observe(({ retries, failed }) => (troubles += retries + Number(failed)));
    const still = await opened(direct);
    for (const text of ["one", "two"]) {
      let ended = false;
      const appended = append(text, still).finally(() => (ended = true));
      // The statement is on its way when the process stops for three times the timeout.
      await new Promise((resolve) => setImmediate(resolve));
      const endMs = performance.now() + 900;
      while (performance.now() < endMs);
      expect(ended).toBe(false);
      await expect(appended).resolves.toBeGreaterThan(0);
    }
    await still.close();
    await direct.close();
    expect(troubles).toBe(0);
  });

  it("is asked again although the file with the password is away while it falls silent", async () => {
    renameSync(passwordFile, `${passwordFile}.new`);
    proxy.isRefusing = true;
    proxy.cut();
    await expect(append("one")).rejects.toMatchObject(UNREACHABLE);
    renameSync(`${passwordFile}.new`, passwordFile);
    proxy.isRefusing = false;
    await expect.poll(() => codeOf(store.shared?.follow(() => undefined)), { timeout: 5_000 }).toBeUndefined();
    expect(await append("one")).toBeGreaterThan(0);
  });

  it.skipIf(process.env.TESTS_POSTGRES_URL !== undefined)(
    "stays unreachable while it acknowledges no write, and holds no connections for that",
    async () => {
      // As when the only synchronous standby is lost: questions are answered, and each commit waits.
      const waitFor = async (standby: string) => {
        await sql(server.url(), `alter system set synchronous_standby_names = '${standby}'`);
        await sql(server.url(), "select pg_reload_conf()");
      };
      const waiting = async () =>
        (await sql(server.url(), "select query from pg_stat_activity where wait_event = 'SyncRep'")).filter(
          ({ query }) => /emit_message/.test(String(query)),
        ).length;
      await waitFor("lost");
      const found: Promise<unknown>[] = [];
      const silent: number[] = [];
      proxy.fateOf = (statement) => {
        if (/emit_message/.test(statement)) {
          found.push(waiting());
          silent.push(storage.shared?.silentMs() ?? 0);
        }
        return "passes";
      };
      try {
        // The server takes a moment to heed its new settings.
        await expect.poll(() => codeOf(append("stored without its standby"))).toBe("UNREACHABLE");
        await expect.poll(() => found.length).toBeGreaterThan(4);
        expect(storage.shared?.silentMs()).toBeGreaterThan(0);
        await expect(append("refused")).rejects.toMatchObject(UNREACHABLE);
        expect(Math.max(...(await Promise.all(found)).map(Number))).toBeLessThanOrEqual(2);
        // It never counted as reachable meanwhile, which would begin at 0 again.
        expect(silent).toEqual(silent.toSorted((a, b) => a - b));
      } finally {
        await waitFor("");
      }
      await expect.poll(() => storage.shared?.silentMs()).toBe(0);
      await store.shared?.follow(() => undefined);
      expect(await append("acknowledged")).toBeGreaterThan(1);
    },
  );

  it("needs no right to be asked for a commit", async () => {
    const functions = "select has_function_privilege('public', oid, 'execute') as may from pg_proc where proname = $1";
    const found = await sql(server.url(), functions, ["pg_logical_emit_message"]);
    expect(found.length).toBeGreaterThan(0);
    for (const each of found) expect(each).toEqual({ may: true });
  });

  it("is asked with the password that the file has then", async () => {
    writeFileSync(passwordFile, "another");
    proxy.isRefusing = true;
    proxy.cut();
    await expect(append("one")).rejects.toMatchObject(UNREACHABLE);
    writeFileSync(passwordFile, PASSWORD);
    proxy.isRefusing = false;
    await expect.poll(() => codeOf(store.shared?.follow(() => undefined)), { timeout: 5_000 }).toBeUndefined();
  });

  it("holds up no call that reads many rows longer than others", async () => {
    await append("theirs", theirs);
    proxy.fateOf = (statement) => (/^select sequence, digest, payload/.test(statement) ? "never" : "passes");
    const follows = store.shared?.follow(() => undefined);
    const code = codeOf(follows);
    // Another call finds out that the server is silent.
    await expect.poll(() => proxy.statements.some((each) => /^select sequence, digest/.test(each))).toBe(true);
    proxy.fateOf = () => "never";
    await expect(storage.exists("bot")).rejects.toMatchObject(UNREACHABLE);
    expect(await code).toBe("UNREACHABLE");
  }, 10_000);
});

async function opened(storage: Storage): Promise<Store> {
  const store = await storage.open("bot");
  await store.recover({ snapshot: () => undefined, record: () => undefined });
  return store;
}

async function codeOf(promise: Promise<unknown> | undefined): Promise<unknown> {
  return promise?.then(
    () => undefined,
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
}
