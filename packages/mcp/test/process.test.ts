import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { ownService } from "../../../test/http/service.ts";
import { callOf } from "./support.ts";

const BIN = join(inject("built"), "node_modules");
const PROGRAMS = {
  "loredex mcp": [join(BIN, "loredex", "bin", "loredex.js"), "mcp"],
  "loredex-mcp": [join(BIN, "@loredex", "mcp", "bin", "loredex-mcp.js")],
} as const;

/** Older hosts begin with `initialize`, newer ones ask what the server is. */
describe("a host that starts the program", () => {
  it.each([
    ["loredex mcp", { mode: "legacy" }, /^2025-/],
    ["loredex-mcp", { mode: "auto" }, /^2026-/],
  ] as const)("%s asks and writes over stdin and stdout (%j)", async (program, versionNegotiation, version) => {
    const service = await ownService();
    const { key } = await service.bot();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...PROGRAMS[program], "--url", service.url],
      env: { LOREDEX_KEY: key },
      stderr: "pipe",
    });
    let said = "";
    transport.stderr?.on("data", (piece: Buffer) => {
      said += piece;
    });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
    const strange: Error[] = [];
    client.onerror = (error) => strange.push(error);
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect(client.getNegotiatedProtocolVersion()).toMatch(version);
    expect((await client.listTools()).tools).toHaveLength(6);
    const made = await callOf(client, "create_article", { title: "Refunds", body: "A refund takes three days." });
    expect(made, made.text).toMatchObject({ isError: false });
    const { id } = made.structured;
    await expect.poll(async () => (await callOf(client, "get_article", { id })).structured.status).toBe("active");
    const found = await callOf(client, "search_knowledge", { query: "refund" });
    expect(found.text).toContain("| A refund takes three days.");
    // Closing ends stdin; the program goes by itself, before it would be killed.
    const { pid } = transport;
    await client.close();
    expect(said).toContain(service.url);
    expect(said).not.toContain(key);
    expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
    expect(strange).toEqual([]);
  });

  it.each(["stdin", "SIGTERM"] as const)(
    "ends it by %s, also while a call waits; all it has said is protocol",
    async (how) => {
      // Says at the start that the key may only search, and never answers what a tool asks.
      const asked = new EventEmitter();
      let requests = 0;
      const silent = createServer((_, response) => {
        requests++;
        if (requests === 1) response.writeHead(403).end();
        else asked.emit("one");
      }).listen(0, "127.0.0.1");
      await once(silent, "listening");
      onTestFinished(() => {
        silent.closeAllConnections();
        silent.close();
      });
      const address = silent.address();
      const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      const program = spawn(process.execPath, [...PROGRAMS["loredex-mcp"], "--url", url], {
        env: { LOREDEX_KEY: "k" },
        stdio: "pipe",
      });
      onTestFinished(() => void program.kill("SIGKILL"));
      const [out, err] = [text(program.stdout), text(program.stderr)];
      const exited = once(program, "exit");
      const waits = once(asked, "one");
      const clientInfo = { name: "test", version: "1" };
      for (const line of [
        "this is not JSON",
        JSON.stringify({ jsonrpc: "1.0", method: 3 }),
        JSON.stringify({
          ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
          params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
        }),
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
        JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "list_articles" } }),
      ]) {
        program.stdin.write(`${line}\n`);
      }
      await waits;
      if (how === "stdin") program.stdin.end();
      else program.kill(how);
      expect(await exited).toEqual([0, null]);
      const answers = (await out)
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line));
      expect(answers).toEqual([expect.objectContaining({ jsonrpc: "2.0", id: 1 })]);
      expect(await err).toContain("what is not the protocol");
    },
  );
});

describe("a server that the tools cannot work with", () => {
  /** Runs a program against it, with a host that has closed stdin. */
  async function started(program: keyof typeof PROGRAMS, url: string, key: string) {
    const child = spawn(process.execPath, [...PROGRAMS[program], "--url", url], {
      env: { LOREDEX_KEY: key },
      stdio: "pipe",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [out, err] = [text(child.stdout), text(child.stderr)];
    child.stdin.end();
    const [code] = await once(child, "exit");
    return { code, out: await out, err: await err };
  }

  it.each(["loredex mcp", "loredex-mcp"] as const)(
    "ends %s with an error: it does not know the key",
    async (program) => {
      const service = await ownService();
      const { code, out, err } = await started(program, service.url, "wrong");
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toMatch(
        /^loredex(?:-mcp)?: The server at http:\S+ does not know the key in LOREDEX_KEY\. Put the bot's key there;/,
      );
      expect(err).not.toContain("says more");
      const bot = await service.bot();
      for (const key of [bot.key, await service.engine.addKey(bot.id, "site", { scope: "search" })]) {
        const right = await started(program, service.url, key);
        expect([right.code, right.err]).toEqual([
          0,
          expect.stringMatching(/^Tools for the knowledge at \S+: waiting.*\n$/),
        ]);
      }
    },
  );

  it("ends it as well where it redirects, and not where it is away", async () => {
    const keys: unknown[] = [];
    const stranger = createServer((request) => void keys.push(request.headers["x-api-key"])).listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const portOf = (server: typeof stranger) => Number(Object(server.address()).port);
    const other = `http://127.0.0.1:${portOf(stranger)}/login`;
    const server = createServer((_, response) => void response.writeHead(302, { location: other }).end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => {
      for (const each of [server, stranger]) each.closeAllConnections();
      for (const each of [server, stranger]) each.close();
    });
    const url = `http://127.0.0.1:${portOf(server)}`;
    const redirected = await started("loredex-mcp", url, "k");
    expect(redirected.code).toBe(1);
    expect(redirected.err).toContain(`redirects to ${other}. Loredex never redirects`);
    expect(keys).toEqual([]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const away = await started("loredex-mcp", url, "k");
    expect([away.code, away.err]).toEqual([
      0,
      expect.stringMatching(/^No answer came .*may answer later\.\nTools for /),
    ]);
  });
});
