import { kinds, requireArguments } from "@loredex/client";

/** Settings of a server. */
export interface McpSettings {
  /** The address of the Loredex server, with any path before `/api/v1`. */
  readonly url: string;
  /** The bot's key. */
  readonly key: string;
  /** True to leave out the tools that write. */
  readonly readOnly: boolean;
}

/** Settings from the command line; each may be missing. */
export interface GivenSettings {
  readonly url?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

const GIVEN_SETTINGS: kinds.OptionKinds<GivenSettings> = { url: kinds.A_STRING, readOnly: kinds.A_BOOLEAN };

const ENVIRONMENT = kinds.recordOf<string | undefined>(kinds.optional(kinds.A_STRING));

type Environment = Readonly<Record<string, string | undefined>>;

/** A missing or wrong setting. The message names the remedy. */
export class McpSettingsError extends Error {
  override readonly name = "McpSettingsError";
}

/**
 * Reads the settings. The key is only read from the environment, because every user of a machine can read arguments.
 * @throws McpSettingsError; TypeError for a setting that is unknown or of a wrong kind
 */
export function readMcpSettings(given: GivenSettings, environment: Environment): McpSettings {
  requireArguments("readMcpSettings", { given, environment }, { given: GIVEN_SETTINGS, environment: ENVIRONMENT });
  const url = given.url ?? set(environment.LOREDEX_URL);
  if (url === undefined) {
    throw new McpSettingsError("say which server: --url http://127.0.0.1:8080, or LOREDEX_URL in the environment");
  }
  const { protocol, username } = addressOf(url);
  if (!/^https?:$/.test(protocol))
    throw new McpSettingsError(`the address must begin with http:// or https://: ${url}`);
  if (username !== "")
    throw new McpSettingsError("the address holds a name or password; the key is all that is needed");
  const key = set(environment.LOREDEX_KEY);
  if (key === undefined) {
    throw new McpSettingsError("LOREDEX_KEY is not set in the environment: it has to hold the bot's key");
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new McpSettingsError("LOREDEX_KEY holds characters that no key has: copy the key again");
  }
  return { url, key, readOnly: given.readOnly === true };
}

function addressOf(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new McpSettingsError(`this is no address: ${url}; one looks like http://127.0.0.1:8080`);
  }
}

/** Trims white space; undefined for a variable that is missing or empty. */
function set(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === "" ? undefined : text;
}
