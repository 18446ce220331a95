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
      // Takes requests, and never answers.
      const asked = new EventEmitter();
      const silent = createServer(() => void asked.emit("one")).listen(0, "127.0.0.1");
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
