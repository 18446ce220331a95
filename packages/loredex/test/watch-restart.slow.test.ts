import { join } from "node:path";
import { expect, it } from "vitest";
import { startLoredex, startServer } from "./support/cli.ts";
import { writeFiles } from "./support/files.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

// After trouble the watch asks again in half a minute.
it("a folder is kept in step over a restart of the server, which is told in two lines", async () => {
  const directory = await temporaryDirectory();
  const [data, docs] = [join(directory, "data"), join(directory, "docs")];
  await writeFiles(docs, { "a.md": "A" });
  await run("bot", "create", "b", "--data", data);
  const first = await startServer(data);
  const watch = startLoredex(["import", "b", docs, "--watch", "--data", data]);
  await expect.poll(watch.err).toContain("Watching");
  await first.stop("SIGTERM");
  const lines = ["The server has stopped. The watch waits until it runs again.\n"];
  await expect.poll(watch.err).toContain(lines[0]);
  await writeFiles(docs, { "b.md": "B" });
  const second = await startServer(data);
  lines.push("The server runs again, and the watch with it.\n");
  await expect.poll(watch.err, { timeout: 120_000 }).toContain(lines[1]);
  const ids = async (): Promise<string> => (await run("list", "b", "--data", data)).out;
  await expect.poll(ids).toContain("file:docs/b.md");
  const { ended, err } = await watch.stop("SIGINT");
  expect([ended, err.match(/^.*(?:The .*server|watch goes on).*\n/gm)]).toEqual([0, lines]);
  await second.stop("SIGTERM");
});
