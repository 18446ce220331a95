import { LoredexClient, type LoredexClientOptions } from "@loredex/client";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { TestPace } from "../../client/test/service.ts";
import { knowledgeServer } from "../src/knowledge-server.ts";

/** What a host gets of a tool. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

/** A host of models that is connected to the tools. */
export interface Host {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
}

export async function callOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const { isError = false, content, structuredContent = {} } = await client.callTool({ name, arguments: args });
  const text = content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
  return { isError, text, structured: Object.fromEntries(Object.entries(structuredContent ?? {})) };
}

/** The tools of a server in this process, and a host that is connected to them. */
export async function hostOf(
  options: Pick<LoredexClientOptions, "baseUrl" | "key"> & Partial<LoredexClientOptions>,
  { readOnly = false } = {},
): Promise<Host> {
  const knowledge = new LoredexClient({ pace: new TestPace(), attemptsMax: 3, waitSecondsMax: 10, ...options });
  const server = knowledgeServer(knowledge, readOnly);
  const client = new Client({ name: "test", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  onTestFinished(() => client.close());
  return { client, call: (name, args) => callOf(client, name, args) };
}
