import type { Place, StoreChoice } from "../place.ts";
import { DIRECTORY_DEFAULT } from "./common-options.ts";
import { type Found, flagOf, keyOf, type Options, type OptionValue, VARIABLE_PREFIX } from "./option.ts";
import type { Settings } from "./settings.ts";
import { CONNECTIONS_DEFAULT, STORE_TIMEOUT_MS_DEFAULT } from "./store-options.ts";
import { UsageError } from "./usage-error.ts";

type OptionValues = Readonly<Record<string, OptionValue | undefined>>;

/**
 * The place that a command works on. The command line overrules the environment, and the environment the file.
 * @param known the options of the command
 * @throws UsageError if the same of them names a directory and a database, or if an option of a database is given for a directory
 */
export function placeOf(given: OptionValues, options: OptionValues, settings: Settings, known: Options): Place {
  if (given.data !== undefined && given.store !== undefined) throw contradiction("--data", "--store");
  const [data, store] = [settings.find("data"), settings.find("store")];
  const isStore =
    given.store !== undefined ||
    (given.data === undefined && store !== undefined && (data === undefined || overrules(store, data)));
  if (isStore) return { kind: "store", store: storeChoice(String(options.store), options) };
  // A directory that is named closer to the command than a setting overrules it: a file of settings may be that of a database.
  const isOverruled = (found: Found): boolean =>
    given.data !== undefined || (data !== undefined && isVariable(data) && !isVariable(found));
  refuseWithoutStore(known, given, "--store URL", (name) => {
    const found = settings.find(name);
    return found === undefined || isOverruled(found) ? undefined : found;
  });
  return { kind: "directory", directory: typeof options.data === "string" ? options.data : DIRECTORY_DEFAULT };
}

/**
 * Refuses options of a database for a command that works on none.
 * @param set finds a setting that nothing overrules. Default: none
 * @throws UsageError
 */
export function refuseWithoutStore(
  known: Options,
  given: OptionValues,
  naming: string,
  set: (name: string) => Found | undefined = () => undefined,
): void {
  for (const [name, { needs }] of Object.entries(known)) {
    if (needs === undefined) continue;
    const value = given[name];
    const found = value === undefined ? set(name) : { value, from: flagOf(name) };
    if (found === undefined || found.value === false) continue;
    const isOfFile = value === undefined && !isVariable(found);
    const what = isOfFile ? `"${keyOf(name)}"` : found.from;
    throw new UsageError(
      `${what}${isOfFile ? ` in ${found.from}` : ""} has an effect only with a database: name one with ${naming}, or drop ${what}`,
    );
  }
}

/** The place that a directory's path or a database's address names: `postgres://` is an address. */
export function namedPlace(text: string, options: OptionValues): Place {
  if (!text.includes("://")) return { kind: "directory", directory: text };
  return { kind: "store", store: storeChoice(text, options) };
}

/** @throws UsageError for another address than one of PostgreSQL. It shows none of it */
function storeChoice(url: string, options: OptionValues): StoreChoice {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    throw new UsageError(
      "the address of a database is written as postgres://USER@HOST:PORT/DATABASE; in a password, / ? # @ : and % are written as %2F %3F %23 %40 %3A and %25",
    );
  }
  const { "store-connections": connections, "store-timeout": timeoutMs, "store-password-file": file } = options;
  return {
    url,
    connections: typeof connections === "number" ? connections : CONNECTIONS_DEFAULT,
    timeoutMs: typeof timeoutMs === "number" ? timeoutMs : STORE_TIMEOUT_MS_DEFAULT,
    migrate: options["no-migrate"] !== true,
    ...(typeof file === "string" ? { passwordFile: file } : {}),
  };
}

/** Whether a setting is of the environment and the other one of the file. @throws UsageError if both are of the same */
function overrules(store: Found, data: Found): boolean {
  if (isVariable(store) !== isVariable(data)) return isVariable(store);
  throw isVariable(store) ? contradiction(data.from, store.from) : contradiction(`"data" in ${data.from}`, '"store"');
}

function isVariable({ from }: Pick<Found, "from">): boolean {
  return from.startsWith(VARIABLE_PREFIX);
}

function contradiction(data: string, store: string): UsageError {
  return new UsageError(
    `${data} and ${store} contradict each other: drop ${data} to use the database, or ${store} to use the directory`,
  );
}

/** The password of an address; undefined if it has none. */
export function passwordIn(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { password, searchParams } = new URL(url);
  return password || searchParams.get("password") || undefined;
}

/** A text without the passwords of addresses, as they are written and as they are meant. */
export function withoutPasswords(text: string, urls: readonly unknown[]): string {
  let safe = text;
  for (const url of urls) {
    const password = passwordIn(url);
    if (password === undefined) continue;
    for (const secret of [password, decoded(password)]) safe = safe.replaceAll(secret, "********");
  }
  return safe;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
