import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Engine } from "@loredex/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { commandEnvironment, loredex, startServer } from "./support/cli.ts";
import { fetchOnce } from "./support/fetch-once.ts";
import { documentLine, writeFiles } from "./support/files.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** The program as it is run: processes of its own, with and without a server. Each start takes a second or two. */
const TIMEOUT_MS = 120_000;

describe("without a server", { timeout: TIMEOUT_MS }, () => {
  it("commands work on ./data, one after the other, whatever a developer has set for a Loredex of their own", async () => {
    const cwd = await temporaryDirectory();
    vi.stubEnv("LOREDEX_DATA", join(cwd, "elsewhere"));
    onTestFinished(() => void vi.unstubAllEnvs());
    await writeFiles(cwd, {
      "docs/a.md": "# Hours\n\nWe open at nine.\n",
      "docs/b.md": Buffer.from([0xff, 0, 1, 2, 0, 0xff]),
    });
    expect(await loredex(["bot", "list"], { cwd })).toMatchObject({ code: 1, out: "" });
    const made = await loredex(["bot", "create", "acme", "--json"], { cwd });
    expect(made.code).toBe(0);
    expect(Object.keys(JSON.parse(made.out))).toEqual(["bot", "key"]);
    expect(existsSync(join(cwd, "data"))).toBe(true);
    const imported = await loredex(["import", "acme", "docs", "--json"], { cwd });
    expect(imported.code).toBe(1);
    expect(imported.err).toContain("docs/b.md: the file is no text");
    expect(JSON.parse(imported.out)).toMatchObject({ added: 1, failed: 1 });
    const found = await loredex(["search", "acme", "when do you open?"], { cwd });
    expect(found).toMatchObject({ code: 0, out: expect.stringContaining("We open at nine.") });
    expect(found.out).not.toContain("\u001b");
    expect(await loredex(["search", "acme"], { cwd })).toMatchObject({ code: 2, out: "" });
  });

  it("a directory that another program holds is in use", async () => {
    const directory = await temporaryDirectory();
    const engine = await Engine.open({ directory });
    const { code, err } = await loredex(["bot", "list", "--data", directory]);
    await engine.close();
    expect(code).toBe(1);
    expect(err).toContain("in use");
  });
});

describe("with a server", { timeout: TIMEOUT_MS }, () => {
  it("commands speak to it, its API sees what they did, and SIGTERM ends it cleanly", async () => {
    const directory = await temporaryDirectory();
    const lines = Array.from({ length: 300 }, (_, i) => documentLine(`d${i}`, `Page ${i} about parcels.`));
    await writeFiles(directory, { "docs/a.md": "# Refunds\n\nMoney comes back.\n", "docs/x.jsonl": lines.join("\n") });
    const data = join(directory, "data");
    const server = await startServer(data);
    expect(server.out()).toMatch(/^Loredex serves on http:\/\/127\.0\.0\.1:\d+\n$/);
    // By words: that a server reads so much with an encoder is no matter of this test, and takes both cores for seconds.
    const made = await loredex(["bot", "create", "acme", "--embedder", "none", "--json", "--data", data]);
    const { key } = JSON.parse(made.out);
    const imported = await loredex(["import", "acme", join(directory, "docs"), "--json", "--data", data]);
    expect(imported).toMatchObject({ code: 0 });
    expect(JSON.parse(imported.out)).toMatchObject({ added: 301, failed: 0 });
    const ask = (apiKey: string): Promise<Response> =>
      fetchOnce(`${server.url}/api/v1/knowledge/search`, {
        method: "POST",
        headers: { "x-api-key": apiKey, "content-type": "application/json" },
        body: JSON.stringify({ query: "money back" }),
      });
    const answer: unknown = await (await ask(key)).json();
    expect(Array.isArray(answer) ? answer[0] : undefined).toMatchObject({ resourceDocId: "file:docs/a.md" });
    const rotated = await loredex(["key", "rotate", "acme", "--json", "--data", data]);
    expect((await ask(key)).status).toBe(401);
    expect((await ask(JSON.parse(rotated.out).key)).status).toBe(200);
    const second = await loredex(["serve", "--port", "0", "--data", data]);
    expect(second).toMatchObject({ code: 1, out: "", err: expect.stringContaining("in use") });
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(server.out().split("\n")).toHaveLength(2);
    const logged = server.err().trimEnd().split("\n");
    const events = logged.map((line): Record<string, unknown> => JSON.parse(line));
    expect(events).toContainEqual(expect.objectContaining({ level: "info", event: "request", status: 200 }));
    expect(events.at(-1)).toMatchObject({ event: "stopping" });
    expect(server.err()).not.toContain(key);
    expect((await readdir(data)).filter((name) => name.includes("sock"))).toEqual([]);
    const after = await loredex(["bot", "show", "acme", "--json", "--data", data]);
    expect(JSON.parse(after.out)).toMatchObject({ stats: { documents: { DOCUMENT: 301 } } });
  });

  it("a command is answered though nothing that it waits for keeps a program running", async () => {
    const data = join(await temporaryDirectory(), "data");
    await startServer(data);
    const unheld = `import { Socket } from "node:net";
      const { connect } = Socket.prototype;
      Object.assign(Socket.prototype, {
        ref() { return this; },
        connect(...given) { return connect.apply(this, given).unref(); },
      });`;
    const preload = `--import=data:text/javascript,${encodeURIComponent(unheld)}`;
    const environment = { ...commandEnvironment(), NODE_OPTIONS: preload };
    const made = await loredex(["bot", "create", "acme", "--data", data], { environment });
    expect(made.code).toBe(0);
    const listed = await loredex(["bot", "list", "--json", "--data", data], { environment });
    expect(JSON.parse(listed.out)).toHaveLength(1);
  });

  it("one that was killed is not spoken to, and the next one takes its place", async () => {
    const data = join(await temporaryDirectory(), "data");
    const killed = await startServer(data);
    await loredex(["bot", "create", "acme", "--data", data]);
    expect(await killed.stop("SIGKILL")).toBe("SIGKILL");
    expect(existsSync(join(data, "loredex.sock"))).toBe(true);
    const alone = await loredex(["bot", "list", "--json", "--data", data]);
    expect(JSON.parse(alone.out)).toHaveLength(1);
    const next = await startServer(data);
    const beside = await loredex(["bot", "list", "--json", "--data", data]);
    expect(JSON.parse(beside.out)).toHaveLength(1);
    expect(await next.stop("SIGINT")).toBe(0);
  });

  it("an address that cannot be had is told, and the directory is let go", async () => {
    const data = await temporaryDirectory();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const taken = await loredex(["serve", "--port", String(port), "--data", data]);
    other.close();
    expect(taken).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(`port ${port} on 127.0.0.1 is taken`),
    });
    const strange = await loredex(["serve", "--host", "192.0.2.1", "--port", "0", "--data", data]);
    expect(strange).toMatchObject({ code: 1, err: expect.stringContaining("no address of this machine") });
    await (await Engine.open({ directory: data })).close();
  });
});
