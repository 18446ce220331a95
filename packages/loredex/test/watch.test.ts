import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { WatchedServer } from "../src/commands/watch.ts";
import { socketOperator } from "../src/operator/socket-operator.ts";
import { startLoredex, startServer } from "./support/cli.ts";
import { writeFiles } from "./support/files.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("a folder is kept in step beside a running server until Ctrl-C", async () => {
  const directory = await temporaryDirectory();
  const [data, docs] = [join(directory, "data"), join(directory, "docs")];
  await writeFiles(docs, { "a.md": "A", "b.md": "B" });
  await run("bot", "create", "b", "--data", data);
  const server = await startServer(data);
  const watch = startLoredex(["import", "b", docs, "--watch", "--data", data]);
  const ids = async (): Promise<string[]> => {
    const listed = await run("list", "b", "--json", "--data", data);
    return JSON.parse(listed.out).map(({ id }: { readonly id: string }) => id);
  };
  await expect.poll(ids).toEqual(["file:docs/a.md", "file:docs/b.md"]);
  await rm(join(docs, "b.md"));
  await writeFiles(docs, { "c.md": "C" });
  await expect.poll(ids, { timeout: 30_000 }).toEqual(["file:docs/a.md", "file:docs/c.md"]);
  const nothing = [join(directory, "nowhere"), join(docs, "*.pdf")];
  for (const path of nothing) {
    const { code, err } = await run("import", "b", path, "--watch", "--data", data);
    expect([code, err]).toEqual([1, expect.stringMatching(/1 failed[\s\S]*loredex: There is nothing to watch/)]);
  }
  const { ended, err } = await watch.stop("SIGINT");
  expect([ended, err]).toEqual([0, expect.stringMatching(/1 added.*1 removed[\s\S]*Stopped watching/)]);
  await server.stop("SIGTERM");
});

it("says once that its server has stopped, and once that it runs again", async () => {
  const lines: string[] = [];
  const server = new WatchedServer((line) => lines.push(line));
  const operator = socketOperator(join(await temporaryDirectory(), "gone.sock"));
  server.isThere();
  for (let round = 0; round < 3; round++) {
    const trouble = await operator.listSources("b").catch((error: unknown) => error);
    expect(server.isAway(trouble)).toBe(true);
  }
  for (let round = 0; round < 3; round++) server.isThere();
  expect(lines).toEqual([
    "The server has stopped. The watch waits until it runs again.",
    "The server runs again, and the watch with it.",
  ]);
  expect(server.isAway(new Error("The disk is full."))).toBe(false);
  await operator.close();
});

it("without a server it says what to start, and imports nothing", async () => {
  const directory = await temporaryDirectory();
  const data = join(directory, "data");
  await writeFiles(directory, { "docs/a.md": "A" });
  await run("bot", "create", "b", "--data", data);
  const { code, err } = await run("import", "b", join(directory, "docs"), "--watch", "--data", data);
  expect([code, err]).toEqual([1, expect.stringContaining(`loredex serve --data ${data}`)]);
  expect((await run("sync", "b", "--watch", "--data", data)).code).toBe(1);
  expect((await run("sync", "b", "--watch", "--every", "soon", "--data", data)).code).toBe(2);
  expect((await run("list", "b", "--json", "--data", data)).out).toBe("[]\n");
});
