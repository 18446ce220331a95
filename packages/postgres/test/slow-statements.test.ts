import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Database } from "../src/database.ts";
import { settingsOf } from "../src/options.ts";
import { TcpProxy } from "./support/proxy.ts";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a bulk statement that takes too long"), () => {
  const server = serverOfFile();

  async function newDatabase() {
    const url = new URL(server.url());
    const proxy = new TcpProxy(Number(url.port));
    url.host = `127.0.0.1:${await proxy.listen()}`;
    const database = new Database(settingsOf("test", url.href, { timeoutMs: 500 }));
    onTestFinished(async () => {
      proxy.fateOf = () => "passes";
      await database.close();
      await proxy.close();
    });
    return { proxy, database };
  }

  const SLOW = "select pg_sleep(600)";

  const running = (statement: string, what = "1") =>
    sql(server.url(), `select ${what} from pg_stat_activity where query = '${statement}' and state = 'active'`);

  /** Cancels it at the server, as a timeout there does. */
  async function cancel(): Promise<void> {
    await expect.poll(() => running(SLOW, "pg_cancel_backend(pid)")).toHaveLength(1);
  }

  it.each([
    ["the server gave it up", false],
    ["no answer came", true],
  ])("fails by itself, and the server counts as reachable: %s", async (_, isHasty) => {
    const { database } = await newDatabase();
    const wait = setTimeout;
    // The timeout of a bulk statement is half a minute.
    const hasty = (call: () => void, ms: number) => wait(call, ms > 20_000 && ms <= 30_000 ? 200 : ms);
    const quick = "select 1 as one, pg_sleep(3)";
    const other = database.ask(quick, [], { isBulk: true });
    await expect.poll(() => running(quick)).toHaveLength(1);
    if (isHasty) vi.stubGlobal("setTimeout", hasty);
    const failed = database.ask(SLOW, [], { isBulk: true }).finally(() => vi.unstubAllGlobals());
    await Promise.all([
      expect(failed).rejects.toMatchObject({
        code: "UNREACHABLE",
        message: expect.stringContaining("not done a statement in time"),
      }),
      isHasty || cancel(),
    ]);
    expect(database.down).toBeUndefined();
    expect(await other).toMatchObject([{ one: 1 }]);
    expect(await database.ask("select 1 as one")).toEqual([{ one: 1 }]);
    if (isHasty) await cancel();
  });

  it("counts the server as unreachable if that does not acknowledge a probe either", async () => {
    const { proxy, database } = await newDatabase();
    proxy.fateOf = (statement) => (statement.includes("pg_logical_emit_message") ? "never" : "passes");
    const failed = expect(database.ask(SLOW, [], { isBulk: true })).rejects.toMatchObject({ code: "UNREACHABLE" });
    await cancel();
    await failed;
    expect(database.down).toMatchObject({ code: "UNREACHABLE" });
  });
});
