import { expect, it } from "vitest";
import { startServer } from "../support/cli.ts";
import { fetchOnce } from "../support/fetch-once.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Runs a program with the log going elsewhere; `$0` is a place for a pipe of its own. */
const withLog = (place: string, script: string) => ["sh", "-c", `${script}`, place];

it.each([
  ["a disk without room", 'exec "$@" 2>/dev/full'],
  ["a reader that does not read", 'mkfifo "$0"; exec 3<>"$0"; exec "$@" 2>"$0"'],
])("a server's log stops nothing: %s", async (_name, script) => {
  const folder = await temporaryDirectory();
  const server = await startServer(`${folder}/data`, { behind: withLog(`${folder}/pipe`, script) });
  // More lines than any pipe holds.
  for (let round = 0; round < 15; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetchOnce(`${server.url}/${"x".repeat(200)}`)));
    expect(answers.every(({ status }) => status === 401)).toBe(true);
  }
  expect((await fetchOnce(`${server.url}/ready`)).status).toBe(200);
  expect(await server.stop("SIGTERM")).toBe(0);
});
