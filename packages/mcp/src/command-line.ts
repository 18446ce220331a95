import { parseArgs } from "node:util";
import { oneLine } from "./answers/plain.ts";
import { ownPackage } from "./own-package.ts";
import { McpServerError, type ServeMcpOptions } from "./serve-mcp.ts";
import { McpSettingsError, readMcpSettings } from "./settings.ts";

const HELP = `Usage: loredex-mcp --url URL [--read-only]
  tools for language models, over the Model Context Protocol on stdin and stdout: search a Loredex server, read and write its articles

Options:
  --url URL    the address of the Loredex server (default: LOREDEX_URL)
  --read-only  without the tools that write
  --version    which version this is
  --help, -h   this text

The bot's key stands in LOREDEX_KEY, never in an argument. A host of models starts this program; docs/mcp.md says how it is told to.
`;

/** The environment of a program run. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly serve: (options: ServeMcpOptions) => Promise<void>;
}

const SAID_CHARACTERS_MAX = 1_000;

/** Runs one command line and resolves with its exit code: 0 done, 1 the tools cannot work with this server or key, 2 wrong usage. */
export async function runMcpCommand(argv: readonly string[], around: Surroundings): Promise<number> {
  try {
    const { url, help, version, ...switches } = given(argv);
    if (help === true) around.out(HELP);
    else if (version === true) around.out(`${ownPackage().version}\n`);
    else {
      const settings = readMcpSettings({ url, readOnly: switches["read-only"] }, around.environment);
      await around.serve({ ...settings, tell: (line) => around.err(`${line}\n`) });
    }
    return 0;
  } catch (error) {
    const isUsage = error instanceof McpSettingsError;
    if (!isUsage && !(error instanceof McpServerError)) throw error;
    around.err(`loredex-mcp: ${oneLine(error.message, SAID_CHARACTERS_MAX)}\n`);
    if (!isUsage) return 1;
    around.err('"loredex-mcp --help" says more.\n');
    return 2;
  }
}

function given(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        url: { type: "string" },
        "read-only": { type: "boolean" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
      },
    });
    return values;
  } catch (error) {
    throw new McpSettingsError(error instanceof Error ? error.message : String(error));
  }
}
