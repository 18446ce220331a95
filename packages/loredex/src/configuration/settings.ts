import { resolve } from "node:path";
import { DEFAULT_FILE, readConfigFile } from "./config-file.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { MODEL_SERVER } from "./model-server.ts";
import { type Found, type Options, variableOf } from "./option.ts";
import { UsageError } from "./usage-error.ts";

/** The topic of `loredex help` for errors of settings. */
const TOPIC = "config";

/** The settings in the environment and the file. */
export interface Settings {
  /** The file that was read; undefined if there was none. */
  readonly file: string | undefined;
  /** Variables with our prefix that are no settings. They have no effect. */
  readonly unknown: readonly string[];
  find(name: string): Found | undefined;
}

/** No settings. */
export const NO_SETTINGS: Settings = { file: undefined, unknown: [], find: () => undefined };

/**
 * Reads the environment and the file. The environment overrules the file.
 * @param options all options by name, including options that must not be set
 * @param given the file that the command line names. By default the environment names it, or it is in the working directory
 * @throws UsageError that names the variable or the file, and the probable meaning
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

/** The settings of the model server, as the environment variables that its embedder reads. */
export function modelServerVariables({ find }: Settings): Environment {
  return Object.fromEntries(
    Object.keys(MODEL_SERVER).flatMap((name) => {
      const found = find(name);
      return found === undefined ? [] : [[variableOf(name), String(found.value)] as const];
    }),
  );
}
