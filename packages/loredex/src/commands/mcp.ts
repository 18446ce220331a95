import { optionalPackage } from "../optional-package.ts";
import { oneLine } from "../terminal/terminal.ts";
import { type Command, flag, text, UsageError } from "./command.ts";

/** The used exports of an optional package. */
type McpPackage = Pick<typeof import("@loredex/mcp"), "McpSettingsError" | "readMcpSettings" | "serveMcp">;

const PACKAGE = "@loredex/mcp";
const load = (): Promise<McpPackage> => optionalPackage(PACKAGE);

/** @param loadPackage loads the package. It has 17 MB, and only operators with language models need it */
export function mcpCommand(loadPackage: () => Promise<McpPackage> = load): Command {
  return {
    usage: "mcp",
    summary: "tools for language models: search a server, read and write its articles",
    more: `Speaks the Model Context Protocol on stdin and stdout, for a host of models that starts it; see docs/mcp.md.
It needs the package ${PACKAGE}, and the bot's key in LOREDEX_KEY in the environment, never in an argument.
`,
    positionals: [0, 0],
    options: {
      url: {
        kind: "text",
        value: "URL",
        help: "the address of the server",
        default: "LOREDEX_URL",
        setting: false,
      },
      "read-only": { kind: "switch", help: "without the tools that write", setting: false },
    },
    examples: ["mcp --url http://127.0.0.1:8080 --read-only"],
    // A host of models must see no messages about settings that it does not need.
    isStandalone: true,
    async run({ given, environment, terminal }) {
      const { McpSettingsError, readMcpSettings, serveMcp } = await found(loadPackage);
      try {
        const settings = readMcpSettings({ url: text(given, "url"), readOnly: flag(given, "read-only") }, environment);
        await serveMcp({ ...settings, tell: (line) => terminal.err(`${oneLine(line)}\n`) });
        return 0;
      } catch (error) {
        throw error instanceof McpSettingsError ? new UsageError(error.message) : error;
      }
    },
  };
}

/** Loads the package. @throws Error with the command that installs the package, if it is missing */
async function found(loadPackage: () => Promise<McpPackage>): Promise<McpPackage> {
  try {
    return await loadPackage();
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new Error(
      `${PACKAGE} is not installed: npm i ${PACKAGE} (where loredex was installed with -g: npm i -g ${PACKAGE}), or run it alone: npx ${PACKAGE}`,
      { cause },
    );
  }
}

/** Whether this package is missing, and not one of its dependencies. */
function isNotFound(cause: unknown): boolean {
  if (!(cause instanceof Error) || !("code" in cause) || cause.code !== "ERR_MODULE_NOT_FOUND") return false;
  return cause.message.includes(`'${PACKAGE}'`);
}
