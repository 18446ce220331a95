import { parseArgs } from "node:util";
import { ownPackage } from "./own-package.ts";
import type { ServeMcpOptions } from "./serve-mcp.ts";
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

/** What a run of the program works with. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly serve: (options: ServeMcpOptions) => Promise<void>;
}

/** Runs one command line and resolves with its exit code: 0 done, 2 wrong usage. */
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
    if (!(error instanceof McpSettingsError)) throw error;
    around.err(`loredex-mcp: ${error.message}\n"loredex-mcp --help" says more.\n`);
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
