import { resolve } from "node:path";
import { DEFAULT_FILE, readConfigFile } from "./config-file.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { MODEL_SERVER } from "./model-server.ts";
import { type Found, type Options, variableOf } from "./option.ts";
import { UsageError } from "./usage-error.ts";

/** What `loredex help` says more of. */
const TOPIC = "config";

/** What the environment and the file say. */
export interface Settings {
  /** The file that was read; undefined if there is none. */
  readonly file: string | undefined;
  /** Variables that begin as ours do and are none: they change nothing. */
  readonly unknown: readonly string[];
  find(name: string): Found | undefined;
}

/** Of who has nothing set. */
export const NO_SETTINGS: Settings = { file: undefined, unknown: [], find: () => undefined };

/**
 * Reads the environment and the file; the environment goes before it.
 * @param options all there are, by name, also those that must not be set
 * @param given the file that the command line names; else the environment does, or it lies in the working directory
 * @throws UsageError that names the variable or the file, and what was likely meant
 */
export async function readSettings(options: Options, environment: Environment, given?: string): Promise<Settings> {
  try {
    const { found, unknown } = readEnvironment(options, environment);
    const named = given ?? found.get("config")?.value;
    const path = resolve(typeof named === "string" ? named : DEFAULT_FILE);
    const inFile = await readConfigFile(options, path, { isNamed: named !== undefined });
    return {
      file: inFile === undefined ? undefined : path,
      unknown,
      find: (name) => found.get(name) ?? inFile?.get(name),
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), TOPIC);
  }
}

/** What is set of the model server, as the environment variables that its embedder reads. */
export function modelServerVariables({ find }: Settings): Environment {
  return Object.fromEntries(
    Object.keys(MODEL_SERVER).flatMap((name) => {
      const found = find(name);
      return found === undefined ? [] : [[variableOf(name), String(found.value)] as const];
    }),
  );
}
