import { chmod, chown, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withEncoder } from "../../encoder/test/runtime.ts";
import { commandEnvironment, startServer } from "./support/cli.ts";
import { fetchOnce } from "./support/fetch-once.ts";
import { canBeNobody, folders, giveToNobody, NOBODY } from "./support/nobody.ts";
import { run } from "./support/run.ts";

/** What the server answers to anyone who asks whether it is ready. */
async function readiness(url: string): Promise<unknown> {
  const response = await fetchOnce(`${url}/ready`);
  return { status: response.status, body: await response.json() };
}

async function search(url: string, key: string): Promise<{ status: number; body: unknown }> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ query: "tide" });
  const response = await fetchOnce(`${url}/api/v1/knowledge/search`, { method: "POST", headers, body });
  return { status: response.status, body: await response.json() };
}

/** Two bots of `nobody`, one of them with a file that an import of root's once left. */
async function withForbiddenFile() {
  const { directory, file } = await folders();
  const fine = JSON.parse((await run("bot", "create", "fine", "--data", directory, "--json")).out);
  const hurt = JSON.parse((await run("bot", "create", "hurt", "--data", directory, "--json")).out);
  for (const bot of ["fine", "hurt"]) {
    const imported = await run("import", bot, file, "--data", directory);
    expect(imported.code, imported.err).toBe(0);
  }
  await giveToNobody(directory);
  const folder = join(directory, "stores", `bot-${hurt.bot}`);
  const segment = (await readdir(folder)).find((name) => name.endsWith(".log")) ?? "";
  const path = join(folder, segment);
  return { directory, fine, hurt, path };
}

describe.skipIf(!canBeNobody)(
  "a bot with a file that the server may not read (needs root, and sources that all can read)",
  () => {
    withEncoder(
      "is told once at the start, in /ready and by the commands, answers 503, and comes back when it is mended",
      async () => {
        const { directory, fine, hurt, path } = await withForbiddenFile();
        await chown(path, 0, 0);
        const server = await startServer(directory, {
          user: NOBODY,
          environment: { ...commandEnvironment(), LOREDEX_LOG: "text" },
        });
        const faulty = { count: 1, bots: [{ id: hurt.bot, kind: "inaccessible" }] };
        await expect
          .poll(() => readiness(server.url))
          .toEqual({ status: 200, body: { status: "ready", faults: faulty } });
        for (let i = 0; i < 5; i += 1) {
          expect(await search(server.url, hurt.key)).toMatchObject({ status: 503, body: { error: { code: 50004 } } });
        }
        expect(await search(server.url, fine.key)).toMatchObject({ status: 200, body: [{}] });
        const listed = await run("bot", "list", "--data", directory);
        expect(listed.out).toMatch(/^hurt cannot be opened: .*segment-\d{16}\.log/m);
        const shown = await run("bot", "show", "hurt", "--data", directory);
        expect(shown).toMatchObject({ code: 1, err: expect.stringContaining(path) });
        expect(shown.err).toContain("tried again by itself");

        await chown(path, NOBODY, NOBODY);
        await expect.poll(() => search(server.url, hurt.key)).toMatchObject({ status: 200, body: [{}] });
        expect(await readiness(server.url)).toMatchObject({ body: { faults: { count: 0 } } });
        expect(await server.stop("SIGTERM")).toBe(0);
        const faults = server
          .err()
          .split("\n")
          .filter((line) => / (error|warn) | botUsable /.test(line) && !/ warn request /.test(line));
        expect(faults).toHaveLength(2);
        // By the look at the start, or by whoever opens the bot before that comes to it.
        expect(faults[0]).toMatch(/ error bots?Inaccessible .*segment-\d{16}\.log.*no permission/);
        expect(faults[1]).toMatch(new RegExp(` info botUsable .*botId=${hurt.bot}`));
        expect(server.err()).not.toMatch(/ at .*:\d+:\d+|restart|started again/);
      },
    );

    it("in a folder where no store can be made goes on, and new bots are made as soon as they can be", async () => {
      const { directory, fine } = await withForbiddenFile();
      const stores = join(directory, "stores");
      await chmod(stores, 0o500);
      const server = await startServer(directory, { user: NOBODY });
      expect(await search(server.url, fine.key)).toMatchObject({ status: 200 });
      const refused = await run("bot", "create", "third", "--data", directory);
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("no permission") });
      await chmod(stores, 0o700);
      expect((await run("bot", "create", "third", "--data", directory)).code).toBe(0);
      await server.stop("SIGTERM");
    });
  },
);
