import { dirname, resolve } from "node:path";
import { nearest } from "@loredex/core";
import { bytesOfFile, UserFileError } from "@loredex/import/files";
import { type Found, flagOf, keyOf, type Options, type OptionValue, settable } from "./option.ts";
import { repeatedKey } from "./repeated-key.ts";
import { UsageError } from "./usage-error.ts";
import { readJsonValue } from "./values.ts";

/** The default file of settings, in the working directory. It is read if it exists. */
export const DEFAULT_FILE = "loredex.config.json";

/** The largest file of settings, in bytes. A larger file cannot be one. */
const CONFIG_FILE_BYTES_MAX = 1_048_576;

/** A pipe that the shell has opened for this process, as in `--config <(program)`. Any other pipe may never deliver anything. */
const OPEN_PIPE = /^\/(?:dev|proc)\//;

/** The key for editors, which is ignored. */
const SCHEMA_KEY = "$schema";

/**
 * Reads a file of settings into values by option names; undefined if no file was named and none exists.
 * @throws UsageError that names the file
 */
export async function readConfigFile(
  options: Options,
  path: string,
  { isNamed }: { readonly isNamed: boolean },
): Promise<ReadonlyMap<string, Found> | undefined> {
  const text = await textOf(path).catch((error: unknown) => {
    const { cause } = error instanceof UserFileError ? error : {};
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    if (isMissing && !isNamed) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const names = new Map(Object.keys(options).map((name) => [keyOf(name), name]));
  const found = new Map<string, Found>();
  for (const [key, given] of Object.entries(objectIn(text, path))) {
    if (key === SCHEMA_KEY) continue;
    const name = names.get(key);
    const option = name === undefined ? undefined : options[name];
    if (name === undefined || option === undefined) throw new UsageError(unknownKey(key, path, options));
    if (option.setting !== true) {
      throw new UsageError(`"${key}" cannot stand in ${path}: ${flagOf(name)} is said with the command that needs it`);
    }
    const value = readJsonValue(option, given, `"${key}" in ${path}`);
    const meant = option.kind === "path" ? fromFolder(path, value) : value;
    found.set(name, { value: meant, from: path, text: option.kind === "path" ? String(meant) : String(given) });
  }
  return found;
}

/** Resolves a path in a file of settings against the folder of that file. */
function fromFolder(path: string, value: OptionValue): OptionValue {
  return typeof value === "string" ? resolve(dirname(path), value) : value;
}

async function textOf(path: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of bytesOfFile(path, { takesPipe: OPEN_PIPE.test(path) })) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > CONFIG_FILE_BYTES_MAX) throw new UsageError(`${path} is too large to be a file of settings`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new UsageError(`${path} is no valid UTF-8`);
  }
}

function objectIn(text: string, path: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is no valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const twice = repeatedKey(text);
    if (twice === undefined) return value;
    throw new UsageError(`"${twice}" stands twice in ${path}: leave the one that is meant`);
  }
  throw new UsageError(`${path} must hold one JSON object, as in { "data": "./data" }`);
}

function unknownKey(key: string, path: string, options: Options): string {
  // A key in the form of an option or a variable is probably meant for the key of that setting.
  const letters = (name: string): string => name.replace(/^LOREDEX_|[^a-z0-9]/gi, "").toLowerCase();
  const known = settable(options, "file").map(keyOf);
  const meant = known.find((each) => letters(each) === letters(key)) ?? nearest(key, known);
  const hint = meant === undefined ? '"loredex config" lists what can be set' : `did you mean "${meant}"?`;
  return `there is no setting "${key}", which stands in ${path}; ${hint}`;
}
