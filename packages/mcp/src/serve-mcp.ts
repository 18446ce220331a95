import { kinds, LoredexClient, LoredexError, requireArguments } from "@loredex/client";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { oneLine } from "./answers/plain.ts";
import { knowledgeServer } from "./knowledge-server.ts";
import type { McpSettings } from "./settings.ts";

/** Shorter than the time that hosts wait for a tool, mostly 60 seconds: a longer wait is reported to the model, which decides itself. */
const PATIENCE = { attemptsMax: 3, waitSecondsMax: 10, timeoutSeconds: 30 };

/** The single request before serving a host: a server that is slow or away may answer later. */
const CHECK = { attemptsMax: 1, timeoutSeconds: 3 };
const TOLD_CHARACTERS_MAX = 1_000;

/** The tools cannot work with these settings, whatever a model asks. The message names the remedy. */
export class McpServerError extends Error {
  override readonly name = "McpServerError";
}

export interface ServeMcpOptions extends McpSettings {
  /** Called with messages for the operator: lines without a line break, for stderr, because stdout belongs to the protocol. */
  readonly tell?: (line: string) => void;
}

const SERVE_MCP_OPTIONS: kinds.OptionKinds<ServeMcpOptions> = {
  url: kinds.required(kinds.A_TEXT),
  key: kinds.required(kinds.A_STRING),
  readOnly: kinds.required(kinds.A_BOOLEAN),
  tell: kinds.A_FUNCTION,
};

/**
 * Serves the tools over stdin and stdout, in the other side's version of the protocol. Resolves after the end of stdin, or after SIGTERM or SIGINT. It asks the
 * server once before: a server that does not answer is reported, and may answer later.
 * @throws TypeError for an option that is unknown or of a wrong kind. McpServerError if the server does not know the key, its certificate is not trusted, or
 * the address redirects.
 */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  requireArguments("serveMcp", { options }, { options: SERVE_MCP_OPTIONS });
  const { url, key, readOnly, tell = () => {} } = options;
  const say = (line: string): void => tell(oneLine(line, TOLD_CHARACTERS_MAX));
  await checkServer(new LoredexClient({ baseUrl: url, key, ...CHECK }), url, say);
  const client = new LoredexClient({ baseUrl: url, key, ...PATIENCE });
  const transport = new EndingTransport();
  const connection = serveStdio(() => knowledgeServer(client, readOnly), {
    transport,
    onerror: (error) => say(`The host sent what is not the protocol, or does not read: ${error.message}`),
  });
  const end = (): void => void connection.close();
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const signal of signals) process.on(signal, end);
  say(`Tools for the knowledge at ${url}${readOnly ? ", to read only" : ""}: waiting for a host on stdin.`);
  await transport.closed;
  for (const signal of signals) process.off(signal, end);
}

async function checkServer(client: LoredexClient, url: string, say: (line: string) => void): Promise<void> {
  try {
    await client.getArticlesPage({}, { limit: 1 });
  } catch (error) {
    if (!(error instanceof LoredexError)) throw error;
    const { status, isFinal, message } = error;
    if (status === 401) {
      throw new McpServerError(
        `The server at ${url} does not know the key in LOREDEX_KEY. Put the bot's key there; "loredex key list BOT" names the keys there are, "loredex key add BOT NAME" makes one.`,
      );
    }
    if (isFinal && !error.isTooLong) throw new McpServerError(message);
    // A key that may only search is denied the list.
    if (status !== 403) say(`${message} The tools are served all the same: the server may answer later.`);
  }
}

/** The transport over stdin and stdout of this process. A promise tells that either side has closed them. */
class EndingTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  #tell: () => void = () => {};

  constructor(...streams: ConstructorParameters<typeof StdioServerTransport>) {
    super(...streams);
    this.closed = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#tell();
  }
}
