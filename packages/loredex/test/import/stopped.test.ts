import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startLoredex } from "../support/cli.ts";
import { documentLine, writeFiles } from "../support/files.ts";
import { run } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** An import has 32 documents on their way: when the 34th is sent, it knows of 2 that they are in. */
const DOCUMENTS = 34;

const STOPPING = "Stopping when what is on its way is in; Ctrl-C again ends at once.\n";
const STOPPED = "The import stopped when 2 documents were in; they stay. Run it again to bring the rest.\n";

/** A server for commands that answers the first documents, and then does what the test says. */
async function serverThat(onLast: (response: ServerResponse) => void, { answered = 2, from = DOCUMENTS } = {}) {
  const directory = await temporaryDirectory();
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => documentLine(`d${i}`));
  await writeFiles(directory, { "docs.jsonl": lines.join("\n") });
  let sent = 0;
  const server = createServer((request, response) => {
    request.resume();
    const isDocument = request.url?.endsWith("/importDocument") === true;
    if (isDocument) sent += 1;
    if (!isDocument || sent <= answered) response.end(JSON.stringify({ result: isDocument ? "added" : [] }));
    else if (sent >= from) onLast(response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(join(directory, "loredex.sock"), resolve));
  return { args: ["import", "acme", join(directory, "docs.jsonl"), "--data", directory], server };
}

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "an import that waits for its server ends at the second %s, and says how many documents are in",
  async (signal) => {
    let reached = (): void => undefined;
    const underWay = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { args } = await serverThat(() => reached());
    const command = startLoredex(args);
    await underWay;
    await command.told(signal);
    expect(await command.stop(signal)).toEqual({ out: "", err: `${STOPPING}${STOPPED}`, ended: signal });
  },
);

it("an import that waits for a site ends at the first Ctrl-C, with what is in", async () => {
  let asked = (): void => undefined;
  const underWay = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const site = createServer(() => asked());
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { args } = await serverThat(() => undefined, { answered: DOCUMENTS });
  const address = site.address();
  const port = typeof address === "object" ? address?.port : 0;
  const command = startLoredex([...args, `http://127.0.0.1:${port}/`]);
  await underWay;
  const all = STOPPED.replace("2", String(DOCUMENTS));
  expect(await command.stop("SIGINT")).toEqual({ out: "", err: `${STOPPING}${all}`, ended: "SIGINT" });
});

it("an import whose server stops says so, and that it is to be run again", async () => {
  const { args, server } = await serverThat(() => server.closeAllConnections());
  const { code, err } = await run(...args);
  expect(code).toBe(1);
  expect(err.split("\n")).toEqual([
    "The import stopped when 2 documents were in; they stay. Run it again to bring the rest.",
    "loredex: The running server stopped before it answered; its log says why. Run the command again: it needs no running server.",
    "",
  ]);
});

it("an import of which nothing is in says only why", async () => {
  const { args } = await serverThat((response) => void response.destroy(), { answered: 0, from: 1 });
  const { err } = await run(...args);
  expect(err).toMatch(/^loredex: The running server stopped before it answered;.*\n$/);
});
