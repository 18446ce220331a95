import { nearest } from "@loredex/core";
import { foreignVariable } from "./foreign-variables.ts";
import { type Found, flagOf, type Options, settable, VARIABLE_PREFIX, variableOf } from "./option.ts";
import { UsageError } from "./usage-error.ts";
import { readValue } from "./values.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings in the environment. @throws UsageError for an invalid value, and for a name that is probably a mistyped setting */
export function readEnvironment(
  options: Options,
  environment: Environment,
): { readonly found: ReadonlyMap<string, Found>; readonly unknown: readonly string[] } {
  const names = new Map(Object.keys(options).map((name) => [variableOf(name), name]));
  const found = new Map<string, Found>();
  const unknown: string[] = [];
  for (const [variable, text = ""] of Object.entries(environment)) {
    // An empty variable counts as absent, as everywhere.
    if (!variable.startsWith(VARIABLE_PREFIX) || text.trim() === "" || foreignVariable(variable, text)) continue;
    const name = names.get(variable);
    const option = name === undefined ? undefined : options[name];
    if (name === undefined || option === undefined) {
      refuseMistyped(variable, options);
      unknown.push(variable);
    } else if (option.setting === false) {
      throw new UsageError(
        `${variable} cannot stand in the environment: ${flagOf(name)} is said with the command that needs it`,
      );
    } else {
      // White space may belong to a text, for example to a prefix.
      const value = readValue(option, option.kind === "text" ? text : text.trim(), variable);
      found.set(name, { value, from: variable, text });
    }
  }
  return { found, unknown };
}

/** Refuses a variable that resembles a setting's name. Other variables may belong to other programs. */
function refuseMistyped(variable: string, options: Options): void {
  const bare = (name: string): string => name.slice(VARIABLE_PREFIX.length);
  const meant = nearest(
    bare(variable),
    settable(options, "environment").map((name) => bare(variableOf(name))),
  );
  if (meant === undefined) return;
  throw new UsageError(
    `there is no setting ${variable}; did you mean ${VARIABLE_PREFIX}${meant}? If not, take it out of the environment`,
  );
}
