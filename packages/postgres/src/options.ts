import { kinds, type Logger, requireArguments } from "@loredex/core";
import { A_URL, addressOf } from "./address.ts";

/** Options of {@link openPostgres}. */
export interface PostgresOptions {
  /** Connections to the server at the same time, 1 to 1,000; default 10. */
  readonly connections?: number;
  /** Milliseconds without an answer after which the server counts as unreachable; default 2,000. */
  readonly timeoutMs?: number;
  /** Whether tables are created or changed where the schema is older. Default true; with false a schema that is too old is refused. */
  readonly migrate?: boolean;
  /** A file with the password of the URL's user. It is read for each new pool of connections, so that it may change. Default: the URL or `PG*`. */
  readonly passwordFile?: string;
  /** Name of the schema with the tables: 1 to 63 lower-case letters, digits and `_`, no digit first. Default `loredex`. */
  readonly schema?: string;
  /**
   * A folder of this node's own disk for copies of snapshots and token codes, which are texts of articles and what is derived from them. They are in a folder
   * of it for each database and schema; nothing else in it is touched. Default: none.
   */
  readonly cacheDirectory?: string;
  /** The most bytes of these copies, from 1 MiB; default 2 GiB. */
  readonly cacheBytes?: number;
  /** Told when copies cannot be kept. The engine logs when the server stops answering. */
  readonly logger?: Logger;
}

const POSTGRES_OPTIONS: kinds.OptionKinds<PostgresOptions> = {
  connections: kinds.aWholeNumber(1, 1_000),
  timeoutMs: kinds.aTimeMs(),
  migrate: kinds.A_BOOLEAN,
  passwordFile: kinds.A_TEXT,
  schema: kinds.kind(
    "pattern",
    "1 to 63 lower-case letters, digits and _, no digit first",
    (given) => typeof given === "string" && /^[a-z_][a-z0-9_]{0,62}$/.test(given),
  ),
  cacheDirectory: kinds.A_TEXT,
  cacheBytes: kinds.aNumberOfBytes(1_048_576),
  logger: kinds.A_LOGGER,
};

/** The options with defaults. */
export interface Settings extends Required<Omit<PostgresOptions, "passwordFile" | "cacheDirectory" | "logger">> {
  /** The address with the password of the file, as it is now. Never to be shown. */
  readonly address: () => string;
  readonly cacheDirectory: string | undefined;
  readonly logger: Logger | undefined;
}

/**
 * Checks the arguments of a call. No message shows the URL, since it may hold a password.
 * @throws ValidationError
 */
export function settingsOf(call: string, url: string, options: PostgresOptions): Settings {
  requireArguments(call, { url, options }, { url: A_URL, options: POSTGRES_OPTIONS });
  const { passwordFile, cacheDirectory, logger, ...rest } = options;
  return {
    connections: 10,
    timeoutMs: 2_000,
    migrate: true,
    schema: "loredex",
    cacheBytes: 2_147_483_648,
    ...rest,
    cacheDirectory,
    address: () => addressOf(url, passwordFile),
    logger,
  };
}
