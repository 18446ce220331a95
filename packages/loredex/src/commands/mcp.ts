import { optionalPackage } from "../optional-package.ts";
import { oneLine } from "../terminal/terminal.ts";
import { type Command, flag, text, UsageError } from "./command.ts";

/** What is used of the package that is not there for everybody. */
type McpPackage = Pick<typeof import("@loredex/mcp"), "McpSettingsError" | "readMcpSettings" | "serveMcp">;

const PACKAGE = "@loredex/mcp";
const load = (): Promise<McpPackage> => optionalPackage(PACKAGE);

/** @param loadPackage loads the package: whoever lets no model ask can do without its 17 MB */
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
    // A host shall not be told of settings that it does not need.
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

/** @throws Error with the line to type where the package is not installed */
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

/** Whether it is this package that is missing, and none that it needs. */
function isNotFound(cause: unknown): boolean {
  if (!(cause instanceof Error) || !("code" in cause) || cause.code !== "ERR_MODULE_NOT_FOUND") return false;
  return cause.message.includes(`'${PACKAGE}'`);
}
