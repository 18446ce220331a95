import { LoredexClient } from "@loredex/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { EndingTransport } from "./ending-transport.ts";
import { knowledgeServer } from "./knowledge-server.ts";
import type { McpSettings } from "./settings.ts";

/** Shorter than hosts wait for a tool, 60 seconds mostly: a model is told of a longer wait, and decides itself. */
const PATIENCE = { attemptsMax: 3, waitSecondsMax: 10, timeoutSeconds: 30 };

export interface ServeMcpOptions extends McpSettings {
  /** Told what an operator may want to know: lines without a line break, for stderr, as stdout belongs to the protocol. */
  readonly tell?: (line: string) => void;
}

/**
 * Serves the tools over stdin and stdout, in whichever version of the protocol the other side speaks. Resolves once stdin has ended, or SIGTERM
 * or SIGINT has come.
 */
export async function serveMcp({ url, key, readOnly, tell = () => {} }: ServeMcpOptions): Promise<void> {
  const client = new LoredexClient({ baseUrl: url, key, ...PATIENCE });
  const transport = new EndingTransport();
  const connection = serveStdio(() => knowledgeServer(client, readOnly), {
    transport,
    onerror: (error) => tell(`The host sent what is not the protocol, or does not read: ${error.message}`),
  });
  const end = (): void => void connection.close();
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const signal of signals) process.on(signal, end);
  tell(`Tools for the knowledge at ${url}${readOnly ? ", to read only" : ""}: waiting for a host on stdin.`);
  await transport.closed;
  for (const signal of signals) process.off(signal, end);
}
